/* Translates a row. For plain.c alone; everything is static. */
#ifndef JM_NODE_STRETCH_TRANSLATE_INLINE_H
#define JM_NODE_STRETCH_TRANSLATE_INLINE_H

#include <stdlib.h>

#include "emu/node/stretch/issue_inline.h"

/* Whether an instruction is a branch by a number of words that it holds. */
static bool is_hop(const JmDecoded *d) {
    const JmForm form = jm_op_info(d->op)->form;
    return d->mode == JM_MODE_IMMEDIATE && (form == JM_FORM_BR || form == JM_FORM_S_BR);
}

/* Whether the instructions of a word are a delay loop: SUB Rn, #1; BNZ Rn to itself. */
static bool is_delay_loop(const JmDecoded *sub, const JmDecoded *bnz) {
    return sub->op == JM_OP_SUB && sub->mode == JM_MODE_IMMEDIATE && sub->value == 1 &&
           sub->rs == sub->rd && bnz->op == JM_OP_BNZ && bnz->rs == sub->rd &&
           bnz->mode == JM_MODE_IMMEDIATE && bnz->value == -1;
}

/* Translates the instruction of a slot; `first` is the one in the same word before it,
 * or itself. */
static void translate_op(NodeOp *op, const JmDecoded *first, bool checked) {
    op->d.mode &= (uint8_t)~NODE_MODE_BY_BODY;
    const JmDecoded *d = &op->d;
    if (d->mode == JM_MODE_CONSTANT)
        op->literal = jm_operand_constant(d->reg);
    if (d->mode == JM_MODE_IMMEDIATE)
        op->literal = jm_int(d->value);
    op->hop = (op->slot / 2 + 1 + d->value) * (int32_t)WORD_BYTES;
    op->issue = issue_of(d, checked);
    /* A branch to itself may put the node to sleep. */
    if (is_hop(d) && d->value == -1 && op->slot % 2 == 0)
        op->issue = NULL;
    if (op->slot % 2 == 1 && is_delay_loop(first, d))
        op->issue = BNZ_LOOP;
}

/* Charges slot `slot` `cycles` of a class, and what slot `behind` is charged. */
static void charge_slot(NodeStretch *stretch, unsigned slot, unsigned behind,
                        unsigned class, uint32_t cycles, bool completes) {
    stretch->charge[slot] = stretch->charge[behind];
    stretch->charge[slot].lane[class] += cycles;
    stretch->charge[slot].lane[NODE_INSTRUCTIONS] += completes;
    stretch->cost[slot] = stretch->cost[behind] + cycles;
}

/* Returns the cycles of a translated instruction, a branch as if it did not jump unless
 * it always does. */
static uint32_t cost_of(const JmDecoded *d, const NodeEnv *e) {
    const bool memory = d->mode == JM_MODE_INDEXED || d->mode == JM_MODE_OFFSET;
    const JmOp0Use use = jm_form_info(jm_op_info(d->op)->form)->op0;
    if (d->op == JM_OP_BR)
        return e->cost_jump;
    if (memory && use == JM_OP0_READ)
        return e->cost_read;
    return memory && use == JM_OP0_WRITE ? e->cost_write : e->cost_base;
}

/* Whether an instruction is charged when it is issued. */
static bool charges_itself(const NodeOp *op) {
    return op->issue == single || op->issue == READR_OTHER ||
           op->d.op_class == JM_CLASS_SEND;
}

/* Works out the charges, from the last slot to the first. Behind an instruction that is
 * not translated, or always jumps, they begin anew. */
static void charge_stretch(NodeStretch *stretch, const NodeEnv *e) {
    enum { END = STRETCH_OPS };
    for (unsigned slot = STRETCH_OPS; slot-- > 0;) {
        const NodeOp *op = &stretch->op[slot];
        const unsigned class = stretch->first[slot];
        if (op->issue == CONSTANT_0)
            charge_slot(stretch, slot, slot + 2, class, e->cost_constant, false);
        else if (op->issue == CONSTANT_1)
            charge_slot(stretch, slot, slot + 1, class, e->cost_constant, false);
        else if (op->issue == BR_HOP_0 || op->issue == BR_HOP_1)
            charge_slot(stretch, slot, END, class, cost_of(&op->d, e), true);
        else if (!charges_itself(op))
            charge_slot(stretch, slot, slot + 1, class, cost_of(&op->d, e), true);
    }
}

void node_translate(NodeStretch *stretch, const NodeEnv *e, const JmWord *word) {
    NodeStretch *none = &e->stretches->none;
    *stretch = (NodeStretch){.next = none, .checked = e->run.checked};
    memcpy(stretch->word, word, sizeof stretch->word);
    for (unsigned slot = 0; slot <= STRETCH_OPS; slot++)
        stretch->op[slot] =
            (NodeOp){.slot = (uint8_t)slot, .issue = NEXT_ROW, .hop = ROW_BYTES};
    for (unsigned slot = 0; slot < STRETCH_OPS; slot++) {
        NodeOp *op = &stretch->op[slot];
        const JmWord in = word[slot / 2];
        stretch->to[slot] = none;
        if (!jm_is_instruction(in)) {
            op->issue = slot % 2 ? CONSTANT_1 : CONSTANT_0;
            op->literal = in;
            stretch->first[slot] = JM_CLASS_CONSTANT;
            continue;
        }
        op->d = e->code[jm_instruction(in, slot % 2)].d;
        stretch->first[slot] = op->d.op_class;
        translate_op(op, &stretch->op[slot & ~1u].d, stretch->checked);
        if (!op->issue)
            op->issue = single;
    }
    charge_stretch(stretch, e);
}

/* Forgets all stretches. */
static void empty_stretches(NodeStretches *all) {
    all->used = 0;
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        all->none.word[i].bits = UINT64_MAX;
    all->none.next = &all->none;
    for (unsigned i = 0; i < STRETCH_PLACES; i++) {
        all->recent[i] = &all->none;
        all->hash[i] = NULL;
    }
}

NodeStretches *node_stretches_new(void) {
    NodeStretches *all = malloc(sizeof *all);
    if (all)
        empty_stretches(all);
    return all;
}

#endif
