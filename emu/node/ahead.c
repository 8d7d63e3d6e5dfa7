/* Running ahead. A node issues plain instructions before their time, as far as it gets;
 * the machine goes on cycle by cycle and finds the node at its next boundary that is
 * not plain. Should something happen in between that the node ought to have seen, or
 * should the machine stop, the node is taken back to what it was when it began and
 * issues again what is due by then. So nothing tells that it was ever ahead.
 *
 *     now        ready                          a node that has run ahead of `now`
 *      |.i.i..i.i.|
 *          ^ a row arrives that disturbs: back to `now`, forward to here
 */
#include "emu/node/node.h"

static void save(const Node *node, NodeAhead *ahead) {
    ahead->context = *node->current;
    ahead->ready = node->ready;
    ahead->mar = node->mar;
    ahead->fetch_row = node->fetch_row;
    ahead->last_class = node->last_class;
    ahead->writes = 0;
}

/* Newest write first: a word may have been written twice. */
static void restore(Node *node, NodeAhead *ahead) {
    *node->current = ahead->context;
    node->ready = ahead->ready;
    node->mar = ahead->mar;
    node->fetch_row = ahead->fetch_row;
    node->last_class = ahead->last_class;
    node->not_plain = false;
    node_forget_row(node);
    while (ahead->writes) {
        const NodeWrite *write = &ahead->write[--ahead->writes];
        *write->where = write->old;
    }
}

static bool is_spied(const Node *node, const NodeEnv *env) {
    return env->marks && node_has_bit(env->marks->spied, node->rank);
}

/* The same; whoever spies on the node is told. */
static void restore_noted(Node *node, NodeEnv *env, NodeAhead *ahead) {
    restore(node, ahead);
    if (is_spied(node, env))
        env->marks->rewound(env->marks->context, node);
}

static void run_on(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until) {
    if (node->ready >= until)
        return;
    save(node, ahead);
    node_run_plain(node, env, until, ahead);
    node->ahead = node->ready != ahead->ready;
}

/* One boundary, observed if there are marks. */
static void step(Node *node, NodeEnv *env) {
    if (!env->marks) {
        node_step(node, env);
        return;
    }
    node_step_observed(node, env);
    if (is_spied(node, env))
        env->marks->stepped(env->marks->context, node);
}

void node_run_ahead(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until) {
    node->ahead = false;
    if (env->marks && node_has_bit(env->marks->lockstep, node->rank))
        until = env->now + 1;
    if (!node->attention && !node->not_plain)
        run_on(node, env, ahead, until);
    if (node->ready != env->now)
        return;
    node->not_plain = false;
    step(node, env);
    if (node->runs && !node->asleep && !node->attention)
        run_on(node, env, ahead, until);
}

void node_rewind(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t cycle) {
    if (!node->ahead || node->ready <= cycle)
        return;
    /* What has been counted is found by doing it again, counting down. */
    NodeStatistics *statistics = &node->statistics;
    const NodeStatistics counted = *statistics;
    const uint64_t end = node->ready;
    restore_noted(node, env, ahead);
    env->run.replay = NODE_UNDONE;
    node_run_plain(node, env, end, ahead);
    statistics->instructions = 2 * counted.instructions - statistics->instructions;
    for (unsigned i = 0; i < JM_CLASS_COUNT; i++)
        statistics->cycles[i] = 2 * counted.cycles[i] - statistics->cycles[i];
    restore_noted(node, env, ahead);
    env->run.replay = NODE_REDONE;
    if (node->ready < cycle)
        node_run_plain(node, env, cycle, ahead);
    env->run.replay = 0;
    node->ahead = false;
}

bool node_row_disturbs(const Node *node, unsigned priority) {
    if (node->masked)
        return false;
    if (node->background || (priority == 1 && node->p == 0))
        return true;
    return priority == node->p && node_queue_length(node, priority) + NODE_ROW_WORDS >=
                                      node_queue_size(node, priority);
}

bool node_at_mark(const Node *node, const NodeMarks *marks) {
    const uint32_t ip = jm_data(node->current->ip);
    return !(ip & JM_IP_PHASE) &&
           node_has_bit(marks->code, node_code_address(node, ip, jm_field20(ip)));
}

void node_run(Node *node, NodeEnv *env, uint64_t until) {
    node->ahead = false;
    do {
        if (!node->attention)
            node_run_plain(node, env, until, NULL);
        if (node->ready >= until)
            break;
        if (env->marks && node_at_mark(node, env->marks))
            break;
        env->now = node->ready;
        step(node, env);
    } while (!env->boundary && node->ready < until);
    if (!env->boundary)
        env->now = (node->ready < until ? node->ready : until) - 1;
}
