/* Builder: two-dimensional tori and meshes whose wires go one way and have lanes, as in
 * Adve and Vernon (1994) and in Quaglia, Ciciani and Colajanni (2002). Internal to
 * net/.
 *
 * Processor = row * columns + column. A message goes along its column first (the row
 * number, digit 1, changes), then along its row (digit 0). */
#ifndef JM_NET_TOPOLOGY_TORUS_H
#define JM_NET_TOPOLOGY_TORUS_H

#include "net/graph/graph.h"

typedef enum { NET_TIE_SPLIT, NET_TIE_NO_WRAP, NET_TIE_WRAP } NetTie;

typedef struct {
    unsigned rows, columns; /* 2 .. NET_TORUS_MAX_SIDE */
    bool one_way;           /* digits fall; else a wire each way */
    bool ends;              /* wires from the last row to the first, and so on */
    /* Per wire; 0: as many as routes need, 2 with end-around wires, else 1. With
     * end-around wires lanes are of two classes, in turn: low and high. */
    unsigned lanes;
    /* The number of lanes for dimension order, the first ones; the others take any move
     * on a shortest path; 0: all keep to dimension order. */
    unsigned escape;
    unsigned places; /* of a channel, beside `delay` more for flits on their way */
    /* Terminals of a processor: 1 or more, for any message; 0: one for each channel
     * that leaves it, for messages that start there. */
    unsigned links;
    NetTie tie;     /* which way round where both are as long */
    unsigned delay; /* cycles of a flit on a wire beyond the first */
} NetTorus;

enum { NET_TORUS_MAX_SIDE = 32 };

/* NULL and `error` if a number is out of range, or messages could wait for each other
 * in a cycle, which is then named. */
NetGraph *net_torus_create(const NetTorus *torus, JmError *error);
/* The same without looking for cycles: for tests. */
NetGraph *net_torus_create_unchecked(const NetTorus *torus, JmError *error);

/* The channel that leaves a processor, or NET_NONE: of dimension 1 (rows change) or 0,
 * up or down. */
uint32_t net_torus_channel(const NetGraph *graph, uint32_t processor,
                           unsigned dimension, bool up, unsigned lane);

#endif
