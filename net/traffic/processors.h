/* Abstract processors that do what the Snakes do (thesis 4.1) without instructions: a
 * task takes a message, works on it for the handler's time, sends it on, and suspends.
 * Input queues have the machine's sizes and its gates, two priorities, and an overflow
 * handler that costs what table 2.1 of the thesis says. Cures for overflow are
 * parameters. A run takes about a second for 8x8x8 nodes and 500 hops. Uses net.h
 * alone.
 *
 * Words of a queue count in rows of 4 and include the message in hand, as QHL does. */
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
    unsigned load;       /* messages of each node at first */
    unsigned hops;       /* of each, before it goes home */
    unsigned words;      /* of a message, its routing word not counted */
    unsigned handler;    /* cycles for a message, sending included */
    bool exponential;    /* handler times are drawn, `handler` is their mean */
    unsigned home_every; /* every so many hops lead home; 0: none */
    double imbalance;    /* traffic to `hot` over that to another node */
    unsigned hot;        /* a node; in effect if imbalance is not 1 */
    unsigned queue[NET_PRIORITIES]; /* words */
    unsigned retry; /* cycles between two tries of a SEND without room */
    bool preempt;   /* a task of priority 1 interrupts one of priority 0 that has no
                             message open */
    unsigned traps; /* priorities whose full queue is an overflow, a bit each; the
                             others shut their gate below that */
    /* Cures; 0: none. Marks are words of queue 0. */
    unsigned hwm_mark;    /* a message opened above it goes at priority 1 */
    unsigned escape_mark; /* so does one without room at priority 0, if opened above
                                this or by a task of priority 1 */
    unsigned brake_mark;  /* gate 0 is shut if a row would lead above it */
    unsigned
        brake_release; /* once shut, it opens only where the queue is no longer than
                                this; 0: than brake_mark */
    bool brake_ring;   /* the brake's marks count the words in the ring too, so that
                                it bounds the ring and not the queue */
    unsigned
        brake_patience;  /* cycles without SUSPEND after which it opens all the same */
    unsigned spill_mark; /* messages that would lead above it go to a ring */
    bool spill_both;     /* the same for queue 1, above its size - 4 */
    unsigned spill_cycles; /* for a word, either way */
    unsigned meter_mark;   /* so does one opened above this, lower mark */
    unsigned meter; /* ... if so many have gone at priority 0 for each such one */
    bool whole;     /* messages open where there is room for all their words */
    bool aged;      /* messages are as old as the task's message is at its node;
                                for networks with the parameter `age` */
    uint64_t seed;
} NetProcessorsPlan;

typedef enum {
    NET_PROCESSORS_RUN,
    NET_PROCESSORS_DONE,     /* all messages are home */
    NET_PROCESSORS_DEADLOCK, /* nobody has sent for a long time */
    NET_PROCESSORS_STARVED   /* no memory for a message */
} NetProcessorsState;

typedef struct {
    uint64_t cycles; /* up to now; of a run that is done, its makespan */
    uint64_t hops;   /* messages taken in hand, but for those that end */
    uint64_t overflows[NET_PRIORITIES];
    uint64_t first_overflow;          /* cycle; UINT64_MAX: none */
    unsigned first_node;              /* where that was */
    unsigned longest[NET_PRIORITIES]; /* words of the longest queue */
    uint64_t sent[NET_PRIORITIES];    /* messages */
    uint64_t spilled;                 /* words */
    uint64_t spill_peak;              /* most words in a node's rings */
} NetProcessorsCounts;

typedef struct NetProcessors NetProcessors;

/* The processors for `net`, which is new and outlives them. NULL and `error` if the
 * plan is out of range or there is no memory. */
NetProcessors *net_processors_create(Net *net, const NetProcessorsPlan *plan,
                                     JmError *error);
void net_processors_destroy(NetProcessors *processors); /* NULL is fine */

/* Processors and network for up to so many cycles; fewer if the run ends. */
NetProcessorsState net_processors_run(NetProcessors *processors, unsigned cycles);

NetProcessorsCounts net_processors_counts(const NetProcessors *processors);

#endif
