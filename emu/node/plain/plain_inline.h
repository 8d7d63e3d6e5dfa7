/* What all functions that issue instructions of a run share: charges, the end of the
 * run, marks, and the page that code is fetched from. Only plain.c, whose head explains
 * runs, includes this header and the others of this folder. Everything is static, so
 * that the compiler can inline it. */
#ifndef JM_NODE_PLAIN_INLINE_H
#define JM_NODE_PLAIN_INLINE_H

#include <string.h>

#include "emu/node/execute_inline.h"
#include "emu/node/place.h"
#include "emu/node/plain/stretch.h"

#define UNLIKELY(condition) __builtin_expect(!!(condition), false)

/* For rare functions that a run calls: the compiler must neither inline them nor drop
 * arguments, or every other function would have to move theirs. */
#define COLD_CALL __attribute__((used, noinline))

enum {
    /* A run of fewer cycles is likely to be the rest of one that ended early, before
     * the machine's own end: it goes to its last cycle. */
    SHORT_RUN = 64,
    WORD_BYTES = sizeof(JmWord),
    PHASE_BYTES = WORD_BYTES / 2, /* from one instruction to the next */
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

/* In every function of a run `pc` is the host's address of the word that holds the next
 * instruction, + 4 for the second of a word; `left` are the cycles left of the run.
 *
 * The low half of `left` is the number of cycles from the next boundary to the last
 * cycle of the run, negative at its end; its high half is meaningless. */
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
    return run->last - (uint64_t)(int64_t)cycles_left(left);
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
 * The target of a branch may lie before the page: a distance on a host with 32-bit
 * addresses needs its sign. */
static JmWord ip_at(const NodeRun *run, uintptr_t pc) {
    const uint64_t bytes = (uint64_t)(intptr_t)(pc - run->page);
    return (JmWord){run->from.ip.bits + bytes * (JM_IP_PHASE / PHASE_BYTES)};
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
        run->ahead->sends = (uint8_t)(run->send - run->ahead->send);
    }
    leave_row(run);
}

static COLD_CALL void end_run(NodeEnv *e, uint64_t left) {
    finish_run(e, left);
}

/* Ends the run because the next instruction is due after it. The class of the last one
 * is kept for statistics read in the middle of its cycles. */
static void end_in_time(NodeEnv *e, unsigned class, uint64_t left) {
    Node *node = e->run.node;
    node->last_class = (uint8_t)class_of_charge(node, class);
    end_run(e, left);
}

/* Ends the run before the instruction at `pc`, which is due at its end or later. */
static COLD_CALL void run_out(Context *c, unsigned class, uintptr_t pc, uint64_t left,
                              NodeEnv *e) {
    c->ip = ip_at(&e->run, pc);
    end_in_time(e, class, left);
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

/* Ends the run before the instruction of `class` at `pc`. Whoever issues it will pay
 * for its row, so a payment in this run is undone. */
ALWAYS_INLINE void stop_before(Context *c, unsigned class, uintptr_t pc, uint64_t left,
                               NodeEnv *e) {
    NodeRun *run = &e->run;
    c->ip = ip_at(run, pc);
    if (run->paid_pc == pc && run->paid_left == left) {
        left += run->from.row_cost;
        charge_cycles(run, class, 0 - run->from.row_cost);
        run->row = run->row_before;
    }
    finish_run(e, left);
}

/* Stops before an instruction that is not plain: exec.c will execute it. */
ALWAYS_INLINE void leave_class(Context *c, unsigned class, uintptr_t pc, uint64_t left,
                               NodeEnv *e) {
    e->run.node->not_plain = true;
    stop_before(c, class, pc, left, e);
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
        .key = (checked ? RUN_CHECKED : 0) | (external ? RUN_EXTERNAL : 0) |
               (run->picks ? RUN_PICKS : 0)};
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

/* Returns `pc` within the page that code is fetched from, after a change of pages if it
 * has left that one. Returns 0 if the run must end there, with the IP set. */
static inline uintptr_t pc_in_page(NodeRun *run, Context *c, uintptr_t pc) {
    if (!UNLIKELY(pc - run->page >= PAGE_BYTES))
        return pc;
    c->ip = ip_at(run, pc);
    return map_code(run, c->ip) ? pc_of(run, c->ip) : 0;
}

/* Returns the word that holds the instruction at `pc`. */
ALWAYS_INLINE JmWord word_at(uintptr_t pc) {
    return *(const JmWord *)(pc & ~(uintptr_t)(WORD_BYTES - 1));
}

/* Returns the instruction at `pc`, whose word is not an inline constant. */
ALWAYS_INLINE const JmDecoded *decoded_at(const NodeEnv *e, uintptr_t pc) {
    return &e->code[jm_instruction(word_at(pc), (pc & PHASE_BYTES) != 0)];
}

#endif
