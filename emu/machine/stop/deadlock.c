/* Deadlock: for `deadlock_cycles` nothing has moved that could end it, and no node is
 * about to change that.
 *
 * The machine asks only when no flit has moved for so long; what nodes did meanwhile is
 * then read from their state, so the rule costs nothing while flits move. The cycle in
 * which it asks depends on the machine's state alone, and so does the stop: threads,
 * observers and ends of runs do not show in it. */
#include "emu/machine/stop/deadlock.h"

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns up to which cycle a node with a message open has executed anything outside
 * the handler of a SEND fault, which only tries again. Progress there may end the
 * message. */
static uint64_t busy_until(const JmMachine *machine, const Node *node) {
    if (node_repeats_send(node))
        return node->busy_until;
    if (!node->runs)
        return node->stop.cycle;
    return node->asleep ? node->ready : machine->now;
}

bool machine_is_deadlocked(JmMachine *machine) {
    uint64_t moved = later(machine->moved, machine->closed);
    for (unsigned i = 0; i < machine->nodes; i++) {
        Node *node = &machine->node[i];
        machine_rewind(machine, &machine->env, node, machine->now);
        if (node->send_open)
            moved = later(moved, busy_until(machine, node));
    }
    const bool nothing = moved >= machine->now || !netif_flits_wait(machine);
    machine->moved = nothing ? machine->now : moved;
    return machine->now - machine->moved >= machine->config.deadlock_cycles;
}
