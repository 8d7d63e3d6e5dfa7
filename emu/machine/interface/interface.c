/* Actions that the nodes' network interfaces take by themselves, between two cycles. */
#include "emu/machine/interface/interface.h"

#include "emu/machine/interface/rts.h"
#include "emu/machine/interface/spill.h"

/* A node has one alarm: the earliest of its brake, its ring and its return-to-sender
 * unit. */
void interface_note_alarm(JmMachine *machine, const Node *node, uint64_t *next) {
    uint64_t cycle = node_alarm(node);
    if (machine->spills && spill_alarm(machine, node) < cycle)
        cycle = spill_alarm(machine, node);
    if (machine->rts && rts_alarm(machine, node) < cycle)
        cycle = rts_alarm(machine, node);
    alarms_set(&machine->alarms, node->rank, cycle);
    if (cycle < *next)
        *next = cycle;
}

/* Reports a brake that engages or releases if that changes the gate of queue 0. */
void interface_update_gates(JmMachine *machine, Node *node) {
    node->gate_changed = false;
    if (node->bounded)
        interface_note_alarm(machine, node, &machine->alarms.next);
    const bool open0 = node_gate_open(node, 0);
    if (open0 != node->priority[0].gate && node_input_braked(node, open0))
        interface_observe(machine, node, JM_EVENT_BRAKE, 0, !open0);
    for (unsigned p = 0; p < 2; p++) {
        const bool open = node_gate_open(node, p);
        if (open != node->priority[p].gate)
            net_set_gate(machine->netif->net, node->rank, p, open);
        node->priority[p].gate = open;
    }
}

/* Lets every part of a node's interface act that is due. Each may change the gates and
 * the alarm. */
static void answer(JmMachine *machine, Node *node) {
    node_release_brake(node, machine->now);
    if (machine->spills)
        spill_answer(machine, node);
    if (machine->rts)
        rts_answer(machine, node);
    if (node->gate_changed)
        interface_update_gates(machine, node);
    interface_note_alarm(machine, node, &machine->alarms.next);
}

void interface_ring(JmMachine *machine) {
    unsigned from = 0;
    while (alarms_take(&machine->alarms, machine->now, &from))
        answer(machine, &machine->node[from - 1]);
    if (machine->rts)
        rts_look(machine);
    netif_settle_gates(machine);
}

/* Alarms follow from the state of the nodes and are not saved. */
void interface_restore(JmMachine *machine) {
    alarms_clear(&machine->alarms);
    for (unsigned i = 0; i < machine->nodes; i++)
        interface_note_alarm(machine, &machine->node[i], &machine->alarms.next);
}

bool interface_acts(const JmMachine *machine) {
    return alarms_any(&machine->alarms) &&
           (machine->spills || machine->rts || !netif_is_quiet(machine));
}
