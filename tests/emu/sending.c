#include "tests/emu/sending.h"

#include <criterion/criterion.h>

const char sender[] = "        .vectors\n"
                      "        .org 0x43\n"
                      "        .ip again, U\n"
                      "        .rom\n"
                      "        .org 0x1000\n"
                      "        peek 0xFFF0E,r1\n"
                      "        bnz r1,^wait\n"
                      "        move false,r0\n"
                      "        move r0,i\n"
                      "wait:   rest\n"
                      "        .text\n"
                      "task:   peek count,r3\n"
                      "        move 1,r2\n"
                      "more:   bz r3,^ended\n"
                      "        .msg 0x444,6\n"
                      "        send2 r2,r0,0\n"
                      "        send2 11,r3,0\n"
                      "        send2 12,r3,0\n"
                      "        sende 13,0\n"
                      "        sub r3,1,r3\n"
                      "        br ^more\n"
                      "ended:  rest\n"
                      "        .data\n"
                      "count:  .word INT:1\n"
                      "start:  .msg task,1,U\n"
                      "        .text\n"
                      "again:  retry\n";

Rig *rig_set(unsigned x, const char *source, const Setting *settings) {
    JmConfig config = jm_config_default();
    JmError error;
    config.size_x = x;
    for (; settings->name; settings++)
        cr_assert(jm_config_set(&config, settings->name, settings->value, &error), "%s",
                  error.text);
    return rig_open_with(&config, source);
}

void set_queue(Rig *rig, unsigned node, JmContext priority, uint32_t mask,
               uint32_t words) {
    const uint32_t base = priority == JM_CONTEXT_0 ? BASE0 : BASE1;
    jm_set_register(rig->machine, node, priority, JM_REG_QHL, jm_addr(base, words));
    jm_set_register(rig->machine, node, priority, JM_REG_QBM, jm_addr(base, mask));
}

void start(Rig *rig, int count, uint32_t words) {
    rig_set_word(rig, 0, "count", jm_int(count));
    jm_write(rig->machine, 0, BASE0, rig_word(rig, 0, "start", 0));
    set_queue(rig, 0, JM_CONTEXT_0, 63, words);
}
