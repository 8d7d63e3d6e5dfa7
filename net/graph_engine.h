/* State of the graph engine. Internal to graph_engine.c, which moves flits, and
 * graph_check.c, which inspects them. */
#ifndef JM_NET_GRAPH_ENGINE_H
#define JM_NET_GRAPH_ENGINE_H

#include "net/bits.h"
#include "net/state.h"

/* A channel, source or sink. Its front message is that of the first flit in it, or of
 * the last flit that left it if that was no tail. */
typedef struct {
    uint32_t next;  /* where the front message goes; valid if flits > 0 or next_taken */
    uint32_t owner; /* message on its way in, NET_NONE if the point is free */
    uint32_t from;  /* the point it comes from */
    uint8_t flits;  /* channel: flits in it; source: 1 if it can send; sink: 0, or its
                       capacity if its gate is closed */
    uint8_t turn;   /* fair arbitration: the feeder to look at first */
    bool next_taken;  /* the front message's head has left and holds `next` */
    bool claimed : 1; /* this cycle a head crosses a wire into it */
    bool dirty : 1;   /* in the list of points to look at again */
} Point;

/* A wire's byte: who bids this cycle, and which direction moved last. */
enum { WIRE_BIDS = 0x0F, WIRE_LAST_DOWN = 0x10 };

typedef struct {
    uint32_t count;
    uint32_t *points;
} PointList;

typedef struct {
    uint32_t capacity; /* of a channel */
    uint32_t first_source, first_sink;
    bool fair, enter_on_lost_wire;
    Point *points;
    NetFlit *flits;     /* by channel * capacity, front first */
    uint8_t *wires;     /* by wire */
    NetBits ready;      /* points whose front flit has a place to go to */
    uint32_t occupied;  /* channels with flits */
    PointList through;  /* this cycle: ready, no wire, and their next is theirs */
    PointList bidders;  /* ready and wanting a wire; then those that got it */
    PointList entering; /* ready heads without a wire; then those that may enter */
    PointList dirty;    /* points whose readiness may have changed */
} GraphEngine;

/* Whether the head of point `s` waits to enter `t`. */
static inline bool graph_head_waits(const GraphEngine *engine, uint32_t s, uint32_t t) {
    const Point *point = &engine->points[s];
    return point->flits > 0 && !point->next_taken && point->next == t;
}

/* Whether the front flit of `s` could move if no other flit wanted to: the next point
 * has room and is free or its own. */
static inline bool graph_is_ready(const GraphEngine *engine, uint32_t s) {
    const Point *point = &engine->points[s];
    if (point->flits == 0)
        return false;
    const Point *next = &engine->points[point->next];
    return next->flits < engine->capacity &&
           (point->next_taken || next->owner == NET_NONE);
}

bool graph_engine_check(const Net *net, const void *engine, JmError *error);

#endif
