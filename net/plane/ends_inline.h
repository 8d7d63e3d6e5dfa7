/* The ends of the network in the plane engine: flits ejected, words delivered, flits
 * leaving the output buffers, messages starting and ending. A part of step_inline.h. */
#ifndef JM_NET_PLANE_ENDS_INLINE_H
#define JM_NET_PLANE_ENDS_INLINE_H

#include "net/plane/decide_inline.h"
#include "net/plane/heads_inline.h"
#include "net/plane/source_inline.h"

/* Returns the planes of a priority. */
PLANE_INLINE Planes ends_of(const Stage *stage, unsigned priority) {
    return planes_from(stage, plane_of_priority(priority));
}

/* ---- ejection -------------------------------------------------------------------- */

/* Handles heads that leave R of Z: their messages' flits are ejected from now on. */
PLANE_INLINE void eject_heads(const Stage *stage, unsigned priority,
                              const uint64_t *set) {
    PlaneEngine *engine = stage->engine;
    const HeadStage heads = head_stage(engine, priority, engine->deep);
    const uint32_t *const r_of_z = heads.id + (size_t)(PLANE_SETS - 1) * heads.places;
    PlaneComing *coming = engine->coming[priority];
    uint32_t *const list = engine->list;
    for (size_t w = 0; w < stage->words; w += LIST_WORDS) {
        const uint32_t count = list_nodes(set, w, list);
        for (uint32_t i = 0; i < count; i++)
            coming[list[i]] =
                (PlaneComing){plane_message(take_id(&heads, r_of_z, list[i])), 0};
    }
}

/* Ejects flits from R of Z behind open gates. Header flits that have come all the way,
 * one or two of each message, are dropped. */
PLANE_INLINE void eject(Net *net, const Stage *stage, unsigned priority, Moved *moved) {
    PlaneEngine *engine = stage->engine;
    const Planes own = ends_of(stage, priority);
    const Planes r =
        planes_from(stage, plane_of_channels(priority, NET_DIMENSIONS - 1, R));
    uint64_t *heads = engine->heads[priority].ends, *going_of = plane(r, PLANE_GOING);
    uint64_t *received = net->received[priority];
    const uint32_t headers = stage->drops ? 0 : engine->header_flits;
    uint64_t dropped_count = 0;
    Vec any_heads = {0};
    PLANE_UNROLL
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec flits = at(valid(r, 0), w) & at(plane(own, PLANE_SINK), w);
        const Vec going = at(going_of, w), tails = flits & at(tail(r, 0), w);
        const Vec second = at(plane(own, PLANE_SINK_SECOND), w);
        const Vec half = at(plane(own, PLANE_SINK_HALF), w);
        const Vec dropped = flits & ((~going & all_or_none(headers > 0)) |
                                     (second & all_or_none(headers > 1)));
        const Vec data = without(flits, dropped), out = without(flits, going);
        put(plane(own, PLANE_LEAVE + NET_DIMENSIONS), w, flits);
        put(heads, w, out);
        put(plane(own, PLANE_SINK_SECOND), w, without(second, flits) | out);
        put(plane(own, PLANE_SINK_HALF), w, half ^ data);
        put(plane(own, PLANE_SINK_TAIL), w, tails);
        put(received, w, half & data);
        put(going_of, w, without(going | flits, tails));
        moved->progressed |= flits;
        any_heads |= out;
        if (headers)
            for (unsigned i = 0; i < VEC_WORDS; i++)
                dropped_count += (unsigned)__builtin_popcountll(word_of(dropped, i));
    }
    engine->headers_dropped[priority] += dropped_count;
    if (any(any_heads))
        eject_heads(stage, priority, heads);
}

/* ---- output buffers -------------------------------------------------------------- */

/* The credit of a vector of buffers after flits have left: where some is left, and
 * where it is more than one flit. */
typedef struct {
    Vec some, more;
} Credit;

/* Subtracts one from the credit where a flit has left. */
PLANE_INLINE Credit spend(Planes own, size_t w, Vec left) {
    uint64_t *const lowest = plane(own, PLANE_SOURCE);
    const Vec odd = at(lowest, w) ^ left;
    Vec more = {0};
    left = left & odd;
    put(lowest, w, odd);
    PLANE_UNROLL
    for (unsigned bit = 1; bit < PLANE_CREDIT; bit++) {
        uint64_t *const bits = plane(own, PLANE_SOURCE + bit);
        const Vec old = at(bits, w), rest_of_it = old ^ left;
        put(bits, w, rest_of_it);
        more |= rest_of_it;
        left = without(left, old);
    }
    return (Credit){odd | more, more};
}

/* Frees the places of flits that have left the output buffers. */
PLANE_INLINE void free_places(Net *net, const Stage *stage, unsigned priority) {
    uint8_t *const places = net->places[priority];
    const uint64_t *const drained = net->drained[priority];
    uint32_t *const list = stage->engine->list;
    for (size_t w = 0; w < stage->words; w += LIST_WORDS)
        count_down(places + 64 * w, drained + w, list);
}

/* Records the departure of messages' first flits. */
PLANE_INLINE void start_messages(Net *net, const Stage *stage, unsigned priority,
                                 const uint64_t *starts, size_t w) {
    const uint32_t *const ids = stage->engine->heads[priority].source;
    uint32_t *const list = stage->engine->list;
    NetMessage *const messages = net->messages;
    const uint64_t now = net->now;
    const uint32_t count = list_nodes(starts, w, list);
    for (uint32_t i = 0; i < count; i++) {
        NetMessage *message = &messages[plane_message(ids[list[i]])];
        message->started = true;
        message->started_cycle = now;
    }
}

/* Goes on to the next message of buffers whose tail has left with the last of their
 * credit. */
PLANE_INLINE void pass_tails(Net *net, const Stage *stage, unsigned priority,
                             const uint64_t *done, size_t w) {
    PlaneEngine *engine = stage->engine;
    const uint32_t *const list = engine->list;
    const uint32_t count = list_nodes(done, w, engine->list);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t end = list[i] * NET_PRIORITIES + priority;
        engine->loaded[end] = 0;
        engine->waits[end] = PLANE_WAITS_TO_START;
        net_buffer_pass_tail(net, &net->buffers[end]);
        refill(net, engine, stage->stride, priority, list[i]);
    }
}

/* Gives credit to buffers that have used it up before the end of their message. */
PLANE_INLINE void continue_messages(const Net *net, const Stage *stage,
                                    unsigned priority, const uint64_t *dry, size_t w) {
    PlaneEngine *engine = stage->engine;
    const uint32_t *const list = engine->list;
    const uint32_t count = list_nodes(dry, w, engine->list);
    for (uint32_t i = 0; i < count; i++) {
        engine->waits[list[i] * NET_PRIORITIES + priority] = PLANE_WAITS_FOR_WORDS;
        refill(net, engine, stage->stride, priority, list[i]);
    }
}

/* Serves output buffers: those whose message starts, those whose message has finished
 * with its credit, and those with used-up credit that may get more by now. */
PLANE_INLINE void serve_sources(Net *net, const Stage *stage, unsigned priority) {
    const uint64_t *const ends = stage->engine->heads[priority].ends;
    const size_t stride = stage->head_stride;
    for (size_t w = 0; w < stage->words; w += LIST_WORDS) {
        start_messages(net, stage, priority, ends + PLANE_START * stride, w);
        pass_tails(net, stage, priority, ends + PLANE_DONE * stride, w);
        continue_messages(net, stage, priority, ends + PLANE_DRY * stride, w);
    }
}

/* Takes flits out of the output buffers. A place becomes free with the last header flit
 * (without headers: the first data flit) and with each word's second flit. A flit is
 * the second of its word, and of three headers the first or last, if the credit is
 * odd. */
PLANE_INLINE void leave_sources(Net *net, const Stage *stage, unsigned priority,
                                Moved *moved) {
    PlaneEngine *engine = stage->engine;
    const Planes own = ends_of(stage, priority);
    const uint64_t *inner = stage->heads[priority] + PLANE_INNER * stage->head_stride;
    uint64_t *const ends = engine->heads[priority].ends;
    uint64_t *const drained = net->drained[priority];
    const uint32_t headers = stage->drops ? NET_DIMENSIONS : engine->header_flits;
    Vec events = {0};
    PLANE_UNROLL
    for (size_t w = 0; w < stage->words; w += VEC_WORDS) {
        const Vec left = at(plane(own, PLANE_LEAVE), w);
        const Vec heads = left & (at(inner + plane_set(0, P) * stage->head_stride, w) |
                                  at(inner + plane_set(0, N) * stage->head_stride, w) |
                                  at(inner + plane_set(0, R) * stage->head_stride, w));
        const Vec odd = at(plane(own, PLANE_SOURCE), w);
        const Vec freed = left & ((odd & ~(heads & all_or_none(headers == 3))) |
                                  (heads & all_or_none(headers == 0)));
        const Credit credit = spend(own, w, left);
        const Vec spent = without(left, credit.some);
        const Vec last = at(plane(own, PLANE_SOURCE_LAST), w);
        const Vec last_left = without(last, spent);
        put(drained, w, freed);
        put(plane(own, PLANE_SOURCE_VALID), w, credit.some);
        put(ends + PLANE_START * stage->head_stride, w, heads);
        put(ends + PLANE_DONE * stage->head_stride, w, spent & last);
        put(ends + PLANE_DRY * stage->head_stride, w, without(spent, last));
        put(plane(own, PLANE_SOURCE_LAST), w, last_left);
        put(plane(own, PLANE_SOURCE_TAIL), w, without(last_left, credit.more));
        events |= heads | spent;
        moved->progressed |= left;
    }
    free_places(net, stage, priority);
    if (any(events))
        serve_sources(net, stage, priority);
}

/* ---- deliveries ------------------------------------------------------------------ */

/* Where the next deliveries and the next ended messages are recorded. */
typedef struct {
    NetDelivery *delivery;
    uint32_t *ended;
} Delivered;

PLANE_INLINE void deliver_word(PlaneComing *coming, uint32_t node, unsigned priority,
                               bool tail, Delivered *to) {
    const uint32_t message = coming[node].message;
    coming[node].words++;
    *to->delivery++ = (NetDelivery){
        .node = node, .message = message, .priority = (uint8_t)priority, .tail = tail};
    *to->ended = message;
    to->ended += tail;
}

/* Delivers words at nodes of word w of a plane. */
PLANE_INLINE void deliver_at(Net *net, const Stage *stage, unsigned priority, size_t w,
                             uint64_t nodes, Delivered *to) {
    PlaneComing *const coming = stage->engine->coming[priority];
    const uint64_t tails = plane(ends_of(stage, priority), PLANE_SINK_TAIL)[w];
    net->statistics.words_delivered[priority] += (unsigned)__builtin_popcountll(nodes);
    for (; nodes; nodes &= nodes - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(nodes);
        const bool tail = (tails & UINT64_C(1) << bit) != 0;
        deliver_word(coming, (uint32_t)(w * 64) + bit, priority, tail, to);
    }
}

/* Delivers the words of one priority. */
PLANE_INLINE void deliver_words(Net *net, const Stage *stage, unsigned priority,
                                Delivered *to) {
    const uint64_t *const received = net->received[priority];
    for (size_t first = 0; first < stage->words; first += LIST_WORDS) {
        uint64_t filled = filled_words(received + first);
        for (; filled; filled &= filled - 1) {
            const size_t w = first + (unsigned)__builtin_ctzll(filled);
            deliver_at(net, stage, priority, w, received[w], to);
        }
    }
}

/* Delivers the words of both priorities in the order of nodes. */
static inline void deliver_both(Net *net, const Stage *stage, Delivered *to) {
    for (size_t w = 0; w < stage->words; w++)
        for (uint64_t bits = net->received[0][w] | net->received[1][w]; bits;
             bits &= bits - 1)
            for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
                deliver_at(net, stage, priority, w,
                           net->received[priority][w] & bits & -bits, to);
}

/* Counts the flits of an ended message where they entered and left the wires of each
 * dimension. */
PLANE_INLINE void count_crossings(const Stage *stage, const NetMessage *message,
                                  uint32_t way) {
    const PlaneEngine *engine = stage->engine;
    PlaneCrossings *at = engine->crossings + message->source;
    int64_t flits = engine->header_flits + NET_FLITS_PER_WORD * message->words_offered;
    PLANE_UNROLL
    for (unsigned d = 0; d < NET_DIMENSIONS; d++) {
        const ptrdiff_t hops = plane_hops(way, d);
        const unsigned down = hops < 0;
        at->entered[d][down] += flits;
        at += hops * (ptrdiff_t)engine->shift[d].nodes;
        at->entered[d][down] -= flits;
        flits -= stage->drops;
    }
}

/* Delivers completed words. */
PLANE_INLINE void deliver_all(Net *net, const Stage *stage) {
    Delivered to = {net->deliveries, net->ended + net->ended_count};
    if (stage->live == 3)
        deliver_both(net, stage, &to);
    else
        deliver_words(net, stage, stage->live >> 1, &to);
    net->delivery_count = (uint32_t)(to.delivery - net->deliveries);
    const uint32_t *const ended = net->ended;
    const uint32_t count = (uint32_t)(to.ended - ended);
    const uint32_t *const way = stage->engine->way;
    net->ended_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = ended[i];
        net_end_message(net, &net->messages[number]);
        count_crossings(stage, &net->messages[number], way[number]);
    }
}

#endif
