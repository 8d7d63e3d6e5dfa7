/* Translates a row. */
#ifndef JM_NODE_PLAIN_TRANSLATE_INLINE_H
#define JM_NODE_PLAIN_TRANSLATE_INLINE_H

#include <stdlib.h>

#include "emu/node/plain/issue_inline.h"

/* Whether an instruction is a branch by an immediate number of words. */
static bool is_hop(const JmDecoded *d) {
    const JmForm form = jm_op_info(d->op)->form;
    return d->mode == JM_MODE_IMMEDIATE && (form == JM_FORM_BR || form == JM_FORM_S_BR);
}

/* Translates the instruction of a slot; `first` is the one before it in the same word,
 * or itself. With RUN_PICKS, transitions to other rows look for marks there. */
static void translate_op(NodeOp *op, const JmDecoded *first, uint8_t key) {
    op->d.mode &= (uint8_t)~NODE_MODE_BY_BODY;
    const JmDecoded *d = &op->d;
    if (d->mode == JM_MODE_CONSTANT)
        op->literal = jm_operand_constant(d->reg);
    if (d->mode == JM_MODE_IMMEDIATE)
        op->literal = jm_int(d->value);
    const int target = op->slot / 2 + 1 + d->value; /* word, from that of slot 0 on */
    const int word = (int)((unsigned)target % NODE_ROW_WORDS);
    op->to = (uint16_t)(2 * (unsigned)word * sizeof *op);
    op->hop = (target - word) * WORD_BYTES;
    op->issue = issue_of(d, key & RUN_CHECKED);
    /* A branch to itself may put the node to sleep. */
    if (is_hop(d) && d->value == -1 && op->slot % 2 == 0)
        op->issue = NULL;
    if (op->slot % 2 == 1 && is_delay_loop(first, d))
        op->issue = BNZ_LOOP;
    if ((key & RUN_PICKS) && is_hop(d) && op->hop != 0)
        op->issue = NULL;
    if (!op->issue)
        op->issue = may_be_plain(d) ? single : leave_before;
}

/* Charges an instruction `cycles` of its class, plus the charges of `behind`. */
static void charge_op(NodeOp *op, const NodeOp *behind, uint32_t cycles,
                      bool completes) {
    op->charge = behind->charge;
    op->charge.lane[op->first] += (uint16_t)cycles;
    op->charge.lane[NODE_INSTRUCTIONS] += completes;
    op->cost = behind->cost + cycles;
}

/* Returns the cycles of a translated instruction; a branch counts as not taken unless
 * it always jumps. */
static uint32_t cost_of(const JmDecoded *d, const NodeEnv *e) {
    const bool memory = d->mode == JM_MODE_INDEXED || d->mode == JM_MODE_OFFSET;
    const JmOp0Use use = jm_form_info(jm_op_info(d->op)->form)->op0;
    if (always_jumps(d))
        return e->cost_jump;
    if (memory && use == JM_OP0_READ)
        return e->cost_read;
    return memory && use == JM_OP0_WRITE ? e->cost_write : e->cost_base;
}

/* Computes the charges, from the last instruction to the first. After one that is not
 * translated, or ends the run, or always jumps, they start again. */
static void charge_stretch(NodeStretch *stretch, const NodeEnv *e) {
    const NodeOp nothing = {.cost = 0};
    for (NodeOp *op = &stretch->op[STRETCH_OPS]; op-- > stretch->op;) {
        if (op->issue == CONSTANT_0)
            charge_op(op, op + 2, e->cost_constant, false);
        else if (op->issue == CONSTANT_1)
            charge_op(op, op + 1, e->cost_constant, false);
        else if (op->issue != single && op->issue != leave_before)
            charge_op(op, always_jumps(&op->d) ? &nothing : op + 1, cost_of(&op->d, e),
                      true);
    }
}

/* Makes the entry to each word of the row. */
static void make_entries(NodeStretch *stretch, const NodeEnv *e, const JmWord *word) {
    const bool external = stretch->key & RUN_EXTERNAL;
    const uint32_t row = external ? e->run.row_external : e->run.row_onchip;
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++) {
        NodeOp *op = &stretch->op[2 * i];
        NodeEntry *entry = &stretch->entry[i];
        *entry = (NodeEntry){.charge = op->charge, .op = op, .cost = op->cost + row};
        memcpy(entry->word, word, sizeof entry->word);
        entry->charge.lane[op->first] += (uint16_t)row;
    }
}

void node_translate(NodeStretch *stretch, const NodeEnv *e, const JmWord *word) {
    *stretch = (NodeStretch){.key = e->run.from.key};
    NodeIssue *const next_row = stretch->key & RUN_PICKS ? leave_page : NEXT_ROW;
    for (unsigned slot = 0; slot <= STRETCH_OPS; slot++)
        stretch->op[slot] = (NodeOp){.issue = next_row,
                                     .guess = e->stretches->none.entry,
                                     .hop = ROW_BYTES,
                                     .slot = (uint8_t)slot};
    for (unsigned slot = 0; slot < STRETCH_OPS; slot++) {
        NodeOp *op = &stretch->op[slot];
        const JmWord in = word[slot / 2];
        if (!jm_is_instruction(in)) {
            op->issue = slot % 2 ? CONSTANT_1 : CONSTANT_0;
            op->literal = in;
            op->first = JM_CLASS_CONSTANT;
            continue;
        }
        op->d = e->code[jm_instruction(in, slot % 2)];
        op->first = op->d.op_class;
        translate_op(op, &stretch->op[slot & ~1u].d, stretch->key);
    }
    charge_stretch(stretch, e);
    make_entries(stretch, e, word);
}

/* Forgets all stretches. */
static void empty_stretches(NodeStretches *all) {
    all->used = 0;
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        all->none.entry->word[i].bits = UINT64_MAX;
    for (unsigned i = 0; i < STRETCH_PLACES; i++) {
        all->recent[i] = &all->none;
        all->hash[i] = NULL;
    }
}

NodeStretches *node_stretches_new(void) {
    NodeStretches *all = memory_large(sizeof *all);
    if (!all)
        return NULL;
    empty_stretches(all);
    for (unsigned slot = 0; slot <= STRETCH_OPS; slot++)
        all->copy[slot] = (NodeOp){.issue = return_to_stretch, .slot = (uint8_t)slot};
    all->copied = all->copy;
    return all;
}

#endif
