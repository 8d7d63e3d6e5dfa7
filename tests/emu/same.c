/* Compares machines that ran the same program in different ways. */
#include "tests/emu/same.h"

#include <criterion/criterion.h>

enum { MEMORY_WORDS = 0x1000, EXTERNAL_WORDS = 0x40 };

static void expect_same_queues(const JmNodeStatistics *s, const JmNodeStatistics *t,
                               unsigned seed) {
    for (unsigned p = 0; p < 2; p++) {
        cr_assert_eq(s->messages_in[p], t->messages_in[p], "seed %u", seed);
        cr_assert_eq(s->messages_out[p], t->messages_out[p], "seed %u", seed);
        cr_assert_eq(s->words_in[p], t->words_in[p], "seed %u", seed);
        cr_assert_eq(s->words_out[p], t->words_out[p], "seed %u", seed);
        cr_assert_eq(s->dispatches[p], t->dispatches[p], "seed %u", seed);
        cr_assert_eq(s->queue_max_words[p], t->queue_max_words[p], "seed %u", seed);
        cr_assert_eq(s->queue_mean_words[p], t->queue_mean_words[p], "seed %u", seed);
        cr_assert_eq(s->overflows[p], t->overflows[p], "seed %u", seed);
    }
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++)
        cr_assert_eq(s->faults[f], t->faults[f], "seed %u: fault %u", seed, f);
}

static void expect_same_nodes(const Rig *a, const Rig *b, unsigned node,
                              uint64_t seed) {
    const JmNodeStatistics s = rig_statistics(a, node), t = rig_statistics(b, node);
    const unsigned number = (unsigned)seed;
    cr_assert_eq(s.instructions, t.instructions, "seed %u", number);
    expect_same_queues(&s, &t, number);
    for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
        cr_assert_eq(s.cycles[c], t.cycles[c], "seed %u: %s", number, jm_class_key(c));
    for (uint32_t i = 0; i < MEMORY_WORDS + EXTERNAL_WORDS; i++) {
        const uint32_t address = i < MEMORY_WORDS ? i : i + 0x1000;
        cr_assert(jm_same(jm_read(a->machine, node, address),
                          jm_read(b->machine, node, address)),
                  "seed %u: word %x", number, address);
    }
}

void expect_same_registers(const Rig *a, const Rig *b, uint64_t seed) {
    for (unsigned i = 0; i < jm_node_count(a->machine) * 3 * JM_REG_COUNT; i++) {
        const unsigned node = i / 3 / JM_REG_COUNT;
        const JmContext context = (JmContext)(i / JM_REG_COUNT % 3);
        const JmReg reg = (JmReg)(i % JM_REG_COUNT);
        cr_assert(!jm_reg_name(reg) ||
                      jm_same(jm_register(a->machine, node, context, reg),
                              jm_register(b->machine, node, context, reg)),
                  "seed %u: node %u, register %u", (unsigned)seed, node, reg);
    }
}

void expect_same(const Rig *a, const Rig *b, uint64_t seed) {
    cr_assert_eq(jm_now(a->machine), jm_now(b->machine), "seed %u", (unsigned)seed);
    expect_same_registers(a, b, seed);
    for (unsigned node = 0; node < jm_node_count(a->machine); node++)
        expect_same_nodes(a, b, node, seed);
}
