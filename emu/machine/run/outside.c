/* Operations on a machine from outside, between two runs: touching and starting nodes,
 * observers and watches. */
#include "emu/machine/calls_inline.h"
#include "emu/machine/link/interface.h"
#include "emu/machine/run/run.h"

void machine_start(JmMachine *machine, unsigned node) {
    Node *n = &machine->node[node];
    if (n->stop.why != NODE_NOT_STARTED)
        return;
    n->stop.why = NODE_RUNS;
    n->runs = true;
    n->ready = machine->now;
    n->statistics.cycles[JM_CLASS_IDLE] +=
        machine->now; /* it has been idle until now */
    node_update(n);
    wheel_add(&machine->wheel, node, n->ready);
    machine_touch(machine, node);
}

void machine_touch(JmMachine *machine, unsigned node) {
    Node *n = &machine->node[node];
    if (n->asleep) {
        node_wake(n, machine->now);
        wheel_add(&machine->wheel, node, n->ready);
    }
    node_forget_row(n);
    node_update(n);
    interface_update_gates(machine, NULL, n);
    netif_settle_gates(machine);
    if (machine->stop != JM_STOP_NONE) { /* not in the middle of a cycle */
        machine->stop = JM_STOP_NONE;
        machine->exit_seen = machine->halt_seen = machine->break_seen = false;
    }
    machine->moved = machine->now;
}

void jm_start(JmMachine *machine, unsigned node) {
    call_changes(machine);
    call_node(machine, node);
    machine_start(machine, node);
}

void jm_post(JmMachine *machine, unsigned node, JmFault fault) {
    call_changes(machine);
    call_node(machine, node);
    assert(fault == JM_FAULT_INTERRUPT || fault == JM_FAULT_DRAMERR);
    machine->node[node].posted |= JM_FAULT_BIT(fault);
    machine_touch(machine, node);
}

/* Any watch ends. */
bool jm_observe(JmMachine *machine, uint32_t kinds, JmObserver *observer,
                void *context) {
    call_changes(machine);
    const bool flits = observer && kinds >> JM_EVENT_FLIT & 1;
    const bool good = netif_observe_flits(machine, flits);
    machine->observer = good ? observer : NULL;
    machine->observer_context = context;
    machine->observed = machine->env.observed = machine->observer ? kinds : 0;
    machine->watch = NULL;
    machine->env.marks = NULL;
    return good;
}

void machine_watch(JmMachine *machine, const MachineWatch *watch) {
    jm_observe(machine, watch ? watch->kinds : 0, watch ? watch->observer : NULL,
               watch ? watch->context : NULL);
    machine->watch = watch;
    machine->env.marks = watch ? &watch->marks : NULL;
}
