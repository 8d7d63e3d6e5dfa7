/* The timing wheel: nodes by the cycle of their next boundary. It has more slots than
 * the longest instruction plus the farthest run ahead takes cycles, so each slot stands
 * for one cycle. */
#include <stdlib.h>

#include "emu/machine/machine.h"

bool wheel_init(Wheel *wheel, unsigned nodes, unsigned longest) {
    unsigned slots = 64;
    while (slots <= longest)
        slots *= 2;
    *wheel = (Wheel){.slots = slots, .words = (nodes + 63) / 64};
    wheel->bits = calloc((size_t)slots * wheel->words, sizeof *wheel->bits);
    wheel->sends = calloc((size_t)slots * wheel->words, sizeof *wheel->sends);
    wheel->used = calloc(slots, sizeof *wheel->used);
    return wheel->bits && wheel->sends && wheel->used;
}

void wheel_free(Wheel *wheel) {
    free(wheel->bits);
    free(wheel->sends);
    free(wheel->used);
}

void wheel_add(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_set(wheel, node, cycle);
    wheel->awake++;
}

/* Whether a cycle's slot holds nothing. Corrects `used`, which may be set although all
 * bits have been cleared. */
static bool is_empty(Wheel *wheel, uint64_t cycle) {
    const uint64_t *slot = wheel_slot(wheel, cycle);
    const uint64_t *sends = wheel_sends(wheel, cycle);
    if (!wheel_is_used(wheel, cycle))
        return true;
    for (unsigned w = 0; w < wheel->words; w++) {
        if (slot[w] | sends[w])
            return false;
    }
    wheel_mark_used(wheel, cycle, false);
    return true;
}

unsigned wheel_distance(Wheel *wheel, uint64_t now) {
    unsigned distance = 0;
    while (is_empty(wheel, now + distance))
        distance++;
    return distance;
}

unsigned wheel_take(Wheel *wheel, uint64_t cycle) {
    const uint64_t *slot = wheel_slot(wheel, cycle);
    const uint64_t *sends = wheel_sends(wheel, cycle);
    unsigned nodes = 0;
    if (!wheel_is_used(wheel, cycle))
        return 0;
    wheel_mark_used(wheel, cycle, false);
    for (unsigned w = 0; w < wheel->words; w++)
        nodes += (unsigned)__builtin_popcountll(slot[w] | sends[w]);
    return nodes;
}
