/* Issues SENDs ahead of the machine. Only the node itself fills its output buffer, so
 * what has room now will have room when it is due: the words are kept, and the machine
 * offers them to the network in their cycle. From a SEND fault to its success SENDs are
 * left to exec.c. For plain.c alone; everything is static. */
#ifndef JM_NODE_RUN_SEND_INLINE_H
#define JM_NODE_RUN_SEND_INLINE_H

#include "emu/node/run_inline.h"

/* Records a SEND, whose words the machine offers when it is due. Returns false if the
 * output buffer may have no room then, or the record is full. */
static bool keep_words(NodeEnv *e, const NodeSend *send) {
    NodeAhead *ahead = e->run.ahead;
    const unsigned places = ahead->places[send->priority] + send->count;
    if (ahead->sends == NODE_AHEAD_SENDS ||
        !e->will_take(e->machine, e->run.node, send->priority, places,
                      send->opens ? &send->word[0] : NULL))
        return false;
    ahead->places[send->priority] = (uint8_t)places;
    ahead->send[ahead->sends++] = *send;
    return true;
}

/* Issues a SEND ahead of the machine. Returns false, with nothing done, if it may
 * fault, if its words may find no room, or if an observer wants to see it in its cycle.
 */
static bool send_ahead(const Step *s, uintptr_t pc, uint64_t left, unsigned count,
                       bool end) {
    NodeEnv *e = s->env;
    Node *node = s->node;
    const NodeRun *run = &e->run;
    const unsigned named = s->d->rd & 1;
    const unsigned priority = node_send_priority(node, named);
    const bool opens = !(node->send_open >> priority & 1);
    /* What arrives until it is due can change where a mark sends the message. */
    if (UNLIKELY(node->redirects) && (node->redirected ? named == 1 : opens))
        return false;
    if (!run->ahead || e->observed >> JM_EVENT_SEND & 1 || node->send_wait ||
        (run->checked && jm_tag(s->op0) == JM_TAG_CFUT) || (opens && count == 1 && end))
        return false;
    const NodeSend send = {.cycle = issue_cycle(run, pc, left),
                           .word = {s->op0, s->rs},
                           .priority = (uint8_t)priority,
                           .count = (uint8_t)count,
                           .opens = opens,
                           .end = end,
                           .place = end ? place_at(run, pc) : 0};
    if (!run->ahead->again && !keep_words(e, &send))
        return false;
    sent(node, priority, count, opens, end);
    node->was_open |= end;
    return true;
}

#endif
