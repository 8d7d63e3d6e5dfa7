/* Reset, flags and the state derived from them, halting and sleeping. */
#include "emu/node/node.h"

#include <string.h>

static void reset_context(Context *context, uint32_t ip_flags, uint32_t offset) {
    context->ip = jm_ip(offset, ip_flags);
    context->fip = jm_ip(0, JM_IP_UNCHECKED | JM_IP_ABSOLUTE);
    for (int i = 0; i < 4; i++) {
        context->r[i] = JM_NIL;
        context->a[i] = jm_addr(0, 0);
    }
}

static const JmInterface AS_BUILT = {
#define NODE_PARAM(name, standard, minimum, maximum, text, source) .name = standard,
#include "emu/node/interface.def"
#undef NODE_PARAM
};

void node_set_interface(Node *node, const JmInterface *interface, uint8_t unit) {
    node->interface = interface;
    node->redirects =
        interface->hwm_mark || interface->escape_mark || interface->open_words;
    node->bounded = (interface->brake_mark ? NODE_SHUT_BY_BRAKE : 0) | unit;
}

void node_init(Node *node, uint32_t rank, JmWord *nil_page) {
    memset(node, 0, sizeof *node);
    node->rank = rank;
    node_set_interface(node, &AS_BUILT, 0);
    node->background = true;
    node->masked = true;
    node->fetch_row = NODE_NO_ROW;
    node->sleep_period = 1;
    node->rest_ip = UINT32_MAX;
    node->tbm_tag = JM_TAG_ADDR;
    node_forget_row(node);
    node->stop.why = NODE_NOT_STARTED;
    node->statistics.first_overflow = UINT64_MAX;
    for (unsigned i = 0; i < 2; i++) {
        reset_context(&node->context[i], JM_IP_UNCHECKED, 0);
        node->priority[i].qbm = JM_ADDR_INVALID;
        node->priority[i].qbm_tag = node->priority[i].qhl_tag = JM_TAG_ADDR;
        node->priority[i].gate =
            true; /* as in a new network; the first update closes it */
    }
    reset_context(&node->context[JM_CONTEXT_BACKGROUND],
                  JM_IP_UNCHECKED | JM_IP_ABSOLUTE, NODE_RESET_OFFSET);
    memory_init(&node->memory, nil_page);
    node_update(node);
}

void node_free(Node *node) {
    memory_free(&node->memory);
}

void node_update(Node *node) {
    node_update_inline(node);
}

void node_update_masked(Node *node) {
    node->attention = node_needs_attention(node);
}

void node_halt(Node *node, NodeStop stop, bool issued) {
    stop.address = node_issue_address(node, issued, &stop.low);
    stop.context = (JmContext)node->running;
    node->stop = stop;
    node->runs = false;
}

uint64_t node_sleep_turns(const Node *node, uint64_t cycle) {
    if (!node->asleep || cycle <= node->ready)
        return 0;
    return (cycle - node->ready + node->sleep_period - 1) / node->sleep_period;
}

void node_wake(Node *node, uint64_t cycle) {
    if (!node->asleep)
        return;
    const uint64_t turns = node_sleep_turns(node, cycle);
    node->statistics.instructions += turns;
    node->statistics.cycles[JM_CLASS_IDLE] += turns * node->sleep_period;
    node->ready += turns * node->sleep_period;
    if (turns)
        node->last_class = JM_CLASS_IDLE; /* a restored node may have another */
    node->asleep = false;
}
