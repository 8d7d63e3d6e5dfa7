/* Instructions issued alone: those without a translation, those that their translation
 * refuses, those in rows with marks, and those charged together with others that do not
 * fit the run. One function issues them all, by opcode; it is slow. Instructions that
 * are not plain, or fault, are left to exec.c with nothing done. */
#ifndef JM_NODE_PLAIN_ALONE_INLINE_H
#define JM_NODE_PLAIN_ALONE_INLINE_H

#include "emu/node/plain/send_inline.h"

/* The position of a run: the address of the next instruction, and the cycles left. */
typedef struct {
    uintptr_t pc;
    uint64_t left;
} Position;

/* ---- which instructions are plain ------------------------------------------------ */

/* Whether an instruction can be plain, by its opcode and operand form. SENDs of an
 * immediate are rare enough for exec.c. */
static bool may_be_plain(const JmDecoded *d) {
    const JmOpInfo *info = jm_op_info(d->op);
    const unsigned mode = d->mode & (NODE_MODE_BY_BODY - 1);
    if (!info->name || d->op == JM_OP_CALL)
        return false;
    switch (info->form) {
    case JM_FORM_NONE:
        return d->op == JM_OP_NOP;
    case JM_FORM_S_M:
        return mode == JM_MODE_INDEXED || mode == JM_MODE_OFFSET;
    case JM_FORM_O_P:
    case JM_FORM_O_S_P:
        return mode != JM_MODE_IMMEDIATE;
    case JM_FORM_S_DST:
    case JM_FORM_S_O:
        return false;
    default:
        return true;
    }
}

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

/* Whether a debugger wants to see the instruction at `pc`: it is marked, or may change
 * a register watched in a spied node. */
static bool is_watched(const NodeRun *run, const JmDecoded *d, uintptr_t pc) {
    if (is_marked(run, pc))
        return true;
    return run->spied && (d->op == JM_OP_WRITER ||
                          (jm_form_info(jm_op_info(d->op)->form)->has_rd &&
                           run->marks->registers >> (JM_REG_R0 + d->rd) & 1));
}

/* The same for the inline constant at `pc`, which is loaded into R0. */
static bool constant_is_watched(const NodeRun *run, uintptr_t pc) {
    return is_marked(run, pc) || (run->spied && run->marks->registers >> JM_REG_R0 & 1);
}

/* ---- one instruction ------------------------------------------------------------- */

/* Each returns whether the run continues, at the new `at`. */

static bool leave_alone(Context *c, unsigned class, const Position *at, NodeEnv *e) {
    leave_class(c, class, at->pc, at->left, e);
    return false;
}

/* Accounts for an instruction. `ends`: something is due now. */
static bool end_alone(Context *c, unsigned class, Position *at, NodeEnv *e, bool ends) {
    if (!ends && cycles_left(at->left) >= 0)
        return true;
    run_out(c, class, at->pc, at->left, e);
    return false;
}

/* Loads an inline constant into R0. */
static bool constant_alone(Context *c, Position *at, NodeEnv *e) {
    if (UNLIKELY(e->run.picks) && constant_is_watched(&e->run, at->pc))
        return leave_alone(c, JM_CLASS_CONSTANT, at, e);
    c->r[0] = word_at(at->pc);
    charge_cycles(&e->run, JM_CLASS_CONSTANT, e->cost_constant);
    at->left = less(at->left, e->cost_constant);
    at->pc = (at->pc | (WORD_BYTES - 1)) + 1;
    return end_alone(c, JM_CLASS_CONSTANT, at, e, false);
}

/* A SEND that ends a message sets I = 0, which may admit something that has waited:
 * then the run ends too. */
static bool send_alone(Context *c, const JmDecoded *d, Position *at, NodeEnv *e) {
    NodeRun *run = &e->run;
    Step s = begin(c, d, e, run->from.checked);
    const bool memory = d->mode == JM_MODE_INDEXED || d->mode == JM_MODE_OFFSET;
    const unsigned count = d->op == JM_OP_SEND2 || d->op == JM_OP_SEND2E ? 2 : 1;
    const bool end = d->op == JM_OP_SENDE || d->op == JM_OP_SEND2E;
    if (memory ? !load_onchip(&s) : read_operand(&s) != OUTCOME_DONE)
        return leave_alone(c, d->op_class, at, e);
    run->send_op0 = s.op0;
    if (!send_ahead(c, d, at->pc, issue_cycle(run, at->pc, at->left), e, count, end))
        return leave_alone(c, d->op_class, at, e);
    if (memory)
        s.node->mar = s.address;
    const uint32_t cycles = memory ? e->cost_read : e->cost_base;
    charge(run, JM_CLASS_SEND, cycles);
    at->left = less(at->left, cycles);
    at->pc += PHASE_BYTES;
    return end_alone(c, JM_CLASS_SEND, at, e, end && s.node->attention);
}

/* Issues any plain instruction but a SEND. A background branch to itself, at which the
 * node will sleep, is left to exec.c. */
static bool execute_alone(Context *c, const JmDecoded *d, Position *at, NodeEnv *e) {
    NodeRun *run = &e->run;
    Node *node = run->node;
    const JmWord before = ip_at(run, at->pc);
    const uint32_t mar = node->mar;
    Step s = begin(c, d, e, run->from.checked);
    s.ip = jm_data(before);
    c->ip = advanced(before, JM_IP_PHASE);
    if (!is_plain(&s))
        return leave_alone(c, d->op_class, at, e);
    const int outcome = execute(&s);
    const bool loops =
        outcome == OUTCOME_JUMPED && node->background && jm_same(c->ip, before);
    if (outcome < OUTCOME_DONE || loops) {
        node->mar = mar;
        return leave_alone(c, d->op_class, at, e);
    }
    if (reads_queue_register(&s))
        node->saw_queue = issue_cycle(run, at->pc, at->left);
    node->was_open |= !node->masked; /* I may have been written */
    charge(run, d->op_class, s.cycles);
    at->left = less(at->left, s.cycles);
    if (outcome != OUTCOME_JUMPED) {
        at->pc += PHASE_BYTES;
        return end_alone(c, d->op_class, at, e, node->attention);
    }
    if (node->attention || cycles_left(at->left) < 0 || !map_code(run, c->ip)) {
        end_in_time(e, d->op_class, at->left);
        return false;
    }
    at->pc = pc_of(run, c->ip);
    return true;
}

/* Issues the instruction at `at`, whose row has been paid for. Returns false if it has
 * ended the run. */
static COLD_CALL bool issue_alone(Context *c, Position *at, NodeEnv *e) {
    const NodeRun *run = &e->run;
    if (!jm_is_instruction(word_at(at->pc)))
        return constant_alone(c, at, e);
    const JmDecoded *d = decoded_at(e, at->pc);
    if (!may_be_plain(d) || (UNLIKELY(run->picks) && is_watched(run, d, at->pc)))
        return leave_alone(c, d->op_class, at, e);
    if (d->op_class == JM_CLASS_SEND)
        return send_alone(c, d, at, e);
    return execute_alone(c, d, at, e);
}

#endif
