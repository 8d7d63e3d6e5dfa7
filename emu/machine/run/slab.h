/* Threads inside one machine. The nodes are cut into slabs by rank, each with a thread
 * of its own, for the two parts of a cycle in which nodes do not see each other:
 *
 *              slab 0         slab 1           alone
 *     nodes    |......|       |.....|            calls
 *                             then, by slab:          |...| network |....|
 *     words    |..|           |...|              gates     (of what was delivered)
 *
 * A slab records what its nodes do to shared state (a send, a write to the host, its
 * gates), and it is done when all slabs have finished: slab by slab, within a slab in
 * the order of recording. That is the order of ranks, as without threads, so results do
 * not depend on the number of threads. */
#ifndef JM_MACHINE_RUN_SLAB_H
#define JM_MACHINE_RUN_SLAB_H

#include "emu/machine/machine.h"

/* A call that a node of a slab has made: an accepted send, or a write to the host
 * page. */
typedef struct {
    uint32_t node;    /* rank */
    uint32_t address; /* of the word in the host page; 0: it is a send */
    NodeSend send;    /* a write: its word is send.word[0] */
} SlabCall;

/* A change of a node's network input. */
typedef struct {
    uint32_t node;
    uint8_t priority;
    bool open;
} SlabGate;

/* A range of nodes, [first, end) by rank. It begins at a word of the wheel's slots. */
typedef struct {
    _Alignas(NODE_LINE_BYTES) JmMachine *machine;
    NodeEnv env;         /* the nodes' environment; env.machine is the slab */
    unsigned first, end; /* ranks */
    SlabCall *call;      /* calls recorded in this cycle */
    size_t calls, call_capacity;
    SlabGate *gate; /* gates recorded in this cycle */
    size_t gates, gate_capacity;
    int woken;      /* nodes that went on the wheel, minus those that left it */
    bool halted;    /* a node stopped */
    uint64_t alarm; /* the first alarm that its nodes have set, as Alarms.next */
} Slab;

/* Nodes of a slab that pay for another thread; its barriers cost about a
 * microsecond. */
enum { SLAB_NODES = 2048 };

/* Makes slabs for at most `threads` threads, so that each has `least` nodes or more.
 * NULL if that is one slab, or without memory: the machine then runs with one
 * thread. */
Slabs *slabs_create(JmMachine *machine, unsigned threads, unsigned least);
void slabs_destroy(Slabs *slabs); /* NULL is ignored */

/* Runs the nodes that are due in this cycle, each slab by machine_run_slab(). */
void slabs_run(Slabs *slabs, uint64_t until);
/* Delivers the words of the network cycle, each slab by netif_deliver_slab(). */
void slabs_deliver(Slabs *slabs);

/* Records a send that the network will take. */
void slab_note_send(Slab *slab, unsigned node, const NodeSend *send);
/* Records which gates of a node have changed. */
void slab_note_gates(Slab *slab, Node *node);

#endif
