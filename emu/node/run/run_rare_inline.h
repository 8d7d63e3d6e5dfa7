/* The slow paths of a run: general(), for plain instructions without a function of
 * their own, and marked(), for rows with marks. For plain.c alone; everything is
 * static. */
#ifndef JM_NODE_RUN_RUN_RARE_INLINE_H
#define JM_NODE_RUN_RUN_RARE_INLINE_H

#include "emu/node/run/run_operand_inline.h"

/* Whether a memory operand is plain: not the host's, not the network's, not marked, not
 * in a page yet to be allocated; and a write to it can be recorded. */
static bool operand_is_plain(const Step *s, bool write) {
    NodeRun *run = &s->env->run;
    uint32_t address;
    bool queued;
    if (locate_operand(s, write, &address, &queued) != OUTCOME_DONE)
        return false;
    if (is_host_address(s->env, address) || (write && queued) ||
        (!queued && address - run->queue_low < run->queue_words))
        return false;
    if (run->marks && node_has_bit(run->marks->data, address))
        return false;
    if (!write || memory_is_rom(address))
        return true;
    JmWord *where = memory_own_word(&s->node->memory, address);
    return where && record_write(run, where);
}

/* Whether register mode is plain: all reads are, and writes of I, and of R0-R3, A0-A3
 * and FIP of the running context. Others can change the context or move a queue. */
static bool register_is_plain(const Step *s, bool write) {
    const unsigned n = s->d->reg & JM_REG_N;
    if (!write || n == JM_REG_I)
        return true;
    return n <= JM_REG_FIP && (n <= JM_REG_A3 || n == JM_REG_FIP) &&
           selected_context(s) == (JmContext)s->node->running;
}

/* Whether an instruction reads QHL, which an arriving row would change. */
static bool reads_queue_register(const Step *s) {
    return (s->d->op == JM_OP_READR || s->d->op == JM_OP_LDIPR) &&
           (s->d->reg & JM_REG_N) == JM_REG_QHL;
}

/* WRITER of I in a run: a message may be dispatched from here on. */
ALWAYS_INLINE void write_masked(Node *node, JmWord value) {
    node->masked = jm_data(value) & 1;
    node->was_open |= !node->masked;
    node_update_masked(node);
}

/* Whether an instruction's operand is plain, regardless of its opcode. */
static bool is_plain(const Step *s) {
    const JmFormInfo *form = jm_form_info(jm_op_info(s->d->op)->form);
    const unsigned mode = operand_mode(s);
    const bool write = s->d->op == JM_OP_WRITE || s->d->op == JM_OP_WRITER;
    if (form->op0 == JM_OP0_REG)
        return register_is_plain(s, write);
    if (form->op0 != JM_OP0_NONE && (mode == JM_MODE_INDEXED || mode == JM_MODE_OFFSET))
        return operand_is_plain(s, write);
    return true;
}

/* Whether an instruction may change something that is watched in a spied node. */
static bool matters(const NodeRun *run, const JmDecoded *d) {
    if (!run->spied)
        return false;
    return d->op == JM_OP_WRITER || (jm_form_info(jm_op_info(d->op)->form)->has_rd &&
                                     run->marks->registers >> (JM_REG_R0 + d->rd) & 1);
}

/* Issues any plain instruction. It is slow, and serves those without a function of
 * their own. An instruction that faults, or a background branch to itself, at which the
 * node will sleep, is left to exec.c with nothing done. */
static COLD_CALL void general(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    Node *node = run->node;
    const JmWord before = ip_at(run, pc);
    const uint32_t mar = node->mar;
    Step s = begin(c, code, e);
    s.ip = jm_data(before);
    c->ip = advanced(before, JM_IP_PHASE);
    if (!is_plain(&s)) {
        leave(PLAIN_PASS);
        return;
    }
    const int outcome = execute(&s);
    const bool loops =
        outcome == OUTCOME_JUMPED && run->background && jm_same(c->ip, before);
    if (outcome < OUTCOME_DONE || loops) {
        node->mar = mar;
        leave(PLAIN_PASS);
        return;
    }
    if (reads_queue_register(&s))
        node->saw_queue = issue_cycle(run, pc, left);
    node->was_open |= !node->masked; /* I may have been written */
    charge(run, code->d.op_class, s.cycles);
    left = less(left, s.cycles);
    pc += PHASE_BYTES;
    if (UNLIKELY(node->attention))
        run_out(PLAIN_PASS);
    else if (outcome == OUTCOME_JUMPED)
        go_on_at_ip(PLAIN_PASS);
    else
        go_on(PLAIN_PASS);
}

/* Issues an instruction of a row that holds a mark, or of a node whose registers are
 * watched, unless the debugger wants to see it in its own cycle. */
static void marked(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    code = &e->code[code - e->marked];
    if (is_marked(run, pc) || matters(run, &code->d))
        leave(PLAIN_PASS);
    else
        ISSUE(code);
}

/* ---- delay loops ----------------------------------------------------------------- */

/* Whether the instructions of a word are a delay loop: SUB Rn, #1; BNZ Rn to itself. */
static bool is_delay_loop(const JmDecoded *sub, const JmDecoded *bnz) {
    return sub->op == JM_OP_SUB && sub->mode == JM_MODE_IMMEDIATE && sub->value == 1 &&
           sub->rs == sub->rd && bnz->op == JM_OP_BNZ && bnz->rs == sub->rd &&
           bnz->mode == JM_MODE_IMMEDIATE && bnz->value == -1;
}

/* Returns how many iterations of a delay loop that counts `value` down can be issued in
 * one go. The last iteration is excluded, as are those that would not end in the `left`
 * cycles of the run. */
ALWAYS_INLINE uint32_t turns_ahead(JmWord value, int32_t left, const NodeEnv *e) {
    if (jm_tag(value) != JM_TAG_INT || (int32_t)jm_data(value) <= 1 || left <= 1)
        return 0;
    const uint32_t turns = jm_data(value) - 1;
    const uint32_t fit = (uint32_t)(left - 1) / (e->cost_base + e->cost_jump);
    return turns < fit ? turns : fit;
}

/* Issues iterations of a delay loop, all in one go, and returns the cycles left of the
 * run. Many programs spend most of their time in such loops. */
ALWAYS_INLINE uint64_t take_turns(NodeRun *run, JmWord *count, uint32_t turns,
                                  uint64_t left, const NodeEnv *e) {
    count->bits -= turns;
    charge_cycles(run, JM_CLASS_ALU, turns * e->cost_base);
    charge_cycles(run, JM_CLASS_CONTROL, turns * e->cost_jump);
    run->charged.lane[NODE_INSTRUCTIONS] += (uint16_t)(2 * turns);
    return less(left, turns * (e->cost_base + e->cost_jump));
}

/* Issues as many iterations as possible of what may be a delay loop: its branch, to the
 * word that holds it, has been taken at `pc`. Returns the cycles left of the run. */
static uint64_t spin(Context *c, const NodeCode *branch, uintptr_t pc, uint64_t left,
                     NodeEnv *e) {
    const JmDecoded *sub = &e->code[jm_instruction(word_at(pc), 0)].d;
    if (!is_delay_loop(sub, &branch->d))
        return left;
    JmWord *count = &c->r[sub->rd];
    const uint32_t turns = turns_ahead(*count, cycles_left(left), e);
    return take_turns(&e->run, count, turns, left, e);
}

#endif
