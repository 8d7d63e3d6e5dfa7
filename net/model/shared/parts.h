/* Routes on a graph and the unknowns of the iteration, shared by the files of this
 * folder.
 *
 * A stage is a place for a message: a channel of the graph, by its number, or a source,
 * numbered after the channels. A port is a feeder of a stage that routes use; a source
 * has one. A step of a route is a stage and the port by which it is entered. An entry
 * is a source together with a processor whose customers leave there: its own requests,
 * or replies to the requests of another. */
#ifndef JM_NET_MODEL_SHARED_PARTS_H
#define JM_NET_MODEL_SHARED_PARTS_H

#include "emu/core/heap.h"
#include "net/model/shared/shared.h"

typedef struct {
    uint32_t stage, port;
} SharedStep;

/* From the source to the last channel. */
typedef struct {
    uint32_t from, to;            /* processors */
    uint32_t first_step, steps;   /* including the source and the last channel */
    uint32_t own_entry, to_entry; /* of the source, with `from` and with `to` */
    double weight;                /* share of the messages between the two */
} SharedRoute;

typedef struct {
    uint32_t source, processor; /* the source, from 0; whose customers */
    /* Share of the messages between the two that leaves there; 0 for the source's own
     * processor. */
    double weight;
} SharedEntry;

/* The kinds of unknowns, which follow each other in one array. */
typedef enum {
    /* W, by port: cycles that a head waits for a channel; unlimited buffers: by queue
     * and processor, for the queue. */
    UNKNOWN_WAIT,
    UNKNOWN_NODE,   /* by entry: for the source */
    UNKNOWN_FIRST,  /* by entry: for the first channel, if each has a source */
    UNKNOWN_LINK,   /* by stage: flits a cycle */
    UNKNOWN_MEMORY, /* by processor: see customers.c */
    UNKNOWN_CYCLE,  /* R, by processor */
    UNKNOWNS
} SharedUnknown;

/* Figures of a port, summed over its routes. */
typedef struct {
    double requests, replies; /* sums of F (visits) */
    double rates;             /* sum of visits a cycle */
    double out[2];            /* by request, reply: u_out of the arriving heads */
    double busy, waiting;     /* first and third line of the wait */
    double load;              /* utilisation by all flits of all types */
    double all;               /* visits times residence of whole messages, all types */
} SharedPort;

/* Figures of the messages that leave a node, summed by their rate. */
typedef struct {
    double rate, node_wait, first_channel;
} SharedLeaving;

typedef struct {
    Heap *heap; /* owns all lists below */
    const NetGraph *graph;
    const SharedProblem *problem;
    unsigned longest; /* flits of the longest message; size of arrays by flit */
    bool own_sources; /* each first channel has a source of its own */
    uint32_t processors, sources, stages, ports, queues;
    uint32_t routes, steps, entries;
    SharedRoute *route;
    SharedStep *step;
    SharedEntry *entry;
    uint32_t *first_port;  /* by stage, and one past the end */
    uint32_t *first_entry; /* by source, and one past the end */
    uint32_t *first_step;  /* by source: index in `step` of a first channel */
    uint32_t *feeder;      /* by port: the stage that feeds it */
    uint32_t *queue;       /* by stage: its queue, regardless of lanes */
    double *routing;       /* F, processors x processors */

    uint32_t start[UNKNOWNS + 1]; /* by kind: start of its unknowns */
    double *value, *next;         /* the unknowns, and their values after the sweep */
    unsigned mirrors;
    uint32_t *image; /* by mirror, unknown: its image */

    /* The sums of a sweep. */
    double *ahead; /* by step: cycles of a head there, from the route */
    /* By port, flit: utilisation by requests and by replies, without P; mean
     * residence. */
    double *flits[2], *residence;
    SharedPort *port;
    double *own; /* by entry, flit: utilisation of the source by one customer */
    double *flow,
        *other;   /* by stage: flits a cycle there; on other lanes of its wire */
    double *wire; /* by wire: flits a cycle */
    double *away, *memory;  /* by processor: residence in network, memory */
    SharedLeaving *leaving; /* by processor */
    double *class_load[2]; /* unlimited: by queue and processor, of requests, replies */
    unsigned guards;       /* bounds that the sweep has hit */
} Shared;

/* Returns a list of `count` zeros on the heap. */
static inline uint32_t *shared_numbers(const Shared *s, size_t count) {
    return heap_alloc(s->heap, count * sizeof(uint32_t));
}

static inline bool shared_is_open(const Shared *s) {
    return s->problem->rate > 0;
}

/* Values of one kind. */
static inline double *shared_values(const Shared *s, SharedUnknown sort) {
    return s->value + s->start[sort];
}

static inline double *shared_next(const Shared *s, SharedUnknown sort) {
    return s->next + s->start[sort];
}

/* walks.c: finds the routes and numbers the stages, ports and entries they use. */
void shared_walk(Shared *s);
/* images.c: finds the images of unknowns under mirrors. */
void shared_find_images(Shared *s);
/* Averages values that are images of each other. */
void shared_average(Shared *s, double *values);

/* A sweep: residence in the network and new waits, from the current unknowns.
 * channels.c, then ends.c, for channels of one flit; buffers.c for unlimited
 * buffers. */
void shared_sweep_channels(Shared *s);
void shared_sweep_ends(Shared *s);
void shared_sweep_buffers(Shared *s);
/* customers.c: memories, processors, cycle times. */
void shared_sweep_customers(Shared *s);
/* iterate.c: iterates to convergence, trying one schedule after the other; fills in
 * state, sweeps and change. Network residence and memory times are those of the last
 * sweep. */
void shared_iterate(Shared *s, SharedResult *result);
/* The mean residence of a customer of `processor` at home, given its time away. */
double shared_at_home(const SharedProblem *problem, double away);

#endif
