/* Helpers for all rooms: growing arrays, rewinding nodes. */
#include "emu/machine/machine.h"

#include <stdlib.h>
#include <string.h>

/* `items` is the address of a pointer of any type, so it is copied as bytes. */
bool machine_grow(void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return true;
    const size_t more = *capacity ? *capacity * 2 : 16;
    void *block;
    memcpy(&block, items, sizeof block);
    block = realloc(block, more * size);
    if (!block)
        return false;
    memcpy(items, &block, sizeof block);
    *capacity = more;
    return true;
}

void machine_rewind(JmMachine *machine, NodeEnv *env, Node *node, uint64_t cycle) {
    const uint64_t ready = node->ready;
    NodeAhead *ahead = &machine->ahead[node->rank];
    if (!node->ahead || ready <= cycle)
        return;
    while (ahead->sent < ahead->sends)
        wheel_clear_send(&machine->wheel, node->rank, ahead->send[ahead->sent++].cycle);
    node_rewind(node, env, ahead, cycle);
    if (machine->watch)
        machine_note_mark(machine, node);
    wheel_clear(&machine->wheel, node->rank, ready);
    wheel_set(&machine->wheel, node->rank, node->ready);
}

bool machine_has_pending(const Node *node) {
    const bool waits = node->posted || node_queue_length(node, 0) >= NODE_ROW_WORDS ||
                       node_queue_length(node, 1) >= NODE_ROW_WORDS;
    return node->asleep && !node->masked && waits;
}
