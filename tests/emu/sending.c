#include "tests/emu/sending.h"

#include <criterion/criterion.h>

const char sender[] = SENDING("0x444", "1") "start:  .msg task,1,U\n"
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
