/* Translated branches and jumps. */
#ifndef JM_NODE_PLAIN_JUMP_INLINE_H
#define JM_NODE_PLAIN_JUMP_INLINE_H

#include "emu/node/plain/enter_inline.h"

/* Continues where `op` leads, in another page. */
static COLD_CALL void leave_page(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    remember_row(run);
    go_on(c, target_of(run, op), (uint32_t)run->left, e);
}

/* ---- branches -------------------------------------------------------------------- */

/* Ends the run at the target of a branch that has been taken. */
static COLD_CALL void end_at_target(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    remember_row(run);
    run_out(c, JM_CLASS_CONTROL, target_of(run, op), (uint32_t)run->left, e);
}

/* Takes a branch. It has been charged as one that always jumps, or one that does not.
 * It cannot leave the address space: it reaches at most a page, and no run fetches from
 * the first page or the last. */
ALWAYS_INLINE void take_hop(ISSUE_ARGUMENTS, bool always) {
    NodeRun *run = &e->run;
    const uintptr_t row = run->at + (uintptr_t)(intptr_t)op->hop;
    if (!always) {
        const uint32_t more = e->cost_jump - e->cost_base;
        uncharge(run, op + 1);
        run->left -= (int32_t)more;
        charge_cycles(run, JM_CLASS_CONTROL, more);
        if (UNLIKELY(run->left < 0)) {
            end_at_target(ISSUE_PASS);
            return;
        }
    }
    if (op->hop == 0) {
        run->entered = NULL;
        op += (int)(op->to / sizeof *op) - op->slot;
        issue_from(ISSUE_PASS, run->left);
    } else if (UNLIKELY(row - run->page >= PAGE_BYTES)) {
        leave_page(ISSUE_PASS);
    } else {
        go_to(ISSUE_PASS, row);
    }
}

#define ISSUE_BRANCH(name, check)                                                      \
    static void name##_HOP_##check(ISSUE_ARGUMENTS) {                                  \
        Step s = begin(c, &op->d, e, check);                                           \
        s.op0 = jm_int((int32_t)jm_data(op->literal));                                 \
        const int outcome = op_##name(&s);                                             \
        if (outcome == OUTCOME_DONE)                                                   \
            ISSUE_NEXT;                                                                \
        else if (UNLIKELY(outcome != OUTCOME_BRANCHES))                                \
            give_up(ISSUE_PASS);                                                       \
        else                                                                           \
            take_hop(ISSUE_PASS, JM_OP_##name == JM_OP_BR);                            \
    }
#define ISSUE_BRANCHES(name)                                                           \
    ISSUE_BRANCH(name, 0)                                                              \
    ISSUE_BRANCH(name, 1)

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
    if (jm_tag(value) != JM_TAG_INT || (int32_t)jm_data(value) <= 1 || left <= 0)
        return 0;
    const uint32_t turns = jm_data(value) - 1;
    const uint32_t fit = (uint32_t)left / (e->cost_base + e->cost_jump);
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

/* BNZ of a delay loop of one word, whose iterations are computed. */
static void BNZ_LOOP(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    const JmWord value = c->r[op->d.rs];
    if (UNLIKELY(jm_tag(value) != JM_TAG_INT)) {
        give_up(ISSUE_PASS);
        return;
    }
    if (jm_data(value) == 0) {
        ISSUE_NEXT;
        return;
    }
    const uint32_t more = e->cost_jump - e->cost_base;
    uncharge(run, op + 1);
    charge_cycles(run, JM_CLASS_CONTROL, more);
    run->left -= (int32_t)more;
    const uint32_t turns = turns_ahead(value, run->left, e);
    run->left =
        cycles_left(take_turns(run, &c->r[op->d.rs], turns, (uint32_t)run->left, e));
    if (UNLIKELY(run->left < 0)) {
        end_at_target(ISSUE_PASS);
        return;
    }
    run->entered = NULL;
    op--;
    issue_from(ISSUE_PASS, run->left);
}

/* ---- jumps to an IP ---------------------------------------------------------- */

/* Continues at `ip`, in any page. */
static COLD_CALL void jump_to(ISSUE_ARGUMENTS, JmWord ip) {
    NodeRun *run = &e->run;
    const uint64_t left = (uint32_t)run->left;
    (void)op;
    remember_row(run);
    if (UNLIKELY(!map_code(run, ip))) {
        c->ip = ip;
        end_in_time(e, JM_CLASS_CONTROL, left);
        return;
    }
    enter_row(c, pc_of(run, ip), left, e);
}

/* In background a jump may be one to itself, which puts the node to sleep. */
#define ISSUE_LDIP(form, check)                                                        \
    static void LDIP_##form##_##check(ISSUE_ARGUMENTS) {                               \
        ASSUME_FORM(form);                                                             \
        Step s = begin(c, &op->d, e, check);                                           \
        if (UNLIKELY(e->run.node->background) || UNLIKELY(!OPERAND_##form) ||          \
            UNLIKELY(check && jm_tag(s.op0) != JM_TAG_IP)) {                           \
            give_up(ISSUE_PASS);                                                       \
        } else {                                                                       \
            SET_MAR_##form;                                                            \
            jump_to(ISSUE_PASS, s.op0);                                                \
        }                                                                              \
    }
#define ISSUE_LDIPS(form)                                                              \
    ISSUE_LDIP(form, 0)                                                                \
    ISSUE_LDIP(form, 1)
ISSUE_LDIPS(REG)
ISSUE_LDIPS(AREG)
ISSUE_LDIPS(INDEXED)
ISSUE_LDIPS(OFFSET)
ISSUE_LDIPS(SEGMENT)
ISSUE_LDIPS(QUEUE)

static void LDIPR_FIP(ISSUE_ARGUMENTS) {
    if (UNLIKELY(e->run.node->background) || UNLIKELY(jm_tag(c->fip) != JM_TAG_IP))
        give_up(ISSUE_PASS);
    else
        jump_to(ISSUE_PASS, c->fip);
}

#endif
