/* State of the graph engine. Internal to net/wormhole. */
#ifndef JM_NET_WORMHOLE_ENGINE_H
#define JM_NET_WORMHOLE_ENGINE_H

#include "net/graph/bits_inline.h"
#include "net/messages/state.h"

/* A channel, source or sink. Its front message is that of the first flit in it, or, if
 * it is empty, that of the last flit that left it unless that was a tail. */
typedef struct {
    uint32_t next;  /* where the front message goes; valid if flits > 0 or next_taken */
    uint32_t owner; /* message on its way in, NET_NONE if the point is free */
    uint32_t from;  /* the point it comes from */
    /* Channel: flits in it; source: 1 if it can send; sink: 0, or its capacity if its
     * gate is closed. */
    uint32_t flits : 8;
    uint32_t first : 8;      /* channel: place of its first flit in its ring */
    uint32_t turn : 8;       /* where turns are taken: the feeder to look at first */
    uint32_t next_taken : 1; /* the front message's head has left and holds `next` */
    uint32_t claimed : 1;    /* this cycle a head crosses a wire into it */
    uint32_t blocked : 1;    /* channel: its wire is blocked */
    NetFlit ring[];          /* channel: its flits, beside its state in the cache */
} Point;

/* The state of a wire: a bit for each bid of this cycle, 1 << (2 * priority +
 * downward), and which direction moved last. */
enum {
    WIRE_BIDS = 0x0F,
    WIRE_DOWNWARD_BIDS = 0x0A,
    WIRE_URGENT_BIDS = 0x0C, /* of priority 1 */
    WIRE_LAST_DOWN = 0x10,
    WIRE_STATES = 0x20
};

/* How a channel uses its wire, 0 if it has none: its bid (4 bits); the class it is
 * counted in, which is its dimension, + 4 if it crosses the bisection (3 bits); whether
 * a head bids (1 bit, set in a Bidder only); the wire. */
enum {
    LANE_CLASS_SHIFT = 4,
    LANE_IS_HEAD = 0x80,
    LANE_WIRE_SHIFT = 8,
    LANE_ON_BISECTION = 4,
    LANE_CLASSES = 8,
    LANE_MAX_WIRES = 1 << (32 - LANE_WIRE_SHIFT)
};

/* A list of points with room for all of them. */
typedef struct {
    uint32_t count;
    uint32_t *points;
} PointList;

/* A flit that bids for a wire. */
typedef struct {
    uint32_t point, lane;
} Bidder;

/* The graph engine of a network. */
typedef struct {
    uint32_t capacity; /* of a channel */
    uint32_t first_source, first_sink;
    bool fair, wired_turns, enter_on_lost_wire;
    bool by_age;            /* heads go by age */
    bool picks;             /* heads compete by age or by turns */
    bool turns;             /* turns are taken: fair or wired_turns */
    const Net *net;         /* for the ages of messages */
    uint32_t *best;         /* by wire: its best bidder so far + 1; see bids.c */
    unsigned yielding;      /* this cycle: see net_yielding() */
    unsigned char *records; /* the points, 1 << record_shift bytes each */
    unsigned record_shift;
    uint32_t ring_mask; /* places in a ring, a power of 2, less one */
    uint16_t *wires;    /* by wire: WIRE_* */
    uint32_t *lanes;    /* by channel and source: LANE_* */
    /* By the priority that goes first and the state of a wire: the winning bid. */
    uint8_t winners[NET_PRIORITIES][WIRE_STATES];
    const uint8_t *winner; /* those of this cycle */
    NetBits awake;         /* every point whose front flit can move, perhaps others */
    uint32_t occupied;     /* channels with flits */
    PointList through; /* this cycle: no wire to cross, and they own the next point */
    Bidder *bidders;   /* those that want a wire; later those that got it */
    uint32_t bidder_count;
    PointList entering; /* heads without a wire to cross; later those that may enter */
} GraphEngine;

/* Returns the record of a point. */
static inline Point *graph_point(const GraphEngine *engine, uint32_t number) {
    return (Point *)(engine->records + ((size_t)number << engine->record_shift));
}

/* Returns the cycle in which the front message of a point with flits was born. */
static inline uint64_t graph_front_born(const GraphEngine *engine, uint32_t s) {
    const Point *point = graph_point(engine, s);
    const uint32_t message = s >= engine->first_source
                                 ? net_buffer(engine->net, s)->first
                                 : point->ring[point->first].message;
    return engine->net->messages[message].born_cycle;
}

/* Whether the head of point `s` waits to enter `t` and `t` sees it: a head before a
 * blocked wire is not seen. */
static inline bool graph_head_waits(const GraphEngine *engine, uint32_t s, uint32_t t) {
    const Point *point = graph_point(engine, s);
    return point->flits > 0 && !point->next_taken && !point->blocked &&
           point->next == t;
}

/* Whether the front flit of `s` could move if no other flit wanted to: the next point
 * has room and is free or its own, and no wire to it is blocked. There are no branches
 * because their outcome could not be predicted; `next` is always some point. */
static inline bool graph_is_ready(const GraphEngine *engine, uint32_t s) {
    const Point *point = graph_point(engine, s);
    const Point *next = graph_point(engine, point->next);
    return (point->flits > 0) & !point->blocked & (next->flits < engine->capacity) &
           (point->next_taken | (next->owner == NET_NONE));
}

/* Returns the head that goes first of those that wait for `t`, by age or by turn. At
 * least one must wait. In bids.c, as the next ones. */
uint32_t graph_pick(const NetGraph *graph, const GraphEngine *engine, uint32_t t);
/* Passes the turn on: a head from `s` has entered `t`, so the feeder behind `s` goes
 * first next time. */
void graph_pass_turn(const NetGraph *graph, const GraphEngine *engine, uint32_t s,
                     uint32_t t);
/* Lets heads that could move choose among virtual channels. */
void graph_choose_copies(GraphEngine *engine);
/* Reduces the bidders to those that get their wires. For engines with `best`. */
void graph_weigh_bids(GraphEngine *engine);

/* Returns how many feeders of a point have a wire; they are the first of its
 * feeders. */
static inline uint32_t graph_wired_feeders(const NetGraph *graph, uint32_t t) {
    uint32_t count = 0;
    for (uint32_t i = graph->feeder_start[t];
         i < graph->feeder_start[t + 1] && graph->wire[graph->feeders[i]] != NET_NONE;
         i++)
        count++;
    return count;
}

#endif
