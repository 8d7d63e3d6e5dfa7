/* Message queues: rows that the network writes, dispatch, and SUSPEND (MDP
 * Architecture, version 11). Rows have four words; messages begin at rows. */
#include <string.h>

#include "emu/node/node.h"

/* Returns the most words that `mark` lets into queue 0. A mark above Q - 4 acts as Q -
 * 4; a queue that is not set up yet has no such bound. */
static uint32_t bound_by(const Node *node, uint32_t mark) {
    const uint32_t size = node_queue_size(node, 0);
    const bool bound = size > NODE_ROW_WORDS && mark > size - NODE_ROW_WORDS;
    return bound ? size - NODE_ROW_WORDS : mark;
}

uint32_t node_spill_bound(const Node *node) {
    return bound_by(node, node->interface->spill_mark);
}

static void set_brake(Node *node, NodeBrake brake) {
    node->brake = (uint8_t)brake;
    node->shut &= (uint8_t)~NODE_SHUT_BY_BRAKE;
    node->shut |= brake == NODE_BRAKE_ON ? NODE_SHUT_BY_BRAKE : 0;
    node->gate_changed = true;
}

void node_update_brake(Node *node, uint64_t now) {
    const uint32_t mark = node->interface->brake_mark;
    if (!mark)
        return;
    const uint32_t after = node_queue_length(node, 0) + node->ring + NODE_ROW_WORDS;
    const bool over =
        after > (node->interface->brake_ring ? mark : bound_by(node, mark));
    if (over == (node->brake != NODE_BRAKE_OFF))
        return;
    set_brake(node, over ? NODE_BRAKE_ON : NODE_BRAKE_OFF);
    if (over)
        node->brake_since = node->brake_waits = now;
    else
        node->statistics.brake_cycles += now - node->brake_since;
}

/* A SUSPEND is progress: restart the brake timeout. */
static void rearm_brake(Node *node, uint64_t now) {
    node->brake_waits = now;
    if (node->brake == NODE_BRAKE_RELEASED)
        set_brake(node, NODE_BRAKE_ON);
}

uint64_t node_alarm(const Node *node) {
    if (node->brake != NODE_BRAKE_ON)
        return UINT64_MAX;
    return node->brake_waits + node->interface->brake_patience;
}

void node_release_brake(Node *node, uint64_t now) {
    if (now >= node_alarm(node))
        set_brake(node, NODE_BRAKE_RELEASED);
}

uint32_t node_longest_message(const Node *node) {
    const uint32_t brake = node->interface->brake_mark;
    const uint32_t spill = node->interface->spill_mark;
    if (!brake && !spill)
        return UINT32_MAX;
    const uint32_t mark = !brake || (spill && spill < brake) ? spill : brake;
    const uint32_t most = bound_by(node, mark);
    return most > NODE_ROW_WORDS ? most - NODE_ROW_WORDS : 0;
}

static inline void set_qhl(Node *node, unsigned priority, uint32_t qhl, uint64_t now) {
    Priority *state = &node->priority[priority];
    PriorityStatistics *count = &node->statistics.priority[priority];
    count->area += (uint64_t)jm_field10(state->qhl) * (now - count->since);
    count->since = now;
    state->qhl = qhl;
    if (jm_field10(qhl) > count->max_words)
        count->max_words = jm_field10(qhl);
    node->gate_changed |=
        node->bounded || node_gate_open(node, priority) != state->gate;
    if (priority == 0 && node->bounded)
        node_update_brake(node, now);
}

void node_set_qhl(Node *node, unsigned priority, uint32_t qhl, uint64_t now) {
    set_qhl(node, priority, qhl, now);
}

/* Returns QHL with another head and length; the other bits stay. If a program has set a
 * length that the new row carries beyond its 10 bits, it wraps. */
static uint32_t with_head_and_length(uint32_t qhl, uint32_t head, uint32_t length) {
    return (qhl & (JM_ADDR_RELOCATABLE | JM_ADDR_INVALID)) | head << 10 |
           (length & JM_LENGTH_MASK);
}

/* Writes four words of memory from `first` on. Words in ROM are lost. */
static void store_row(Node *node, uint32_t first, const JmWord *row) {
    const uint32_t page = first >> MEMORY_PAGE_BITS;
    if (first < MEMORY_ROM && first % NODE_ROW_WORDS == 0 &&
        memory_owns_low(&node->memory, page)) {
        memcpy(&node->memory.low[page][first % MEMORY_PAGE_WORDS], row,
               NODE_ROW_WORDS * sizeof *row);
        return;
    }
    for (uint32_t i = 0; i < NODE_ROW_WORDS; i++) {
        const uint32_t address = (first + i) & JM_ADDRESS_MASK;
        if (!memory_is_rom(address))
            node_write_memory(node, address, row[i]);
    }
}

/* Checks whether a row that has come to a queue calls for attention. Most come behind a
 * task of priority 0, which only a full queue can interrupt. */
static void note_row(Node *node, unsigned priority) {
    if (node->background || node->p != 0 || priority != 0)
        node_update_masked(node);
    else
        node->attention |= !node->masked && node_queue_is_full(node, 0);
}

/* Writes a row of four words behind the last row of the queue, and counts an overflow
 * if that makes the queue full. A row in ROM is lost. */
static void write_row(Node *node, unsigned priority, const JmWord *row, uint64_t now) {
    Priority *state = &node->priority[priority];
    const uint32_t head = jm_field20(state->qhl);
    const uint32_t length = jm_field10(state->qhl);
    store_row(node, node_queue_address(state, head + length), row);
    const uint32_t after = length + NODE_ROW_WORDS;
    /* A row written in cycle `now` is in the queue from the next cycle on. */
    set_qhl(node, priority, with_head_and_length(state->qhl, head, after), now + 1);
    if (length < node_queue_size(node, priority) &&
        after >= node_queue_size(node, priority)) {
        node->statistics.overflows[priority]++;
        if (node->statistics.first_overflow == UINT64_MAX)
            node->statistics.first_overflow = now;
    }
    note_row(node, priority);
}

static inline void count_words(PriorityStatistics *statistics, unsigned words,
                               bool tail) {
    statistics->words_in += words;
    statistics->messages_in += tail;
}

/* Adds words to the arriving row; true if they complete it. */
static inline bool gather(Node *node, unsigned priority, const JmWord *words,
                          unsigned count, bool tail) {
    Priority *state = &node->priority[priority];
    const unsigned before = state->gathered;
    for (unsigned i = 0; i < count; i++)
        node->words[priority].row[before + i] = words[i];
    state->gathered = (uint8_t)(before + count);
    count_words(&node->statistics.priority[priority], count, tail);
    return tail || state->gathered == NODE_ROW_WORDS;
}

/* Makes a row of `count` words, padded with NILs. */
static inline NodeRow make_row(const JmWord *words, unsigned count, bool tail) {
    NodeRow row = {.words = (uint8_t)count, .tail = tail};
    for (unsigned i = 0; i < NODE_ROW_WORDS; i++)
        row.word[i] = i < count ? words[i] : JM_NIL;
    return row;
}

/* Takes the words that have been gathered. */
static NodeRow gathered_row(Node *node, unsigned priority, bool tail) {
    Priority *state = &node->priority[priority];
    const unsigned count = state->gathered;
    state->gathered = 0;
    return make_row(node->words[priority].row, count, tail);
}

/* Writes a row with `words` words in use; `tail`: they end their message. */
static inline void take_row(Node *node, unsigned priority, const JmWord *row,
                            unsigned words, bool tail, uint64_t now) {
    Priority *state = &node->priority[priority];
    state->came = (state->whole ? 0 : state->came) + words;
    state->whole = tail;
    write_row(node, priority, row, now);
}

bool node_receive(Node *node, unsigned priority, const JmWord *words, unsigned count,
                  bool tail, uint64_t now) {
    Priority *state = &node->priority[priority];
    if (count == NODE_ROW_WORDS) {
        count_words(&node->statistics.priority[priority], count, tail);
        take_row(node, priority, words, count, tail, now);
        return true;
    }
    if (tail && !state->gathered) { /* a whole row, which need not be kept */
        const NodeRow last = make_row(words, count, true);
        count_words(&node->statistics.priority[priority], count, true);
        take_row(node, priority, last.word, count, true, now);
        return true;
    }
    if (!gather(node, priority, words, count, tail))
        return false;
    const NodeRow row = gathered_row(node, priority, tail);
    take_row(node, priority, row.word, row.words, tail, now);
    return true;
}

bool node_gather(Node *node, unsigned priority, const JmWord *words, unsigned count,
                 bool tail, NodeRow *row) {
    if (!gather(node, priority, words, count, tail))
        return false;
    *row = gathered_row(node, priority, tail);
    return true;
}

void node_write_row(Node *node, unsigned priority, const NodeRow *row, uint64_t now) {
    take_row(node, priority, row->word, row->words, row->tail, now);
}

bool node_can_hold(const Node *node, unsigned priority, JmWord header) {
    return priority == 1 ||
           node_in_rows(jm_field10(jm_data(header))) <= node_longest_message(node);
}

bool node_dispatch(Node *node, unsigned priority, bool *faulted, uint64_t now) {
    Priority *state = &node->priority[priority];
    Context *context = &node->context[priority];
    const uint32_t head = jm_field20(state->qhl);
    const JmWord header = memory_read(&node->memory, head);
    const uint32_t length = jm_field10(jm_data(header));
    *faulted = jm_tag(header) != JM_TAG_MSG || length == 0;
    if (node->bounded && !*faulted && !node_can_hold(node, priority, header)) {
        const NodeStop stop = {.why = NODE_LONG_MESSAGE, .word = header, .cycle = now};
        node_halt(node, stop, false);
        return false;
    }
    state->over_b = node->background;
    state->active = true;
    node->p = (uint8_t)priority;
    node->background = false;
    node_update_inline(node);
    state->q = !*faulted;
    if (*faulted)
        return node_enter_fault(node, JM_FAULT_MSG, JM_NIL, JM_NIL, JM_NIL, now);
    const uint32_t flags = jm_data(header) & (JM_IP_UNCHECKED | JM_IP_FAULT);
    context->a[3] = jm_addr(head, length);
    context->ip = jm_ip(jm_field20(jm_data(header)), flags | JM_IP_ABSOLUTE);
    node->statistics.priority[priority].dispatches++;
    return true;
}

bool node_suspend(Node *node, uint64_t now) {
    const unsigned priority = node->p;
    Priority *state = &node->priority[priority];
    const uint32_t message = jm_field10(jm_data(node->context[priority].a[3]));
    const uint32_t words = node_in_rows(message);
    const uint32_t length = jm_field10(state->qhl);
    if (length < words)
        return false;
    node_note_busy(node, now + 1);
    const uint32_t head = node_queue_address(state, jm_field20(state->qhl) + words);
    node_set_qhl(node, priority, with_head_and_length(state->qhl, head, length - words),
                 now + 1);
    if (node->brake != NODE_BRAKE_OFF)
        rearm_brake(node, now + 1);
    state->q = false;
    node->send_wait &= (uint8_t) ~(1u << priority);
    /* Without an active task the program got here by writing P or B: then priority 0
     * alone decides what a task of priority 1 would have interrupted. */
    if (priority == 1 && state->active)
        node->background = state->over_b;
    else
        node->background = priority == 0 || !node->priority[0].active;
    node->p = 0;
    state->active = false;
    node_update_inline(node);
    return true;
}
