/* Bodies: SEND and SUSPEND. See step_inline.h. */

/* Updates statistics and flags of a node whose SEND was taken. I = 1 while a message is
 * open, so that a task cannot be interrupted inside one. */
static inline void sent(Node *node, unsigned priority, unsigned count, bool opens,
                        bool end) {
    PriorityStatistics *statistics = &node->statistics.priority[priority];
    statistics->words_out += count - opens;
    statistics->messages_out += end;
    const uint8_t bit = (uint8_t)(1u << priority);
    node->send_open = (uint8_t)(end ? node->send_open & ~bit : node->send_open | bit);
    if (node->send_wait)
        node->send_wait &= (uint8_t) ~(1u << node->running);
    node->masked = !end;
    if (end && priority == 1)
        node->redirected = JM_NOT_REDIRECTED;
    if (end)
        node_update_masked(node);
    else
        node->attention = false;
}

/* Whether a message opened at priority 0 may go out at priority 1: no other is open
 * there, and the node's own queue is longer than `mark`, which is not 0. */
static inline bool above_mark(const Node *node, uint32_t mark) {
    return mark && !(node->send_open >> 1 & 1) && node_queue_length(node, 0) > mark;
}

static inline bool may_escape(const Node *node) {
    const uint32_t mark = node->interface->escape_mark;
    const bool urgent = !node->background && node->p == 1;
    return above_mark(node, mark) || (urgent && mark && !(node->send_open >> 1 & 1));
}

/* Opens a message of priority 0, which the marks may redirect to priority 1. Decided
 * again at every try. */
static NodeSendResult open_redirected(Node *node, NodeEnv *env, const JmWord *words,
                                      unsigned count, bool end) {
    const bool marked = above_mark(node, node->interface->hwm_mark);
    node->redirected = marked ? JM_BY_MARK : JM_NOT_REDIRECTED;
    NodeSendResult result =
        env->send(env->machine, node, marked, words, count, true, end);
    if (result == NODE_SEND_NO_ROOM && !marked && may_escape(node)) {
        node->redirected = JM_BY_ESCAPE;
        result = env->send(env->machine, node, 1, words, count, true, end);
    }
    if (result != NODE_SEND_TAKEN) {
        node->redirected = JM_NOT_REDIRECTED;
        return result;
    }
    node->statistics.marked += node->redirected == JM_BY_MARK;
    node->statistics.escaped += node->redirected == JM_BY_ESCAPE;
    return result;
}

/* Whether a queue is full, or turned off by an overflow handler working on it: then
 * only the handler of a SEND fault may be able to make room. */
static inline bool needs_handler(const Node *node, unsigned priority) {
    return node_queue_is_full(node, priority) ||
           node->priority[priority].qbm & JM_ADDR_INVALID;
}

/* A SEND that finds no room: it faults, or waits and is tried again in the next
 * cycle. */
static inline int no_room(const Node *node) {
    const bool waits = !node->interface->send_faults && !needs_handler(node, 0) &&
                       !needs_handler(node, 1);
    return waits ? OUTCOME_WAITS : JM_FAULT_SEND;
}

/* Offers words to the output buffer, which takes all or none. None is a SEND fault; its
 * handler repeats the SEND. */
static __attribute__((noinline)) int offer_words(Node *node, NodeEnv *env,
                                                 unsigned named, JmWord first,
                                                 JmWord second, unsigned count,
                                                 bool end) {
    if (node->redirected && named == 1)
        return no_room(node); /* another message is open there */
    const unsigned priority = node_send_priority(node, named);
    const bool opens = !(node->send_open >> priority & 1);
    if (opens && count == 1 && end) /* a routing word alone is not a message */
        return JM_FAULT_SEND;
    const JmWord words[2] = {first, second};
    const bool turns = opens && named == 0 && node->redirects;
    env->boundary = true;
    if (!turns && node_room(env, node, priority) < count)
        return no_room(node);
    const NodeSendResult result =
        turns ? open_redirected(node, env, words, count, end)
              : env->send(env->machine, node, priority, words, count, opens, end);
    if (result == NODE_SEND_NO_ROOM)
        return no_room(node);
    if (result == NODE_SEND_NOWHERE) {
        const NodeStop stop = {.why = NODE_BAD_ROUTE, .word = first, .cycle = env->now};
        node_halt(node, stop, true);
        return OUTCOME_STOPPED;
    }
    sent(node, node_send_priority(node, named), count, opens, end);
    return OUTCOME_DONE;
}

/* SEND in all forms: `count` words, op0 first; `end` closes the message. */
ALWAYS_INLINE int offer(Step *s, unsigned count, bool end) {
    if (s->checked && jm_tag(s->op0) == JM_TAG_CFUT)
        return JM_FAULT_CFUT;
    return offer_words(s->node, s->env, s->d->rd & 1, s->op0, s->rs, count, end);
}

BODY(SEND) { /* offer op0 */
    return offer(s, 1, false);
}

BODY(SENDE) { /* offer op0; end message */
    return offer(s, 1, true);
}

BODY(SEND2) { /* offer op0, Rs */
    return offer(s, 2, false);
}

BODY(SEND2E) { /* offer op0, Rs; end message */
    return offer(s, 2, true);
}

BODY(SUSPEND) { /* end of task */
    if (s->node->background) {
        node_halt(s->node,
                  (NodeStop){.why = NODE_BACKGROUND_SUSPEND, .cycle = s->env->now},
                  true);
        return OUTCOME_STOPPED;
    }
    return node_suspend(s->node, s->env->now) ? OUTCOME_DONE : JM_FAULT_EARLY;
}
