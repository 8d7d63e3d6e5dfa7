/* Translated rows of code. A *stretch* is the translation of one instruction row: for
 * each of its eight instructions the function that issues it in a run, its fields, and
 * the charges of it and those after it. So a run charges, and tests for its end, once
 * for several instructions.
 *
 * A stretch belongs to words, not to an address or a node: all nodes whose rows hold
 * these four words share it. Entering a row compares the words, so writes need not be
 * tracked; only a write to the row being executed leaves it.
 *
 *     row of memory == entry.word[4]? op[0] op[1] ... op[7] op[8]
 *                                       |  charge: up to the next that may leave
 *                                       +-> issues, then jumps to the function of op[1]
 *
 * For emu/node and emu/machine. */
#ifndef JM_NODE_PLAIN_STRETCH_H
#define JM_NODE_PLAIN_STRETCH_H

#include "emu/node/plain.h"

typedef struct NodeStretch NodeStretch;
typedef struct NodeEntry NodeEntry;

/* Issues one translated instruction of the row at env->run.at, then those after it. It
 * has been charged. */
typedef void NodeIssue(Context *context, NodeOp *op, NodeEnv *env);

enum { STRETCH_OPS = 2 * NODE_ROW_WORDS, STRETCH_COUNT = 1024, STRETCH_PLACES = 512 };

/* One translated instruction, an inline constant, or the transition to the next row:
 * one cache line. */
struct NodeOp {
    _Alignas(NODE_LINE_BYTES) NodeIssue *issue;
    JmDecoded d;    /* mode: without NODE_MODE_BY_BODY */
    JmWord literal; /* operand that is neither register nor memory; inline constant */
    const NodeEntry *guess; /* branch, next row: where it last led to; never NULL */
    NodeCharge charge; /* from here to the next that may leave, or after a branch not
                           taken */
    uint32_t cost;     /* cycles in `charge` */
    int32_t hop;       /* branch, next row: bytes from this row to its target's */
    uint16_t to;       /* branch, next row: bytes from op[0] of its row to its target */
    uint8_t slot;      /* place in the stretch: 0 to 7, and 8 behind them */
    uint8_t first;     /* class that fetching the row is charged to, if begun here */
};

/* What it takes to go to a word of the row from another row: one cache line. */
struct NodeEntry {
    /* The source words; a value that is not a word matches nothing. */
    _Alignas(NODE_LINE_BYTES) JmWord word[NODE_ROW_WORDS];
    NodeCharge charge; /* the row, and as NodeOp.charge */
    NodeOp *op;        /* first instruction of the target word */
    uint32_t cost;     /* cycles in `charge` */
};

struct NodeStretch {
    NodeOp op[STRETCH_OPS + 1];
    NodeEntry entry[NODE_ROW_WORDS]; /* by target word */
    NodeStretch *chain;              /* next with the same hash */
    uint8_t key;                     /* NodeCodePage.key of the runs it was made for */
};

/* The stretches of one thread of a machine. */
struct NodeStretches {
    NodeStretch none; /* matches no row */
    /* An instruction that is issued without those charged with it is copied to its slot
     * here; all other slots return to the stretch. */
    NodeOp copy[STRETCH_OPS + 1];
    NodeOp *copied;                      /* the slot in use */
    NodeOp *copied_from;                 /* the instruction in its stretch */
    uint32_t used;                       /* of `stretch` */
    NodeStretch *recent[STRETCH_PLACES]; /* by number of the row in the node */
    NodeStretch *hash[STRETCH_PLACES];   /* by words; NULL: none */
    NodeStretch stretch[STRETCH_COUNT];
};

/* Makes `stretch` the translation of four words, for the checks of the current run. */
void node_translate(NodeStretch *stretch, const NodeEnv *e, const JmWord *word);

/* Returns room for stretches, or NULL if there is no memory. The caller frees it with
 * free(). */
NodeStretches *node_stretches_new(void);

#endif
