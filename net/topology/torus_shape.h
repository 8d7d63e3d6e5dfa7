/* The torus as shared by its files. Internal to torus.c, torus_routes.c and
 * torus_mirrors.c. */
#ifndef JM_NET_TOPOLOGY_TORUS_SHAPE_H
#define JM_NET_TOPOLOGY_TORUS_SHAPE_H

#include "net/topology/torus.h"

enum { DIRECTIONS = 4, MOST_WIRED = DIRECTIONS * NET_MAX_LANES };

typedef struct {
    NetTorus spec;
    unsigned classes;           /* of lanes: 2, or 1 without end-around wires */
    unsigned links;             /* terminals of a processor */
    uint32_t processors, wired; /* channels over wires; then the last channels */
    uint32_t *leads_to;         /* by channel over a wire: the processor at its end */
    uint32_t out[]; /* by processor * DIRECTIONS + direction: its first channel */
} Torus;

/* A direction: 2 * dimension, plus 1 downwards. */
static inline unsigned direction_of(unsigned dimension, bool up) {
    return 2 * dimension + !up;
}

static inline unsigned side_of(const Torus *torus, unsigned dimension) {
    return dimension ? torus->spec.rows : torus->spec.columns;
}

static inline unsigned digit_of(const Torus *torus, uint32_t processor,
                                unsigned dimension) {
    return dimension ? processor / torus->spec.columns
                     : processor % torus->spec.columns;
}

static inline uint32_t processor_at(const Torus *torus, unsigned row, unsigned column) {
    return row * torus->spec.columns + column;
}

/* The neighbour in a direction. */
static inline uint32_t neighbour(const Torus *torus, uint32_t processor,
                                 unsigned direction) {
    const unsigned dimension = direction / 2, side = side_of(torus, dimension);
    const unsigned at = digit_of(torus, processor, dimension);
    const unsigned to = (at + (direction % 2 ? side - 1 : 1)) % side;
    return dimension ? processor_at(torus, to, digit_of(torus, processor, 0))
                     : processor_at(torus, digit_of(torus, processor, 1), to);
}

static inline uint32_t last_channel(const Torus *torus, uint32_t processor) {
    return torus->wired + processor;
}

/* Sets the routing functions of a graph: torus_routes.c. */
void net_torus_set_routes(NetGraph *graph);
/* Sets its mirrors, if it has any: torus_mirrors.c. */
void net_torus_set_mirrors(NetGraph *graph);

#endif
