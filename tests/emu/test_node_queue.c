/* The queue of a single node: lengths, times and flags that a whole machine hardly
 * shows. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "emu/node/node.h"

enum { BASE = 0x800 };

typedef struct {
    Node node;
    JmWord *nil_page;
} Fixture;

static Fixture *open_node(uint32_t mask) {
    Fixture *f = aligned_alloc(_Alignof(Fixture), sizeof *f);
    f->nil_page = memory_new_page();
    node_init(&f->node, 0, f->nil_page);
    for (unsigned p = 0; p < 2; p++)
        f->node.priority[p].qbm = jm_data(jm_addr(BASE + 0x400 * p, mask));
    return f;
}

static void close_node(Fixture *f) {
    node_free(&f->node);
    memory_drop_page(f->nil_page);
    free(f);
}

static bool receive(Node *node, unsigned priority, uint64_t now) {
    const JmWord row[NODE_ROW_WORDS] = {jm_msg(0x100, 4), jm_int(1), jm_int(2),
                                        jm_int(3)};
    return node_receive(node, priority, row, NODE_ROW_WORDS, true, now);
}

static bool receive_row(Node *node, uint64_t now) {
    return receive(node, 0, now);
}

/* A length that a program has set may be carried over its 10 bits: the head stays. */
Test(emu_node_queue, length_has_ten_bits) {
    Fixture *f = open_node(1023);
    node_set_qhl(&f->node, 0, jm_data(jm_addr(BASE, 1022)), 0);
    cr_expect(receive_row(&f->node, 5));
    cr_expect_eq(f->node.priority[0].qhl, jm_data(jm_addr(BASE, 2)));
    close_node(f);
}

/* A row of cycle t counts from t + 1 on, and so does a SUSPEND. */
Test(emu_node_queue, time_of_a_row) {
    Fixture *f = open_node(63);
    const PriorityStatistics *s = &f->node.statistics.priority[0];
    receive_row(&f->node, 10);
    cr_expect_eq(s->area, 0u);
    cr_expect_eq(s->since, 11u);
    receive_row(&f->node, 20);
    cr_expect_eq(s->area, 4u * 10);
    bool faulted;
    node_dispatch(&f->node, 0, &faulted, 25);
    cr_expect(node_suspend(&f->node, 30));
    cr_expect_eq(s->area, 4u * 10 + 8u * 10);
    cr_expect_eq(s->since, 31u);
    close_node(f);
}

/* The cycle of the first of several overflows is kept, in whichever queue. */
Test(emu_node_queue, first_overflow) {
    for (unsigned first = 0; first < 2; first++) {
        Fixture *f = open_node(7);
        const NodeStatistics *s = &f->node.statistics;
        receive(&f->node, first, 10);
        cr_expect_eq(s->first_overflow, UINT64_MAX);
        receive(&f->node, first, 20);
        cr_expect_eq(s->first_overflow, 20u, "queue %u", first);
        receive(&f->node, first, 22); /* it is full already */
        receive(&f->node, !first, 23);
        node_set_qhl(&f->node, first, jm_data(jm_addr(BASE, 4)), 25);
        receive(&f->node, first, 30);
        receive(&f->node, !first, 35);
        cr_expect_eq(s->first_overflow, 20u, "queue %u", first);
        cr_expect_eq(s->overflows[first], 2u);
        cr_expect_eq(s->overflows[!first], 1u);
        close_node(f);
    }
}

/* SUSPEND of priority 1 goes back to what its dispatch interrupted: background, also
 * where a task of priority 0 has gone there by itself; or that task. */
Test(emu_node_queue, priority_1_goes_back) {
    for (unsigned task = 0; task < 3; task++) { /* none, running, in background */
        Fixture *f = open_node(63);
        Node *node = &f->node;
        bool faulted;
        memory_write(&node->memory, BASE + 0x400, jm_msg(0x100, 1));
        node_set_qhl(node, 1, jm_data(jm_addr(BASE + 0x400, 4)), 0);
        receive_row(node, 0);
        if (task)
            node_dispatch(node, 0, &faulted, 1);
        if (task == 2)
            node_register_write(node, JM_CONTEXT_0, 0, JM_REG_B, jm_bool(true), 2);
        node_dispatch(node, 1, &faulted, 3);
        cr_expect_eq(node->running, (uint32_t)JM_CONTEXT_1);
        cr_expect(node_suspend(node, 4));
        cr_expect_eq(node->background, task != 1, "%u", task);
        cr_expect_eq(node->p, 0);
        close_node(f);
    }
}

/* Both marks bound what may come whole, the lower one in the end; a mark above Q - 4
 * counts as Q - 4, and a row must stay free. */
Test(emu_node_queue, longest_message_under_marks) {
    static const uint32_t marks[] = {0, 16, 20, 40, 60, 64, 200};
    Fixture *f = open_node(63);
    for (unsigned i = 0; i < 49; i++) {
        const uint32_t brake = marks[i / 7], spill = marks[i % 7];
        const JmInterface interface = {.brake_mark = brake, .spill_mark = spill};
        node_set_interface(&f->node, &interface, spill ? NODE_SHUT_BY_SPILL : 0);
        for (uint32_t words = 1; words <= 64; words++) {
            const uint32_t rows = (words + 3) / 4 * 4;
            const bool holds = (!brake || rows + 4 <= brake) &&
                               (!spill || rows + 4 <= spill) &&
                               ((!brake && !spill) || rows + 4 <= 60);
            cr_expect_eq(node_can_hold(&f->node, 0, jm_msg(0x100, words)), holds,
                         "%u words, brake_mark=%u, spill_mark=%u", words, brake, spill);
        }
    }
    close_node(f);
}
