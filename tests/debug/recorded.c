#include "recorded.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "emu/machine/link/netif.h"
#include "emu/node/archive.h"

static uint64_t mixed(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x100000001B3);
}

/* A hash of the nodes and network as in a saved machine, and of the memory that the
 * program uses. */
uint64_t state_of(const JmMachine *machine) {
    Archive archive = jm_archive_save();
    uint64_t sum = mixed(machine->now, machine->moved);
    for (unsigned i = 0; i < NODES; i++) {
        node_archive(&archive, &machine->node[i], machine->now);
        for (uint32_t a = 0; a < MEMORY_USED; a++)
            sum = mixed(sum, jm_read(machine, i, a).bits);
    }
    netif_save(machine, &archive);
    for (size_t i = 0; i < archive.size; i++)
        sum = mixed(sum, archive.bytes[i]);
    jm_archive_free(&archive);
    return sum;
}

uint64_t recorded_state(Record *r, uint64_t cycle) {
    if (r->cached_cycle == cycle)
        return r->cached_state;
    jm_restore(r->rig->machine, r->past[cycle / EVERY]);
    jm_run(r->rig->machine, cycle);
    r->cached_cycle = cycle;
    return r->cached_state = state_of(r->rig->machine);
}

Rig *new_machine(void) {
    Rig *rig = rig_open(2, 2, 2, rig_traffic);
    jm_set_output(rig->machine, NULL, NULL);
    return rig;
}

static bool note(void *context, const JmEvent *event) {
    Record *r = context;
    if (r->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1 << 16;
        r->events = realloc(r->events, r->capacity * sizeof *r->events);
        cr_assert(r->events);
    }
    r->events[r->count++] = *event;
    return false;
}

static JmWord spied_register(const JmMachine *machine) {
    return jm_register(machine, SPIED, JM_CONTEXT_BACKGROUND, JM_REG_R1);
}

/* Nodes at a boundary: they issue an instruction or an inline constant, dispatch or
 * take a fault in the next cycle. Constants have no event. */
static uint8_t boundaries(const JmMachine *machine) {
    uint8_t found = 0;
    for (unsigned i = 0; i < NODES; i++) {
        const Node *node = &machine->node[i];
        if (node->runs && !node->asleep && node->ready == machine->now)
            found |= (uint8_t)(1u << i);
    }
    return found;
}

Record *record_run(void) {
    Record *r = calloc(1, sizeof *r);
    r->rig = new_machine();
    r->cached_cycle = UINT64_MAX;
    JmMachine *machine = r->rig->machine;
    jm_observe(machine, UINT32_MAX & ~(UINT32_C(1) << JM_EVENT_FLIT), note, r);
    for (uint64_t cycle = 0; cycle <= CYCLES; cycle++) {
        cr_assert_eq(jm_now(machine), cycle);
        if (cycle % EVERY == 0)
            r->past[cycle / EVERY] = jm_checkpoint(machine);
        r->spied[cycle] = spied_register(machine);
        r->boundary[cycle] = boundaries(machine);
        jm_run(machine, cycle + 1);
    }
    jm_observe(machine, 0, NULL, NULL);
    return r;
}

void record_free(Record *r) {
    for (size_t i = 0; i <= CYCLES / EVERY; i++)
        jm_checkpoint_free(r->past[i]);
    rig_close(r->rig);
    free(r->events);
    free(r);
}
