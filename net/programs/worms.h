/* State of the engine "worms", which computes when heads and tails move and skips the
 * flits between (Pimentel and Hertzberger, section 3.1). Internal to net/programs.
 *
 *     worms.c   the cycle: heads come to the front, take channels; reports to nodes
 *     times.c   when a flit enters a channel, computed from the heads
 *     ways.c    which channel a head goes to; which networks can be run
 *
 * A worm is a packet in flight. Its step j is its j-th channel; the last is the sink. A
 * worm that has ended is kept until all worms are younger than its end: until then the
 * flits of others may have had to wait for its own. */
#ifndef JM_NET_PROGRAMS_WORMS_H
#define JM_NET_PROGRAMS_WORMS_H

#include "net/programs/engines.h"
#include "net/programs/keys_inline.h"

#define WORM_NEVER UINT64_MAX /* a cycle that is not known yet */

typedef struct {
    uint32_t point;      /* channel or sink */
    uint32_t step_ahead; /* of the worm ahead: its step at this channel */
    uint64_t ahead;      /* the worm that took the channel before; NEVER: none */
    uint64_t behind;     /* the worm that took it next and has entered; NEVER */
    /* Counting all flits through the channel: number of the first. */
    uint64_t first;
    uint64_t head; /* the cycle in which the head enters it */
    uint64_t tail; /* the same of the tail */
} WormStep;

/* The subject of a question: the cycle in which a flit enters the channel of a step. */
typedef enum { ASK_ROOM, ASK_TAIL } WormAsk;

/* A question that waits for a head to move on. */
typedef struct {
    uint64_t worm; /* the asking worm */
    uint32_t step; /* its step */
    WormAsk ask;
    uint64_t at; /* Chooses between the engine that moves flits and the faster one that
                  * moves whole worms but runs only some networks. False and an error if
                  * the replay requires worms, or a feature only they have, and they
                  * cannot run it. */
    uint32_t at_step, at_flit;
    uint64_t best; /* lower bound on the answer so far */
    uint32_t next; /* of the questions waiting for the same worm */
} WormQuestion;

typedef struct {
    NetPacket packet;
    uint32_t address;
    uint64_t start, end;  /* when it came to the front of its source; its tail's end */
    uint64_t since;       /* when its head came to the front of its channel */
    uint64_t next;        /* of the worms waiting for the same channel */
    uint64_t follower;    /* the next worm of its source; NEVER: none yet */
    uint32_t steps, size; /* known; allocated */
    uint32_t tails;       /* leading steps whose tail is known or asked about */
    uint32_t questions;   /* waiting for its head to move on; NET_NONE */
    WormStep *step;
} Worm;

typedef struct {
    uint64_t flits; /* of all worms that took it */
    uint64_t last;  /* the worm that last took it */
    uint32_t last_step;
    uint64_t free_at; /* the first cycle it can be taken; NEVER: unknown */
    uint64_t waiting, last_waiting; /* worms that want it, by `since`; NEVER: none */
    uint64_t decides;               /* the cycle of its last event */
} WormChannel;

typedef struct {
    uint64_t first, last;       /* worms in its source; NEVER: none */
    uint64_t free_at;           /* the first cycle its first worm may be in front */
    uint64_t leaving, arriving; /* the subjects of its next events */
} WormNode;

typedef struct {
    Replay *run;
    Heap *heap;
    NetPlayers *players;
    const NetGraph *graph;
    /* Heads of one cycle: by the number of their points, otherwise random. */
    bool by_number;
    JmRng rng;
    uint64_t now;
    Worm *worms;                   /* a ring by number */
    uint64_t oldest, young, count; /* the oldest kept, the oldest alive, the next one */
    uint32_t mask;
    WormChannel *channel; /* channels and sinks, by point */
    uint64_t *front;      /* by point: the worm whose head is coming to its front */
    WormNode *node;
    WormQuestion *questions;
    uint32_t question_count, free_question;
    size_t question_room;
    Keys events;
    double total, effective; /* cycles that heads of data waited */
} Worms;

static inline Worm *worm_of(const Worms *worms, uint64_t number) {
    return &worms->worms[number & worms->mask];
}

/* Whether a worm is kept. */
static inline bool worm_is_kept(const Worms *worms, uint64_t number) {
    return number != WORM_NEVER && number >= worms->oldest;
}

/* Places of a channel; more than any packet if packets are stored. */
static inline uint32_t worm_places(const Worms *worms, uint32_t channel) {
    enum { STORED = 1 << 20 };
    return worms->run->replay->stored
               ? STORED
               : net_graph_places(worms->graph, worms->run->replay->params, channel);
}

/* times.c: asks for the first cycle, not before `from`, with room for the head of a
 * worm that has taken its last step; and for the cycles in which its tail enters the
 * steps whose heads are known. Calls the functions below with answers, at once or
 * later. */
void worm_ask_room(Worms *worms, uint64_t number, uint64_t from);
void worm_ask_tails(Worms *worms, uint64_t number);
/* Answers the questions that waited for the head of a worm to move on. */
void worm_answer(Worms *worms, uint64_t number);

/* worms.c */
void worm_head_enters(Worms *worms, uint64_t number, uint64_t cycle);
void worm_tail_enters(Worms *worms, uint64_t number, uint32_t step, uint64_t cycle);

/* ways.c: the channel that a head at a point chooses. */
uint32_t worm_way(const Worms *worms, const Worm *worm, uint32_t point);

#endif
