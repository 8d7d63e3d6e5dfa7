/* Parts of a machine for threads: ranges of nodes, and what their nodes left to do to
 * shared state. run/cycle.c explains them. */
#ifndef JM_MACHINE_SLAB_H
#define JM_MACHINE_SLAB_H

#include "emu/machine/machine.h"

/* A call that a node of a slab has made: an accepted send, or a write to the host
 * page. */
typedef struct {
    uint32_t node;    /* rank */
    uint32_t address; /* of the word in the host page; 0: it is a send */
    NodeSend send;
    JmWord word[2]; /* what is sent, or written */
} SlabCall;

/* A change of a node's network input. In a part of a cycle a node changes each of its
 * two inputs at most once for each word that arrives at it. */
enum { SLAB_NODE_GATES = 4 };
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
    SlabCall *call;      /* calls recorded in this cycle, at most one a node */
    size_t calls;
    SlabGate *gate; /* gates recorded in this cycle */
    size_t gates;
    uint32_t woken; /* nodes that went on the wheel, minus those that left it, modulo
                       2^32 */
    bool halted;    /* a node stopped */
    uint64_t alarm; /* the first alarm that its nodes have set, as Alarms.next */
} Slab;

#endif
