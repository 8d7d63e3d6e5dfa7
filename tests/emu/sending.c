#include "tests/emu/sending.h"

const char sender[] = SENDING("0x444", "1") "start:  .msg task,1,U\n";

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

int take_message(Rig *rig) {
    enum { MASK = 31, ROWS_WORDS = 8 };
    const JmWord qhl = jm_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL);
    const uint32_t head = jm_field20(jm_data(qhl));
    const uint32_t words = jm_queue_words(rig->machine, 1, 0);
    if (words < ROWS_WORDS)
        return 0;
    jm_set_register(rig->machine, 1, JM_CONTEXT_0, JM_REG_QHL,
                    jm_addr(BASE0 + ((head + ROWS_WORDS) & MASK), words - ROWS_WORDS));
    return (int)jm_data(jm_read(rig->machine, 1, BASE0 + ((head + 2) & MASK)));
}
