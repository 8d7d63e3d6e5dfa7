/* Actions that the nodes' network interfaces take by themselves, between two cycles. */
#include "emu/machine/link/interface.h"

#include "emu/machine/link/rts.h"
#include "emu/machine/link/spill.h"

static const InterfaceUnit *const units[] = {&interface_spills, &interface_returns};

void interface_create(JmMachine *machine) {
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i]->wanted(&machine->config.interface))
            machine->unit = units[i];
    if (machine->unit)
        machine->unit->create(machine);
}

/* A node has one alarm: the earlier of its brake and its unit. */
void interface_note_alarm(JmMachine *machine, const Node *node, uint64_t *next) {
    uint64_t cycle = node_alarm(node);
    if (machine->unit && machine->unit->alarm(machine, node) < cycle)
        cycle = machine->unit->alarm(machine, node);
    alarms_set(&machine->alarms, node->rank, cycle);
    if (cycle < *next)
        *next = cycle;
}

/* Records a gate, to be applied when all slabs have finished. */
static void note_gate(Slab *slab, const Node *node, unsigned priority, bool open) {
    JM_HOT_ASSERT(slab->gates < (slab->end - slab->first) * SLAB_NODE_GATES);
    slab->gate[slab->gates++] =
        (SlabGate){.node = node->rank, .priority = (uint8_t)priority, .open = open};
}

/* Reports a brake that engages or releases if that changes the gate of queue 0. */
void interface_update_gates(JmMachine *machine, Slab *slab, Node *node) {
    node->gate_changed = false;
    if (node->bounded)
        interface_note_alarm(machine, node,
                             slab ? &slab->alarm : &machine->alarms.next);
    for (unsigned p = 0; p < 2; p++) {
        const bool open = node_gate_open(node, p);
        if (open == node->priority[p].gate)
            continue;
        if (p == 0 && node_input_braked(node, open))
            interface_observe(machine, node, JM_EVENT_BRAKE, 0, !open);
        node->priority[p].gate = open;
        if (slab)
            note_gate(slab, node, p, open);
        else
            netif_set_gate(machine, node->rank, p, open);
    }
}

/* Lets brake and unit of a node act. Each may change the gates and the alarm. */
static void act(JmMachine *machine, Node *node) {
    node_release_brake(node, machine->now);
    if (machine->unit)
        machine->unit->act(machine, node);
    if (node->gate_changed)
        interface_update_gates(machine, NULL, node);
    interface_note_alarm(machine, node, &machine->alarms.next);
}

void interface_ring(JmMachine *machine) {
    unsigned from = 0;
    while (alarms_take(&machine->alarms, machine->now, &from))
        act(machine, &machine->node[from - 1]);
    if (machine->unit && machine->unit->look)
        machine->unit->look(machine);
    netif_settle_gates(machine);
}

/* Alarms follow from the state of the nodes and are not saved. */
void interface_restore(JmMachine *machine) {
    alarms_clear(&machine->alarms);
    for (unsigned i = 0; i < machine->nodes; i++)
        interface_note_alarm(machine, &machine->node[i], &machine->alarms.next);
}

bool interface_acts(const JmMachine *machine) {
    return alarms_any(&machine->alarms) && (machine->unit || !netif_is_quiet(machine));
}
