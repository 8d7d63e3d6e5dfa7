/* Actions that the nodes' network interfaces take by themselves, between two cycles
 * (emu/node/interface.def). For emu/machine. */
#ifndef JM_MACHINE_INTERFACE_H
#define JM_MACHINE_INTERFACE_H

#include "emu/machine/machine.h"

/* Sets the alarm of a node whose queue registers have changed; `next` as in Alarms: the
 * machine's, or that of a slab. */
void interface_note_alarm(JmMachine *machine, const Node *node, uint64_t *next);
/* Updates the network's gates for a node whose queue registers changed. */
void interface_update_gates(JmMachine *machine, Node *node);
/* Handles the alarms of the cycle that begins; there are some. */
void interface_ring(JmMachine *machine);
/* Handles the alarms of the cycle that begins, at no cost while there are none. */
static inline void interface_look(JmMachine *machine) {
    if (__builtin_expect(machine->alarms.next <= machine->now, false))
        interface_ring(machine);
}
/* Sets the alarms that follow from the nodes' state. */
void interface_restore(JmMachine *machine);
/* Reports an action of an interface on `message` at priority 0, or that its input is
 * shut (count 1) or open, if the observer wants events of this kind. */
static inline void interface_observe(const JmMachine *machine, const Node *node,
                                     JmEventKind kind, uint32_t message,
                                     uint32_t count) {
    if (!(machine->observed >> kind & 1))
        return;
    machine->env.observe(machine->env.machine,
                         &(JmEvent){.kind = kind,
                                    .cycle = machine->now,
                                    .node = node->rank,
                                    .context = (JmContext)node->running,
                                    .message = message,
                                    .count = count,
                                    .by_network = true});
}
/* Whether an interface will take an action that can move a flit. */
bool interface_acts(const JmMachine *machine);

#endif
