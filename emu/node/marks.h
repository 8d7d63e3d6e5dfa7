/* Marks: the words and nodes that a debugger watches while nodes run ahead. For
 * emu/node, and for emu/machine and emu/debug, which set marks. */
#ifndef JM_NODE_MARKS_H
#define JM_NODE_MARKS_H

#include "emu/node/node.h"

enum { NODE_MARKS = (JM_ADDRESS_MASK + 1) / 64 }; /* uint64_t in a bit map of words */

/* Marks for a debugger. A run of plain instructions ends before one that touches a
 * mark, and exec.c executes it in its own cycle. A bit map that is NULL has no bit set,
 * unless its comment says otherwise. */
typedef struct NodeMarks {
    const uint64_t *code[2];  /* marked instructions: a bit for each word; [0] those in
                                 the high halves of words, [1] those in the low */
    bool any_code;            /* some bit of `code` is set */
    const uint64_t *data;     /* marked data: a bit for each word */
    uint32_t data_low;        /* lowest marked word of data */
    uint32_t data_words;      /* words from there to the highest; 0: none is marked */
    const uint64_t *nodes;    /* nodes that marks are for: bits by rank; NULL: all */
    const uint64_t *spied;    /* nodes whose registers are watched: bits by rank */
    uint32_t registers;       /* R0-R3, A0-A3 watched on spied nodes: bits by JmReg */
    const uint64_t *lockstep; /* nodes that must not run ahead: bits by rank */
    /* Called after exec.c has stepped a spied node. */
    void (*stepped)(void *context, const Node *node);
    void *context; /* first argument of stepped() */
} NodeMarks;

/* Whether bit `index` is set in a bit map by address or by rank; NULL: none is. */
static inline bool node_has_bit(const uint64_t *bits, uint32_t index) {
    return bits && bits[index / 64] >> (index % 64) & 1;
}

/* Whether an access to the word at `address` is an event: without marks every access
 * is; with marks only those to marked data. */
static inline bool node_sees_access(const NodeMarks *marks, uint32_t address) {
    return !marks || node_has_bit(marks->data, address);
}

/* Whether some word of a row of NODE_ROW_WORDS words is a marked instruction. */
static inline bool node_row_is_marked(const NodeMarks *marks, uint32_t row) {
    const uint32_t rows = 64 / NODE_ROW_WORDS; /* in a uint64_t */
    const uint64_t both = marks->code[0][row / rows] | marks->code[1][row / rows];
    const uint64_t bits = both >> row % rows * NODE_ROW_WORDS;
    return bits & ((1u << NODE_ROW_WORDS) - 1);
}

/* Whether the next instruction is marked. */
bool node_at_mark(const Node *node, const NodeMarks *marks);

#endif
