/* Builder: tori and meshes of one to four dimensions whose wires are one-way and have
 * lanes, as in Adve and Vernon (1994) and in Quaglia, Ciciani and Colajanni (2002).
 * Internal to net/.
 *
 * A processor's number has a digit for each dimension: digit 0 + side 0 * (digit 1 +
 * side 1 * ...). A message corrects one digit after the other, in a fixed order. Lanes
 * are of one priority or, between the nodes of a machine, of two. */
#ifndef JM_NET_TOPOLOGY_TORUS_H
#define JM_NET_TOPOLOGY_TORUS_H

#include "net/graph/graph.h"

typedef enum { NET_TIE_SPLIT, NET_TIE_NO_WRAP, NET_TIE_WRAP } NetTie;

enum { NET_TORUS_MAX_SIDE = 32, NET_TORUS_MAX_PROCESSORS = 1 << 16 };

typedef struct {
    unsigned dimensions;               /* 1 .. NET_MAX_DIMENSIONS */
    unsigned side[NET_MAX_DIMENSIONS]; /* 1 .. NET_TORUS_MAX_SIDE */
    /* The dimensions in the order in which messages travel along them. */
    unsigned order[NET_MAX_DIMENSIONS];
    bool one_way; /* digits only decrease; otherwise a wire each way */
    bool ends;    /* wires from the last row to the first, and so on */
    /* Per wire; 0: as many as routes need, 2 with end-around wires, otherwise 1. With
     * end-around wires lanes alternate between two classes, low and high. */
    unsigned lanes;
    /* Number of lanes for dimension order, the first ones; the others take any move on
     * a shortest path; 0: all lanes use dimension order. */
    unsigned escape;
    unsigned priorities; /* 1, or 2, each with that many lanes */
    unsigned places;     /* of a channel, plus `delay` for flits in flight */
    /* Terminals of a processor: 1 or more, for any message; 0: one for each channel out
     * of it, for messages that start there. */
    unsigned links;
    NetTie tie;     /* direction if both are equally long */
    unsigned delay; /* additional cycles of a flit on a wire, after the first */
} NetTorus;

/* Sets the dimensions, sides and order of sizes as specifications give them, that of
 * dimension 0 first. Messages travel along dimension 0 first; in two dimensions along
 * dimension 1, as Adve and Vernon have it. */
void net_torus_set_sizes(NetTorus *torus, const unsigned *sizes, unsigned count);

/* NULL and `error` if a number is out of range, or if messages could wait for each
 * other in a cycle, which is then named. */
NetGraph *net_torus_create(const NetTorus *torus, JmError *error);
/* The same without the search for cycles. */
NetGraph *net_torus_create_unchecked(const NetTorus *torus, JmError *error);

#endif
