/* Helpers for all rooms: the timing wheel, alarms. */
#include <string.h>

#include "emu/machine/machine.h"

bool machine_has_pending(const Node *node) {
    const bool waits = node->posted || node_queue_length(node, 0) >= NODE_ROW_WORDS ||
                       node_queue_length(node, 1) >= NODE_ROW_WORDS;
    return node->asleep && !node->masked && waits;
}

bool machine_work(JmMachine *machine, HeapWork *work, void *context) {
    if (heap_work(machine->heap, work, context))
        return true;
    machine_starve(machine);
    return false;
}

/* ---- the timing wheel ------------------------------------------------------------ */

/* The timing wheel: nodes by the cycle of their next boundary. It has more slots than
 * the longest instruction plus the farthest run ahead takes cycles, so each slot stands
 * for one cycle. */

void wheel_init(Wheel *wheel, Heap *heap, unsigned nodes, unsigned longest) {
    unsigned slots = 64;
    while (slots <= longest)
        slots *= 2;
    *wheel = (Wheel){.slots = slots, .words = (nodes + 63) / 64};
    wheel->bits = heap_alloc(heap, sizeof *wheel->bits * slots * wheel->words);
    wheel->sends = heap_alloc(heap, sizeof *wheel->sends * slots * wheel->words);
    wheel->used = heap_alloc(heap, slots * sizeof *wheel->used);
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

/* ---- alarms ---------------------------------------------------------------------- */

void alarms_init(Alarms *alarms, Heap *heap, unsigned nodes) {
    *alarms = (Alarms){.next = NO_ALARM, .words = (nodes + 63) / 64};
    alarms->set = heap_alloc(heap, alarms->words * sizeof *alarms->set);
    alarms->cycle = heap_alloc(heap, nodes * sizeof *alarms->cycle);
}

void alarms_clear(Alarms *alarms) {
    alarms->next = NO_ALARM;
    memset(alarms->set, 0, alarms->words * sizeof *alarms->set);
}

static uint64_t earliest(const Alarms *alarms) {
    uint64_t next = NO_ALARM;
    for (unsigned w = 0; w < alarms->words; w++)
        for (uint64_t bits = alarms->set[w]; bits; bits &= bits - 1) {
            const uint64_t cycle =
                alarms->cycle[w * 64 + (unsigned)__builtin_ctzll(bits)];
            next = cycle < next ? cycle : next;
        }
    return next;
}

bool alarms_any(const Alarms *alarms) {
    for (unsigned w = 0; w < alarms->words; w++)
        if (alarms->set[w])
            return true;
    return false;
}

bool alarms_take(Alarms *alarms, uint64_t now, unsigned *from) {
    for (unsigned node = *from; node / 64 < alarms->words; node++) {
        const uint64_t left = alarms->set[node / 64] >> (node % 64);
        if (!left) {
            node |= 63;
            continue;
        }
        node += (unsigned)__builtin_ctzll(left);
        if (alarms->cycle[node] > now)
            continue;
        alarms->set[node / 64] &= ~(UINT64_C(1) << (node % 64));
        *from = node + 1;
        return true;
    }
    alarms->next = earliest(alarms);
    return false;
}
