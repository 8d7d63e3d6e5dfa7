/* Operands of the instructions of a run: on-chip reads and writes, and what depends on
 * the operand form. An operand elsewhere, or one that faults, is refused here, and left
 * to a slower path. */
#ifndef JM_NODE_PLAIN_OPERAND_INLINE_H
#define JM_NODE_PLAIN_OPERAND_INLINE_H

#include "emu/node/plain/plain_inline.h"

/* ---- operands -------------------------------------------------------------------- */

/* Begins an instruction of a run: no operand yet, Rs read. */
ALWAYS_INLINE Step begin(Context *c, const JmDecoded *d, NodeEnv *e, bool checked) {
    Step s;
    s.node = e->run.node;
    s.env = e;
    s.context = c;
    s.d = d;
    s.checked = checked;
    s.in_place = false;
    s.ip = JM_IP_ABSOLUTE; /* as for every IP here; no translated body uses more */
    s.external = s.access = s.address = s.cycles = 0;
    s.op0 = JM_NIL;
    s.rs = c->r[d->rs];
    return s;
}

/* Whether an address is in the smallest range that holds all memory the network may
 * write while the node runs ahead, and all marked data. One comparison, for the hot
 * path; operand_is_plain() then checks exactly. */
ALWAYS_INLINE bool is_guarded(const NodeRun *run, uint32_t address) {
    return address - run->guard_low < run->guard_words;
}

/* Reads an operand on chip. Leaves MAR to the caller, who sets it when the instruction
 * is known not to fault. Returns false if the operand is elsewhere, or faults. */
ALWAYS_INLINE bool load_onchip(Step *s) {
    uint32_t address;
    bool queued;
    if (UNLIKELY(locate_operand(s, false, &address, &queued) != OUTCOME_DONE))
        return false;
    if (UNLIKELY(address >= MEMORY_EXTERNAL))
        return false;
    /* A queued message has arrived: the network leaves it alone. */
    if (UNLIKELY(is_guarded(&s->env->run, address)) && (!queued || s->env->run.marks))
        return false;
    s->address = address;
    s->op0 = memory_read(&s->node->memory, address);
    return true;
}

/* Returns the host address of a word on chip. */
ALWAYS_INLINE JmWord *onchip_word(const Node *node, uint32_t address) {
    return &node->memory.low[address >> MEMORY_PAGE_BITS][address % MEMORY_PAGE_WORDS];
}

enum { ONE_BASE = 1 << 10 }; /* of an ADDR: a base of one word */

/* Finds the address of [offset, A1] or [offset, A2], above the words that the priority
 * switch exchanges and before `end`, and sets s->address. Returns false if it lies
 * elsewhere, is guarded, or the access faults. Only A3 can point into the queue, and
 * only A0 gives absolute addresses. */
ALWAYS_INLINE bool locate_in_segment(Step *s, uint32_t end) {
    const NodeRun *run = &s->env->run;
    const uint32_t a = jm_data(s->context->a[s->d->areg]);
    const uint32_t offset = (uint32_t)s->d->value;
    /* Length 0 means no limit: minus one it is the largest number. */
    const uint32_t last = jm_field10(a) - 1;
    /* The base with the I bit, which is right above it: with I = 1, or if it would
     * wrap, it is beyond `end`. */
    const uint32_t address = (a & ~JM_ADDR_RELOCATABLE) / ONE_BASE + offset;
    s->address = address;
    return !(UNLIKELY(offset > last) ||
             UNLIKELY(address - NODE_SWITCHED >= end - NODE_SWITCHED) ||
             UNLIKELY(is_guarded(run, address)));
}

/* Records the word that a write destroys, for a rewind. Returns false if the record is
 * full; then the run must end. A run that need not be undone records too, always in the
 * same place. */
ALWAYS_INLINE bool record_write(NodeRun *run, JmWord *where) {
    NodeWrite *record = run->record;
    if (UNLIKELY(record == run->record_end)) {
        if (run->ahead)
            return false;
        record = run->unused;
    }
    *record = (NodeWrite){where, *where};
    run->record = record + 1;
    return true;
}

/* Writes Rs on chip, to a page that the node does not share. Returns the word's host
 * address, or NULL if it lies elsewhere, or the write faults. */
ALWAYS_INLINE JmWord *store_onchip(Step *s) {
    uint32_t address;
    bool queued;
    if (UNLIKELY(locate_operand(s, true, &address, &queued) != OUTCOME_DONE))
        return NULL;
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    const Memory *memory = &s->node->memory;
    if (UNLIKELY(address >= MEMORY_ROM || !memory_owns_low(memory, page)))
        return NULL;
    if (UNLIKELY(queued || is_guarded(&s->env->run, address)))
        return NULL;
    JmWord *where = &memory->low[page][address % MEMORY_PAGE_WORDS];
    if (UNLIKELY(!record_write(&s->env->run, where)))
        return NULL;
    s->node->mar = address;
    *where = s->rs;
    return where;
}

#define JM_MODE_AREG JM_MODE_REG
#define JM_MODE_SEGMENT JM_MODE_OFFSET
#define JM_MODE_QUEUE JM_MODE_OFFSET

/* The same for [offset, A1] and [offset, A2]. */
ALWAYS_INLINE JmWord *store_segment(Step *s) {
    if (UNLIKELY(!locate_in_segment(s, MEMORY_ROM)) ||
        UNLIKELY(!memory_owns_low(&s->node->memory, s->address >> MEMORY_PAGE_BITS)))
        return NULL;
    JmWord *where = onchip_word(s->node, s->address);
    if (UNLIKELY(!record_write(&s->env->run, where)))
        return NULL;
    s->node->mar = s->address;
    *where = s->rs;
    return where;
}

/* Reads [offset, A1] or [offset, A2]; false if it must be issued
 * alone. */
ALWAYS_INLINE bool load_segment(Step *s) {
    if (UNLIKELY(!locate_in_segment(s, MEMORY_EXTERNAL)))
        return false;
    s->op0 = *onchip_word(s->node, s->address);
    return true;
}

/* Reads [offset, A3], usually a word of the current message; false if it must be
 * issued alone. */
ALWAYS_INLINE bool load_queue(Step *s) {
    const NodeRun *run = &s->env->run;
    const Priority *task = run->task;
    if (UNLIKELY(!task))
        return load_segment(s);
    const uint32_t a = jm_data(s->context->a[3]);
    const uint32_t offset = (uint32_t)s->d->value;
    const uint32_t last = jm_field10(a) - 1; /* length 0 means no limit */
    s->address = node_queue_address(task, jm_field20(a) + offset);
    if (UNLIKELY(a & JM_ADDR_INVALID) || UNLIKELY(offset > last) ||
        UNLIKELY(offset >= jm_field10(task->qhl)) ||
        UNLIKELY(s->address >= MEMORY_EXTERNAL) || UNLIKELY(run->marks))
        return false;
    s->op0 = *onchip_word(s->node, s->address);
    return true;
}

/* ---- what depends on the operand form -------------------------------------------- */

/* Fixes the operand form of a translated instruction for the compiler. */
#define ASSUME_FORM(form)                                                              \
    do {                                                                               \
        if (op->d.mode != JM_MODE_##form)                                              \
            __builtin_unreachable();                                                   \
    } while (0)

/* An immediate. The compiler knows its tag where tags are checked. */
ALWAYS_INLINE JmWord immediate(const NodeOp *op, bool checked) {
    return checked ? jm_int((int32_t)jm_data(op->literal)) : op->literal;
}

/* OPERAND_form: reads op0; false if the instruction must be issued alone. */
#define OPERAND_REG (s.op0 = c->r[op->d.reg], true)
#define OPERAND_AREG (s.op0 = c->a[op->d.reg - 4], true)
#define OPERAND_CONSTANT (s.op0 = op->literal, true)
#define OPERAND_IMMEDIATE (s.op0 = immediate(op, s.checked), true)
#define OPERAND_INDEXED load_onchip(&s)
#define OPERAND_OFFSET load_onchip(&s)
#define OPERAND_SEGMENT load_segment(&s)
#define OPERAND_QUEUE load_queue(&s)

/* SET_MAR_form: the effect on MAR of a function of that operand form that is certain
 * not to fault. */
#define SET_MAR_REG (void)0
#define SET_MAR_AREG (void)0
#define SET_MAR_CONSTANT (void)0
#define SET_MAR_IMMEDIATE (void)0
#define SET_MAR_INDEXED (s.node->mar = s.address)
#define SET_MAR_OFFSET (s.node->mar = s.address)
#define SET_MAR_SEGMENT (s.node->mar = s.address)
#define SET_MAR_QUEUE (s.node->mar = s.address)

/* MAR_form: MAR after a SEND of that operand form. */
#define MAR_REG s.node->mar
#define MAR_AREG s.node->mar
#define MAR_CONSTANT s.node->mar
#define MAR_INDEXED s.address
#define MAR_OFFSET s.address
#define MAR_SEGMENT s.address
#define MAR_QUEUE s.address

#endif
