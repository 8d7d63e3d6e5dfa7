/* Taking faults (mdp-isa 6). */
#include "emu/node/node.h"

static JmWord read_vector(const Node *node, JmFault fault) {
    const uint32_t bank = !node->background && node->p ? NODE_VECTORS_PER_PRIORITY : 0;
    return memory_read(&node->memory, NODE_VECTORS + bank + fault);
}

bool node_enter_fault(Node *node, JmFault fault, JmWord fir, JmWord fop0, JmWord fop1,
                      uint64_t now) {
    Context *context = node->current;
    /* An MSG fault is taken whatever F the context's old IP holds. */
    const bool in_fault =
        fault != JM_FAULT_MSG && (jm_data(context->ip) & JM_IP_FAULT) != 0;
    context->fip = context->ip;
    Priority *state = &node->priority[node->p]; /* background too */
    state->fir = fir;
    state->fop0 = fop0;
    state->fop1 = fop1;
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
                               .word = vector,
                               .cycle = now};
        node_halt(node, stop, !jm_same(fir, JM_NIL));
        return false;
    }
    context->ip = vector;
    return true;
}
