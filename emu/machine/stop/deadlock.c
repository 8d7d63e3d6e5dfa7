/* Deadlock: for `deadlock_cycles` nothing has moved that could end it, and no node is
 * about to change that.
 *
 * The machine checks only when no flit has moved for that long; what nodes did
 * meanwhile is then read from their state, so the rule costs nothing while flits move.
 * The cycle of the check depends only on the machine's state, and so does the stop:
 * threads, observers and ends of runs do not affect it. */
#include "emu/machine/stop/deadlock.h"

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Returns the last cycle in which a node with a message open has executed anything
 * outside the handler of a SEND fault, which only tries again. Such progress may end
 * the message. */
static uint64_t busy_until(const JmMachine *machine, const Node *node) {
    if (node_repeats_send(node))
        return node->busy_until;
    if (!node->runs)
        return node->stop.cycle;
    return node->asleep ? node->ready : machine->now;
}

bool machine_is_deadlocked(JmMachine *machine) {
    for (unsigned i = 0; i < machine->nodes; i++)
        machine_rewind(machine, &machine->env, &machine->node[i], machine->now);
    netif_note_closed(machine);
    uint64_t moved = later(machine->moved, machine->closed);
    for (unsigned i = 0; i < machine->nodes; i++) {
        const Node *node = &machine->node[i];
        if (node->send_open)
            moved = later(moved, busy_until(machine, node));
    }
    const bool nothing = moved >= machine->now || !netif_flits_wait(machine);
    machine->moved = nothing ? machine->now : moved;
    return machine->now - machine->moved >= machine->config.deadlock_cycles;
}

/* ---- at rest --------------------------------------------------------------------- */

/* A queue counts if the node would take its message but cannot. The network counts its
 * own contents, including words being gathered into a row. */
uint32_t machine_words_left(const JmMachine *machine, const Node *node, unsigned place,
                            const char **text) {
    static const char *const in_queue[] = {"in queue 0 wait", "in queue 1 wait"};
    if (place < 2) {
        *text = in_queue[place];
        return machine_has_pending(node) ? node_queue_length(node, place) : 0;
    }
    if (!machine->unit || !machine->unit->place[place - 2].text)
        return 0;
    *text = machine->unit->place[place - 2].text;
    return machine->unit->place[place - 2].words(machine, node);
}

bool machine_leaves(const JmMachine *machine, const Node *node) {
    bool left = machine_has_pending(node);
    const char *text;
    for (unsigned i = 0; i < REST_PLACES && !left; i++)
        left = machine_words_left(machine, node, i, &text) > 0;
    return left;
}

bool machine_is_left(const JmMachine *machine) {
    bool left = netif_has_messages(machine);
    for (unsigned i = 0; i < machine->nodes && !left; i++)
        left = machine_leaves(machine, &machine->node[i]);
    return left;
}
