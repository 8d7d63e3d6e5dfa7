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
    node->send_wait &= (uint8_t) ~(1u << node->running);
    node->masked = !end;
    if (end)
        node_update_masked(node);
    else
        node->attention = false;
}

/* Offers words to the output buffer: it takes all or none. None is a SEND fault, which
 * the handler repeats. */
static __attribute__((noinline)) int offer_words(Node *node, NodeEnv *env,
                                                 unsigned priority, JmWord first,
                                                 JmWord second, unsigned count,
                                                 bool end) {
    const bool opens = !(node->send_open >> priority & 1);
    if (opens && count == 1 && end) /* a routing word alone is no message */
        return JM_FAULT_SEND;
    const JmWord words[2] = {first, second};
    env->boundary = true;
    const NodeSendResult result =
        env->send(env->machine, node, priority, words, count, opens, end);
    if (result == NODE_SEND_NO_ROOM)
        return JM_FAULT_SEND;
    if (result == NODE_SEND_NOWHERE) {
        const NodeStop stop = {.why = NODE_BAD_ROUTE, .word = first, .cycle = env->now};
        node_halt(node, stop, true);
        return OUTCOME_STOPPED;
    }
    sent(node, priority, count, opens, end);
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
