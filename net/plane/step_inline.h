/* A cycle of the plane engine: the hot path, see README.md. Included by plain.c,
 * sse2.c, ..., each of which sets VEC_WORDS and PLANE_STEP. */
#ifndef JM_NET_PLANE_STEP_INLINE_H
#define JM_NET_PLANE_STEP_INLINE_H

#include "net/plane/move_inline.h"

#ifndef PLANE_STEP
#define PLANE_STEP plane_step_plain
#endif

/* Ejects flits from R of Z behind open gates. */
static void eject(Net *net, PlaneEngine *engine, unsigned priority, Moved *moved) {
    const PlaneChannels *r = &engine->channels[priority][NET_DIMENSIONS - 1][R];
    const PlaneSinks *sinks = &engine->sinks[priority];
    uint64_t *heads = engine->heads[priority].ends;
    uint64_t *headers_out = heads + engine->heads[priority].words;
    uint64_t *leave = of_priority(engine, priority, PLANE_LEAVE + NET_DIMENSIONS);
    const uint32_t headers = engine->header_flits % NET_DIMENSIONS;
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec flits = at(r->valid[0], w) & at(sinks->gate, w);
        const Vec going = at(r->going, w), tails = flits & at(r->tail[0], w);
        const Vec second = at(sinks->second, w), half = at(sinks->half, w);
        const Vec dropped = flits & ((~going & all_or_none(headers > 0)) |
                                     (second & all_or_none(headers > 1)));
        const Vec data = flits & ~dropped;
        put(leave, w, flits);
        put(heads, w, flits & ~going);
        put(headers_out, w, dropped);
        put(sinks->second, w, (second & ~flits) | (flits & ~going));
        put(sinks->half, w, half ^ data);
        put(sinks->word, w, half & data);
        put(sinks->tail, w, tails);
        put(net->received[priority], w, half & data);
        put(r->going, w, (going | flits) & ~tails);
        moved->progressed |= flits;
    }
    plane_eject_heads(engine, priority, heads);
    for (size_t w = 0; headers && w < engine->words; w++)
        engine->headers_dropped[priority] +=
            (unsigned)__builtin_popcountll(headers_out[w]);
}

/* Marks, before the cycle, which of the flits that could leave the buffers are
 * tails. */
static void mark_tails(const PlaneSources *sources, size_t words) {
    for (size_t w = 0; w < words; w += VEC_WORDS) {
        Vec more = {0};
        for (unsigned bit = 1; bit < PLANE_CREDIT; bit++)
            more |= at(sources->credit[bit], w);
        put(sources->tail, w, at(sources->last, w) & ~more);
    }
}

/* Takes one off the credit where a flit has left. Returns where some is left. */
PLANE_INLINE Vec spend(const PlaneSources *sources, size_t w, Vec left) {
    Vec credit = {0};
    for (unsigned bit = 0; bit < PLANE_CREDIT; bit++) {
        const Vec old = at(sources->credit[bit], w);
        put(sources->credit[bit], w, old ^ left);
        credit |= old ^ left;
        left &= ~old;
    }
    return credit;
}

/* Takes flits out of the output buffers. A place becomes free with the last header flit
 * (without headers: the first data flit) and with each word's second flit. A flit is
 * the second of its word, and of three headers the first or last, if the credit is
 * odd. */
static void leave_sources(Net *net, PlaneEngine *engine, unsigned priority,
                          Moved *moved) {
    const PlaneSources *sources = &engine->sources[priority];
    const uint64_t *leave = of_priority(engine, priority, PLANE_LEAVE);
    const PlaneHeads *planes = &engine->heads[priority];
    const uint64_t *inner[] = {planes->inner + plane_set(0, P) * planes->words,
                               planes->inner + plane_set(0, N) * planes->words,
                               planes->inner + plane_set(0, R) * planes->words};
    uint64_t *starts = planes->ends + PLANE_START * planes->words;
    uint64_t *done = planes->ends + PLANE_DONE * planes->words;
    uint64_t *dry = planes->ends + PLANE_DRY * planes->words;
    const uint32_t headers = engine->header_flits;
    Vec sending = {0};
    for (size_t w = 0; w < engine->words; w += VEC_WORDS) {
        const Vec left = at(leave, w);
        const Vec heads = left & (at(inner[P], w) | at(inner[N], w) | at(inner[R], w));
        const Vec odd = at(sources->credit[0], w);
        const Vec freed = left & ((odd & ~(heads & all_or_none(headers == 3))) |
                                  (heads & all_or_none(headers == 0)));
        const Vec credit = spend(sources, w, left);
        put(net->drained[priority], w, freed);
        put(sources->valid, w, credit);
        put(starts, w, heads);
        const Vec spent = left & ~credit, last = at(sources->last, w);
        put(done, w, spent & last);
        put(dry, w, spent & ~last);
        sending |= credit;
        moved->progressed |= left;
    }
    engine->sending[priority] = any(sending);
    plane_free_places(net, engine, priority);
    plane_serve_sources(net, engine, priority);
}

/* Clears the sets once, behind the last message of a priority. */
static void clear_sets(Net *net, PlaneEngine *engine, unsigned priority) {
    net_clear_sets(net, priority);
    memset(engine->sinks[priority].word, 0, engine->words * sizeof(uint64_t));
    engine->sets_clear[priority] = true;
}

static bool has_messages(const Net *net, unsigned priority) {
    const NetStatistics *seen = &net->statistics;
    return seen->messages_opened[priority] != seen->messages_delivered[priority];
}

bool PLANE_STEP(Net *net, void *state) {
    PlaneEngine *engine = state;
    const Vec none = {0};
    Moved moved = {none, none};
    bool live[NET_PRIORITIES];
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        live[priority] = has_messages(net, priority);
        if (live[priority])
            engine->sets_clear[priority] = false;
        else if (!engine->sets_clear[priority])
            clear_sets(net, engine, priority);
    }
    net->progressed = false;
    if (!live[0] && !live[1])
        return false;
    engine->yielding = net_yielding(net);
    begin_events(engine);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (live[priority]) {
            eject(net, engine, priority, &moved);
            mark_tails(&engine->sources[priority], engine->words);
        }
    move(engine, &moved);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (live[priority])
            leave_sources(net, engine, priority, &moved);
    plane_deliver_words(net, engine, live[0] | (unsigned)live[1] << 1);
    end_events(engine);
    if (engine->ticks >= PLANE_MAX_TICKS)
        plane_settle(net, engine);
    net->progressed = any(moved.progressed);
    return any(moved.moved | moved.progressed);
}

#endif
