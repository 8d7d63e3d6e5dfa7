/* The torus as shared by its files. Internal to torus.c, torus_routes.c and
 * torus_mirrors.c. */
#ifndef JM_NET_TOPOLOGY_TORUS_SHAPE_H
#define JM_NET_TOPOLOGY_TORUS_SHAPE_H

#include "net/topology/torus.h"

enum { MOST_DIRECTIONS = 2 * NET_MAX_DIMENSIONS, PLACE_BITS = 8, DIGIT_MASK = 0x7F };

/* A *place* is the position of a dimension in the order of travel. Digits are packed by
 * place, a byte each; in an address the upper bit of a byte says that the message goes
 * down. */
typedef struct {
    NetTorus spec;
    unsigned classes;    /* of lanes: 2, or 1 without end-around wires */
    unsigned wire_lanes; /* of all priorities */
    unsigned links;      /* terminals of a processor */
    unsigned directions; /* 2 * dimensions */
    bool has_classes;    /* a message's class decides its ordered lane */
    unsigned place_of[NET_MAX_DIMENSIONS];
    uint32_t stride[NET_MAX_DIMENSIONS];
    uint32_t processors, wired; /* channels over wires; then the last channels */
    uint32_t *leads_to;         /* by channel over a wire: the processor at its end */
    uint32_t *digits;           /* by processor: its digits, packed */
    uint32_t out[]; /* by processor * directions + direction: its first channel */
} Torus;

/* A direction: 2 * dimension, plus 1 downwards. */
static inline unsigned direction_of(unsigned dimension, bool up) {
    return 2 * dimension + !up;
}

/* The digit at a place, of packed ones. */
static inline unsigned digit_at(uint32_t digits, unsigned place) {
    return digits >> PLACE_BITS * place & DIGIT_MASK;
}

static inline unsigned digit_of(const Torus *torus, uint32_t processor,
                                unsigned dimension) {
    return digit_at(torus->digits[processor], torus->place_of[dimension]);
}

/* The processor with another digit in one dimension. */
static inline uint32_t with_digit(const Torus *torus, uint32_t processor,
                                  unsigned dimension, unsigned digit) {
    return processor +
           (digit - digit_of(torus, processor, dimension)) * torus->stride[dimension];
}

/* The neighbour in a direction. */
static inline uint32_t neighbour(const Torus *torus, uint32_t processor,
                                 unsigned direction) {
    const unsigned dimension = direction / 2, side = torus->spec.side[dimension];
    const unsigned at = digit_of(torus, processor, dimension);
    return with_digit(torus, processor, dimension,
                      (at + (direction % 2 ? side - 1 : 1)) % side);
}

/* The direction of a channel over a wire. */
static inline unsigned channel_direction(const NetGraph *graph, uint32_t channel) {
    return graph->group[graph->wire[channel]];
}

/* Whether a wire leaves a processor in a direction. `ends` are the end-around wires. */
static inline bool has_wire(const Torus *torus, uint32_t processor,
                            unsigned direction) {
    const unsigned dimension = direction / 2;
    const bool down = direction % 2;
    if ((torus->spec.one_way && !down) || torus->spec.side[dimension] == 1)
        return false;
    const unsigned at = digit_of(torus, processor, dimension);
    return torus->spec.ends || at != (down ? 0 : torus->spec.side[dimension] - 1);
}

/* The channels out of a processor in a direction, of a priority. */
static inline uint32_t first_lane(const Torus *torus, uint32_t processor,
                                  unsigned direction, unsigned priority) {
    return torus->out[processor * torus->directions + direction] +
           priority * torus->spec.lanes;
}

static inline uint32_t last_channel(const Torus *torus, uint32_t processor,
                                    unsigned priority) {
    return torus->wired + processor * torus->spec.priorities + priority;
}

/* Sets the routing functions of a graph: torus_routes.c. */
void net_torus_set_routes(NetGraph *graph);
/* Sets its mirrors, if it has any: torus_mirrors.c. */
void net_torus_set_mirrors(NetGraph *graph);

#endif
