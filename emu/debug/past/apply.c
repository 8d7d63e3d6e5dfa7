/* Applies manual changes to the machine: one case for each kind. */
#include <string.h>

#include "emu/debug/past/past.h"

/* Puts a message into a queue as if its last flits had arrived in the cycle before. */
static void put_message(JmMachine *machine, const Change *change) {
    Node *node = &machine->node[change->node];
    const uint64_t then = machine->now ? machine->now - 1 : 0;
    for (uint32_t i = 0; i < change->count; i++)
        node_receive(node, change->priority, &change->words[i], 1,
                     i + 1 == change->count, then);
    machine_touch(machine, change->node);
}

/* Replaces everything in a queue from word `first` on, and its length. */
static void put_queue(JmMachine *machine, const Change *change) {
    const Priority *queue = &machine->node[change->node].priority[change->priority];
    const uint32_t start = jm_field20(queue->qhl) + change->first;
    for (uint32_t i = 0; i < change->count; i++)
        jm_write(machine, change->node, node_queue_address(queue, start + i),
                 change->words[i]);
    const uint32_t qhl =
        (queue->qhl & ~(uint32_t)JM_LENGTH_MASK) | (change->first + change->count);
    jm_set_register(machine, change->node, (JmContext)change->priority, JM_REG_QHL,
                    jm_word(JM_TAG_ADDR, qhl));
}

void change_apply(JmMachine *machine, const Change *change) {
    switch (change->kind) {
    case CHANGE_REGISTER:
        jm_set_register(machine, change->node, change->context, change->reg,
                        change->word);
        break;
    case CHANGE_MEMORY:
        jm_write(machine, change->node, change->address, change->word);
        break;
    case CHANGE_MESSAGE:
        put_message(machine, change);
        break;
    case CHANGE_QUEUE:
        put_queue(machine, change);
        break;
    case CHANGE_WIRE:
        netif_block_link(machine, change->node, change->dimension, change->up,
                         change->blocked);
        machine_touch(machine, change->node);
        break;
    default:
        jm_post(machine, change->node, change->fault);
    }
}
