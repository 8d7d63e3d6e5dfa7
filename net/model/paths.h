/* Graphs with one path between any two nodes. What crosses a port is then everything
 * upstream times everything downstream, so that sums need counts and the next few
 * channels, not whole routes. Internal to net/model. */
#ifndef JM_NET_MODEL_PATHS_H
#define JM_NET_MODEL_PATHS_H

#include "net/model/amva_parts.h"

/* A step on a path: to a channel or a sink. */
typedef struct {
    uint32_t point, edge; /* edge: place among the feeders of the graph */
} PathStep;

/* Sums over nodes downstream, with weight 1 and with their rates: over those to which
 * heads go on by another channel, and over those that they have reached. */
enum { ON_COUNT, ON_RATE, END_COUNT, END_RATE, PATH_SUMS };

/* What heads on a channel do next, in a sweep. */
typedef struct {
    double wire;              /* wait for the channel's own wire */
    double weight[PATH_SUMS]; /* 1 and rates, added up */
    double stay[PATH_SUMS];   /* cycles on the channel but for waits for wires */
} PathAhead;

/* The route of a node's messages to itself, if it sent any: its source and channels,
 * and the step from each. */
typedef struct {
    uint32_t *point, *edge;
    unsigned count;
} SelfRoute;

/* By point: channels and sources; of priority 0 those that paths use, the others are
 * empty. Counts are doubles, which hold them exactly. */
struct AmvaPaths {
    uint32_t points;  /* channels and sources */
    uint32_t *order;  /* channels, what feeds before what is fed */
    uint32_t ordered; /* how many */
    uint32_t *step_start;
    PathStep *step;       /* by point: where a path may go next */
    double *up, *down;    /* nodes from which, and to which, paths lead through it */
    double *sends, *gets; /* of a sweep: their rates, added up */
    PathAhead *next;      /* of a sweep */
    double *ahead;        /* time of heads from here to all nodes downstream */
    double *back;         /* and from all nodes upstream to here */
    double *catch_up;     /* waits for wires behind heads, for all nodes downstream */
    unsigned most_ports;
    SelfRoute *self; /* by node orbit: of its first node */
    uint32_t selves; /* how many */
    /* Scratch: of the channels ahead, by flit; by port; by channel and node orbit. */
    double *sums, *port_wire, *from;
};

#endif
