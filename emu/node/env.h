/* The environment of a node, through which it reaches everything outside itself, and
 * steps and runs in it. For emu/node and emu/machine. */
#ifndef JM_NODE_ENV_H
#define JM_NODE_ENV_H

#include "emu/node/plain.h"

/* For the hottest functions, which must be inlined wherever they are called. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Everything a node reaches outside itself; one for each thread of a machine. */
struct NodeEnv {
    void *machine;            /* first argument of the functions below */
    const JmDecoded *code;    /* decoded instructions: JM_DECODE_PATTERNS entries */
    uint32_t cost_base;       /* cycles of one without an operand in memory */
    uint32_t cost_read;       /* of one that reads an operand on chip */
    uint32_t cost_write;      /* of one that writes an operand on chip */
    uint32_t cost_jump;       /* of a jump */
    uint32_t cost_constant;   /* of an inline constant */
    bool plain;               /* none of these costs is 0, so runs are possible */
    NodeRun run;              /* the current run */
    NodeStretches *stretches; /* translated rows */
    JmTiming timing;          /* cycles of everything else */
    bool host_page;           /* the words at NODE_HOST_PAGE are the host's */
    const NodeMarks *marks;   /* NULL: none; with marks, steps of exec.c are observed */
    uint64_t now;             /* the cycle being executed */
    bool boundary;    /* set by whatever ends a run ahead: a send, the host, a stop */
    bool sends_ahead; /* SENDs may be issued ahead of their cycle */
    bool opens_ahead; /* so may those that open a message */
    const uint8_t *places[2]; /* by priority and rank: words in the output buffers */
    uint32_t buffer_words;    /* places of an output buffer */
    uint32_t size[3];         /* nodes of the machine in x, y, z */

    /* Offers `count` words (1 or 2) to the output buffer of `priority`: all or none.
     * `opens`: the first is a routing word. */
    NodeSendResult (*send)(void *machine, Node *node, unsigned priority,
                           const JmWord *words, unsigned count, bool opens, bool end);
    /* Reads a word of the host's page. */
    JmWord (*host_read)(void *machine, Node *node, uint32_t address);
    /* Writes a word of the host's page. */
    void (*host_write)(void *machine, Node *node, uint32_t address, JmWord word);
    /* Takes an event. Only node_step_observed() calls it. */
    void (*observe)(void *machine, const JmEvent *event);
    uint32_t observed; /* kinds of events that are wanted: bit 1 << JmEventKind */
};

/* Returns the free places of a node's output buffer in this cycle. */
static inline unsigned node_room(const NodeEnv *env, const Node *node,
                                 unsigned priority) {
    return env->buffer_words - env->places[priority][node->rank];
}

/* Fills in the charges and costs of `env` from env->timing. */
void node_env_costs(NodeEnv *env);

/* Executes one boundary at env->now: an interrupt, a QUEUE fault, a dispatch, or one
 * instruction. Sets node->ready and charges the cycles. The node must run and be
 * awake. */
void node_step(Node *node, NodeEnv *env);
/* Executes one boundary as node_step() does, and calls env->observe with its events. */
void node_step_observed(Node *node, NodeEnv *env);
/* Executes the boundary that dispatches the most urgent message, which is of
 * `priority`. Its header must be valid. */
void node_dispatch_next(Node *node, NodeEnv *env, unsigned priority);

/* Executes boundary after boundary from node->ready on, until one is due at `until` or
 * later or env->boundary is set. Nothing may arrive meanwhile. A changed queue sets
 * env->boundary too: its gate belongs to the network step of that very cycle, in which
 * numbers of delivered messages become free. Leaves env->now at the last cycle in which
 * nothing is left to do. */
void node_run(Node *node, NodeEnv *env, uint64_t until);

/* Executes the boundary at env->now, then plain instructions that are due before
 * `until`; node->ahead says whether there were any. To show the node's state in
 * between, call node_rewind() first. */
void node_run_ahead(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until);
/* Rewinds a node that has run ahead to its first boundary at `cycle` or later. */
void node_rewind(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t cycle);

#endif
