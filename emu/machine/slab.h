/* Threads inside one machine. The nodes are cut into slabs by rank, each with a thread
 * of its own, for the two parts of a cycle in which nodes do not see each other:
 *
 *              slab 0         slab 1           alone
 *     nodes    |......|       |.....|            calls
 *                             then, by slab:          |...| network |....|
 *     words    |..|           |...|              gates     (of what was delivered)
 *
 * What a node does to what all share, a send, a write to the host, its gates, is noted
 * by its slab, and done when all slabs are through: by slab, in a slab as it came. That
 * is the order of ranks, as without threads, so nothing depends on how many there are.
 */
#ifndef JM_MACHINE_SLAB_H
#define JM_MACHINE_SLAB_H

#include "emu/jm.h"
#include "emu/node/env.h"

typedef struct Slabs Slabs;

/* A send that has been found good, or a write to the host page. */
typedef struct {
    uint32_t node;
    uint32_t address; /* 0: a send */
    uint8_t priority, count;
    bool opens, end;
    uint32_t place; /* as in NodeSend */
    JmWord words[2];
} SlabCall;

/* A node's network input is to be opened or closed. */
typedef struct {
    uint32_t node;
    uint8_t priority;
    bool open;
} SlabGate;

/* A range of nodes. Begins with a word of the wheel's slots. */
typedef struct {
    _Alignas(NODE_LINE_BYTES) JmMachine *machine;
    NodeEnv env;         /* its own; env.machine is the slab */
    unsigned first, end; /* ranks */
    SlabCall *call;
    size_t calls, call_capacity;
    SlabGate *gate;
    size_t gates, gate_capacity;
    int woken;   /* nodes that went on the wheel, less those that left it */
    bool halted; /* a node stopped */
} Slab;

/* For at most `threads` threads, as many as pay; NULL if that is one, or if there is no
 * memory for more. */
Slabs *slabs_create(JmMachine *machine, unsigned threads);
void slabs_destroy(Slabs *slabs); /* NULL is fine */

/* The nodes that are due in this cycle, as machine_run_slab() does it. */
void slabs_run(Slabs *slabs, uint64_t until);
/* The words that the network has delivered, as netif_deliver_slab() does it. */
void slabs_deliver(Slabs *slabs);

/* Notes for later a send that the network will take. */
void slab_note_send(Slab *slab, unsigned node, const NodeSend *send);
/* Notes for later what has changed in a node's gates. */
void slab_note_gates(Slab *slab, Node *node);

#endif
