/* How long messages have stood still. The network does not record it, so each query
 * records the position of each message's flits. Flits only move forward: if they are
 * where they were, none has moved in between, however long ago that was. */
#include "emu/debug/values/stalled.h"

#include "emu/debug/talk/names.h"
#include "emu/debug/values/values.h"
#include "net/net.h"

/* A message by its number, as last seen. */
typedef struct {
    uint64_t opened_cycle; /* distinguishes it from others with its number */
    uint64_t mark;         /* of the position of its flits */
    uint64_t since;        /* the cycle in which they were first seen there */
    bool flies;
} Stand;

struct Stalled {
    uint32_t room;   /* messages for which the arrays have room */
    uint64_t looked; /* the cycle of the last query */
    Stand *stands;
    uint64_t *marks; /* of this query; unused between two of them */
};

static const uint64_t MARK_PRIME = UINT64_C(0x9E3779B97F4A7C15);

/* Adds a number to a mark: marks of different sequences differ, except for a chance of
 * one in 2^64. */
static uint64_t marked(uint64_t mark, uint64_t number) {
    mark = (mark ^ number) * MARK_PRIME;
    return mark ^ mark >> 32;
}

/* Marks messages by the channels that they are in. A channel may hold the last flits of
 * one message before the first of the next: then all of its flits are counted with the
 * next, and if a flit of the message in front moves, another channel shows it. */
static void mark_channels(const Net *net, uint64_t *marks, uint32_t messages) {
    for (uint32_t i = 0; i < net_channel_count(net); i++) {
        const NetChannelState c = net_channel_state(net, i);
        if (c.owned && c.owner < messages)
            marks[c.owner] = marked(marks[c.owner], (uint64_t)i << 32 | c.flits);
        if (!c.flits || c.front_message >= messages)
            continue;
        if (!c.owned)
            marks[c.front_message] =
                marked(marks[c.front_message], (uint64_t)i << 32 | c.flits);
        else if (c.front_message != c.owner)
            marks[c.front_message] = marked(marks[c.front_message], (uint64_t)i << 32);
    }
}

static void make_room(const JmDebug *d, struct Stalled *s, uint32_t messages) {
    if (messages <= s->room)
        return;
    s->stands = heap_resize(d->heap, s->stands, messages * sizeof *s->stands);
    s->marks = heap_resize(d->heap, s->marks, messages * sizeof *s->marks);
    for (; s->room < messages; s->room++)
        s->stands[s->room] = (Stand){.flies = false};
}

/* Records where a message is; returns for how long its flits have been there. */
static uint64_t note(Stand *stand, const NetMessageState *m, uint64_t mark,
                     uint64_t now) {
    mark = marked(marked(mark, m->words_offered), m->words_delivered);
    if (!stand->flies || stand->opened_cycle != m->opened_cycle || stand->mark != mark)
        *stand = (Stand){m->opened_cycle, mark, now, true};
    return now - stand->since;
}

uint64_t stalled_cycles(const JmDebug *d) {
    const Net *net = netif_network(d->machine);
    const uint32_t messages = net_message_numbers(net);
    const uint64_t now = d->machine->now;
    if (!d->values->stalled)
        d->values->stalled = heap_alloc(d->heap, sizeof *d->values->stalled);
    struct Stalled *s = d->values->stalled;
    make_room(d, s, messages);
    for (uint32_t i = 0; i < s->room; i++) {
        s->marks[i] = 0;
        if (s->looked > now)
            s->stands[i].flies = false;
    }
    s->looked = now;
    mark_channels(net, s->marks, messages);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < s->room; i++) {
        NetMessageState state;
        const bool flies = i < messages && message_flies(net, i, &state);
        const uint64_t age = flies ? note(&s->stands[i], &state, s->marks[i], now) : 0;
        s->stands[i].flies = flies;
        longest = age > longest ? age : longest;
    }
    return longest;
}
