/* Code that all functions issuing plain instructions share: charges, fetching the next
 * instruction, and jumps. Only plain.c includes this header; the head of plain.c
 * explains runs. Everything is static, so that the compiler can inline it. */
#ifndef JM_NODE_RUN_RUN_INLINE_H
#define JM_NODE_RUN_RUN_INLINE_H

#include <string.h>

#include "emu/node/execute_inline.h"
#include "emu/node/place.h"
#include "emu/node/run/stretch.h"

#define UNLIKELY(condition) __builtin_expect(!!(condition), false)

/* Arguments of every function in a run, always in registers: the context, the decoded
 * instruction, its address, the cycles left of the run, the environment. */
#define PLAIN_ARGUMENTS                                                                \
    Context *c, const NodeCode *code, uintptr_t pc, uint64_t left, NodeEnv *e
#define PLAIN_PASS c, code, pc, left, e

/* For functions that a run calls with these arguments: the compiler must not drop the
 * unused ones, or every other function would have to move theirs. */
#define COLD_CALL __attribute__((used, noinline))

enum {
    /* In cycles: with one more instruction, of at most 4 * 1000 (timing.def), they must
     * fit a lane of NodeCharge. */
    LONGEST_RUN = 1 << 15,
    WORD_BYTES = sizeof(JmWord),
    PHASE_BYTES = WORD_BYTES / 2, /* of a `pc` from one instruction to the next */
    ROW_BYTES = NODE_ROW_WORDS * WORD_BYTES,
    PAGE_BYTES = MEMORY_PAGE_WORDS * WORD_BYTES,
    PAGE_ROWS = MEMORY_PAGE_WORDS / NODE_ROW_WORDS,
    /* The bits of an IP that distinguish the instructions of one page. */
    IP_IN_PAGE = (MEMORY_PAGE_WORDS - 1) << 10 | JM_IP_PHASE
};

/* NodeCodePage.ip without a page: not a word. */
#define NO_PAGE ((JmWord){UINT64_MAX})

/* The words that the priority switch exchanges are pages of their own, from which no
 * run fetches: so a page may be fetched from as a whole or not at all. */
_Static_assert(NODE_SWITCHED % MEMORY_PAGE_WORDS == 0, "a page is switched in part");
/* A branch by an immediate reaches 64 words back, and 63 forward. */
_Static_assert(MEMORY_PAGE_WORDS >= 64, "a branch leads beyond the next page");

/* The low half of `left` is the number of cycles left of the run, and not positive at
 * its end; its high half is meaningless. */
ALWAYS_INLINE int32_t cycles_left(uint64_t left) {
    return (int32_t)(uint32_t)left;
}

/* Subtracts cycles from those left: in 32 bits, whose sign the host then knows without
 * another test. */
ALWAYS_INLINE uint64_t less(uint64_t left, uint32_t cycles) {
    return (uint32_t)left - cycles;
}

/* Charges cycles that complete no instruction. */
ALWAYS_INLINE void charge_cycles(NodeRun *run, unsigned class, uint32_t cycles) {
    run->charged.lane[class] += (uint16_t)cycles;
}

/* Charges one completed instruction. */
ALWAYS_INLINE void charge(NodeRun *run, unsigned class, uint32_t cycles) {
    charge_cycles(run, class, cycles);
    run->charged.lane[NODE_INSTRUCTIONS]++;
}

/* Returns the cycle of the next boundary. */
ALWAYS_INLINE uint64_t next_boundary(const NodeRun *run, uint64_t left) {
    return run->until - (uint64_t)(int64_t)cycles_left(left);
}

/* Returns the cycles that fetching the row of the instruction at `pc` has cost: 0 if
 * the row was fetched for an earlier instruction. */
ALWAYS_INLINE uint32_t paid_for_row(const NodeRun *run, uintptr_t pc, uint64_t left) {
    return run->paid_pc == pc && run->paid_left == left ? run->from.row_cost : 0;
}

/* Returns the cycle in which the instruction at `pc` is issued. It is earlier than the
 * next boundary if its row has just been paid for. */
ALWAYS_INLINE uint64_t issue_cycle(const NodeRun *run, uintptr_t pc, uint64_t left) {
    return next_boundary(run, left) - paid_for_row(run, pc, left);
}

/* ---- the end of a run ------------------------------------------------------------ */

/* Returns the IP of an instruction at `pc`, with tag and flags as they are in this run.
 */
static JmWord ip_at(const NodeRun *run, uintptr_t pc) {
    return (JmWord){run->from.ip.bits + (pc - run->page) * (JM_IP_PHASE / PHASE_BYTES)};
}

/* Stores the remembered row in the node, where exec.c looks for it. */
static void leave_row(const NodeRun *run) {
    Node *node = run->node;
    const uint32_t in_page = run->row - run->from.row;
    const bool external = run->row >= MEMORY_EXTERNAL / NODE_ROW_WORDS;
    node->fetch_row = (int32_t)run->row;
    node->fetch_key = NODE_NO_KEY;
    if (external || in_page >= PAGE_ROWS)
        return;
    const uintptr_t row = run->page + (uintptr_t)in_page * ROW_BYTES;
    node->fetch_words = (const JmWord *)row;
    node->fetch_key = row_key(jm_data(ip_at(run, row)));
}

/* Returns the class that cycles are counted in. From a SEND fault to the SEND that
 * succeeds all cycles but those of constants count as waiting. */
ALWAYS_INLINE unsigned class_of_charge(const Node *node, unsigned class) {
    const bool waits = node->send_wait >> node->running & 1;
    return waits && class != JM_CLASS_CONSTANT ? JM_CLASS_SEND_WAIT : class;
}

/* Ends the run. The context must hold the IP of the next instruction. */
ALWAYS_INLINE void finish_run(NodeEnv *e, uint64_t left) {
    NodeRun *run = &e->run;
    run->node->ready = next_boundary(run, left);
    node_charge_run(run->node, &run->charged);
    if (run->ahead) {
        run->ahead->charged = run->charged;
        run->ahead->writes = (uint8_t)(run->record - run->ahead->write);
    }
    leave_row(run);
}

static COLD_CALL void end_run(NodeEnv *e, uint64_t left) {
    finish_run(e, left);
}

/* Ends the run because the next instruction is due after it. `code` was the last
 * instruction; its class is kept for statistics read in the middle of its cycles. */
static void end_in_time(NodeEnv *e, const NodeCode *code, uint64_t left) {
    Node *node = e->run.node;
    node->last_class = (uint8_t)class_of_charge(node, code->d.op_class);
    end_run(e, left);
}

/* Ends the run before the instruction at `pc`, which is due at its end or later. */
static COLD_CALL void run_out(PLAIN_ARGUMENTS) {
    c->ip = ip_at(&e->run, pc);
    end_in_time(e, code, left);
}

/* ---- marks ----------------------------------------------------------------------- */

/* Returns the word address of the instruction at `pc`. */
static uint32_t address_at(const NodeRun *run, uintptr_t pc) {
    return run->from.row * NODE_ROW_WORDS + (uint32_t)((pc - run->page) / WORD_BYTES);
}

/* Returns the place (emu/node/place.h) of the instruction at `pc`. */
static uint32_t place_at(const NodeRun *run, uintptr_t pc) {
    const uint32_t half = (uint32_t)((pc - run->page) / PHASE_BYTES);
    return node_place(run->from.row * NODE_ROW_WORDS, false) + half;
}

/* Whether the instruction at `pc` is marked: marks are at first halves of words. */
static bool is_marked(const NodeRun *run, uintptr_t pc) {
    return node_has_bit(run->marks->code[(pc & PHASE_BYTES) != 0], address_at(run, pc));
}

/* Ends the run before the instruction of `class` at `pc`, which is not plain. exec.c
 * will execute it and pay for its row, so a payment in this run is undone. */
ALWAYS_INLINE void leave_class(Context *c, unsigned class, uintptr_t pc, uint64_t left,
                               NodeEnv *e) {
    NodeRun *run = &e->run;
    c->ip = ip_at(run, pc);
    if (run->paid_pc == pc && run->paid_left == left) {
        left += run->from.row_cost;
        charge_cycles(run, class, 0 - run->from.row_cost);
        run->row = run->row_before;
    }
    run->node->not_plain = true;
    finish_run(e, left);
}

static COLD_CALL void leave(PLAIN_ARGUMENTS) {
    leave_class(c, code->d.op_class, pc, left, e);
}

/* ---- where code is fetched from -------------------------------------------------- */

/* Returns the bits of an IP except those that distinguish the instructions of one
 * page. */
ALWAYS_INLINE uint64_t page_bits(JmWord ip) {
    return ip.bits & ~(uint64_t)IP_IN_PAGE;
}

/* Makes the page of `ip` the one that code is fetched from. Returns false if plain
 * instructions cannot be fetched there: the IP is relative to A0, the page is not
 * allocated, or the network may write it while the node runs ahead. */
static __attribute__((noinline)) bool map_new_code(NodeRun *run, JmWord ip) {
    const Node *node = run->node;
    const uint32_t offset = jm_field20(jm_data(ip));
    const uint32_t first = offset & ~(MEMORY_PAGE_WORDS - 1u);
    const bool external = first >= MEMORY_EXTERNAL;
    const JmWord *page = external ? memory_page(&node->memory, offset)
                                  : node->memory.low[offset >> MEMORY_PAGE_BITS];
    const bool guarded = first + MEMORY_PAGE_WORDS > run->queue_low &&
                         first < run->queue_low + run->queue_words;
    if (!(jm_data(ip) & JM_IP_ABSOLUTE) || offset < NODE_SWITCHED || !page || guarded ||
        first + MEMORY_PAGE_WORDS > JM_ADDRESS_MASK)
        return false;
    const bool checked = !(jm_data(ip) & JM_IP_UNCHECKED);
    run->page = (uintptr_t)page;
    run->last_row = run->page + PAGE_BYTES - ROW_BYTES;
    run->from = (NodeCodePage){
        .ip.bits = page_bits(ip),
        .row = first / NODE_ROW_WORDS,
        .row_cost = external ? run->row_external : run->row_onchip,
        .checked = checked,
        .key = (checked ? RUN_CHECKED : 0) | (external ? RUN_EXTERNAL : 0)};
    if (!external)
        run->known[(offset >> MEMORY_PAGE_BITS) % NODE_KNOWN_PAGES] = run->from;
    return true;
}

/* The same, quickly if runs, mostly of other nodes, have fetched from that on-chip page
 * before: then only its host address can differ. */
ALWAYS_INLINE bool map_code(NodeRun *run, JmWord ip) {
    const uint32_t page = jm_field20(jm_data(ip)) >> MEMORY_PAGE_BITS;
    const NodeCodePage *known = &run->known[page % NODE_KNOWN_PAGES];
    if (UNLIKELY(known->ip.bits != page_bits(ip)))
        return map_new_code(run, ip);
    run->page = (uintptr_t)run->node->memory.low[page];
    run->last_row = run->page + PAGE_BYTES - ROW_BYTES;
    run->from = *known;
    return true;
}

/* Returns the `pc` of an IP in the page that code is fetched from. */
static uintptr_t pc_of(const NodeRun *run, JmWord ip) {
    const uint64_t phases = (ip.bits - run->from.ip.bits) / JM_IP_PHASE;
    return run->page + (uintptr_t)phases * PHASE_BYTES;
}

/* ---- from one instruction to the next -------------------------------------------- */

#ifdef JM_TAIL_CALLS
#define ISSUE(code) (code)->plain(PLAIN_PASS)
#else
#define ISSUE(code) issue_later(PLAIN_PASS)
static void issue_later(PLAIN_ARGUMENTS) {
    (void)c;
    e->run.next = (NodeNext){code, NULL, pc, left};
}
#endif

/* Loads an inline constant into R0 and continues with the next word. */
static COLD_CALL void constant(PLAIN_ARGUMENTS);

/* Returns the word that holds the instruction at `pc`. */
ALWAYS_INLINE JmWord word_at(uintptr_t pc) {
    return *(const JmWord *)(pc & ~(uintptr_t)(WORD_BYTES - 1));
}

/* Fetches the instruction at `pc` from the remembered row and issues it. */
ALWAYS_INLINE void fetch(PLAIN_ARGUMENTS) {
    const JmWord word = word_at(pc);
    if (UNLIKELY(!jm_is_instruction(word))) {
        constant(PLAIN_PASS);
        return;
    }
    code = &e->run.code[jm_instruction(word, (pc & PHASE_BYTES) != 0)];
    ISSUE(code);
}

/* Returns `pc` within the page that code is fetched from, after a change of pages if it
 * has left that one. Returns 0 if the run must end there, with the IP set. */
static inline uintptr_t pc_in_page(NodeRun *run, Context *c, uintptr_t pc) {
    if (!UNLIKELY(pc - run->page >= PAGE_BYTES))
        return pc;
    c->ip = ip_at(run, pc);
    return map_code(run, c->ip) ? pc_of(run, c->ip) : 0;
}

/* Fetches the instruction at `pc` from a row that may not be the remembered one, or
 * from another page, and charges for a new row. */
static COLD_CALL void fetch_row(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    pc = pc_in_page(run, c, pc);
    if (UNLIKELY(!pc)) {
        end_run(e, left);
        return;
    }
    const uint32_t row = run->from.row + (uint32_t)((pc - run->page) / ROW_BYTES);
    if (row != run->row) {
        const JmWord word = word_at(pc);
        const uint32_t in_word = jm_instruction(word, (pc & PHASE_BYTES) != 0);
        const unsigned class =
            jm_is_instruction(word) ? e->code[in_word].d.op_class : JM_CLASS_CONSTANT;
        left = less(left, run->from.row_cost);
        charge_cycles(run, class, run->from.row_cost);
        run->paid_pc = pc;
        run->paid_left = left;
        run->row_before = run->row;
        run->row = row;
    }
    if (UNLIKELY(run->picks))
        run->code =
            run->spied || node_row_is_marked(run->marks, row) ? e->marked : e->code;
    fetch(PLAIN_PASS);
}

/* Continues at `pc`, the first instruction of a word in another row than the remembered
 * one. The common case: the row lies in the page, and no row of the node is marked. */
static COLD_CALL void other_row(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    if (run->translates) {
        node_enter_stretch(PLAIN_PASS);
        return;
    }
    if (UNLIKELY(pc - run->page >= PAGE_BYTES || run->picks)) {
        fetch_row(PLAIN_PASS);
        return;
    }
    const JmWord word = *(const JmWord *)pc;
    const uint32_t cost = run->from.row_cost;
    run->paid_pc = pc;
    left = less(left, cost);
    run->paid_left = left;
    run->row_before = run->row;
    run->row = run->from.row + (uint32_t)((pc - run->page) / ROW_BYTES);
    if (UNLIKELY(!jm_is_instruction(word))) {
        charge_cycles(run, JM_CLASS_CONSTANT, cost);
        constant(PLAIN_PASS);
        return;
    }
    code = &run->code[jm_instruction(word, 0)];
    charge_cycles(run, code->d.op_class, cost);
    ISSUE(code);
}

/* Returns the `pc` of the first instruction of the next word. */
ALWAYS_INLINE uintptr_t next_word(uintptr_t pc) {
    return (pc | (WORD_BYTES - 1)) + 1;
}

/* Whether the inline constant at `pc` is marked, or R0, which it is loaded into, is
 * watched. */
static bool constant_touches_mark(const NodeRun *run, uintptr_t pc) {
    return is_marked(run, pc) || (run->spied && run->marks->registers >> JM_REG_R0 & 1);
}

/* Continues with the first instruction of the word at `pc`, after the previous word. */
ALWAYS_INLINE void go_on_with_word(PLAIN_ARGUMENTS) {
    if (UNLIKELY(pc % ROW_BYTES == 0 || e->run.translates)) {
        other_row(PLAIN_PASS);
        return;
    }
    const JmWord word = *(const JmWord *)pc;
    if (UNLIKELY(!jm_is_instruction(word))) {
        constant(PLAIN_PASS);
        return;
    }
    code = &e->run.code[jm_instruction(word, 0)];
    ISSUE(code);
}

/* Continues at `pc`, after an instruction that may have changed memory. */
ALWAYS_INLINE void go_on(PLAIN_ARGUMENTS) {
    if (UNLIKELY(cycles_left(left) <= 0))
        run_out(PLAIN_PASS);
    else if (UNLIKELY(pc % ROW_BYTES == 0))
        other_row(PLAIN_PASS);
    else if (e->run.translates)
        node_enter_stretch(PLAIN_PASS);
    else
        fetch(PLAIN_PASS);
}

/* Accounts for an instruction that is done, and continues. The tag of a word and its
 * row were checked for its first instruction, so they need not be for its second.
 * `wrote`: memory, and so that word, may have changed. */
ALWAYS_INLINE void complete(PLAIN_ARGUMENTS, unsigned class, uint32_t cycles,
                            bool wrote) {
    charge(&e->run, class, cycles);
    left = less(left, cycles);
    if (UNLIKELY(cycles_left(left) <= 0)) {
        pc += PHASE_BYTES;
        run_out(PLAIN_PASS);
    } else if (wrote) {
        pc += PHASE_BYTES;
        go_on(PLAIN_PASS);
    } else if (pc & PHASE_BYTES) {
        pc += PHASE_BYTES;
        go_on_with_word(PLAIN_PASS);
    } else {
        code = &e->run.code[jm_instruction(*(const JmWord *)pc, 1)];
        pc += PHASE_BYTES;
        ISSUE(code);
    }
}

static COLD_CALL void constant(PLAIN_ARGUMENTS) {
    static const NodeCode as_code = {.d = {.op_class = JM_CLASS_CONSTANT}};
    code = &as_code;
    if (UNLIKELY(e->run.code != e->code) && constant_touches_mark(&e->run, pc)) {
        leave(PLAIN_PASS);
        return;
    }
    c->r[0] = word_at(pc);
    charge_cycles(&e->run, JM_CLASS_CONSTANT, e->cost_constant);
    left = less(left, e->cost_constant);
    pc = next_word(pc);
    if (UNLIKELY(cycles_left(left) <= 0))
        run_out(PLAIN_PASS);
    else
        go_on_with_word(PLAIN_PASS);
}

/* ---- jumps ----------------------------------------------------------------------- */

/* Continues at the IP that the context holds, after a jump that may leave the page. */
static void go_on_at_ip(PLAIN_ARGUMENTS) {
    NodeRun *run = &e->run;
    if (cycles_left(left) <= 0 || !map_code(run, c->ip)) {
        end_in_time(e, code, left);
        return;
    }
    pc = pc_of(run, c->ip);
    if (run->translates)
        node_enter_stretch(PLAIN_PASS);
    else
        fetch_row(PLAIN_PASS);
}

#endif
