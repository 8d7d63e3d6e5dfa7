/* Decides which head takes which channel: first come, first served. Heads that arrived
 * in the same cycle and want the same channel are served in an order drawn in each
 * cycle. */
#include <string.h>

#include "net/flow/flow.h"

/* A tail in flight keeps its channel: otherwise a head from a nearer point could
 * overtake it. So does a tail in a channel that holds one message at a time. */
static inline bool is_kept(const FlowEngine *engine, const FlowPoint *point) {
    return point->coming > 0 || (engine->atomic && point->flits > 0);
}

static inline bool is_free(const FlowEngine *engine, uint32_t t) {
    const FlowPoint *point = &engine->point[t];
    return point->owner == NET_NONE && !(engine->tails_keep && is_kept(engine, point));
}

/* ---- which of several channels --------------------------------------------------- */

static unsigned lanes_held(const FlowEngine *engine, uint32_t t) {
    const uint32_t wire = engine->graph->wire[t];
    return wire == NET_NONE ? 0 : engine->lanes_held[wire];
}

static uint32_t fewest_held(const FlowEngine *engine, const uint32_t *choice,
                            unsigned count) {
    uint32_t best = choice[0];
    for (unsigned i = 1; i < count; i++)
        if (lanes_held(engine, choice[i]) < lanes_held(engine, best))
            best = choice[i];
    return best;
}

/* Whether a head may commit to a channel without waiting: no lane holds its wire, and
 * its buffer is empty (Pimentel and Hertzberger, table 2). */
static bool is_idle(const FlowEngine *engine, uint32_t t) {
    return is_free(engine, t) && lanes_held(engine, t) == 0 &&
           engine->point[t].flits + engine->point[t].coming == 0;
}

static uint32_t first_idle(const FlowEngine *engine, const uint32_t *choice,
                           unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (lanes_held(engine, choice[i]) == 0)
            return choice[i];
    return choice[0];
}

/* One of `count` > 0 channels. */
static uint32_t select_channel(Net *net, const FlowEngine *engine,
                               const uint32_t *choice, unsigned count) {
    enum { ORDER, IDLE_WIRE, FEWEST_HELD, RANDOM };
    if (count == 1)
        return choice[0];
    switch (engine->select) {
    case IDLE_WIRE:
        return first_idle(engine, choice, count);
    case FEWEST_HELD:
        return fewest_held(engine, choice, count);
    case RANDOM:
        return choice[jm_rng_below(&net->draws, count)];
    default:
        return choice[0];
    }
}

/* The channels that the head may go to, of an engine whose heads have choices. */
static inline unsigned choices_of(const Net *net, const FlowEngine *engine, uint32_t s,
                                  uint32_t choice[NET_MAX_CHOICES]) {
    const NetMessage *message = &net->messages[flow_front(net, engine, s)];
    return engine->graph->choices(engine->graph, s, message->address, choice);
}

/* The first free choice of `s` from its turn on, which then moves past it; NET_NONE if
 * there is none. */
static uint32_t next_in_turn(FlowEngine *engine, uint32_t s, const uint32_t *choice,
                             unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const unsigned place = (engine->chosen[s] + i) % count;
        if (is_free(engine, choice[place])) {
            engine->chosen[s] = (place + 1) & UINT8_MAX;
            return choice[place];
        }
    }
    return NET_NONE;
}

/* Most heads wait for one held channel: those are skipped quickly. */
static inline bool is_hopeless(const FlowEngine *engine, uint32_t s) {
    return engine->one_way && !is_free(engine, engine->point[s].next);
}

/* A free channel for the head of `s`, or NET_NONE. */
static inline uint32_t free_channel(Net *net, FlowEngine *engine, uint32_t s) {
    if (engine->one_way)
        return is_hopeless(engine, s) ? NET_NONE : engine->point[s].next;
    uint32_t choice[NET_MAX_CHOICES];
    const unsigned count = choices_of(net, engine, s, choice);
    unsigned open = 0;
    if (engine->select == FLOW_SELECT_TURNS && count > 1)
        return next_in_turn(engine, s, choice, count);
    for (unsigned i = 0; i < count; i++)
        if (is_free(engine, choice[i]))
            choice[open++] = choice[i];
    return open ? select_channel(net, engine, choice, open) : NET_NONE;
}

/* ---- in which order -------------------------------------------------------------- */

/* Starts a group of heads: no point has its stamp yet. */
static void begin_group(FlowEngine *engine) {
    if (++engine->stamps == 0) {
        memset(engine->stamp, 0, engine->points * sizeof *engine->stamp);
        engine->stamps = 1;
    }
}

/* Whether a head of the group wants channel `t` already; from now on one does. */
static inline bool is_wanted(FlowEngine *engine, uint32_t t) {
    const bool wanted = engine->stamp[t] == engine->stamps;
    engine->stamp[t] = engine->stamps;
    return wanted;
}

/* Whether a head of the group wants a free channel that `s` wants. */
static bool competes(const Net *net, FlowEngine *engine, uint32_t s) {
    uint32_t choice[NET_MAX_CHOICES];
    const unsigned choices = choices_of(net, engine, s, choice);
    for (unsigned k = 0; k < choices; k++)
        if (is_free(engine, choice[k]) && is_wanted(engine, choice[k]))
            return true;
    return false;
}

/* Whether two of `count` hopeful heads want the same free channel. */
static inline bool heads_compete(const Net *net, FlowEngine *engine,
                                 const uint32_t *heads, uint32_t count) {
    begin_group(engine);
    for (uint32_t i = 0; i < count; i++)
        if (engine->one_way ? is_wanted(engine, engine->point[heads[i]].next)
                            : competes(net, engine, heads[i]))
            return true;
    return false;
}

static const uint32_t *mix(Net *net, FlowEngine *engine, const uint32_t *heads,
                           uint32_t count) {
    uint32_t *mixed = engine->mixed.items;
    memcpy(mixed, heads, count * sizeof *mixed);
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = jm_rng_below(&net->draws, i);
        const uint32_t last = mixed[i - 1];
        mixed[i - 1] = mixed[other];
        mixed[other] = last;
    }
    return mixed;
}

static inline __attribute__((always_inline)) void take(Net *net, FlowEngine *engine,
                                                       uint32_t s, uint32_t t) {
    FlowPoint *from = &engine->point[s], *to = &engine->point[t];
    if (to->stream_out) /* only the message before is in it */
        flow_end_link(engine, t);
    engine->served[t] = s;
    from->next = t;
    from->next_taken = true;
    from->waits = false;
    to->owner = flow_front(net, engine, s);
    to->from = s;
    net_bits_put(&engine->ready, s, flow_is_ready(engine, from));
    if (t >= engine->first_source)
        return;
    engine->counts[t].taken_at = net->now;
    engine->counts[t].waits += net->now - from->since;
    if (engine->graph->wire[t] != NET_NONE)
        engine->lanes_held[engine->graph->wire[t]]++;
}

/* Serves heads that came to the front in the same cycle. */
static void serve(Net *net, FlowEngine *engine, const uint32_t *heads, uint32_t count) {
    const uint32_t *order = heads;
    if (count > 1 && !net->params.ties && heads_compete(net, engine, heads, count))
        order = mix(net, engine, heads, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t t = free_channel(net, engine, order[i]);
        if (t != NET_NONE)
            take(net, engine, order[i], t);
    }
}

/* Removes, from `start` on, the heads that have a channel now. Returns the new end. */
static uint32_t leave_out(const FlowEngine *engine, uint32_t *heads, uint32_t start,
                          uint32_t end) {
    uint32_t kept = start;
    for (uint32_t i = start; i < end; i++)
        if (engine->point[heads[i]].waits)
            heads[kept++] = heads[i];
    return kept;
}

/* The distance of a feeder from the one served last, from 0. */
static uint32_t turn_of(const FlowEngine *engine, uint32_t s, uint32_t t) {
    const NetGraph *graph = engine->graph;
    const uint32_t start = graph->feeder_start[t];
    const uint32_t count = graph->feeder_start[t + 1] - start;
    uint32_t place = 0, last = count - 1;
    for (uint32_t i = 0; i < count; i++) {
        if (graph->feeders[start + i] == s)
            place = i;
        if (graph->feeders[start + i] == engine->served[t])
            last = i;
    }
    return (place + count - last - 1) % count;
}

/* Gives each free channel to the feeder whose turn it is among those that want it. */
static void take_in_turns(Net *net, FlowEngine *engine) {
    uint32_t *wanted = engine->mixed.items, count = 0;
    begin_group(engine);
    for (uint32_t i = 0; i < engine->heads.count; i++) {
        const uint32_t s = engine->heads.items[i], t = engine->point[s].next;
        if (is_hopeless(engine, s))
            continue;
        const bool first = engine->stamp[t] != engine->stamps;
        if (first)
            wanted[count++] = t;
        engine->stamp[t] = engine->stamps;
        if (first || turn_of(engine, s, t) < turn_of(engine, engine->bidder[t], t))
            engine->bidder[t] = s;
    }
    for (uint32_t i = 0; i < count; i++)
        take(net, engine, engine->bidder[wanted[i]], wanted[i]);
    engine->heads.count =
        leave_out(engine, engine->heads.items, 0, engine->heads.count);
}

/* Serves the heads that arrived with the hopeful one at index `first`. Returns the
 * start of those that arrived later. */
static uint32_t serve_age(Net *net, FlowEngine *engine, uint32_t first) {
    const uint32_t *heads = engine->heads.items;
    uint32_t *hopeful = engine->hopeful.items, count = 0, i = first + 1;
    const uint64_t since = engine->point[heads[first]].since;
    hopeful[count++] = heads[first];
    for (; i < engine->heads.count && engine->point[heads[i]].since == since; i++)
        if (!is_hopeless(engine, heads[i]))
            hopeful[count++] = heads[i];
    serve(net, engine, hopeful, count);
    return i;
}

static void take_by_age(Net *net, FlowEngine *engine) {
    uint32_t *heads = engine->heads.items;
    const uint32_t count = engine->heads.count;
    uint32_t i = 0, served = count;
    while (i < count)
        if (is_hopeless(engine, heads[i])) {
            i++;
        } else {
            served = served < i ? served : i;
            i = serve_age(net, engine, i);
        }
    engine->heads.count = leave_out(engine, heads, served, count);
}

void flow_take_channels(Net *net, FlowEngine *engine) {
    if (engine->turns)
        take_in_turns(net, engine);
    else
        take_by_age(net, engine);
}

/* ---- heads that arrive ----------------------------------------------------------- */

/* The channel that a head commits to: a free one or, if there is none, any. A head that
 * looks for an idle one commits to the first of all if there is none. */
static __attribute__((noinline)) uint32_t first_choice(Net *net, FlowEngine *engine,
                                                       uint32_t s, uint32_t address) {
    uint32_t choice[NET_MAX_CHOICES], open[NET_MAX_CHOICES];
    const unsigned count = net_graph_choices(engine->graph, s, address, choice);
    unsigned open_count = 0;
    if (engine->select == FLOW_SELECT_TURNS && count > 1) {
        const uint32_t in_turn = next_in_turn(engine, s, choice, count);
        const unsigned place = engine->chosen[s] % count;
        if (in_turn == NET_NONE)
            engine->chosen[s] = (place + 1) & UINT8_MAX;
        return in_turn == NET_NONE ? choice[place] : in_turn;
    }
    if (engine->select == FLOW_SELECT_IDLE) {
        for (unsigned i = 0; i < count; i++)
            if (is_idle(engine, choice[i]))
                return choice[i];
        return choice[0];
    }
    for (unsigned i = 0; i < count; i++)
        if (is_free(engine, choice[i]))
            open[open_count++] = choice[i];
    return open_count ? select_channel(net, engine, open, open_count)
                      : select_channel(net, engine, choice, count);
}

void flow_head_arrives(Net *net, FlowEngine *engine, uint32_t s) {
    FlowPoint *point = &engine->point[s];
    const uint32_t address = net->messages[flow_front(net, engine, s)].address;
    point->since = net->now + 1;
    point->next = engine->commit ? first_choice(net, engine, s, address)
                                 : engine->graph->next(engine->graph, s, address);
    point->waits = true;
    net_bits_put(&engine->arrived, s, true);
}

void flow_queue_arrived(FlowEngine *engine) {
    NetList heads = engine->heads;
    NetBitsRun run = net_bits_run(&engine->arrived);
    uint32_t s;
    while (net_bits_take_next(&run, &s))
        flow_list_add(&heads, s);
    engine->heads.count = heads.count;
}
