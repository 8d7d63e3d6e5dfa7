/* Plain instructions: those that touch only registers of their own context and memory
 * of their node. Nothing outside can tell when they are issued, so a node may issue
 * many in one go, each body jumping straight to the next:
 *
 *     body -> charge -> due later? -> next row? -> fetch -> look-up -> body ...
 *
 * There is one function for each opcode and operand form, made from the bodies that the
 * other dispatcher uses too (exec.c). Rare cases go through general(); instructions
 * that are not plain, or fault, are left to exec.c with nothing done.
 *
 * All state of the run that changes with every instruction travels in arguments, that
 * is, in registers. JM_TAIL_CALLS relies on the compiler to turn the last call of a
 * body into a jump; otherwise a loop calls one body after another. */
#include "emu/node/run/run_rare_inline.h"
#include "emu/node/run/run_send_inline.h"

/* Whether a debugger wants to see each iteration of the delay loop in the word at
 * `pc`. */
static bool touches_mark(PLAIN_ARGUMENTS) {
    const NodeRun *run = &e->run;
    (void)c, (void)code, (void)left;
    return run->code != e->code &&
           (run->spied || is_marked(run, pc) || is_marked(run, pc ^ PHASE_BYTES));
}

/* Takes a branch by `words`. A branch to itself is left to general(): in background it
 * puts the node to sleep. */
ALWAYS_INLINE void take_branch(PLAIN_ARGUMENTS, int32_t words) {
    NodeRun *run = &e->run;
    const uintptr_t target = next_word(pc) + (uintptr_t)((intptr_t)words * WORD_BYTES);
    if (UNLIKELY(target - run->page >= PAGE_BYTES || target == pc)) {
        general(PLAIN_PASS);
        return;
    }
    const bool same_row = ((target ^ pc) & ~(uintptr_t)(ROW_BYTES - 1)) == 0;
    charge(run, JM_CLASS_CONTROL, e->cost_jump);
    left = less(left, e->cost_jump);
    if (words == -1 && pc % WORD_BYTES != 0 && !touches_mark(PLAIN_PASS))
        left = spin(PLAIN_PASS);
    pc = target;
    if (UNLIKELY(cycles_left(left) <= 0))
        run_out(PLAIN_PASS);
    else if (same_row)
        fetch(PLAIN_PASS);
    else
        other_row(PLAIN_PASS);
}

/* ---- one function for each opcode and operand form ------------------------------- */

/* How a function of each operand form gets op0: false if it must go through
 * general(). */
#define LOAD_REG (s.op0 = c->r[code->d.reg], true)
#define LOAD_AREG (s.op0 = c->a[code->d.reg - 4], true)
#define LOAD_CONSTANT (s.op0 = jm_operand_constant(code->d.reg), true)
#define LOAD_IMMEDIATE (s.op0 = jm_int(code->d.value), true)
#define LOAD_INDEXED load_onchip(&s)
#define LOAD_OFFSET load_onchip(&s)

/* Fixes the decoded mode for the compiler: functions are made for one. */
#define ASSUME_MODE(mode_)                                                             \
    do {                                                                               \
        if (code->d.mode != JM_MODE_##mode_)                                           \
            __builtin_unreachable();                                                   \
    } while (0)

/* Defines the function of an opcode that reads op0 and writes Rd, for one operand
 * form. */
#define PLAIN_VALUE(name, cls, mode)                                                   \
    static void name##_##mode(PLAIN_ARGUMENTS) {                                       \
        ASSUME_MODE(mode);                                                             \
        Step s = begin(c, code, e);                                                    \
        if (UNLIKELY(!LOAD_##mode)) {                                                  \
            general(PLAIN_PASS);                                                       \
        } else if (UNLIKELY(op_##name(&s) != OUTCOME_DONE)) {                          \
            leave(PLAIN_PASS);                                                         \
        } else {                                                                       \
            SET_MAR_##mode;                                                            \
            complete(PLAIN_PASS, JM_CLASS_##cls, COST_##mode, false);                  \
        }                                                                              \
    }

#define PLAIN_VALUES(name, cls)                                                        \
    PLAIN_VALUE(name, cls, REG)                                                        \
    PLAIN_VALUE(name, cls, AREG)                                                       \
    PLAIN_VALUE(name, cls, CONSTANT)                                                   \
    PLAIN_VALUE(name, cls, IMMEDIATE)                                                  \
    PLAIN_VALUE(name, cls, INDEXED)                                                    \
    PLAIN_VALUE(name, cls, OFFSET)

/* Defines the function of a branch, for one operand form. */
#define PLAIN_BRANCH(name, mode)                                                       \
    static void name##_##mode(PLAIN_ARGUMENTS) {                                       \
        Step s = begin(c, code, e);                                                    \
        (void)LOAD_##mode;                                                             \
        const int outcome = op_##name(&s);                                             \
        if (outcome == OUTCOME_DONE)                                                   \
            complete(PLAIN_PASS, JM_CLASS_CONTROL, e->cost_base, false);               \
        else if (UNLIKELY(outcome != OUTCOME_BRANCHES))                                \
            leave(PLAIN_PASS);                                                         \
        else                                                                           \
            take_branch(PLAIN_PASS, (int32_t)jm_data(s.op0));                          \
    }

#define PLAIN_BRANCHES(name, cls)                                                      \
    PLAIN_BRANCH(name, REG)                                                            \
    PLAIN_BRANCH(name, IMMEDIATE)

/* Expands ops.def to the functions above, by form; forms without a function of their
 * own go through general(), or end the run. */
#define NONE_OF(name, cls)
#define OP(name, code, form, cls, ...) FUNCTIONS_##form(name, cls)
#define FUNCTIONS_O_D PLAIN_VALUES
#define FUNCTIONS_S_O_D PLAIN_VALUES
#define FUNCTIONS_BR PLAIN_BRANCHES
#define FUNCTIONS_S_BR PLAIN_BRANCHES
#define FUNCTIONS_NONE NONE_OF
#define FUNCTIONS_S_M NONE_OF
#define FUNCTIONS_G_D NONE_OF
#define FUNCTIONS_S_G NONE_OF
#define FUNCTIONS_O NONE_OF
#define FUNCTIONS_G NONE_OF
#define FUNCTIONS_S_DST NONE_OF
#define FUNCTIONS_S_O NONE_OF
#define FUNCTIONS_O_P NONE_OF
#define FUNCTIONS_O_S_P NONE_OF
#include "emu/isa/ops.def"
#undef OP

static void NOP_NONE(PLAIN_ARGUMENTS) {
    complete(PLAIN_PASS, JM_CLASS_CONTROL, e->cost_base, false);
}

/* WRITE to memory on chip, for both memory forms. */
#define PLAIN_WRITE(mode)                                                              \
    static void WRITE_##mode(PLAIN_ARGUMENTS) {                                        \
        ASSUME_MODE_BY_BODY(mode);                                                     \
        Step s = begin(c, code, e);                                                    \
        if (UNLIKELY(!store_onchip(&s)))                                               \
            general(PLAIN_PASS);                                                       \
        else                                                                           \
            complete(PLAIN_PASS, JM_CLASS_MOVE, e->cost_write, true);                  \
    }
#define ASSUME_MODE_BY_BODY(mode_)                                                     \
    do {                                                                               \
        if (code->d.mode != (JM_MODE_##mode_ | NODE_MODE_BY_BODY))                     \
            __builtin_unreachable();                                                   \
    } while (0)
PLAIN_WRITE(INDEXED)
PLAIN_WRITE(OFFSET)

/* READR and WRITER of the running context's own R0-R3 and A0-A3. */
static void READR_OWN_R(PLAIN_ARGUMENTS) {
    const JmWord value = c->r[code->d.reg];
    if (UNLIKELY(jm_tag(value) == JM_TAG_CFUT)) {
        general(PLAIN_PASS);
        return;
    }
    c->r[code->d.rd] = value;
    complete(PLAIN_PASS, JM_CLASS_MOVE, e->cost_base, false);
}

/* READR of any other register. An arriving row must not pass a read of QHL. */
static void READR_ANY(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    Step s = begin(c, code, e);
    c->ip = advanced(ip_at(run, pc), JM_IP_PHASE);
    if (UNLIKELY(read_register(&s) != OUTCOME_DONE)) {
        leave(PLAIN_PASS);
        return;
    }
    if (reads_queue_register(&s))
        run->node->saw_queue = issue_cycle(run, pc, left);
    c->r[code->d.rd] = s.op0;
    complete(PLAIN_PASS, JM_CLASS_MOVE, e->cost_base, false);
}

static void WRITER_OWN_R(PLAIN_ARGUMENTS) {
    c->r[code->d.reg] = c->r[code->d.rs];
    complete(PLAIN_PASS, JM_CLASS_MOVE, e->cost_base, false);
}

static void WRITER_OWN_A(PLAIN_ARGUMENTS) {
    const JmWord value = c->r[code->d.rs];
    if (UNLIKELY(e->run.from.checked && jm_tag(value) != JM_TAG_ADDR)) {
        leave(PLAIN_PASS);
        return;
    }
    c->a[code->d.reg - JM_REG_A0] = value;
    complete(PLAIN_PASS, JM_CLASS_MOVE, e->cost_base, false);
}

/* Defines the function of a SEND for one operand form. It reads the operand; the part
 * common to all forms follows in a function of the opcode. */
#define PLAIN_SEND(name, mode)                                                         \
    static void name##_##mode(PLAIN_ARGUMENTS) {                                       \
        ASSUME_MODE(mode);                                                             \
        Step s = begin(c, code, e);                                                    \
        if (UNLIKELY(!LOAD_##mode)) {                                                  \
            leave(PLAIN_PASS);                                                         \
        } else {                                                                       \
            e->run.send_op0 = s.op0;                                                   \
            e->run.send_cycles = COST_##mode;                                          \
            e->run.send_mar = MAR_##mode;                                              \
            name##_on(PLAIN_PASS);                                                     \
        }                                                                              \
    }

#define PLAIN_SENDS(name, count, end)                                                  \
    static COLD_CALL void name##_on(PLAIN_ARGUMENTS) {                                 \
        send_on(PLAIN_PASS, count, end);                                               \
    }                                                                                  \
    PLAIN_SEND(name, REG)                                                              \
    PLAIN_SEND(name, AREG)                                                             \
    PLAIN_SEND(name, CONSTANT)                                                         \
    PLAIN_SEND(name, INDEXED)                                                          \
    PLAIN_SEND(name, OFFSET)
PLAIN_SENDS(SEND, 1, false)
PLAIN_SENDS(SENDE, 1, true)
PLAIN_SENDS(SEND2, 2, false)
PLAIN_SENDS(SEND2E, 2, true)

#include "emu/node/run/translate_inline.h"

/* ---- the table ------------------------------------------------------------------- */

/* Rows of the table below: the functions of an opcode by operand form, in the order Rn,
 * An, constant, immediate, indexed, offset. */
#define ROW_O_D(name)                                                                  \
    {                                                                                  \
        name##_REG, name##_AREG, name##_CONSTANT, name##_IMMEDIATE, name##_INDEXED,    \
            name##_OFFSET                                                              \
    }
#define ROW_BR(name)                                                                   \
    { name##_REG, general, general, name##_IMMEDIATE, general, general }
#define ROW_ALL(function)                                                              \
    { function, function, function, function, function, function }
#define ROW_S_O_D ROW_O_D
#define ROW_S_BR ROW_BR
#define ROW_NONE(name) ROW_ALL(leave)
#define ROW_S_M(name)                                                                  \
    { leave, leave, leave, leave, WRITE_INDEXED, WRITE_OFFSET }
#define ROW_G_D(name) ROW_ALL(general)
#define ROW_S_G(name) ROW_ALL(general)
#define ROW_O(name) ROW_ALL(general)
#define ROW_G(name) ROW_ALL(general)
#define ROW_S_DST(name) ROW_ALL(leave)
#define ROW_S_O(name) ROW_ALL(leave)
#define ROW_O_P(name)                                                                  \
    { name##_REG, name##_AREG, name##_CONSTANT, leave, name##_INDEXED, name##_OFFSET }
#define ROW_O_S_P ROW_O_P

/* Returns the function that issues an instruction in a run. There is one for each
 * opcode and JmMode; register mode has one for Rn and one for An. */
static NodePlain *plain_function(const JmDecoded *d) {
    enum { MODES = 6, AREG_MODE = 1 };
#define OP(name, code, form, ...) [JM_OP_##name] = ROW_##form(name),
    static NodePlain *const functions[JM_OP_COUNT][MODES] = {
#include "emu/isa/ops.def"
    };
#undef OP
    static const unsigned place[] = {[JM_MODE_REG] = 0,
                                     [JM_MODE_CONSTANT] = 2,
                                     [JM_MODE_INDEXED] = 4,
                                     [JM_MODE_IMMEDIATE] = 3,
                                     [JM_MODE_OFFSET] = 5};
    const bool own = d->reg <= JM_REG_A3; /* register mode: of the running context */
    const bool areg = d->reg > JM_REG_R3;
    if (d->op == JM_OP_NOP)
        return NOP_NONE;
    if (d->op == JM_OP_CALL)
        return leave;
    if (d->op == JM_OP_READR && own && !areg)
        return READR_OWN_R;
    if (d->op == JM_OP_READR)
        return READR_ANY;
    if (d->op == JM_OP_WRITER && own)
        return areg ? WRITER_OWN_A : WRITER_OWN_R;
    const unsigned mode = d->mode & (NODE_MODE_BY_BODY - 1);
    const unsigned column = mode == JM_MODE_REG && areg ? AREG_MODE : place[mode];
    NodePlain *function = functions[d->op][column];
    return function ? function : leave;
}

void node_code_table(NodeCode *table) {
    for (uint32_t i = 0; i < JM_DECODE_PATTERNS; i++) {
        JmDecoded d = jm_decode(i);
        const JmOpInfo *info = jm_op_info(d.op);
        if (!info->name || jm_form_info(info->form)->op0 != JM_OP0_READ)
            d.mode |= NODE_MODE_BY_BODY;
        table[i] = (NodeCode){plain_function(&d), d};
    }
}

void node_marked_table(NodeCode *table, const NodeCode *code) {
    for (uint32_t i = 0; i < JM_DECODE_PATTERNS; i++)
        table[i] = (NodeCode){marked, code[i].d};
}

/* Forgets all pages that code was fetched from. */
static void forget_pages(NodeRun *run) {
    for (unsigned i = 0; i < NODE_KNOWN_PAGES; i++)
        run->known[i].ip = NO_PAGE;
}

void node_env_costs(NodeEnv *env) {
    const JmTiming *t = &env->timing;
    env->cost_base = t->base;
    env->cost_read = t->base + t->read_onchip;
    env->cost_write = t->base + t->write_onchip;
    env->cost_jump = t->jump;
    env->cost_constant = t->constant;
    env->run.row_onchip = t->row_onchip;
    env->run.row_external = t->row_external;
    forget_pages(&env->run); /* the cost of their rows may have changed */
    env->plain = t->base && t->jump && t->constant;
}

/* ---- charges of a run ------------------------------------------------------------ */

/* Moves the cycles charged while a SEND waits to succeed to the class for that
 * (class_of_charge). `sign` is 1, or -1 to undo a charge. */
static void move_waiting(Node *node, const NodeCharge *charged, uint64_t sign) {
    uint64_t *cycles = node->statistics.cycles;
    uint64_t waited = 0;
#pragma GCC unroll 8
    for (unsigned class = 0; class < JM_CLASS_CONSTANT; class ++) {
        if (class == NODE_INSTRUCTIONS)
            continue;
        cycles[class] -= sign * charged->lane[class];
        waited += sign * charged->lane[class];
    }
    cycles[JM_CLASS_SEND_WAIT] += waited;
}

ALWAYS_INLINE void charge_run(Node *node, const NodeCharge *charged, uint64_t sign) {
    NodeStatistics *statistics = &node->statistics;
#pragma GCC unroll 8
    for (unsigned class = 0; class < NODE_PLAIN_CLASSES; class ++)
        if (class != NODE_INSTRUCTIONS)
            statistics->cycles[class] += sign * charged->lane[class];
    statistics->instructions += sign * charged->lane[NODE_INSTRUCTIONS];
    if (UNLIKELY(node_repeats_send(node)))
        move_waiting(node, charged, sign);
}

void node_charge_run(Node *node, const NodeCharge *charged) {
    charge_run(node, charged, 1);
}

void node_uncharge_run(Node *node, const NodeCharge *charged) {
    charge_run(node, charged, (uint64_t)-1);
}

/* ---- a run ----------------------------------------------------------------------- */

/* Finds the queues with these base and mask registers. */
static __attribute__((noinline)) void find_queues(NodeQueues *queues, uint32_t qbm0,
                                                  uint32_t qbm1) {
    *queues = (NodeQueues){.qbm = {qbm0, qbm1}};
    uint32_t low = UINT32_MAX, end = 0;
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t qbm = queues->qbm[p];
        if (qbm & JM_ADDR_INVALID)
            continue;
        const uint32_t base = jm_field20(qbm);
        const uint32_t last = (base | jm_field10(qbm)) + NODE_ROW_WORDS - 1;
        low = base < low ? base : low;
        end = last >= end ? last + 1 : end;
    }
    queues->words = end ? end - low : 0;
    /* A row that would wrap: the whole memory, in this rare case. */
    queues->low = end && end <= JM_ADDRESS_MASK ? low : 0;
}

/* Sets the range of memory that the network may write during the run: the queues. */
static void set_guard(NodeRun *run, const Node *node) {
    NodeQueues *queues = &run->queues;
    const uint32_t qbm0 = node->priority[0].qbm, qbm1 = node->priority[1].qbm;
    if (UNLIKELY(qbm0 != queues->qbm[0] || qbm1 != queues->qbm[1]))
        find_queues(queues, qbm0, qbm1);
    const uint32_t words = run->ahead ? queues->words : 0;
    if (UNLIKELY(queues->low != run->queue_low || words != run->queue_words))
        forget_pages(run); /* they may be guarded now */
    run->queue_low = run->guard_low = queues->low;
    run->queue_words = run->guard_words = words;
}

/* Returns NodeRun.task for a run of `node`. */
static const Priority *task_of_queue(const Node *node) {
    const Priority *state = &node->priority[node->p];
    return !node->background && state->q ? state : NULL;
}

/* Widens the guarded range so that it holds all marked data too. */
static void guard_marks(NodeRun *run) {
    const uint32_t low = run->marks->data_low;
    const uint32_t end = low + run->marks->data_words;
    const uint32_t guard_end = run->guard_low + run->guard_words;
    if (low == end)
        return;
    if (run->guard_words == 0 || low < run->guard_low)
        run->guard_low = low;
    run->guard_words = (end > guard_end ? end : guard_end) - run->guard_low;
}

static void begin_run(NodeRun *run, Node *node, uint64_t until, NodeAhead *ahead,
                      const NodeMarks *marks, NodeStretches *stretches) {
    run->node = node;
    run->until = until;
    run->ahead = ahead;
    run->record = ahead ? ahead->write : run->unused;
    run->record_end = run->record + NODE_AHEAD_WRITES;
    run->room[0] = run->room[1] = run->more[0] = run->more[1] = 0;
    run->background = node->background;
    run->row = (uint32_t)node->fetch_row;
    run->paid_pc = run->row_from = 0;
    run->charged = (NodeCharge){{0}};
    run->task = task_of_queue(node);
    set_guard(run, node);
    const bool minds =
        marks && (!marks->nodes || node_has_bit(marks->nodes, node->rank));
    run->marks = minds ? marks : NULL;
    run->spied = minds && marks->registers && node_has_bit(marks->spied, node->rank);
    run->picks = minds && (marks->any_code || run->spied);
    run->translates = stretches && !run->picks;
    if (run->translates && UNLIKELY(stretches->used == STRETCH_COUNT))
        empty_stretches(stretches);
    if (minds)
        guard_marks(run);
}

/* Without tail calls: issues the instructions of the run, to its end. */
static void turn(Context *context, NodeEnv *env) {
#ifdef JM_TAIL_CALLS
    (void)context, (void)env;
#else
    NodeNext *pending = &env->run.next;
    while (pending->code || pending->op) {
        const NodeNext next = *pending;
        pending->code = NULL;
        pending->op = NULL;
        if (next.op)
            next.op->issue(context, next.op, env);
        else
            next.code->plain(context, next.code, next.pc, next.left, env);
    }
#endif
}

void node_run_plain(Node *node, NodeEnv *env, uint64_t until, NodeAhead *ahead) {
    NodeRun *run = &env->run;
    Context *context = node->current;
    if (until - node->ready > LONGEST_RUN)
        until = node->ready + LONGEST_RUN;
    begin_run(run, node, until, ahead, env->marks, env->stretches);
    run->code = env->code;
    if (UNLIKELY(!env->plain) || !map_code(run, context->ip)) {
        if (ahead)
            ahead->charged = (NodeCharge){{0}};
        return;
    }
    static const NodeCode nothing = {.plain = NULL};
    const uint64_t left = until - node->ready;
    const uintptr_t pc = pc_of(run, context->ip);
    if (run->translates) {
        enter_row(context, &nothing, pc, left, env);
        turn(context, env);
        return;
    }
    const bool remembered = run->from.row + (pc - run->page) / ROW_BYTES == run->row;
    if (UNLIKELY(run->picks) || (!remembered && pc % WORD_BYTES))
        fetch_row(context, &nothing, pc, left, env);
    else if (remembered)
        fetch(context, &nothing, pc, left, env);
    else
        other_row(context, &nothing, pc, left, env);
    turn(context, env);
}
