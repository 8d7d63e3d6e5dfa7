/* Issues SENDs ahead of the machine. The words are kept, and the machine offers them to
 * the network in their cycle; if the output buffer then has no room for them, the node
 * is rewound to there. From a SEND fault to its success SENDs are left to exec.c. */
#ifndef JM_NODE_PLAIN_SEND_INLINE_H
#define JM_NODE_PLAIN_SEND_INLINE_H

#include "emu/node/plain/operand_inline.h"

/* Whether SENDs may be issued ahead of their cycle, in which nobody watches them. */
ALWAYS_INLINE bool sends_ahead(const NodeEnv *e) {
    return e->sends_ahead && !(e->observed >> JM_EVENT_SEND & 1);
}

/* Whether a routing word names a node of the machine. */
ALWAYS_INLINE bool leads_somewhere(const NodeEnv *e, JmWord routing) {
    const uint32_t to = jm_data(routing);
    return (to & 31) < e->size[0] && (to >> 5 & 31) < e->size[1] &&
           (to >> 10 & 63) < e->size[2];
}

/* Records a SEND at `pc`, whose words the machine offers in `cycle`. */
ALWAYS_INLINE void keep_words(NodeRun *run, JmWord first, JmWord second, uintptr_t pc,
                              uint64_t cycle, unsigned priority, unsigned count,
                              bool opens, bool end) {
    NodeSend *send = run->send;
    JmWord *word = run->word;
    run->send = send + 1;
    run->word = word + count;
    word[0] = first;
    if (count > 1)
        word[1] = second;
    *send = (NodeSend){.cycle = cycle,
                       .priority = (uint8_t)priority,
                       .count = (uint8_t)count,
                       .opens = opens,
                       .end = end,
                       .place = end ? place_at(run, pc) : 0};
}

/* Issues a SEND ahead of the machine. Returns false, with nothing done, if it may
 * fault, if its words find no room now, or if an observer wants to see it in its
 * cycle. */
ALWAYS_INLINE bool send_ahead(const Context *c, const JmDecoded *d, uintptr_t pc,
                              uint64_t cycle, NodeEnv *e, unsigned count, bool end) {
    NodeRun *run = &e->run;
    Node *node = run->node;
    const unsigned named = d->rd & 1;
    const unsigned priority = node_send_priority(node, named);
    const bool opens = !(node->send_open >> priority & 1);
    /* Arrivals before it is due can change where a mark sends the message. */
    if (UNLIKELY(node->redirects) && (node->redirected ? named == 1 : opens))
        return false;
    if (!run->ahead || !sends_ahead(e) || node->send_wait ||
        (run->from.checked && jm_tag(run->send_op0) == JM_TAG_CFUT))
        return false;
    if (opens &&
        (!e->opens_ahead || (count == 1 && end) || !leads_somewhere(e, run->send_op0)))
        return false;
    const NodeAhead *ahead = run->ahead;
    if (!ahead->again) {
        if (run->send == run->send_end ||
            (cycle == e->now && node_room(e, node, priority) < count))
            return false;
        keep_words(run, run->send_op0, c->r[d->rs], pc, cycle, priority, count, opens,
                   end);
        run->continues[priority] = !end && !node->redirected;
        run->continues[!priority] = false;
    }
    sent(node, priority, count, opens, end);
    node->was_open |= end;
    return true;
}

#endif
