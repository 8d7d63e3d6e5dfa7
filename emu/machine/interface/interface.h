/* What the network interfaces of the nodes do by themselves, between two cycles
 * (emu/node/interface.def). For emu/machine. */
#ifndef JM_MACHINE_INTERFACE_H
#define JM_MACHINE_INTERFACE_H

#include "emu/machine/machine.h"

/* Sets the alarm of a node whose queue registers have changed; `next` as in Alarms: the
 * machine's, or that of a slab. */
void interface_note_alarm(JmMachine *machine, const Node *node, uint64_t *next);
/* Tells the network about the gates of a node whose queue registers changed. */
void interface_update_gates(JmMachine *machine, Node *node);
/* Answers the alarms of the cycle that begins; there are some. */
void interface_ring(JmMachine *machine);
/* Answers the alarms of the cycle that begins, at no cost while there are none. */
static inline void interface_look(JmMachine *machine) {
    if (__builtin_expect(machine->alarms.next <= machine->now, false))
        interface_ring(machine);
}
/* Sets the alarms that follow from the nodes' state. */
void interface_restore(JmMachine *machine);
/* Reports what an interface has done with `message` at priority 0, or that its input is
 * shut (count 1) or open, if the observer wants events of this kind. */
void interface_observe(const JmMachine *machine, const Node *node, JmEventKind kind,
                       uint32_t message, uint32_t count);
/* Whether an interface will do something that can move a flit. */
bool interface_acts(const JmMachine *machine);

#endif
