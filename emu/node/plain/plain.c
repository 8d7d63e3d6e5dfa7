/* Runs of plain instructions: those that touch only registers of their own context and
 * memory of their node. Nothing outside can tell when they are issued, so a node may
 * issue many in one go. Rows of code are translated (stretch.h), and each function of a
 * translated instruction jumps straight to the next:
 *
 *     begin -> row known? -> charge a segment -> body -> body -> ... -> next row
 *                |                                 | refuses, or does not fit
 *                +-> translate                     +-> issue_alone()
 *
 * All bodies are those that single steps use (exec.c). Instructions that are not plain,
 * or fault, are left to exec.c with nothing done.
 *
 * JM_TAIL_CALLS relies on the compiler to turn the last call of a body into a jump;
 * otherwise a loop calls one body after another. */
#include "emu/node/plain/translate_inline.h"

enum { OP_PATTERNS = JM_DECODE_PATTERNS / JM_OP_COUNT }; /* the opcode comes first */

void node_code_table(JmDecoded *table) {
    jm_decode_table(table);
    for (uint32_t op = 0; op < JM_OP_COUNT; op++) {
        const JmOpInfo *info = jm_op_info(op);
        if (info->name && jm_form_info(info->form)->op0 == JM_OP0_READ)
            continue;
        for (uint32_t i = 0; i < OP_PATTERNS; i++)
            table[op * OP_PATTERNS + i].mode |= NODE_MODE_BY_BODY;
    }
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
    for (unsigned lane = 0; lane < JM_CLASS_CONSTANT; lane++) {
        if (lane == NODE_INSTRUCTIONS)
            continue;
        cycles[lane] -= sign * charged->lane[lane];
        waited += sign * charged->lane[lane];
    }
    cycles[JM_CLASS_SEND_WAIT] += waited;
}

ALWAYS_INLINE void charge_run(Node *node, const NodeCharge *charged, uint64_t sign) {
    NodeStatistics *statistics = &node->statistics;
#pragma GCC unroll 8
    for (unsigned lane = 0; lane < NODE_PLAIN_CLASSES; lane++)
        if (lane != NODE_INSTRUCTIONS)
            statistics->cycles[lane] += sign * charged->lane[lane];
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
static void find_queues(NodeQueues *queues, uint32_t qbm0, uint32_t qbm1) {
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

/* Sets the range of memory that the network may write during the run: the queues, if
 * the run is one ahead. */
static __attribute__((noinline)) void change_guard(NodeRun *run, uint32_t qbm0,
                                                   uint32_t qbm1) {
    NodeQueues *queues = &run->queues;
    find_queues(queues, qbm0, qbm1);
    queues->guarded = run->ahead != NULL;
    const uint32_t words = queues->guarded ? queues->words : 0;
    if (queues->low != run->queue_low || words != run->queue_words)
        forget_pages(run); /* they may be guarded now */
    run->queue_low = run->guard_low = queues->low;
    run->queue_words = run->guard_words = words;
}

/* The same for the queues of `node`. Mostly they are those of the last run. */
static void set_guard(NodeRun *run, const Node *node) {
    const NodeQueues *queues = &run->queues;
    const uint32_t qbm0 = node->priority[0].qbm, qbm1 = node->priority[1].qbm;
    if (UNLIKELY(qbm0 != queues->qbm[0]) || UNLIKELY(qbm1 != queues->qbm[1]) ||
        UNLIKELY(queues->guarded != (run->ahead != NULL)))
        change_guard(run, qbm0, qbm1);
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

/* Sets the fields of the run that concern marks. `marks`: NULL if there are none. */
static __attribute__((noinline)) void mind_marks(NodeRun *run, const NodeMarks *marks) {
    const uint32_t rank = run->node->rank;
    const bool minds = marks && (!marks->nodes || node_has_bit(marks->nodes, rank));
    run->marks = minds ? marks : NULL;
    run->spied = minds && marks->registers && node_has_bit(marks->spied, rank);
    const bool picks = minds && (marks->any_code || run->spied);
    if (picks != run->picks)
        forget_pages(run); /* their keys differ */
    run->picks = picks;
    run->guard_low = run->queue_low;
    run->guard_words = run->queue_words;
    if (minds)
        guard_marks(run);
}

static void begin_run(NodeRun *run, Node *node, uint64_t last, NodeAhead *ahead,
                      const NodeEnv *e) {
    run->node = node;
    run->last = last;
    run->ahead = ahead;
    run->exact = !ahead || ahead->again || last - node->ready < SHORT_RUN;
    run->record = ahead ? ahead->write : run->unused;
    run->record_end = run->record + NODE_AHEAD_WRITES;
    run->send = ahead ? &ahead->send[ahead->sends] : NULL;
    run->send_end = ahead && !ahead->again && sends_ahead(e)
                        ? &ahead->send[NODE_AHEAD_SENDS]
                        : run->send;
    run->word = ahead ? ahead->word : NULL;
    run->continues[0] = run->continues[1] = false;
    run->row = (uint32_t)node->fetch_row;
    run->paid_pc = run->row_from = 0;
    run->charged = (NodeCharge){{0}};
    run->task = task_of_queue(node);
    set_guard(run, node);
    if (UNLIKELY(e->marks || run->marks))
        mind_marks(run, e->marks);
    if (UNLIKELY(e->stretches->used == STRETCH_COUNT))
        empty_stretches(e->stretches);
}

/* Without tail calls: issues the instructions of the run, to its end. */
static void turn(Context *context, NodeEnv *env) {
#ifdef JM_TAIL_CALLS
    (void)context, (void)env;
#else
    while (env->run.next) {
        NodeOp *op = env->run.next;
        env->run.next = NULL;
        op->issue(context, op, env);
    }
#endif
}

void node_run_plain(Node *node, NodeEnv *env, uint64_t until, NodeAhead *ahead) {
    NodeRun *run = &env->run;
    Context *context = node->current;
    begin_run(run, node, until - 1, ahead, env);
    if (UNLIKELY(!env->plain) || !map_code(run, context->ip)) {
        if (ahead)
            ahead->charged = (NodeCharge){{0}};
        return;
    }
    enter_row(context, pc_of(run, context->ip), until - 1 - node->ready, env);
    turn(context, env);
}
