/* State of the flow engine. Internal to net/flow.
 *
 *     heads.c    which head takes which channel
 *     winners.c  which flits move
 *     flights.c  flits in flight over wires that take several cycles
 *     engine.c   the cycle, the moves, and operations between steps
 *     state.c    creation, images, checkpoints, invariants */
#ifndef JM_NET_FLOW_FLOW_H
#define JM_NET_FLOW_FLOW_H

#include "net/flow/flow_engine.h"
#include "net/graph/bits_inline.h"

/* A channel, source or sink. Its front message is that of the first flit in it, or of
 * the last flit that left it unless that was a tail. */
typedef struct {
    uint64_t since; /* first cycle in which the head in front may move on */
    /* Where the front message goes; before it has taken a channel, where graph->next
     * would send it. */
    uint32_t next;
    uint32_t owner;  /* message on its way in, NET_NONE if the point is free */
    uint32_t from;   /* the point it comes from */
    uint32_t track;  /* its wire, or a track of its own; users of a track take turns */
    uint8_t lane;    /* its place on the track */
    uint8_t places;  /* places not reserved for flits in flight */
    uint8_t flits;   /* source: 1 if it can send; sink: 1 if its gate is closed */
    uint8_t coming;  /* channel: flits in flight, after the others in its ring */
    uint8_t first;   /* channel: place of its first flit in its ring */
    bool next_taken; /* the front message's head has left and holds `next` */
    bool waits;      /* a head in front, without a channel yet, is in `heads` */
    bool blocked;    /* its wire is blocked */
} FlowPoint;

enum { FLOW_NO_LANE = NET_MAX_LANES };
/* Values of the parameters `heads` and `select`. */
enum { FLOW_TURNS = 2, FLOW_SELECT_IDLE = 1, FLOW_SELECT_TURNS = 4 };

/* A resource that lanes share: a wire; a point without a wire has its own. */
typedef struct {
    uint8_t turn;   /* the lane to examine first */
    uint8_t wish;   /* this cycle: a bit for each lane with a flit that could move */
    uint8_t struck; /* of those, the ones found blocked */
    uint8_t winner; /* this cycle: the lane that sends, or FLOW_NO_LANE */
} FlowTrack;

typedef struct {
    uint32_t from, to; /* points */
    NetFlit flit;
} FlowMove;

typedef struct {
    uint64_t messages, held, waits, taken_at;
} FlowCounts;

/* A flit in flight from the channel it has left to the next one. */
typedef struct {
    uint32_t from, to;
} FlowFlight;

/* Flits in flight, by the cycle at whose end they arrive. A wire sends one flit a
 * cycle, so it has at most one in each slot. */
typedef struct {
    uint32_t slots; /* one more than the longest delay; 0: no wire has one */
    uint32_t room;  /* of a slot: wires with a delay */
    uint32_t flying;
    uint32_t *count;    /* by cycle % slots */
    FlowFlight *flight; /* by slot * room */
} FlowFlights;

typedef struct {
    const NetGraph *graph;
    uint32_t first_source, first_sink, points;
    bool through;
    unsigned select;
    bool commit;
    bool turns; /* feeders of a channel take turns */
    FlowPoint *point;
    FlowTrack *track;     /* wires, then tracks of single points */
    uint32_t *user;       /* by track * NET_MAX_LANES + lane: the point */
    uint8_t *lanes_held;  /* by wire: how many of its channels are held */
    NetFlit *flits;       /* by channel << ring_shift: rings */
    unsigned ring_shift;  /* ring size: 1 << ring_shift places */
    uint32_t occupied;    /* channels with flits */
    FlowCounts *counts;   /* by channel */
    NetBits ready;        /* points that own their next point, with a place in it */
    NetList heads;        /* points whose heads wait, in order of arrival */
    NetBits arrived;      /* those that have come to the front since */
    NetList hopeful;      /* those of one age that may find a free channel */
    NetList wishers;      /* this cycle: tracks with a lane that could move */
    NetList picks, later; /* tracks that have to choose, now and in the next round */
    NetList leaving;      /* channels whose flits go to a sink */
    FlowMove *moves;
    uint32_t move_count;
    FlowFlights flights;
    uint32_t *stamp; /* by point: the group of heads that last wanted it */
    uint32_t stamps;
    uint32_t *served; /* turns; by point: the last feeder to enter it; NET_NONE: none */
    /* turns; by point: of the feeders that want it, the one with the turn. */
    uint32_t *bidder;
    uint8_t *chosen; /* by point: the choice after which the next search starts */
    NetList mixed;   /* a group of heads in the drawn order */
} FlowEngine;

static inline bool flow_is_full(const FlowPoint *point) {
    return point->flits >= point->places;
}

/* Whether a flit of the front message is here and its next point is taken. */
static inline bool flow_can_send(const FlowPoint *point) {
    return point->flits > 0 && point->next_taken && !point->blocked;
}

static inline bool flow_is_ready(const FlowEngine *engine, const FlowPoint *point) {
    return flow_can_send(point) && !flow_is_full(&engine->point[point->next]);
}

/* Whether the front flit of a point moves in this cycle. */
static inline bool flow_wins(const FlowEngine *engine, const FlowPoint *point) {
    return engine->track[point->track].winner == point->lane;
}

static inline void flow_list_add(NetList *list, uint32_t item) {
    list->items[list->count++] = item;
}

/* The front message of a point with a flit. */
static inline uint32_t flow_front(const Net *net, const FlowEngine *engine,
                                  uint32_t s) {
    return s >= engine->first_source
               ? net_buffer(net, s)->first
               : engine
                     ->flits[((size_t)s << engine->ring_shift) + engine->point[s].first]
                     .message;
}

/* heads.c: heads take channels, the first come first. */
void flow_take_channels(Net *net, FlowEngine *engine);
/* Handles a head coming to the front of a point. */
void flow_head_arrives(Net *net, FlowEngine *engine, uint32_t s);
/* Appends the heads that arrived since the last cycle to the others, by number. */
void flow_queue_arrived(FlowEngine *engine);

/* winners.c: leaves in `moves` the flits that move, those that leave the network first,
 * in the order of their sinks. flow_wins() knows the winners until
 * flow_forget_winners(), which passes the turns on. */
void flow_choose_winners(FlowEngine *engine);
void flow_forget_winners(FlowEngine *engine);

/* flights.c: false if out of memory. */
bool flow_flights_create(FlowEngine *engine);
void flow_flights_destroy(FlowEngine *engine);
/* Sends a flit into flight if its wire takes more than this cycle; false otherwise. */
bool flow_sets_out(const Net *net, FlowEngine *engine, const FlowMove *move);
/* Adds the flits that land in this cycle to those of their channels. Returns their
 * number and their list, valid until flow_clear_landed(). */
uint32_t flow_land(const Net *net, FlowEngine *engine, const FlowFlight **landed);
void flow_clear_landed(const Net *net, FlowEngine *engine);
bool flow_flights_check(const FlowEngine *engine, const NetParams *params,
                        JmError *error);
/* Saves or loads the flits in flight. An image stores those as flits of their channels,
 * and loading takes them from there. */
void flow_flights_archive(const Net *net, FlowEngine *engine, Archive *archive);

/* state.c */
void *flow_create(Net *net);
void flow_destroy(void *engine);
bool flow_runs(const NetGraph *graph, const NetParams *params, JmError *error);
bool flow_load(Net *net, void *engine, const NetImage *image);
bool flow_check(const Net *net, const void *engine, JmError *error);
void flow_archive(Net *net, void *engine, Archive *archive);

#endif
