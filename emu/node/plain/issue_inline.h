/* The functions that issue translated instructions, one for each opcode, operand form
 * and mode of checking, made from the same bodies as all others; and the translation of
 * a row. */
#ifndef JM_NODE_PLAIN_ISSUE_INLINE_H
#define JM_NODE_PLAIN_ISSUE_INLINE_H

#include "emu/node/plain/jump_inline.h"

/* Defines a function of an opcode that reads op0 and writes Rd. */
#define ISSUE_RESULT(function, name, form, check, rd_is_rs)                            \
    static void function(ISSUE_ARGUMENTS) {                                            \
        ASSUME_FORM(form);                                                             \
        Step s = begin(c, &op->d, e, check);                                           \
        s.in_place = rd_is_rs;                                                         \
        if (UNLIKELY(!OPERAND_##form || op_##name(&s) != OUTCOME_DONE)) {              \
            give_up(ISSUE_PASS);                                                       \
        } else {                                                                       \
            SET_MAR_##form;                                                            \
            ISSUE_NEXT;                                                                \
        }                                                                              \
    }
#define ISSUE_VALUE(name, form, check)                                                 \
    ISSUE_RESULT(name##_##form##_##check, name, form, check, false)
/* The same where Rd is Rs, as in most instructions with a register or immediate. */
#define ISSUE_IN_PLACE(name, form)                                                     \
    ISSUE_RESULT(name##_##form##_IN_PLACE_0, name, form, 0, true)                      \
    ISSUE_RESULT(name##_##form##_IN_PLACE_1, name, form, 1, true)
#define ISSUE_BOTH(name, form)                                                         \
    ISSUE_VALUE(name, form, 0)                                                         \
    ISSUE_VALUE(name, form, 1)
#define ISSUE_VALUES(name)                                                             \
    ISSUE_BOTH(name, REG)                                                              \
    ISSUE_BOTH(name, AREG)                                                             \
    ISSUE_BOTH(name, CONSTANT)                                                         \
    ISSUE_BOTH(name, IMMEDIATE)                                                        \
    ISSUE_BOTH(name, INDEXED)                                                          \
    ISSUE_BOTH(name, OFFSET)                                                           \
    ISSUE_BOTH(name, SEGMENT)                                                          \
    ISSUE_BOTH(name, QUEUE)
#define ISSUE_VALUES_OF_RS(name)                                                       \
    ISSUE_VALUES(name)                                                                 \
    ISSUE_IN_PLACE(name, REG)                                                          \
    ISSUE_IN_PLACE(name, IMMEDIATE)

/* ---- instructions without a row in the lists below ------------------------------- */

static void NOP_OP(ISSUE_ARGUMENTS) {
    ISSUE_NEXT;
}

/* Continues with the next row; its page may end here. */
static void NEXT_ROW(ISSUE_ARGUMENTS) {
    const NodeRun *run = &e->run;
    if (UNLIKELY(run->at == run->last_row))
        leave_page(ISSUE_PASS);
    else
        go_to(ISSUE_PASS, run->at + ROW_BYTES);
}

/* An inline constant, reached at its word. */
static void CONSTANT_0(ISSUE_ARGUMENTS) {
    c->r[0] = op->literal;
    op++;
    ISSUE_NEXT;
}

/* The same, reached at its second half. */
static void CONSTANT_1(ISSUE_ARGUMENTS) {
    c->r[0] = op->literal;
    ISSUE_NEXT;
}

#define STORE_INDEXED store_onchip
#define STORE_OFFSET store_onchip
#define STORE_SEGMENT store_segment

#define ISSUE_WRITE(form, check)                                                       \
    static void WRITE_##form##_##check(ISSUE_ARGUMENTS) {                              \
        ASSUME_FORM(form);                                                             \
        Step s = begin(c, &op->d, e, check);                                           \
        const JmWord *where = STORE_##form(&s);                                        \
        if (UNLIKELY(!where))                                                          \
            give_up(ISSUE_PASS);                                                       \
        else if (UNLIKELY((uintptr_t)where - e->run.at < ROW_BYTES))                   \
            go_on_changed(ISSUE_PASS);                                                 \
        else                                                                           \
            ISSUE_NEXT;                                                                \
    }
ISSUE_WRITE(INDEXED, 0)
ISSUE_WRITE(INDEXED, 1)
ISSUE_WRITE(OFFSET, 0)
ISSUE_WRITE(OFFSET, 1)
ISSUE_WRITE(SEGMENT, 0)
ISSUE_WRITE(SEGMENT, 1)

/* Ends the run after an instruction. */
static COLD_CALL void end_behind(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    uncharge(run, op + 1);
    const uintptr_t pc = pc_of_op(run, op);
    remember_row(run);
    run_out(c, op->d.op_class, pc + PHASE_BYTES, (uint32_t)run->left, e);
}

static void READR_R(ISSUE_ARGUMENTS) {
    const JmWord value = c->r[op->d.reg];
    if (UNLIKELY(jm_tag(value) == JM_TAG_CFUT)) {
        give_up(ISSUE_PASS);
        return;
    }
    c->r[op->d.rd] = value;
    ISSUE_NEXT;
}

static void WRITER_R(ISSUE_ARGUMENTS) {
    c->r[op->d.reg] = c->r[op->d.rs];
    ISSUE_NEXT;
}

static void WRITER_A_0(ISSUE_ARGUMENTS) {
    c->a[op->d.reg - JM_REG_A0] = c->r[op->d.rs];
    ISSUE_NEXT;
}

static void WRITER_A_1(ISSUE_ARGUMENTS) {
    if (UNLIKELY(jm_tag(c->r[op->d.rs]) != JM_TAG_ADDR)) {
        give_up(ISSUE_PASS);
        return;
    }
    c->a[op->d.reg - JM_REG_A0] = c->r[op->d.rs];
    ISSUE_NEXT;
}

/* WRITER of FIP of the running context. */
static void WRITER_FIP(ISSUE_ARGUMENTS) {
    c->fip = c->r[op->d.rs];
    ISSUE_NEXT;
}

/* WRITER of I. I = 0 may admit something that has waited: a message may be dispatched
 * from here on, and the run ends. */
static void WRITER_I(ISSUE_ARGUMENTS) {
    Node *node = e->run.node;
    node->masked = jm_data(c->r[op->d.rs]) & 1;
    node->was_open |= !node->masked;
    node_update_masked(node);
    if (UNLIKELY(node->attention))
        end_behind(ISSUE_PASS);
    else
        ISSUE_NEXT;
}

/* ---- special registers and SENDs ------------------------------------------------- */

/* Ends the run before an instruction that is not plain, at least this time. */
static COLD_CALL void leave_before(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    uncharge(run, op);
    remember_row(run);
    leave_class(c, op->d.op_class, pc_of_op(run, op), (uint32_t)run->left, e);
}

/* READR of QBM and QHL, of either priority. */
ALWAYS_INLINE const Priority *queue_named(const NodeOp *op, const Node *node) {
    return &node->priority[node->p ^ ((op->d.reg & JM_REG_OTHER_PRIORITY) != 0)];
}

static void READR_QBM(ISSUE_ARGUMENTS) {
    const Priority *queue = queue_named(op, e->run.node);
    if (UNLIKELY(queue->qbm_tag == JM_TAG_CFUT)) {
        give_up(ISSUE_PASS);
        return;
    }
    c->r[op->d.rd] = jm_word(queue->qbm_tag, queue->qbm);
    ISSUE_NEXT;
}

static void READR_QHL(ISSUE_ARGUMENTS) {
    const Priority *queue = queue_named(op, e->run.node);
    if (UNLIKELY(queue->qhl_tag == JM_TAG_CFUT)) {
        give_up(ISSUE_PASS);
        return;
    }
    e->run.node->saw_queue = issue_cycle_of(&e->run, op);
    c->r[op->d.rd] = jm_word(queue->qhl_tag, queue->qhl);
    ISSUE_NEXT;
}

/* READR of FIP of the running context. */
static void READR_FIP(ISSUE_ARGUMENTS) {
    if (UNLIKELY(jm_tag(c->fip) == JM_TAG_CFUT)) {
        give_up(ISSUE_PASS);
        return;
    }
    c->r[op->d.rd] = c->fip;
    ISSUE_NEXT;
}

/* READR of any register without a function of its own. */
static COLD_CALL void READR_OTHER(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    const uintptr_t pc = pc_of_op(run, op);
    Step s = begin(c, &op->d, e, run->from.checked);
    c->ip = advanced(ip_at(run, pc), JM_IP_PHASE);
    if (UNLIKELY(read_register(&s) != OUTCOME_DONE)) {
        give_up(ISSUE_PASS);
        return;
    }
    c->r[op->d.rd] = s.op0;
    ISSUE_NEXT;
}

/* Issues a SEND whose operand has been read. */
ALWAYS_INLINE void issue_send(ISSUE_ARGUMENTS, unsigned count, bool end) {
    NodeRun *run = &e->run;
    if (UNLIKELY(!send_ahead(c, &op->d, pc_of_op(run, op), issue_cycle_of(run, op), e,
                             count, end))) {
        leave_before(ISSUE_PASS);
        return;
    }
    run->node->mar = run->send_mar;
    if (end && run->node->attention)
        end_behind(ISSUE_PASS);
    else
        ISSUE_NEXT;
}

/* Issues the next SEND of a message that this run has opened or continued, if nothing
 * else must be checked (NodeRun.continues). Otherwise returns false with nothing done.
 */
ALWAYS_INLINE bool send_more(const Context *c, const NodeOp *op, JmWord op0, NodeEnv *e,
                             bool checked, unsigned count, bool end) {
    NodeRun *run = &e->run;
    Node *node = run->node;
    const unsigned priority = op->d.rd & 1;
    if (UNLIKELY(!run->continues[priority]) || UNLIKELY(run->send == run->send_end) ||
        UNLIKELY(checked && jm_tag(op0) == JM_TAG_CFUT) || UNLIKELY(!node->masked))
        return false;
    keep_words(run, op0, c->r[op->d.rs], pc_of_op(run, op), issue_cycle_of(run, op),
               priority, count, false, end);
    /* The previous SEND has set all flags except those that the end of a message
     * changes: I is still 1, so neither WRITER nor the end of the other priority's
     * message has come between. */
    if (!end)
        node->statistics.priority[priority].words_out += count;
    return true;
}

/* Ends a message whose last words send_more() has recorded. That sets I = 0, which may
 * admit something that has waited: then the run ends. */
ALWAYS_INLINE void end_message(ISSUE_ARGUMENTS, unsigned count) {
    NodeRun *run = &e->run;
    const unsigned priority = op->d.rd & 1;
    run->continues[priority] = false;
    sent(run->node, priority, count, false, true);
    run->node->was_open = true;
    if (UNLIKELY(run->node->attention))
        end_behind(ISSUE_PASS);
    else
        ISSUE_NEXT;
}

/* SENDs, and the function for those that send_more() refuses. */
#define ISSUE_SEND(name, form, check, count, end)                                      \
    static void name##_##form##_##check(ISSUE_ARGUMENTS) {                             \
        ASSUME_FORM(form);                                                             \
        Step s = begin(c, &op->d, e, check);                                           \
        if (UNLIKELY(!OPERAND_##form)) {                                               \
            give_up(ISSUE_PASS);                                                       \
        } else if (UNLIKELY(!send_more(c, op, s.op0, e, check, count, end))) {         \
            e->run.send_op0 = s.op0;                                                   \
            e->run.send_mar = MAR_##form;                                              \
            name##_now(ISSUE_PASS);                                                    \
        } else {                                                                       \
            SET_MAR_##form;                                                            \
            if (end)                                                                   \
                end_message(ISSUE_PASS, count);                                        \
            else                                                                       \
                ISSUE_NEXT;                                                            \
        }                                                                              \
    }
#define ISSUE_SENDS(name, count, end)                                                  \
    static COLD_CALL void name##_now(ISSUE_ARGUMENTS) {                                \
        issue_send(ISSUE_PASS, count, end);                                            \
    }                                                                                  \
    ISSUE_SEND_BOTH(name, REG, count, end)                                             \
    ISSUE_SEND_BOTH(name, AREG, count, end)                                            \
    ISSUE_SEND_BOTH(name, CONSTANT, count, end)                                        \
    ISSUE_SEND_BOTH(name, INDEXED, count, end)                                         \
    ISSUE_SEND_BOTH(name, OFFSET, count, end)                                          \
    ISSUE_SEND_BOTH(name, SEGMENT, count, end)                                         \
    ISSUE_SEND_BOTH(name, QUEUE, count, end)
#define ISSUE_SEND_BOTH(name, form, count, end)                                        \
    ISSUE_SEND(name, form, 0, count, end)                                              \
    ISSUE_SEND(name, form, 1, count, end)

ISSUE_SENDS(SEND, 1, false)
ISSUE_SENDS(SENDE, 1, true)
ISSUE_SENDS(SEND2, 2, false)
ISSUE_SENDS(SEND2E, 2, true)

/* Every instruction with a function here must also be plain for issue_alone(). A
 * rewound run is reissued up to an earlier cycle, and single() then issues instructions
 * that were translated before. If it refused one, the network would have seen a SEND
 * that the node has not executed. Therefore SENDs of an immediate have no function
 * here. */

/* ---- from opcode and form to function -------------------------------------------- */

/* Expands ops.def to functions and to the table of them, by form; instructions without
 * a function here are issued untranslated. The columns are the forms of OPERAND_. */
#define OP(name, code, form, ...) DEFINE_##form(name)
#define NO_FUNCTION(name)
#define DEFINE_O_D ISSUE_VALUES
#define DEFINE_S_O_D ISSUE_VALUES_OF_RS
#define DEFINE_BR ISSUE_BRANCHES
#define DEFINE_S_BR ISSUE_BRANCHES
#define DEFINE_NONE NO_FUNCTION
#define DEFINE_S_M NO_FUNCTION
#define DEFINE_G_D NO_FUNCTION
#define DEFINE_S_G NO_FUNCTION
#define DEFINE_O NO_FUNCTION
#define DEFINE_G NO_FUNCTION
#define DEFINE_S_DST NO_FUNCTION
#define DEFINE_S_O NO_FUNCTION
#define DEFINE_O_P NO_FUNCTION
#define DEFINE_O_S_P NO_FUNCTION
#include "emu/isa/ops.def"
#undef OP

enum {
    COLUMNS = 10,
    COLUMN_AREG = 1,
    COLUMN_SEGMENT = 6,
    COLUMN_QUEUE = 7,
    COLUMN_REG_IN_PLACE = 8,
    COLUMN_IMMEDIATE_IN_PLACE = 9
};

#define PAIR(name, form)                                                               \
    { name##_##form##_0, name##_##form##_1 }
#define VALUES(name)                                                                   \
    PAIR(name, REG), PAIR(name, AREG), PAIR(name, CONSTANT), PAIR(name, IMMEDIATE),    \
        PAIR(name, INDEXED), PAIR(name, OFFSET), PAIR(name, SEGMENT),                  \
        PAIR(name, QUEUE)
#define ISSUES_O_D(name)                                                               \
    { VALUES(name) }
#define ISSUES_S_O_D(name)                                                             \
    { VALUES(name), PAIR(name, REG_IN_PLACE), PAIR(name, IMMEDIATE_IN_PLACE) }
#define ISSUES_BR(name)                                                                \
    { [3] = PAIR(name, HOP) }
#define ISSUES_S_BR ISSUES_BR
#define ISSUES_S_M(name)                                                               \
    {                                                                                  \
        [4] = PAIR(name, INDEXED), [5] = PAIR(name, OFFSET),                           \
        [6] = PAIR(name, SEGMENT), [7] = PAIR(name, OFFSET)                            \
    }
#define ISSUES_NONE(name)                                                              \
    {                                                                                  \
        { NULL, NULL }                                                                 \
    }
#define ISSUES_G_D ISSUES_NONE
#define ISSUES_S_G ISSUES_NONE
#define ISSUES_O(name)                                                                 \
    {                                                                                  \
        PAIR(LDIP, REG), PAIR(LDIP, AREG), {NULL, NULL}, {NULL, NULL},                 \
            PAIR(LDIP, INDEXED), PAIR(LDIP, OFFSET), PAIR(LDIP, SEGMENT),              \
            PAIR(LDIP, QUEUE)                                                          \
    }
#define ISSUES_G ISSUES_NONE
#define ISSUES_S_DST ISSUES_NONE
#define ISSUES_S_O ISSUES_NONE
#define ISSUES_O_P(name)                                                               \
    {                                                                                  \
        PAIR(name, REG), PAIR(name, AREG), PAIR(name, CONSTANT), {NULL, NULL},         \
            PAIR(name, INDEXED), PAIR(name, OFFSET), PAIR(name, SEGMENT),              \
            PAIR(name, QUEUE)                                                          \
    }
#define ISSUES_O_S_P ISSUES_O_P

/* Returns the function of a register move, or NULL. */
static NodeIssue *issue_of_register(const JmDecoded *d, bool checked) {
    const unsigned n = d->reg & JM_REG_N;
    if (d->op == JM_OP_READR && n == JM_REG_QBM)
        return READR_QBM;
    if (d->op == JM_OP_READR && n == JM_REG_QHL)
        return READR_QHL;
    if (d->op == JM_OP_READR && d->reg == JM_REG_FIP)
        return READR_FIP;
    if (d->op == JM_OP_READR)
        return d->reg <= JM_REG_R3 ? READR_R : READR_OTHER;
    if (d->op == JM_OP_LDIPR)
        return d->reg == JM_REG_FIP ? LDIPR_FIP : NULL;
    if (n == JM_REG_I)
        return WRITER_I;
    if (d->reg == JM_REG_FIP)
        return WRITER_FIP;
    if (d->reg > JM_REG_A3)
        return NULL;
    if (d->reg <= JM_REG_R3)
        return WRITER_R;
    return checked ? WRITER_A_1 : WRITER_A_0;
}

/* Returns the function that issues an instruction, NULL if it is issued untranslated.
 */
static NodeIssue *issue_of(const JmDecoded *d, bool checked) {
#define OP(name, code, form, ...) [JM_OP_##name] = ISSUES_##form(name),
    static NodeIssue *const issues[JM_OP_COUNT][COLUMNS][2] = {
#include "emu/isa/ops.def"
    };
#undef OP
    static const unsigned column[] = {[JM_MODE_REG] = 0,
                                      [JM_MODE_CONSTANT] = 2,
                                      [JM_MODE_IMMEDIATE] = 3,
                                      [JM_MODE_INDEXED] = 4,
                                      [JM_MODE_OFFSET] = 5};
    if (d->op == JM_OP_NOP)
        return NOP_OP;
    if (d->op == JM_OP_READR || d->op == JM_OP_WRITER || d->op == JM_OP_LDIPR)
        return issue_of_register(d, checked);
    if (d->op == JM_OP_CALL)
        return NULL;
    unsigned form = column[d->mode];
    if (d->mode == JM_MODE_REG && d->reg > JM_REG_R3)
        form = COLUMN_AREG;
    if (d->mode == JM_MODE_OFFSET && (d->areg == 1 || d->areg == 2))
        form = COLUMN_SEGMENT;
    if (d->mode == JM_MODE_OFFSET && d->areg == 3)
        form = COLUMN_QUEUE;
    const bool in_place = d->rd == d->rs && jm_op_info(d->op)->form == JM_FORM_S_O_D;
    if (in_place && form == column[JM_MODE_REG])
        form = COLUMN_REG_IN_PLACE;
    if (in_place && form == column[JM_MODE_IMMEDIATE])
        form = COLUMN_IMMEDIATE_IN_PLACE;
    return issues[d->op][form][checked];
}

#endif
