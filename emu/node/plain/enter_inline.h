/* From row to row of translated code: finds the stretch of a row, pays for the row, and
 * charges its instructions. */
#ifndef JM_NODE_PLAIN_ENTER_INLINE_H
#define JM_NODE_PLAIN_ENTER_INLINE_H

#include "emu/node/plain/alone_inline.h"

/* Arguments of every function that issues translated instructions. */
#define ISSUE_ARGUMENTS Context *c, NodeOp *op, NodeEnv *e
#define ISSUE_PASS c, op, e

#ifdef JM_TAIL_CALLS
#define ISSUE_AT(op) (op)->issue(c, op, e)
#else
#define ISSUE_AT(op) issue_op_later(c, op, e)
static void issue_op_later(ISSUE_ARGUMENTS) {
    (void)c;
    e->run.next = op;
}
#endif

/* Makes the compiler compute `pointer` here, once: otherwise it keeps the inputs in a
 * register too, and reads ahead of it. */
#define HOLD_IN_REGISTER(pointer) __asm__("" : "+r"(pointer))

/* Issues the instruction after `op` of the same segment. */
#define ISSUE_NEXT                                                                     \
    do {                                                                               \
        NodeOp *next_op = op + 1;                                                      \
        HOLD_IN_REGISTER(next_op);                                                     \
        ISSUE_AT(next_op);                                                             \
    } while (0)

/* ---- charges --------------------------------------------------------------------- */

/* A NodeCharge: the host adds all lanes at once. */
typedef uint16_t Lanes __attribute__((vector_size(16), may_alias));

/* Charges from `op` to the next instruction that may leave. */
ALWAYS_INLINE void add_charge(NodeRun *run, const NodeOp *op) {
    *(Lanes *)&run->charged += *(const Lanes *)&op->charge;
}

/* Undoes the charges from `op` on. */
ALWAYS_INLINE void uncharge(NodeRun *run, const NodeOp *op) {
    *(Lanes *)&run->charged -= *(const Lanes *)&op->charge;
    run->left += (int32_t)op->cost;
}

/* Returns the cycle in which `op`, which has been charged, is issued: as issue_cycle()
 * for untranslated instructions. */
ALWAYS_INLINE uint64_t issue_cycle_of(const NodeRun *run, const NodeOp *op) {
    const bool paid = run->entered == op;
    return run->last - (uint64_t)(int64_t)(run->left + (int32_t)op->cost) -
           (paid ? run->from.row_cost : 0);
}

/* Returns the cycles left of the run before `op`, which has been charged. */
ALWAYS_INLINE uint64_t left_before(const NodeRun *run, const NodeOp *op) {
    return (uint32_t)run->left + op->cost;
}

/* Returns the stretch that holds `op`. */
ALWAYS_INLINE NodeStretch *stretch_of(const NodeOp *op) {
    const uintptr_t first = (uintptr_t)(op - op->slot);
    return (NodeStretch *)(first - offsetof(NodeStretch, op));
}

/* Returns the `pc` of an instruction. */
ALWAYS_INLINE uintptr_t pc_of_op(const NodeRun *run, const NodeOp *op) {
    return run->at + (uintptr_t)op->slot * PHASE_BYTES;
}

/* Returns the `pc` that a branch, or the transition to the next row, leads to. */
ALWAYS_INLINE uintptr_t target_of(const NodeRun *run, const NodeOp *op) {
    const uintptr_t slot = op->to / sizeof *op;
    return run->at + (uintptr_t)(intptr_t)op->hop + slot * PHASE_BYTES;
}

/* ---- to and from instructions that are not translated ---------------------------- */

/* Returns the number of the row at `row`, in the page that code is fetched from. */
ALWAYS_INLINE uint32_t row_number(const NodeRun *run, uintptr_t row) {
    return run->from.row + (uint32_t)((row - run->page) / ROW_BYTES);
}

/* Updates the remembered row, at the end of translated code. Behind the instruction at
 * which the row was paid for, fewer cycles are left than were there, so the payment
 * counts for no instruction any more. */
ALWAYS_INLINE void remember_row(NodeRun *run) {
    if (!run->row_from)
        return;
    run->row_before = row_number(run, run->row_from);
    run->row = row_number(run, run->at);
    run->row_from = 0;
    run->paid_pc = run->entered ? pc_of_op(run, run->entered) : 0;
    run->paid_left = (uint32_t)run->left;
}

/* Continues at `pc`, wherever it lies. */
static void go_on(Context *c, uintptr_t pc, uint64_t left, NodeEnv *e);

/* Issues an instruction alone; it has not been charged. */
static COLD_CALL void single(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    remember_row(run);
    Position at = {pc_of_op(run, op), (uint32_t)run->left};
    if (issue_alone(c, &at, e))
        go_on(c, at.pc, at.left, e);
}

/* Issues alone an instruction that its translation cannot handle. */
static COLD_CALL void give_up(ISSUE_ARGUMENTS) {
    uncharge(&e->run, op);
    single(ISSUE_PASS);
}

/* Continues after an instruction that has written to its own row. */
static COLD_CALL void go_on_changed(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    const uintptr_t pc = pc_of_op(run, op) + PHASE_BYTES;
    uncharge(run, op + 1);
    remember_row(run);
    if (run->left < 0)
        run_out(c, op->d.op_class, pc, (uint32_t)run->left, e);
    else
        go_on(c, pc, (uint32_t)run->left, e);
}

/* Continues behind an instruction that was issued as a copy, at the slot of `op`. */
static void return_to_stretch(ISSUE_ARGUMENTS);

/* Issues one instruction of several that are charged together. */
static void issue_copy(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    NodeStretches *all = e->stretches;
    const bool constant = op->first == JM_CLASS_CONSTANT;
    const NodeOp *behind = op + (constant && op->slot % 2 == 0 ? 2 : 1);
    NodeOp *copy = &all->copy[op->slot];
    *all->copied = (NodeOp){.issue = return_to_stretch, .slot = all->copied->slot};
    *copy = *op;
    *(Lanes *)&copy->charge -= *(const Lanes *)&behind->charge;
    copy->cost -= behind->cost;
    all->copied = copy;
    all->copied_from = op;
    if (run->entered == op)
        run->entered = copy;
    run->left -= (int32_t)copy->cost;
    add_charge(run, copy);
    ISSUE_AT(copy);
}

static bool always_jumps(const JmDecoded *d) {
    return d->op == JM_OP_BR || d->op == JM_OP_LDIP || d->op == JM_OP_LDIPR;
}

/* Continues with instructions that do not fit the cycles left of the run: the run ends
 * before them, and the next begins there, or, if it must reach its last cycle, they are
 * issued one by one. */
static COLD_CALL void issue_at_end(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    if (run->exact) {
        if (op->cost == 0 || always_jumps(&op->d))
            single(ISSUE_PASS);
        else
            issue_copy(ISSUE_PASS);
        return;
    }
    const uintptr_t pc = pc_of_op(run, op);
    remember_row(run);
    stop_before(c, op->first, pc, (uint32_t)run->left, e);
}

/* Issues the instructions from `op` on, which are charged together if all of them fit
 * the `left` cycles of the run. */
ALWAYS_INLINE void issue_from(ISSUE_ARGUMENTS, int32_t left) {
    NodeRun *run = &e->run;
    const int32_t after = left - (int32_t)op->cost;
    if (UNLIKELY(after < 0)) {
        run->left = left;
        issue_at_end(ISSUE_PASS);
        return;
    }
    run->left = after;
    add_charge(run, op);
    ISSUE_AT(op);
}

static COLD_CALL void return_to_stretch(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    NodeOp *from = e->stretches->copied_from;
    if (run->left >= 0) {
        issue_from(c, from - from->slot + op->slot, e, run->left);
        return;
    }
    const uintptr_t pc = pc_of_op(run, op);
    remember_row(run);
    run_out(c, from->first, pc, (uint32_t)run->left, e);
}

/* ---- rows ------------------------------------------------------------------------ */

/* Half a row: two words that the host compares at once, 32 bits by 32 bits, each of
 * which then gives all ones or none. */
typedef int32_t HalfRow __attribute__((vector_size(16), may_alias));

ALWAYS_INLINE bool is_all_ones(HalfRow bits) {
#ifdef __SSE2__
    return __builtin_ia32_pmovmskb128((__attribute__((vector_size(16))) char)bits) ==
           0xFFFF;
#else
    return (bits[0] & bits[1] & bits[2] & bits[3]) == -1;
#endif
}

/* Whether an entry leads to the translation of the words at `row`. Linked stretches
 * agree in `key`. */
ALWAYS_INLINE bool holds(const NodeEntry *entry, uintptr_t row) {
    const HalfRow *word = (const HalfRow *)row;
    const HalfRow *made_from = (const HalfRow *)entry->word;
    return is_all_ones((word[0] == made_from[0]) & (word[1] == made_from[1]));
}

/* Returns the stretch of the words at `row` by their hash, translated if need be; NULL:
 * no room for more in this run. */
static __attribute__((noinline)) NodeStretch *search_stretch(NodeEnv *e,
                                                             uintptr_t row) {
    NodeStretches *all = e->stretches;
    const uint8_t key = e->run.from.key;
    const JmWord *word = (const JmWord *)row;
    uint64_t mixed = key;
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        mixed = (mixed ^ word[i].bits) * UINT64_C(0x9E3779B97F4A7C15);
    NodeStretch **chain = &all->hash[(mixed >> 40) % STRETCH_PLACES];
    NodeStretch *found = *chain;
    while (found && !(holds(found->entry, row) && found->key == key))
        found = found->chain;
    if (found || all->used == STRETCH_COUNT)
        return found;
    found = &all->stretch[all->used++];
    node_translate(found, e, word);
    found->chain = *chain;
    *chain = found;
    return found;
}

/* Returns the stretch of the words at `row`, trying first the one last seen at its
 * address. */
ALWAYS_INLINE NodeStretch *find_stretch(NodeEnv *e, uintptr_t row) {
    const NodeRun *run = &e->run;
    NodeStretch **recent = &e->stretches->recent[row_number(run, row) % STRETCH_PLACES];
    NodeStretch *found = *recent;
    if (UNLIKELY(!holds(found->entry, row) || found->key != run->from.key)) {
        found = search_stretch(e, row);
        if (found)
            *recent = found;
    }
    return found;
}

/* Returns the translation of the row at `row`; NULL: its instructions must be issued
 * alone, because it holds marks or there is no room for more translations in this
 * run. */
ALWAYS_INLINE NodeStretch *stretch_at(NodeEnv *e, uintptr_t row) {
    const NodeRun *run = &e->run;
    if (UNLIKELY(run->picks) &&
        (run->spied || node_row_is_marked(run->marks, row_number(run, row))))
        return NULL;
    return find_stretch(e, row);
}

/* Pays for the row of the instruction at `pc`, of `class`, if it is not the remembered
 * one. Returns whether it has. */
ALWAYS_INLINE bool pay_for_row(NodeRun *run, unsigned class, uintptr_t pc,
                               uint64_t *left) {
    const uint32_t number = row_number(run, pc & ~(uintptr_t)(ROW_BYTES - 1));
    if (number == run->row)
        return false;
    *left = less(*left, run->from.row_cost);
    charge_cycles(run, class, run->from.row_cost);
    run->paid_pc = pc;
    run->paid_left = *left;
    run->row_before = run->row;
    run->row = number;
    return true;
}

/* Continues at `pc`, in the page that code is fetched from, in the translation of its
 * row. */
ALWAYS_INLINE void enter_stretch(Context *c, NodeStretch *stretch, uintptr_t pc,
                                 uint64_t left, NodeEnv *e) {
    NodeRun *run = &e->run;
    run->at = pc & ~(uintptr_t)(ROW_BYTES - 1);
    NodeOp *op = &stretch->op[(pc - run->at) / PHASE_BYTES];
    run->entered = pay_for_row(run, op->first, pc, &left) ? op : NULL;
    issue_from(ISSUE_PASS, cycles_left(left));
}

/* Returns the class of the instruction, or inline constant, at `pc`. */
static unsigned class_at(const NodeEnv *e, uintptr_t pc) {
    return jm_is_instruction(word_at(pc)) ? decoded_at(e, pc)->op_class
                                          : JM_CLASS_CONSTANT;
}

static COLD_CALL void go_on(Context *c, uintptr_t pc, uint64_t left, NodeEnv *e) {
    NodeRun *run = &e->run;
    Position at = {pc, left};
    do {
        at.pc = pc_in_page(run, c, at.pc);
        if (UNLIKELY(!at.pc)) {
            end_run(e, at.left);
            return;
        }
        NodeStretch *stretch = stretch_at(e, at.pc & ~(uintptr_t)(ROW_BYTES - 1));
        if (stretch) {
            enter_stretch(c, stretch, at.pc, at.left, e);
            return;
        }
        pay_for_row(run, class_at(e, at.pc), at.pc, &at.left);
    } while (issue_alone(c, &at, e));
}

/* Continues at `pc`, in the page that code is fetched from. */
ALWAYS_INLINE void enter_row(Context *c, uintptr_t pc, uint64_t left, NodeEnv *e) {
    NodeStretch *stretch = stretch_at(e, pc & ~(uintptr_t)(ROW_BYTES - 1));
    if (UNLIKELY(!stretch))
        go_on(c, pc, left, e);
    else
        enter_stretch(c, stretch, pc, left, e);
}

/* Continues where `op` leads, in another row of the page, after a wrong guess of its
 * stretch. */
static COLD_CALL void guess_anew(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    const uintptr_t pc = target_of(run, op);
    remember_row(run);
    NodeStretch *found = find_stretch(e, pc & ~(uintptr_t)(ROW_BYTES - 1));
    if (found)
        op->guess = &found->entry[op->to / (2 * sizeof *op)];
    go_on(c, pc, (uint32_t)run->left, e);
}

/* Pays for the row of `op`, which is not the remembered one. The run may end within the
 * instructions charged together. */
static COLD_CALL void enter_at_end(ISSUE_ARGUMENTS) {
    NodeRun *run = &e->run;
    run->left -= (int32_t)run->from.row_cost;
    charge_cycles(run, op->first, run->from.row_cost);
    issue_at_end(ISSUE_PASS);
}

/* Continues where `op` leads, in another row of the page. */
ALWAYS_INLINE void go_to(ISSUE_ARGUMENTS, uintptr_t row) {
    NodeRun *run = &e->run;
    const NodeEntry *entry = op->guess;
    if (UNLIKELY(!holds(entry, row))) {
        guess_anew(ISSUE_PASS);
        return;
    }
    NodeOp *target = entry->op;
    const int32_t left = run->left - (int32_t)entry->cost;
    run->row_from = run->at;
    run->at = row;
    run->entered = target;
    if (UNLIKELY(left < 0)) {
        enter_at_end(c, target, e);
        return;
    }
    run->left = left;
    *(Lanes *)&run->charged += *(const Lanes *)&entry->charge;
    HOLD_IN_REGISTER(target);
    ISSUE_AT(target);
}

#endif
