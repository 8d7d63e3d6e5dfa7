/* What a node did ahead of the machine's cycle, so that it can be undone: the state it
 * began with, the words it overwrote, and its SENDs, which the network sees when they
 * are due (ahead.c). For emu/node and emu/machine. */
#ifndef JM_NODE_AHEAD_H
#define JM_NODE_AHEAD_H

#include "emu/node/node.h"

enum {
    NODE_AHEAD_WRITES = 60, /* words that a run may overwrite before it must end */
    NODE_AHEAD_SENDS = 8,   /* SENDs that a run may issue before it must end */
    NODE_PLAIN_CLASSES = JM_CLASS_CONSTANT + 1, /* classes of plain instructions */
    NODE_INSTRUCTIONS = JM_CLASS_SUSPEND /* in NodeCharge: not a class that occurs in a
                                            run */
};

/* The charges of instructions: cycles by class, and in lane NODE_INSTRUCTIONS the
 * number completed. Runs are short enough for lanes of 16 bits, so the host adds all of
 * them at once. */
typedef struct {
    _Alignas(16) uint16_t lane[NODE_PLAIN_CLASSES];
} NodeCharge;

/* A word of memory before it was overwritten. */
typedef struct {
    JmWord *where; /* host address of the word */
    JmWord old;    /* value before */
} NodeWrite;

/* A SEND that was issued ahead: the machine offers its words when it is due. They
 * follow those of the SEND before (NodeAhead.word). */
typedef struct {
    uint64_t cycle;   /* cycle in which it is due */
    uint8_t priority; /* of the message */
    uint8_t count;    /* words that it sends: 1 or 2 */
    bool opens;       /* the first is the routing word of a new message */
    bool end;         /* the last word ends the message */
    uint32_t place;   /* `end`: of this SEND (emu/node/place.h) */
} NodeSend;

/* A run ahead: the node's state when it began, and its actions since. */
typedef struct {
    /* Saved by every run, in two cache lines: the fields of Node and Context of the
     * same names. */
    _Alignas(NODE_LINE_BYTES) Context context; /* registers of the context that ran */
    uint64_t ready;
    uint32_t mar;
    int32_t fetch_row;
    uint32_t qhl[2];          /* QHL of both queues as the node has seen them */
    uint32_t dispatch_cycles; /* dispatched: cycles charged for the dispatch */
    uint8_t last_class;
    uint8_t send_open;
    uint8_t redirected;
    uint8_t running; /* context that ran: a JmContext */
    bool masked;     /* I flag */
    bool dispatched; /* the run began with a dispatch */
    uint8_t p;       /* dispatched: P flag before the dispatch */
    bool background; /* dispatched: B flag before the dispatch */
    bool over_b;     /* dispatched: Priority.over_b before the dispatch */
    bool q;          /* dispatched: Priority.q before the dispatch */
    bool again;      /* the run is being reissued: its sends are recorded already */
    uint8_t writes;  /* entries of `write` in use */
    uint8_t sends;   /* entries of `send` in use */
    uint8_t sent;    /* entries of `send` that the machine has taken */
    uint8_t words;   /* words of these */
    /* SENDs issued, oldest first, and their words. The charges take
     * one with the first words overwritten. */
    _Alignas(NODE_LINE_BYTES) NodeSend send[NODE_AHEAD_SENDS];
    JmWord word[2 * NODE_AHEAD_SENDS + NODE_ROW_WORDS]; /* more than they have */
    NodeCharge charged;                                 /* as in NodeRun */
    NodeWrite write[NODE_AHEAD_WRITES]; /* words overwritten, oldest first */
} NodeAhead;

/* Notes that the machine has taken the next SENDs, of so many words. */
static inline void node_note_taken(NodeAhead *ahead, unsigned sends, unsigned words) {
    ahead->sent = (uint8_t)(ahead->sent + sends);
    ahead->words = (uint8_t)(ahead->words + words);
}

/* Whether a row that arrives for `priority` in cycle `now` can change what the node has
 * done ahead: if so the node must be rewound before the row is written. */
bool node_row_disturbs(const Node *node, unsigned priority, uint64_t now);

#endif
