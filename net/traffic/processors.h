/* Abstract processors that do what the Snakes do (thesis 4.1) without instructions: a
 * task takes a message, works on it for the handler's time, sends it on, and suspends.
 * Input queues have the machine's sizes and gates, two priorities, and an overflow
 * handler with the costs of table 2.1 of the thesis. Remedies for overflow are
 * parameters. A run takes about a second for 8x8x8 nodes and 500 hops. Uses net.h
 * alone.
 *
 * Queue lengths count words in rows of 4 and include the message in hand, as QHL
 * does. */
#ifndef JM_NET_TRAFFIC_PROCESSORS_H
#define JM_NET_TRAFFIC_PROCESSORS_H

#include "net/net.h"

enum {
    NET_PROCESSORS_MAX_LOAD = 64,
    NET_PROCESSORS_MAX_WORDS = 60,
    NET_PROCESSORS_MAX_HANDLER = 4000, /* cycles */
    NET_PROCESSORS_MAX_QUEUE = 1 << 20 /* words */
};

typedef struct {
    unsigned load;                  /* messages that start at each node */
    unsigned hops;                  /* of each message, before it goes home */
    unsigned words;                 /* of a message, its routing word not counted */
    unsigned handler;               /* cycles for a message, sending included */
    bool exponential;               /* handler times are drawn with mean `handler` */
    unsigned home_every;            /* one hop in so many leads home; 0: none */
    double imbalance;               /* traffic to `hot` over that to another node */
    unsigned hot;                   /* a node; in effect if imbalance is not 1 */
    unsigned queue[NET_PRIORITIES]; /* words */
    /* Priorities, a bit each, whose full queue is an overflow; the others shut their
     * gate before that. */
    unsigned traps;
    /* Remedies; 0: off. Marks are words of queue 0. */
    unsigned hwm_mark; /* messages opened above it go at priority 1 */
    /* Messages without room at priority 0 go at priority 1 if opened above this or by a
     * task of priority 1. */
    unsigned escape_mark;
    unsigned brake_mark; /* gate 0 is shut if a row would lead above it */
    /* Once shut, the gate opens only at this length or below; 0: brake_mark. */
    unsigned brake_release;
    /* The brake's marks include the words in the ring, so that it bounds the ring and
     * not the queue. */
    bool brake_ring;
    unsigned brake_patience; /* cycles without SUSPEND after which it opens anyway */
    unsigned spill_mark;     /* messages that would lead above it go to a ring */
    bool spill_both;         /* the same for queue 1, above its size - 4 */
    unsigned spill_cycles;   /* cost of a word, in either direction */
    /* Lower mark: messages opened above it go at priority 1 ... */
    unsigned meter_mark;
    unsigned meter; /* ... if this many went at priority 0 for each such one */
    bool whole;     /* messages open only with room for all their words */
    /* A message takes the age of the task's message at its node; for networks with the
     * parameter `age`. */
    bool aged;
    uint64_t seed;
} NetProcessorsPlan;

typedef enum {
    NET_PROCESSORS_RUN,
    NET_PROCESSORS_DONE,     /* all messages are home */
    NET_PROCESSORS_DEADLOCK, /* no message was sent for a long time */
    NET_PROCESSORS_STARVED   /* out of memory */
} NetProcessorsState;

typedef struct {
    uint64_t cycles; /* so far; for a completed run, its makespan */
    uint64_t hops;   /* messages started, without those that end */
    uint64_t overflows[NET_PRIORITIES];
    uint64_t first_overflow;          /* cycle; UINT64_MAX: none */
    unsigned first_node;              /* where that was */
    unsigned longest[NET_PRIORITIES]; /* words of the longest queue */
    uint64_t sent[NET_PRIORITIES];    /* messages */
    uint64_t spilled;                 /* words */
    uint64_t spill_peak;              /* most words in a node's rings */
} NetProcessorsCounts;

typedef struct NetProcessors NetProcessors;

/* Creates the processors for `net`, which must be new and outlive them. NULL and
 * `error` if the plan is out of range or memory runs out. */
NetProcessors *net_processors_create(Net *net, const NetProcessorsPlan *plan,
                                     JmError *error);
void net_processors_destroy(NetProcessors *processors); /* NULL is ignored */

/* Runs processors and network for up to `cycles` cycles; fewer if the run ends. */
NetProcessorsState net_processors_run(NetProcessors *processors, unsigned cycles);

NetProcessorsCounts net_processors_counts(const NetProcessors *processors);

#endif
