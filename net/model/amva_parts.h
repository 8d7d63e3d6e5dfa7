/* The parts of the mean value analysis. Internal to net/model, except for tests.
 *
 * A point is a source or a channel of priority 0; an edge leads from a point to the
 * channel it feeds, and stands for the port of that channel. Points, edges and nodes
 * that mirrors of the graph map onto each other form an orbit and share one value. Flit
 * numbers, 1 in the thesis, count from 0 here. */
#ifndef JM_NET_MODEL_AMVA_PARTS_H
#define JM_NET_MODEL_AMVA_PARTS_H

#include "emu/core/heap.h"
#include "net/model/amva.h"

enum { KIND_REQUEST, KIND_REPLY, KINDS }; /* Snakes are requests without replies */

/* ---- what is fixed --------------------------------------------------------------- */

/* Another port of the same channel, as seen from one port. */
typedef struct {
    uint32_t edge;  /* its orbit */
    int precedence; /* above (1), equal (0) or below (-1) */
} AmvaRival;

/* Lists by orbit: items of orbit i occupy [start[i], start[i + 1]). */
typedef struct {
    uint32_t *start, *item;
} AmvaLists;

typedef struct AmvaTrees AmvaTrees;
typedef struct AmvaPaths AmvaPaths;
typedef struct AmvaOwn AmvaOwn;

/* A problem laid out on a graph: everything constant between sweeps. */
typedef struct {
    Heap *heap; /* of the solution: owns everything of the layout and its iteration */
    const NetGraph *graph;
    AmvaProblem problem;
    bool unique; /* one path between any two nodes */
    unsigned kinds;
    unsigned length[KINDS]; /* flits of a message of each kind */
    unsigned flits;         /* the longest message */
    double alpha;           /* per flit */
    double customers;       /* of a class: N_out; Snakes: the total, K */
    double share;           /* of a node's traffic: to each other node */
    bool corrected;         /* a reply does not wait for those of its own home */
    bool by_pair; /* waits of replies are kept for each pair of nodes (trees) */

    uint32_t nodes, node_orbits, channel_orbits, edge_orbits;
    uint32_t *node_orbit, *node_size, *node_first;          /* by node; by orbit */
    uint32_t *channel_orbit, *channel_size, *channel_first; /* by point; by orbit */
    uint32_t *edge_orbit, *edge_size, *edge_first;          /* by feeder; by orbit */
    uint32_t *rival_start; /* by edge orbit, and one past the end */
    AmvaRival *rival;
    AmvaLists ports;  /* by channel orbit: edge orbits of its ports */
    AmvaLists others; /* by channel orbit: channel orbits on the same wire */
    AmvaLists exits;  /* by node orbit: edge orbits of the source's edges */
    AmvaTrees *trees; /* one of the two forms */
    AmvaPaths *paths;
    AmvaOwn *own; /* with paths, if `corrected` */
} AmvaLayout;

/* Lays out a problem. False and `error` if routes do not end, or if there are several
 * paths where prefixes need one. */
bool amva_layout_build(AmvaLayout *layout, Heap *heap, const NetGraph *graph,
                       const AmvaProblem *problem, JmError *error);

/* Orbits of points, edges and nodes under the mirrors that preserve everything. By
 * point (channels and sources), by feeder and by node; each entry is the orbit's least
 * member. */
typedef struct {
    uint32_t *point, *edge, *node;
} AmvaOrbits;

AmvaOrbits amva_orbits_find(const AmvaLayout *layout);

/* Precedence of a port under unfair routers (thesis fig. 5-9): traffic from a wire
 * precedes traffic from within the node. */
unsigned amva_precedence(const NetGraph *graph, uint32_t feeder_index, uint32_t channel,
                         bool p_first);

/* ---- what is sought -------------------------------------------------------------- */

/* All unknowns in one array, in orbit order. */
typedef struct {
    double *x;
    size_t count;
    double *edge_wait, *wire_wait; /* w, wl */
    double *node_wait;             /* W of requests or snakes */
    double *reply_wait; /* by node orbit, or by first node of each orbit and source */
    double *cycle;      /* R; Snakes: one */
    size_t cycles;
    double *queue; /* q at processors by node orbit: not included in `count` */
} AmvaUnknowns;

void amva_unknowns_create(AmvaUnknowns *unknowns, const AmvaLayout *layout);
void amva_unknowns_start(AmvaUnknowns *unknowns, const AmvaLayout *layout);

/* The sums of a sweep. By edge orbit and kind: rates (A), and by flit the times on the
 * channel (S) and on its feeder (O), each times the rate; all without N_out. */
typedef struct {
    size_t stride;         /* doubles of an edge: kinds x flits, for S and for O */
    double *rate;          /* A: edge orbits x kinds */
    double *stay, *before; /* S, O: edge orbits x kinds x flits */
    /* By node orbit: network time, without W, of the messages it sends, and of the
     * replies it gets, on average. */
    double *sent, *answered;
    double *source_stay; /* by pair: by tree, source and flit */
    /* With the correction, by paths: how long own replies hold a source
     * (own_replies.c). */
    double *source_all; /* by node orbit: cycles until a source is free of a reply */
    double *own;        /* by node orbit of the source, then of the home */
} AmvaSums;

void amva_sums_create(AmvaSums *sums, const AmvaLayout *layout);
void amva_sums_clear(AmvaSums *sums, const AmvaLayout *layout);

/* ---- parts of a sweep ------------------------------------------------------------ */

/* Builds the trees. Both forms mark the feeders that routes use; orbits are not yet
 * numbered. */
bool amva_trees_build(AmvaLayout *layout, uint8_t *used, JmError *error);
/* Enters orbit numbers into the trees. */
void amva_trees_finish(AmvaLayout *layout);
void amva_trees_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    AmvaSums *sums);

/* Whether the graph has exactly one path between any two nodes, regardless of
 * routes. */
bool amva_paths_unique(Heap *heap, const NetGraph *graph);
void amva_paths_build(AmvaLayout *layout, uint8_t *used);
void amva_paths_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    AmvaSums *sums);

/* Computes new waits for wires; `load`, by channel orbit, receives flits a cycle. */
void amva_wire_waits(const AmvaLayout *layout, const AmvaSums *sums, double *load,
                     double *waits, AmvaGuards *guards);

/* The traffic at a port, as needed for the waits at it and at its rivals (2.4, 2.5). */
typedef struct {
    double held, busy;       /* u (a/2 + tail), u: sums over kinds and flits */
    double tail, last, room; /* of the last flit: u a/2, u; 1 - u of the others */
    double come, come_all;   /* o[0], o[0] all */
    double runs, runs_all;   /* y, y all */
} AmvaTraffic;

void amva_channel_waits(const AmvaLayout *layout, const AmvaSums *sums,
                        AmvaTraffic *traffic, double *waits, AmvaGuards *guards);

/* Computes new waits in node queues. */
void amva_node_waits(const AmvaLayout *layout, AmvaSums *sums,
                     const AmvaUnknowns *unknowns, double *node_wait,
                     double *reply_wait);
/* Computes an orbit's messages in the node queue: requests and replies. */
void amva_node_queues(const AmvaLayout *layout, const AmvaSums *sums,
                      const AmvaUnknowns *unknowns, double *requests, double *replies);
/* Computes, by node orbit, the mean wait of the replies that a node gets. */
void amva_answer_waits(const AmvaLayout *layout, const AmvaSums *sums,
                       const AmvaUnknowns *unknowns, double *waits);

/* Own replies, by paths. `half` of flit k: half of the time that flit k of a reply
 * holds its source plus all the time that later flits do. */
void amva_own_build(AmvaLayout *layout);
void amva_own_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                  uint32_t source, const double *half, AmvaSums *sums);
/* Computes the replies queued at each source, and the mean wait of those to each home,
 * both by node orbit. */
void amva_own_queues(const AmvaLayout *layout, const AmvaSums *sums,
                     const AmvaUnknowns *unknowns, double *replies);
void amva_own_waits(const AmvaLayout *layout, const AmvaSums *sums,
                    const AmvaUnknowns *unknowns, double *waits);

/* Solves the processors for the current network: queues and cycle times. */
void amva_processors(const AmvaLayout *layout, const AmvaSums *sums,
                     AmvaUnknowns *unknowns);

/* Computes, by node orbit, the network time of a message and its reply, including waits
 * in node queues. */
void amva_network_times(const AmvaLayout *layout, const AmvaSums *sums,
                        const AmvaUnknowns *unknowns, double *times);

#endif
