/* The timing wheel: nodes by the cycle of their next boundary. */
#include "emu/machine/machine.h"

#include <stdlib.h>

void wheel_init(Wheel *wheel, unsigned nodes, unsigned longest) {
    unsigned slots = 64;
    while (slots <= longest)
        slots *= 2;
    *wheel = (Wheel){.slots = slots, .words = (nodes + 63) / 64};
    wheel->bits = calloc((size_t)slots * wheel->words, sizeof *wheel->bits);
    wheel->count = calloc(slots, sizeof *wheel->count);
    if (!wheel->bits || !wheel->count)
        abort(); /* out of memory: nothing sensible can go on */
}

void wheel_free(Wheel *wheel) {
    free(wheel->bits);
    free(wheel->count);
}

void wheel_add(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_slot(wheel, cycle)[node / 64] |= UINT64_C(1) << (node % 64);
    wheel->count[cycle & (wheel->slots - 1)]++;
    wheel->total++;
}

void wheel_remove(Wheel *wheel, unsigned node, uint64_t cycle) {
    uint64_t *word = &wheel_slot(wheel, cycle)[node / 64];
    const uint64_t bit = UINT64_C(1) << (node % 64);
    if (!(*word & bit))
        return;
    *word &= ~bit;
    wheel->count[cycle & (wheel->slots - 1)]--;
    wheel->total--;
}

unsigned wheel_distance(const Wheel *wheel, uint64_t now) {
    unsigned distance = 0;
    while (!wheel->count[(now + distance) & (wheel->slots - 1)])
        distance++;
    return distance;
}
