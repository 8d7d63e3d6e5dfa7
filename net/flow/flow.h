/* State of the flow engine. Internal to net/flow.
 *
 *     heads.c    which head takes which channel
 *     winners.c  which flits move
 *     streams.c  messages that move on without competition
 *     flights.c  flits in flight over wires that take several cycles
 *     engine.c   the cycle, the moves, and operations between steps
 *     state.c    creation, images, checkpoints, invariants */
#ifndef JM_NET_FLOW_FLOW_H
#define JM_NET_FLOW_FLOW_H

#include "net/graph/bits_inline.h"
#include "net/messages/state.h"

/* Small numbers are bit-fields: the compiler must assume that writing a byte changes
 * any object, so loops would reload all their pointers.
 *
 * A channel, source or sink. Its front message is that of the first flit in it, or of
 * the last flit that left it unless that was a tail. */
typedef struct {
    uint64_t since; /* first cycle in which the head in front may move on */
    /* Where the front message goes; before it has taken a channel, where graph->next
     * would send it. */
    uint32_t next;
    uint32_t owner; /* message on its way in, NET_NONE if the point is free */
    uint32_t from;  /* the point it comes from */
    uint32_t track; /* its wire, or a track of its own; users of a track take turns */
    unsigned lane : 8;   /* its place on the track */
    unsigned places : 8; /* places not reserved for flits in flight */
    unsigned flits : 8;  /* source: 1 if it can send; sink: 1 if its gate is closed */
    unsigned coming : 8; /* channel: flits in flight, after the others in its ring */
    unsigned first : 8;  /* channel: place of its first flit in its ring */
    bool next_taken : 1; /* the front message's head has left and holds `next` */
    bool waits : 1;      /* a head in front, without a channel yet, is in `heads` */
    bool blocked : 1;    /* its wire is blocked */
    bool stream_in : 1, stream_out : 1; /* its links that are part of a stream */
    bool ends : 1;                      /* first point of a stream: the tail is in it */
} FlowPoint;

/* A stream's end points. */
typedef struct {
    uint32_t first, last;
} FlowStream;

enum { FLOW_NO_LANE = NET_MAX_LANES };
/* Values of the parameters `heads` and `select`. */
enum { FLOW_TURNS = 2, FLOW_SELECT_IDLE = 1, FLOW_SELECT_TURNS = 4 };

/* A resource that lanes share: a wire; a point without a wire has its own. */
typedef struct {
    /* The lane to examine first, plus 16 times that among those of priority 1. */
    unsigned turns : 8;
    unsigned wish : 8; /* this cycle: a bit for each lane with a flit that could move */
    unsigned struck : 8; /* of those, the ones found blocked */
    unsigned winner : 8; /* this cycle: the lane that sends, or FLOW_NO_LANE */
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
    bool atomic;     /* a channel holds flits of one message */
    bool tails_keep; /* tails may keep channels that no message owns */
    bool one_way;    /* a head has one channel to go to */
    bool turns;      /* feeders of a channel take turns */
    unsigned urgent; /* a bit for each lane of priority 1, which go before the others */
    FlowPoint *point;
    FlowTrack *track;     /* wires, then tracks of single points */
    uint32_t *user;       /* by track * NET_MAX_LANES + lane: the point */
    uint8_t *lanes_held;  /* by wire: how many of its channels are held */
    NetFlit *flits;       /* by channel << ring_shift: rings */
    unsigned ring_shift;  /* ring size: 1 << ring_shift places */
    uint32_t occupied;    /* channels with flits */
    FlowCounts *counts;   /* by channel */
    uint64_t *crossed;    /* by point: flits that left it since the last settle() */
    uint64_t *settled;    /* by point: those that left it before */
    NetBits ready;        /* points that own their next point, with a place in it */
    NetList heads;        /* points whose heads wait, in order of arrival */
    NetBits arrived;      /* those that have come to the front since */
    NetList hopeful;      /* those of one age that may find a free channel */
    NetList wishers;      /* this cycle: tracks with a lane that could move */
    NetList picks, later; /* tracks that must choose, now and in the next round */
    NetList leaving;      /* this cycle: channels with a flit that could go to a sink */
    NetBits drains; /* channels whose flits go to a sink, of streams in any cycle */
    FlowMove *leaves, *moves; /* this cycle: into sinks, and the others */
    uint32_t leave_count, move_count;
    uint64_t cycle;      /* cycles since the engine was created */
    FlowStream *stream;  /* unordered */
    uint32_t streams;    /* how many there are */
    uint32_t *stream_of; /* by point that is an end: its stream */
    uint32_t
        *offset;    /* by channel of a stream: its first flit's index, less the cycle */
    uint32_t links; /* of all streams */
    NetBits broken; /* this cycle: points whose links must end before it */
    bool any_broken;
    NetList freed; /* this cycle: sources that streams have left */
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

/* Whether the point must be examined in the next cycle, because its flit could move
 * then. */
static inline bool flow_is_ready(const FlowEngine *engine, const FlowPoint *point) {
    return flow_can_send(point) && !flow_is_full(&engine->point[point->next]) &&
           !point->stream_out;
}

/* Whether the front flit of a point moves in this cycle. */
static inline bool flow_wins(const FlowEngine *engine, const FlowPoint *point) {
    return engine->track[point->track].winner == point->lane;
}

/* After the moves of a cycle: whether a point that gave a flit away has as many as
 * before, because the message on its way in sent one. */
static inline bool flow_is_refilled(const FlowEngine *engine, uint32_t s) {
    const FlowPoint *point = &engine->point[s];
    if (s >= engine->first_source)
        return flow_can_send(point);
    return point->owner != NET_NONE && flow_wins(engine, &engine->point[point->from]);
}

/* The k-th place of a channel's ring from its first flit on. */
static inline NetFlit *flow_place(const FlowEngine *engine, uint32_t s, uint32_t k) {
    const uint32_t mask = (1u << engine->ring_shift) - 1;
    return &engine->flits[((size_t)s << engine->ring_shift) +
                          ((engine->point[s].first + k) & mask)];
}

static inline bool flow_is_in_stream(const FlowPoint *point) {
    return point->stream_in | point->stream_out;
}

/* The k-th flit of a stream's channel at the start of a cycle. Its ring holds older
 * flits of the same message. */
static inline NetFlit flow_stream_flit(const FlowEngine *engine, uint32_t s,
                                       uint32_t k) {
    const FlowPoint *point = &engine->point[s];
    return (NetFlit){
        .message = flow_place(engine, s, 0)->message,
        .index = (engine->offset[s] + (uint32_t)engine->cycle + k) & INT32_MAX,
        .tail = point->owner == NET_NONE && k + 1 == point->flits,
    };
}

/* Clears the wishes for a track. */
static inline void flow_clear_track(FlowEngine *engine, uint32_t number) {
    FlowTrack *track = &engine->track[number];
    *track = (FlowTrack){.turns = track->turns, .winner = FLOW_NO_LANE};
}

static inline void flow_list_add(NetList *list, uint32_t item) {
    list->items[list->count++] = item;
}

/* The front message of a point with a flit. */
static inline uint32_t flow_front(const Net *net, const FlowEngine *engine,
                                  uint32_t s) {
    return s >= engine->first_source ? net_buffer(net, s)->first
                                     : flow_place(engine, s, 0)->message;
}

/* heads.c: heads take channels, first come, first served. */
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

/* streams.c. Handles a tail moving from `s` to `t`, which is free again. */
void flow_pass_tail(const Net *net, FlowEngine *engine, uint32_t s, uint32_t t);
/* After the other moves of a cycle: the first points of streams take or lose a
 * flit, and links whose points have stopped end. flow_wins() must still know the
 * winners. */
void flow_move_streams(Net *net, FlowEngine *engine);
/* After that: makes a link of a move, and returns whether it has. */
bool flow_join(FlowEngine *engine, const FlowMove *move);
/* Ends the link that leaves `s`, if there is one, before a cycle. */
void flow_end_link(FlowEngine *engine, uint32_t s);
/* Ends all links before a cycle. */
void flow_end_streams(FlowEngine *engine);
/* Ends those that leave the points of `broken`, which is empty then, and those whose
 * flits relied on their places. */
void flow_end_broken(FlowEngine *engine);
bool flow_streams_check(const FlowEngine *engine, JmError *error);

/* flights.c */
void flow_flights_create(Heap *heap, FlowEngine *engine);
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
void flow_flights_archive(Heap *heap, const Net *net, FlowEngine *engine,
                          Archive *archive);

/* state.c */
void *flow_create(Heap *heap, Net *net);
bool flow_runs(Heap *heap, const NetGraph *graph, const NetParams *params,
               JmError *error);
void flow_load(Heap *heap, Net *net, void *engine, const NetImage *image);
bool flow_check(const Net *net, const void *engine, JmError *error);
void flow_archive(Heap *heap, Net *net, void *engine, Archive *archive);

#endif
