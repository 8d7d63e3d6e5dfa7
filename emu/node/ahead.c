/* Running ahead. A node issues plain instructions ahead of the machine's cycle; the
 * machine visits it again at its next boundary that is not plain. If something happens
 * in between that the node should have seen, or if the machine stops, the node is
 * rewound to its state at the start of the run and reissues the instructions that are
 * due by then. So nobody can tell that it was ever ahead.
 *
 *     now        ready                          a node that has run ahead of `now`
 *      |.i.i..i.i.|
 *          ^ a row arrives that disturbs: back to `now`, forward to here */
#include <string.h>

#include "emu/node/env.h"

enum { NO_PRIORITY = 2 }; /* next_dispatch(): no dispatch is certain */

/* Saves the state that a run of `context` may change. */
static void save(const Node *node, NodeAhead *ahead, unsigned context) {
    ahead->context = node->context[context];
    ahead->ready = node->ready;
    ahead->mar = node->mar;
    ahead->fetch_row = node->fetch_row;
    ahead->last_class = node->last_class;
    ahead->send_open = node->send_open;
    ahead->redirected = node->redirected;
    ahead->masked = node->masked;
    ahead->running = (uint8_t)context;
    for (unsigned p = 0; p < 2; p++)
        ahead->qhl[p] = node->priority[p].qhl;
    ahead->dispatched = ahead->again = false;
    ahead->writes = ahead->sends = ahead->sent = ahead->words = 0;
}

/* Undoes the dispatch that a run began with. */
static void restore_dispatch(Node *node, const NodeAhead *ahead) {
    Priority *state = &node->priority[ahead->running];
    node->background = ahead->background;
    node->p = ahead->p;
    state->active = false;
    state->over_b = ahead->over_b;
    state->q = ahead->q;
}

/* Restores the saved state. Writes are undone newest first, because a word may have
 * been written twice. */
static void restore(Node *node, NodeAhead *ahead) {
    node->context[ahead->running] = ahead->context;
    node->ready = ahead->ready;
    node->mar = ahead->mar;
    node->fetch_row = ahead->fetch_row;
    node->last_class = ahead->last_class;
    node->send_open = ahead->send_open;
    node->redirected = ahead->redirected;
    node->masked = ahead->masked;
    node->not_plain = false;
    if (ahead->dispatched)
        restore_dispatch(node, ahead);
    node_update(node);
    node_forget_row(node);
    while (ahead->writes) {
        const NodeWrite *write = &ahead->write[--ahead->writes];
        *write->where = write->old;
    }
}

/* Whether a debugger watches the node's registers. */
static bool is_spied(const Node *node, const NodeEnv *env) {
    return env->marks && node_has_bit(env->marks->spied, node->rank);
}

/* Returns the priority of the message that the next boundary is certain to dispatch, or
 * NO_PRIORITY. A message that arrives before can only be more urgent, and then the run
 * is disturbed. */
static unsigned next_dispatch(const Node *node) {
    if (node->posted || node_queue_full(node))
        return NO_PRIORITY;
    const unsigned priority = node_can_dispatch(node, 1);
    if (!node_can_dispatch(node, priority))
        return NO_PRIORITY;
    const JmWord header =
        memory_read(&node->memory, jm_field20(node->priority[priority].qhl));
    const bool good = jm_tag(header) == JM_TAG_MSG &&
                      jm_field10(jm_data(header)) != 0 &&
                      (!node->bounded || node_can_hold(node, priority, header));
    return good ? priority : NO_PRIORITY;
}

/* Saves, beyond save(), what the dispatch of the run will change. */
static void save_dispatch(const Node *node, NodeAhead *ahead) {
    const Priority *state = &node->priority[ahead->running];
    ahead->dispatched = true;
    ahead->background = node->background;
    ahead->p = node->p;
    ahead->over_b = state->over_b;
    ahead->q = state->q;
}

/* Issues the run from its saved state up to cycle `until`: its dispatch, then plain
 * instructions. A rewind calls this again with an earlier `until`. */
static inline void issue(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until) {
    const uint64_t start = node->ready;
    if (ahead->dispatched && start < until) {
        node_dispatch_next(node, env, ahead->running);
        ahead->dispatch_cycles = (uint32_t)(node->ready - start);
    }
    if (node->ready < until && !node->attention)
        node_run_plain(node, env, until, ahead);
    else
        ahead->charged = (NodeCharge){{0}};
}

/* Whether someone wants to see the dispatch of a message of `priority`, or the read of
 * its header, in its own cycle. */
static bool sees_dispatch(const Node *node, const NodeEnv *env, unsigned priority) {
    const uint32_t head = jm_field20(node->priority[priority].qhl);
    return env->observed >> JM_EVENT_DISPATCH & 1 || is_spied(node, env) ||
           (env->observed >> JM_EVENT_READ & 1 && node_sees_access(env->marks, head));
}

/* Starts a run from the next boundary, unless that boundary is one that must be seen in
 * its own cycle: a fault, or a dispatch that is not certain or is observed. */
static void run_on(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until) {
    if (node->ready >= until)
        return;
    const unsigned priority = node->attention ? next_dispatch(node) : NO_PRIORITY;
    if (node->attention &&
        (priority == NO_PRIORITY || sees_dispatch(node, env, priority)))
        return;
    save(node, ahead, node->attention ? priority : node->running);
    if (node->attention)
        save_dispatch(node, ahead);
    node->saw_queue = 0;
    node->was_open = !node->masked;
    issue(node, env, ahead, until);
    node->ahead = node->ready != ahead->ready;
}

/* Executes one boundary, observed if there are marks. */
static inline void step(Node *node, NodeEnv *env) {
    if (!env->marks) {
        node_step(node, env);
        return;
    }
    node_step_observed(node, env);
    if (is_spied(node, env))
        env->marks->stepped(env->marks->context, node);
}

/* Whether the next boundary is likely to be a branch to itself at which the node will
 * sleep; no run issues those. */
static bool will_rest(const Node *node) {
    return node->background && jm_data(node->current->ip) == node->rest_ip &&
           !node->attention;
}

void node_run_ahead(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until) {
    node->ahead = false;
    if (env->marks && node_has_bit(env->marks->lockstep, node->rank))
        until = env->now + 1;
    if (!node->not_plain)
        run_on(node, env, ahead, until);
    if (node->ready != env->now)
        return;
    node->not_plain = false;
    step(node, env);
    if (!node->runs || node->asleep || node->not_plain)
        return;
    if (will_rest(node))
        node->not_plain = true;
    else
        run_on(node, env, ahead, until);
}

/* Subtracts from the statistics what the run has added. */
static void uncount(Node *node, const NodeAhead *ahead) {
    NodeStatistics *statistics = &node->statistics;
    node_uncharge_run(node, &ahead->charged);
    if (ahead->dispatched) {
        statistics->cycles[JM_CLASS_DISPATCH] -= ahead->dispatch_cycles;
        statistics->priority[ahead->running].dispatches--;
    }
    for (unsigned i = 0; i < ahead->sends; i++) {
        const NodeSend *send = &ahead->send[i];
        statistics->priority[send->priority].words_out -= send->count - send->opens;
        statistics->priority[send->priority].messages_out -= send->end;
    }
}

/* Exchanges the QHLs that the run has seen and the queues' current ones. */
static void exchange_queues(Node *node, NodeAhead *ahead) {
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t qhl = node->priority[p].qhl;
        node->priority[p].qhl = ahead->qhl[p];
        ahead->qhl[p] = qhl;
    }
}

void node_rewind(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t cycle) {
    if (!node->ahead || node->ready <= cycle)
        return;
    exchange_queues(node, ahead); /* rows may have come that it did not see */
    uncount(node, ahead);
    restore(node, ahead);
    ahead->again = true;
    issue(node, env, ahead, cycle);
    exchange_queues(node, ahead);
    node_update(node);
    node->ahead = false;
}

bool node_row_disturbs(const Node *node, unsigned priority, uint64_t now) {
    if (node->saw_queue > now)
        return true;
    if (!node->was_open)
        return false;
    if (node->background || (priority == 1 && node->p == 0))
        return true;
    /* A full queue matters to a task of its priority, even one interrupted by a
     * dispatch issued ahead. */
    return node_queue_length(node, priority) + NODE_ROW_WORDS >=
           node_queue_size(node, priority);
}

bool node_at_mark(const Node *node, const NodeMarks *marks) {
    const uint32_t ip = jm_data(node->current->ip);
    return node_has_bit(marks->code[(ip & JM_IP_PHASE) != 0],
                        node_code_address(node, ip, jm_field20(ip)));
}

void node_run(Node *node, NodeEnv *env, uint64_t until) {
    node->ahead = false;
    do {
        const uint64_t longest = node->ready + NODE_LONGEST_RUN;
        if (!node->attention)
            node_run_plain(node, env, until < longest ? until : longest, NULL);
        if (node->ready >= until)
            break;
        if (env->marks && node_at_mark(node, env->marks))
            break;
        env->now = node->ready;
        step(node, env);
        env->boundary |= node->gate_changed; /* the network steps in this cycle */
    } while (!env->boundary && node->ready < until);
    if (!env->boundary)
        env->now = (node->ready < until ? node->ready : until) - 1;
}
