/* From row to row of translated code: finds the stretch of a row, pays for the row, and
 * charges what is to come. For plain.c alone; everything is static. */
#ifndef JM_NODE_STRETCH_ENTER_INLINE_H
#define JM_NODE_STRETCH_ENTER_INLINE_H

#include "emu/node/run_inline.h"

/* Arguments of every function that issues translated instructions. */
#define ISSUE_ARGUMENTS                                                                \
    Context *c, const NodeOp *op, uintptr_t row, uint64_t left, NodeEnv *e
#define ISSUE_PASS c, op, row, left, e

#ifdef JM_TAIL_CALLS
#define ISSUE_AT(op) (op)->issue(c, op, row, left, e)
#else
#define ISSUE_AT(op) issue_op_later(c, op, row, left, e)
static void issue_op_later(ISSUE_ARGUMENTS) {
    (void)c;
    e->run.next = (NodeNext){NULL, op, row, left};
}
#endif

/* Issues the instruction behind `op` of the same segment. */
#define ISSUE_NEXT                                                                     \
    do {                                                                               \
        const NodeOp *next_op = op + 1;                                                \
        ISSUE_AT(next_op);                                                             \
    } while (0)

/* ---- charges --------------------------------------------------------------------- */

/* Half of a NodeCharge: the host adds four lanes at once. */
typedef uint32_t Lanes __attribute__((vector_size(16), aligned(4), may_alias));

ALWAYS_INLINE void add_charge(NodeCharge *sum, const NodeCharge *charged) {
    Lanes *to = (Lanes *)sum->lane;
    const Lanes *from = (const Lanes *)charged->lane;
    to[0] += from[0];
    to[1] += from[1];
}

ALWAYS_INLINE void take_charge(NodeCharge *sum, const NodeCharge *charged) {
    Lanes *to = (Lanes *)sum->lane;
    const Lanes *from = (const Lanes *)charged->lane;
    to[0] -= from[0];
    to[1] -= from[1];
}

/* Returns the stretch that holds `op`. */
ALWAYS_INLINE NodeStretch *stretch_of(const NodeOp *op) {
    const uintptr_t first = (uintptr_t)(op - op->slot);
    return (NodeStretch *)(first - offsetof(NodeStretch, op));
}

/* Returns the `pc` of an instruction. */
ALWAYS_INLINE uintptr_t pc_of_op(const NodeOp *op, uintptr_t row) {
    return row + (uintptr_t)op->slot * PHASE_BYTES;
}

/* Takes back the charges from slot `slot` on. */
ALWAYS_INLINE uint64_t uncharge(NodeEnv *e, const NodeStretch *stretch, unsigned slot,
                                uint64_t left) {
    take_charge(&e->run.charged, &stretch->charge[slot]);
    return less(left, 0 - stretch->cost[slot]);
}

/* ---- to and from instructions that are not translated ---------------------------- */

/* Returns the number of the row at `row`, in the page that code is fetched from. */
ALWAYS_INLINE uint32_t row_number(const NodeRun *run, uintptr_t row) {
    return run->page_row + (uint32_t)((row - run->page) / ROW_BYTES);
}

/* Brings the remembered row up to date, at the end of translated code: it is at `row`.
 */
ALWAYS_INLINE void remember_row(NodeRun *run, uintptr_t row) {
    if (!run->row_from)
        return;
    run->row_before = row_number(run, run->row_from);
    run->row = row_number(run, row);
    run->row_from = 0;
}

/* Issues the instruction at `pc` as if it were not translated. */
static COLD_CALL void issue_alone(PLAIN_ARGUMENTS) {
    fetch(PLAIN_PASS);
}

/* Issues an instruction untranslated; it has not been charged. */
static COLD_CALL void single(ISSUE_ARGUMENTS) {
    remember_row(&e->run, row);
    issue_alone(c, NULL, pc_of_op(op, row), left, e);
}

/* Issues untranslated an instruction whose translation cannot do it: it faults, or
 * touches what only general() may. */
static COLD_CALL void give_up(ISSUE_ARGUMENTS) {
    left = uncharge(e, stretch_of(op), op->slot, left);
    single(ISSUE_PASS);
}

/* Goes on behind an instruction that has written to its own row. */
static COLD_CALL void go_on_changed(ISSUE_ARGUMENTS) {
    left = uncharge(e, stretch_of(op), op->slot + 1u, left);
    const uintptr_t pc = pc_of_op(op, row) + PHASE_BYTES;
    remember_row(&e->run, row);
    if (op->slot == STRETCH_OPS - 1)
        node_enter_stretch(c, NULL, pc, left, e);
    else
        issue_alone(c, NULL, pc, left, e);
}

/* Issues the instructions from slot `slot` on, which are charged together if all of
 * them fit the run; else one by one. */
ALWAYS_INLINE void issue_from(Context *c, const NodeStretch *stretch, unsigned slot,
                              uintptr_t row, uint64_t left, NodeEnv *e) {
    const NodeOp *op = &stretch->op[slot];
    const uint64_t after = less(left, stretch->cost[slot]);
    if (UNLIKELY(cycles_left(after) <= 0)) {
        single(ISSUE_PASS);
        return;
    }
    add_charge(&e->run.charged, &stretch->charge[slot]);
    left = after;
    ISSUE_AT(op);
}

/* ---- rows ------------------------------------------------------------------------ */

/* Whether a stretch is the translation of the words at `row`. Stretches that are linked
 * agree in `checked`. */
ALWAYS_INLINE bool holds(const NodeStretch *stretch, uintptr_t row) {
    const JmWord *word = (const JmWord *)row;
    const uint64_t differ = (word[0].bits ^ stretch->word[0].bits) |
                            (word[1].bits ^ stretch->word[1].bits) |
                            (word[2].bits ^ stretch->word[2].bits) |
                            (word[3].bits ^ stretch->word[3].bits);
    return differ == 0;
}

/* Returns the stretch of the words at `row` by their hash, translated if need be; NULL:
 * there is no room for more in this run. */
static __attribute__((noinline)) NodeStretch *search_stretch(NodeEnv *e,
                                                             uintptr_t row) {
    NodeStretches *all = e->stretches;
    const bool checked = e->run.checked;
    const JmWord *word = (const JmWord *)row;
    uint64_t mixed = checked;
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        mixed = (mixed ^ word[i].bits) * UINT64_C(0x9E3779B97F4A7C15);
    NodeStretch **chain = &all->hash[(mixed >> 40) % STRETCH_PLACES];
    NodeStretch *found = *chain;
    while (found && !(holds(found, row) && found->checked == checked))
        found = found->chain;
    if (found || all->used == STRETCH_COUNT)
        return found;
    found = &all->stretch[all->used++];
    node_translate(found, e, word);
    found->chain = *chain;
    *chain = found;
    return found;
}

/* Returns the stretch of the words at `row`, first by what lay at its address last. */
ALWAYS_INLINE NodeStretch *find_stretch(NodeEnv *e, uintptr_t row) {
    const NodeRun *run = &e->run;
    NodeStretch **recent = &e->stretches->recent[row_number(run, row) % STRETCH_PLACES];
    NodeStretch *found = *recent;
    if (UNLIKELY(!holds(found, row) || found->checked != run->checked)) {
        found = search_stretch(e, row);
        if (found)
            *recent = found;
    }
    return found;
}

/* Pays for a row if it is not the remembered one. Returns what is left of the run. */
ALWAYS_INLINE uint64_t pay_for_row(NodeRun *run, const NodeStretch *stretch,
                                   unsigned slot, uintptr_t row, uint64_t left) {
    const uint32_t number = row_number(run, row);
    if (number == run->row)
        return left;
    left = less(left, run->row_cost);
    run->charged.lane[stretch->first[slot]] += run->row_cost;
    run->paid_pc = row + slot * PHASE_BYTES;
    run->paid_left = left;
    run->row_before = run->row;
    run->row = number;
    return left;
}

/* Goes on at `pc`, wherever it lies. */
COLD_CALL void node_enter_stretch(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    pc = pc_in_page(run, c, pc);
    if (UNLIKELY(!pc)) {
        end_run(e, left);
        return;
    }
    const uintptr_t row = pc & ~(uintptr_t)(ROW_BYTES - 1);
    const NodeStretch *stretch = find_stretch(e, row);
    if (UNLIKELY(!stretch)) {
        fetch_row(PLAIN_PASS);
        return;
    }
    const unsigned slot = (unsigned)(pc - row) / PHASE_BYTES;
    left = pay_for_row(run, stretch, slot, row, left);
    issue_from(c, stretch, slot, row, left, e);
}

/* Goes on at `row` + `hop` bytes, in another row of the page, whose stretch is not the
 * one that was guessed. */
static COLD_CALL void guess_anew(ISSUE_ARGUMENTS) {
    const bool next = op->slot == STRETCH_OPS;
    const uintptr_t pc = row + (uintptr_t)(intptr_t)op->hop;
    NodeStretch *stretch = stretch_of(op);
    remember_row(&e->run, row);
    NodeStretch *found = find_stretch(e, pc & ~(uintptr_t)(ROW_BYTES - 1));
    if (found)
        *(next ? &stretch->next : &stretch->to[op->slot]) = found;
    node_enter_stretch(c, NULL, pc, left, e);
}

/* Goes on at `row` + op->hop, slot `slot` of another row of the page. */
ALWAYS_INLINE void go_to(ISSUE_ARGUMENTS, const NodeStretch *guess, unsigned slot) {
    NodeRun *run = &e->run;
    const uintptr_t target = row + (uintptr_t)(intptr_t)op->hop;
    const uintptr_t there = target & ~(uintptr_t)(ROW_BYTES - 1);
    if (UNLIKELY(!holds(guess, there))) {
        guess_anew(ISSUE_PASS);
        return;
    }
    left = less(left, run->row_cost);
    run->charged.lane[guess->first[slot]] += run->row_cost;
    run->paid_pc = target;
    run->paid_left = left;
    run->row_from = row;
    issue_from(c, guess, slot, there, left, e);
}

#endif
