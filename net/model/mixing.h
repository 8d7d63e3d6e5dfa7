/* Anderson mixing: accelerates the iteration y <- G(y) with the best combination of its
 * most recent steps (Anderson 1965). Internal to net/model. */
#ifndef JM_NET_MODEL_MIXING_H
#define JM_NET_MODEL_MIXING_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/heap.h"

enum { MIXING_DEPTH = 15 };

/* The most recent steps of an iteration. */
typedef struct {
    size_t count;        /* components of y */
    unsigned held, next; /* steps kept; where the next one goes */
    bool has_last;
    double *last_y, *last_f; /* f = G(y) - y */
    double *dy, *df; /* differences of successive y and f, MIXING_DEPTH of each */
    double gram[MIXING_DEPTH * MIXING_DEPTH]; /* products of the df */
} Mixing;

void mixing_create(Mixing *mixing, Heap *heap, size_t count);
/* Forgets all steps. */
void mixing_clear(Mixing *mixing);
/* Given y and G(y), puts the next y into `g`: G(y) less the combination of steps,
 * limited so that no component moves by more than 1 from y. */
void mixing_step(Mixing *mixing, const double *y, double *g);

#endif
