/* Takes faults: saves the fault registers and jumps through the vector (MDP
 * Architecture, version 11). A fault in fault mode, or one without a vector, is a
 * CATASTROPHE; without a vector for that, the node stops. */
#include "emu/node/node.h"

/* EARLY faults of one instruction, with its message whole, after which a node stops. A
 * handler that deals with the fault otherwise must get its chance. */
enum { NODE_EARLY_TRIES = 100 };

uint32_t node_fault_vector(const Node *node, JmFault fault) {
    const uint32_t bank = !node->background && node->p ? NODE_VECTORS_PER_PRIORITY : 0;
    return NODE_VECTORS + bank + fault;
}

static JmWord read_vector(const Node *node, JmFault fault) {
    return memory_read(&node->memory, node_fault_vector(node, fault));
}

/* Returns which task of its priority the running context is in, modulo 2^32. */
static uint32_t task_number(const Node *node) {
    return node->background ? 0
                            : (uint32_t)node->statistics.priority[node->p].dispatches;
}

/* Returns how often the current EARLY fault of this instruction has occurred before
 * while every message in the queue was whole. No word in transit can end such a
 * fault. */
static uint32_t early_before(const Node *node, JmFault fault) {
    const NodeFault *last = &node->fault[node->running];
    const bool same = fault == JM_FAULT_EARLY && last->taken && last->fault == fault &&
                      jm_same(last->fip, node->current->ip);
    return same && node->priority[node->p].whole ? last->again + 1 : 0;
}

/* Whether the running context is in the handler of the fault that was recorded last: it
 * is in fault mode, and neither another fault nor another task has come since. A task
 * may also be in fault mode through its header: then its own faults are what happened
 * first. */
static bool is_in_handler(const Node *node) {
    const NodeFault *noted = &node->fault[node->running];
    return (jm_data(node->current->ip) & JM_IP_FAULT) && noted->taken &&
           noted->task == task_number(node) && jm_same(node->current->fip, noted->fip);
}

/* Records a fault that the running context is about to take outside a handler. */
static void note_fault(Node *node, JmFault fault, JmWord fir, JmWord fop0, JmWord fop1,
                       uint64_t now) {
    NodeFault *noted = &node->fault[node->running];
    const uint32_t again = early_before(node, fault);
    *noted = (NodeFault){.taken = true,
                         .again = again,
                         .task = task_number(node),
                         .fault = fault,
                         .cycle = now,
                         .fip = node->current->ip,
                         .fir = fir,
                         .fop0 = fop0,
                         .fop1 = fop1};
    noted->address = node_issue_address(node, !jm_same(fir, JM_NIL), &noted->low);
}

bool node_enter_fault(Node *node, JmFault fault, JmWord fir, JmWord fop0, JmWord fop1,
                      uint64_t now) {
    Context *context = node->current;
    /* An MSG fault is taken regardless of F in the context's old IP. */
    const bool in_fault =
        fault != JM_FAULT_MSG && (jm_data(context->ip) & JM_IP_FAULT) != 0;
    const NodeFault *noted = &node->fault[node->running];
    const bool in_handler = in_fault && is_in_handler(node);
    if (!in_fault || !in_handler)
        note_fault(node, fault, fir, fop0, fop1, now);
    context->fip = context->ip;
    PriorityWords *words = &node->words[node->p]; /* background too */
    words->fir = fir;
    words->fop0 = fop0;
    words->fop1 = fop1;
    node->statistics.faults[fault]++;
    JmWord vector = read_vector(node, fault);
    if (in_fault || jm_tag(vector) != JM_TAG_IP) {
        node->statistics.faults[JM_FAULT_CATASTROPHE]++;
        vector = read_vector(node, JM_FAULT_CATASTROPHE);
    }
    if (jm_tag(vector) != JM_TAG_IP) {
        const NodeStop stop = {.why = NODE_CATASTROPHE,
                               .fault = fault,
                               .in_fault = in_fault,
                               .noted = !in_fault || in_handler,
                               .word = vector,
                               .cycle = now};
        node_halt(node, stop, !jm_same(fir, JM_NIL));
        return false;
    }
    if (fault == JM_FAULT_EARLY && noted->again >= NODE_EARLY_TRIES) {
        const NodeStop stop = {
            .why = NODE_SHORT_MESSAGE, .fault = fault, .noted = true, .cycle = now};
        node_halt(node, stop, !jm_same(fir, JM_NIL));
        return false;
    }
    context->ip = vector;
    return true;
}
