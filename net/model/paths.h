/* Graphs with one path between any two nodes. Traffic through a port is then everything
 * upstream times everything downstream, so sums need counts and the next few channels
 * rather than whole routes. Internal to net/model. */
#ifndef JM_NET_MODEL_PATHS_H
#define JM_NET_MODEL_PATHS_H

#include "net/model/amva_parts.h"

/* A step on a path: to a channel or a sink. */
typedef struct {
    uint32_t point, edge; /* edge: index among the feeders of the graph */
} PathStep;

/* Sums over nodes downstream, with weight 1 and with their rates: over nodes that heads
 * reach by a further channel, and over nodes already reached. */
enum { ON_COUNT, ON_RATE, END_COUNT, END_RATE, PATH_SUMS };

/* Next steps of the heads on a channel, in a sweep. */
typedef struct {
    double wire;              /* wait for the channel's own wire */
    double weight[PATH_SUMS]; /* 1 and rates, added up */
    double stay[PATH_SUMS];   /* cycles on the channel, without waits for wires */
} PathAhead;

/* A node's route to itself, if it sent any: its source and channels, and the step from
 * each. */
typedef struct {
    uint32_t *point, *edge;
    unsigned count;
} SelfRoute;

/* By point: channels and sources; all those of priority 0 that paths use, the others
 * are empty. Counts are doubles, which hold them exactly. */
struct AmvaPaths {
    uint32_t points;  /* channels and sources */
    uint32_t *order;  /* channels in topological order, feeders first */
    uint32_t ordered; /* their number */
    uint32_t *step_start;
    PathStep *step; /* by point: possible next steps */
    /* Numbers of nodes with paths through it from, and to, them. */
    double *up, *down;
    double *sends, *gets; /* the same, weighted by the rates of a sweep */
    PathAhead *next;      /* of a sweep */
    double *ahead;        /* total time of heads from here to all nodes downstream */
    double *back;         /* and from all nodes upstream to here */
    double *catch_up;     /* waits for wires behind heads, over all nodes downstream */
    unsigned most_ports;
    SelfRoute *self; /* by node orbit: of its first node */
    /* Scratch: sums of the channels ahead, by flit; by port; by channel and node
     * orbit. */
    double *sums, *port_wire, *from;
};

#endif
