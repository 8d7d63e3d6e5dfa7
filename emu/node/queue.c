/* Message queues: rows that the network writes, dispatch, and SUSPEND (MDP
 * Architecture, version 11). Rows have four words; messages begin at rows. */
#include "emu/node/node.h"

void node_set_qhl(Node *node, unsigned priority, uint32_t qhl, uint64_t now) {
    Priority *state = &node->priority[priority];
    PriorityStatistics *count = &node->statistics.priority[priority];
    count->area += (uint64_t)jm_field10(state->qhl) * (now - count->since);
    count->since = now;
    state->qhl = qhl;
    if (jm_field10(qhl) > count->max_words)
        count->max_words = jm_field10(qhl);
    node->gate_changed = true;
}

/* Returns QHL with another head and length; the other bits stay. A program can have set
 * a length that the row just written carries beyond its 10 bits: it wraps. */
static uint32_t with_head_and_length(uint32_t qhl, uint32_t head, uint32_t length) {
    return (qhl & (JM_ADDR_RELOCATABLE | JM_ADDR_INVALID)) | head << 10 |
           (length & JM_LENGTH_MASK);
}

bool node_gate_open(const Node *node, unsigned priority) {
    const Priority *state = &node->priority[priority];
    const uint32_t after = jm_field10(state->qhl) + NODE_ROW_WORDS;
    return !(state->qbm & JM_ADDR_INVALID) &&
           after <= node_queue_size(node, priority) && after <= NODE_QUEUE_MAX_WORDS;
}

/* Writes the row that has been gathered, filled up with NILs, behind the last row of
 * the queue, and counts an overflow if that makes the queue full. A row that would lie
 * in ROM is lost. */
static void write_row(Node *node, unsigned priority, uint64_t now) {
    Priority *state = &node->priority[priority];
    const uint32_t head = jm_field20(state->qhl);
    const uint32_t length = jm_field10(state->qhl);
    const uint32_t first = node_queue_address(state, head + length);
    for (uint32_t i = 0; i < NODE_ROW_WORDS; i++) {
        const uint32_t address = (first + i) & JM_ADDRESS_MASK;
        const JmWord word = i < state->gathered ? state->row[i] : JM_NIL;
        if (!memory_is_rom(address))
            node_write_memory(node, address, word);
    }
    state->gathered = 0;
    const uint32_t after = length + NODE_ROW_WORDS;
    /* A row written in cycle `now` is in the queue from the next cycle on. */
    node_set_qhl(node, priority, with_head_and_length(state->qhl, head, after),
                 now + 1);
    if (length < node_queue_size(node, priority) &&
        after >= node_queue_size(node, priority)) {
        node->statistics.priority[priority].overflows++;
        if (node->statistics.first_overflow == UINT64_MAX)
            node->statistics.first_overflow = now;
    }
    node_update(node);
}

bool node_receive(Node *node, unsigned priority, const JmWord *words, unsigned count,
                  bool tail, uint64_t now) {
    Priority *state = &node->priority[priority];
    PriorityStatistics *statistics = &node->statistics.priority[priority];
    for (unsigned i = 0; i < count; i++)
        state->row[state->gathered++] = words[i];
    statistics->words_in += count;
    statistics->messages_in += tail;
    if (!tail && state->gathered < NODE_ROW_WORDS)
        return false;
    state->came = (state->whole ? 0 : state->came) + state->gathered;
    state->whole = tail;
    write_row(node, priority, now);
    return true;
}

bool node_dispatch(Node *node, unsigned priority, bool *faulted, uint64_t now) {
    Priority *state = &node->priority[priority];
    Context *context = &node->context[priority];
    const uint32_t head = jm_field20(state->qhl);
    const JmWord header = memory_read(&node->memory, head);
    const uint32_t length = jm_field10(jm_data(header));
    state->over_b = node->background;
    state->active = true;
    node->p = (uint8_t)priority;
    node->background = false;
    node_update(node);
    *faulted = jm_tag(header) != JM_TAG_MSG || length == 0;
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
    const uint32_t words = (message + NODE_ROW_WORDS - 1) & ~(NODE_ROW_WORDS - 1u);
    const uint32_t length = jm_field10(state->qhl);
    if (length < words)
        return false;
    node_note_busy(node, now + 1);
    const uint32_t head = node_queue_address(state, jm_field20(state->qhl) + words);
    node_set_qhl(node, priority, with_head_and_length(state->qhl, head, length - words),
                 now + 1);
    state->q = false;
    node->send_wait &= (uint8_t) ~(1u << priority);
    /* Without an active task the program got here by writing P or B: what a task of
     * priority 1 would have interrupted follows from priority 0 alone. */
    if (priority == 1 && state->active)
        node->background = state->over_b;
    else
        node->background = priority == 0 || !node->priority[0].active;
    node->p = 0;
    state->active = false;
    node_update(node);
    return true;
}
