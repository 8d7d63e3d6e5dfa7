/* The words of memory that an instruction is about to read and write, from the tables:
 * its operand form and the memory column of ops.def. For the observing steps of
 * exec.c. */
#ifndef JM_NODE_ACCESSES_INLINE_H
#define JM_NODE_ACCESSES_INLINE_H

#include "emu/node/execute_inline.h"

/* The words that an instruction is about to read and write, from the tables. An ENTER
 * reads a row and writes a way of it, and its key may be in memory. */
typedef struct {
    unsigned count;
    struct {
        JmEventKind kind;
        JmAccess access;
        uint32_t address;
        JmWord word, old; /* read or to be written; WRITE: previous contents */
    } list[1 + NODE_ROW_WORDS + 2];
} Accesses;

static void add_access(Accesses *accesses, const Node *node, JmEventKind kind,
                       JmAccess access, uint32_t address, JmWord word) {
    const JmWord held = memory_read(&node->memory, address);
    accesses->list[accesses->count].kind = kind;
    accesses->list[accesses->count].access = access;
    accesses->list[accesses->count].address = address;
    accesses->list[accesses->count].word = kind == JM_EVENT_WRITE ? word : held;
    accesses->list[accesses->count++].old = held;
}

/* Adds an instruction's accesses to a row of the translation table: the way that holds
 * the key comes first. */
static void add_row(Accesses *accesses, const Step *s, JmWord key, bool enters) {
    const Node *node = s->node;
    const uint32_t row = node_table_row(node, key);
    const uint32_t way = node_enter_address(node, key);
    if ((s->checked && jm_tag(key) == JM_TAG_CFUT) ||
        (!enters && operand_mode(s) != JM_MODE_REG))
        return;
    for (uint32_t i = 0; i < NODE_ROW_WORDS; i++)
        add_access(accesses, node, JM_EVENT_READ, JM_ACCESS_TABLE,
                   (row | ((way + i) & (NODE_ROW_WORDS - 1))) & JM_ADDRESS_MASK,
                   JM_NIL);
    for (uint32_t i = 0; enters && i < 2; i++)
        add_access(accesses, node, JM_EVENT_WRITE, JM_ACCESS_TABLE,
                   (way + i) & JM_ADDRESS_MASK, i ? key : s->rs);
}

/* Adds an instruction's accesses besides its operand. */
static void add_implied(Accesses *accesses, const Step *s) {
    switch (jm_op_info(s->d->op)->memory) {
    case JM_MEMORY_ROW_OF_RS:
        add_row(accesses, s, s->rs, false);
        break;
    case JM_MEMORY_ROW_OF_OP0:
        add_row(accesses, s, s->op0, true);
        break;
    case JM_MEMORY_CALL_VECTOR:
        if (!s->checked || jm_tag(s->op0) == JM_TAG_INT)
            add_access(accesses, s->node, JM_EVENT_READ, JM_ACCESS_CALL_VECTOR,
                       call_vector(s), JM_NIL);
        break;
    case JM_MEMORY_NONE:
        break;
    }
}

/* Lists the accesses of an instruction, if an observer wants them. The Step is a copy,
 * whose operand is read only to get its address. */
static void list_accesses(Step s, Accesses *accesses) {
    const JmOp0Use use = jm_form_info(jm_op_info(s.d->op)->form)->op0;
    const unsigned mode = operand_mode(&s);
    const bool memory = mode == JM_MODE_INDEXED || mode == JM_MODE_OFFSET;
    const bool write = memory && use == JM_OP0_WRITE;
    const uint32_t mar = s.node->mar;
    const uint32_t wanted = 1u << JM_EVENT_READ | 1u << JM_EVENT_WRITE;
    accesses->count = 0;
    if (!(s.env->observed & wanted))
        return;
    const int outcome = write ? memory_operand(&s, true) : read_operand(&s);
    s.node->mar = mar;
    if (outcome != OUTCOME_DONE)
        return;
    if (write)
        add_access(accesses, s.node, JM_EVENT_WRITE, JM_ACCESS_OPERAND, s.address,
                   s.rs);
    else if (memory && use == JM_OP0_READ)
        add_access(accesses, s.node, JM_EVENT_READ, JM_ACCESS_OPERAND, s.address,
                   JM_NIL);
    if (memory && use == JM_OP0_READ)
        accesses->list[0].word = s.op0; /* the host page is not memory */
    add_implied(accesses, &s);
}

#endif
