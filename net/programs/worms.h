/* State of the engine "worms", which computes when heads and tails move and passes over
 * the flits between (Pimentel and Hertzberger, section 3.1). Internal to net/programs.
 *
 *     worms.c   the cycle: heads come to the front, take channels; what nodes are told
 *     times.c   when a flit enters a channel, from when heads did
 *     ways.c    which channel a head goes to; which networks can be run
 *
 * A worm is a packet on its way. Its step j is its j-th channel; the last is the sink.
 * A worm that has ended is kept until all worms are younger than its end: until
 * then the flits of others may have had to wait for its own. */
#ifndef JM_NET_PROGRAMS_WORMS_H
#define JM_NET_PROGRAMS_WORMS_H

#include "net/programs/engines.h"
#include "net/programs/keys_inline.h"

#define WORM_NEVER UINT64_MAX /* a cycle that is not known yet */

typedef struct {
    uint32_t point;      /* channel or sink */
    uint32_t step_ahead; /* of the worm ahead: which of its steps is this channel */
    uint64_t ahead;      /* the worm that took the channel before; NEVER: none */
    uint64_t behind;     /* the worm that took it next and has entered it; NEVER */
    uint64_t first;      /* of all flits through the channel: the number of the first */
    uint64_t head;       /* the cycle in which the head enters it */
    uint64_t tail;       /* the same of the tail */
} WormStep;

/* What is asked about a flit: the cycle in which it enters the channel of a step. */
typedef enum { ASK_ROOM, ASK_TAIL } WormAsk;

/* A question that waits for a head to move on. */
typedef struct {
    uint64_t worm; /* who asks */
    uint32_t step; /* about which of its steps */
    WormAsk ask;
    uint64_t at; /* the flit that has to be known: of which worm, */
    uint32_t at_step, at_flit;
    uint64_t best; /* what is known of the answer: not before this cycle */
    uint32_t next; /* of the questions that wait for the same worm */
} WormQuestion;

typedef struct {
    NetPacket packet;
    uint32_t address;
    uint64_t start, end;  /* when it came to the front of its source; its tail's end */
    uint64_t since;       /* when its head came to the front of where it is */
    uint64_t next;        /* of the worms that wait for the same channel */
    uint64_t follower;    /* the next worm of its source; NEVER: none yet */
    uint32_t steps, size; /* known; room for so many */
    uint32_t tails;     /* steps whose tail is known, or asked about: the first ones */
    uint32_t questions; /* that wait for its head to move on; NET_NONE */
    WormStep *step;
} Worm;

typedef struct {
    uint64_t flits; /* of all worms that have taken it */
    uint64_t last;  /* the worm that took it last */
    uint32_t last_step;
    uint64_t free_at; /* the cycle from which it can be taken; NEVER: not known */
    uint64_t waiting, last_waiting; /* worms that want it, by since; NEVER: none */
    uint64_t decides;               /* the cycle of its last event */
} WormChannel;

typedef struct {
    uint64_t first, last;       /* worms in its source; NEVER: none */
    uint64_t free_at;           /* from when the first of them may be in front */
    uint64_t leaving, arriving; /* what its next events are about */
} WormNode;

typedef struct {
    Replay *run;
    Heap *heap;
    NetPlayers *players;
    const NetGraph *graph;
    bool by_number; /* heads of one cycle: by number of their points, else drawn */
    JmRng rng;
    uint64_t now;
    Worm *worms;                   /* a ring by number */
    uint64_t oldest, young, count; /* the first kept, the first alive, the next one */
    uint32_t mask;
    WormChannel *channel; /* channels and sinks, by point */
    uint64_t *front;      /* by point: the worm whose head comes to its front */
    WormNode *node;
    WormQuestion *questions;
    uint32_t question_count, question_size, free_question;
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

/* Places of a channel; more than any packet where packets are stored. */
static inline uint32_t worm_places(const Worms *worms, uint32_t channel) {
    enum { STORED = 1 << 20 };
    return worms->run->replay->stored
               ? STORED
               : net_graph_places(worms->graph, worms->run->replay->params, channel);
}

/* times.c: asks for the cycle from which there is a place for the head of a worm that
 * has taken its last step, not before `from`; and for those in which its tail enters
 * the steps whose heads are known. Calls the functions below with answers, at once or
 * when they are known. */
void worm_ask_room(Worms *worms, uint64_t number, uint64_t from);
void worm_ask_tails(Worms *worms, uint64_t number);
/* The head of a worm has moved on: questions that waited for it. */
void worm_answer(Worms *worms, uint64_t number);

/* worms.c */
void worm_head_enters(Worms *worms, uint64_t number, uint64_t cycle);
void worm_tail_enters(Worms *worms, uint64_t number, uint32_t step, uint64_t cycle);

/* ways.c: the channel that a head at a point chooses. */
uint32_t worm_way(const Worms *worms, const Worm *worm, uint32_t point);

#endif
