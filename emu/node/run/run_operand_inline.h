/* Operands of the instructions of a run: on-chip reads and writes, and what depends on
 * the operand form. An operand elsewhere, or one that faults, is refused here, and left
 * to a slower path. */
#ifndef JM_NODE_RUN_RUN_OPERAND_INLINE_H
#define JM_NODE_RUN_RUN_OPERAND_INLINE_H

#include "emu/node/run/run_inline.h"

/* ---- operands -------------------------------------------------------------------- */

/* Begins an instruction of a run: no operand yet, Rs read. */
ALWAYS_INLINE Step begin(Context *c, const NodeCode *code, NodeEnv *e) {
    Step s;
    s.node = e->run.node;
    s.env = e;
    s.context = c;
    s.d = &code->d;
    s.checked = e->run.from.checked;
    s.ip = JM_IP_ABSOLUTE; /* as for every IP here; no body uses more of it */
    s.external = s.access = s.address = s.cycles = 0;
    s.op0 = JM_NIL;
    s.rs = c->r[code->d.rs];
    return s;
}

/* Whether an address is in the smallest range that holds all memory the network may
 * write while the node runs ahead, and all marked data. One comparison, for the hot
 * path; general() then checks exactly. */
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

/* ---- what depends on the operand form -------------------------------------------- */

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

/* COST_form: the charge of an instruction of that operand form that does not fault. */
#define COST_REG e->cost_base
#define COST_AREG e->cost_base
#define COST_CONSTANT e->cost_base
#define COST_IMMEDIATE e->cost_base
#define COST_INDEXED e->cost_read
#define COST_OFFSET e->cost_read
#define COST_SEGMENT e->cost_read
#define COST_QUEUE e->cost_read

/* MAR_form: MAR after a SEND of that operand form. */
#define MAR_REG s.node->mar
#define MAR_AREG s.node->mar
#define MAR_CONSTANT s.node->mar
#define MAR_INDEXED s.address
#define MAR_OFFSET s.address
#define MAR_SEGMENT s.address
#define MAR_QUEUE s.address

#endif
