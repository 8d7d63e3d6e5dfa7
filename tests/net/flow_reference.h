/* A second simulator of the flow rules, for tests: written independently of the engine,
 * one flit at a time, without lists of awake points, and with everything recomputed in
 * each step. It shares with the engine the graph and, for equal random draws, the order
 * of competitors. */
#ifndef JM_TESTS_NET_FLOW_REFERENCE_H
#define JM_TESTS_NET_FLOW_REFERENCE_H

#include "emu/core/rng.h"
#include "net/graph/graph.h"

typedef struct FlowReference FlowReference;

typedef struct {
    uint32_t message; /* its number here: counted from 0 as messages are sent */
    uint32_t flit;
    uint32_t from, to; /* points */
} FlowReferenceMove;

FlowReference *flow_reference_create(const NetGraph *graph, const NetParams *params,
                                     uint64_t draws);
void flow_reference_destroy(FlowReference *reference);

/* Sends a message that may leave its source from the next step on. */
uint32_t flow_reference_send(FlowReference *reference, uint32_t source,
                             unsigned priority, uint32_t destination, uint32_t draw,
                             unsigned flits);
/* Opens or shuts the gate of a terminal, and blocks or frees all lanes of a wire, from
 * the next step on. */
void flow_reference_set_gate(FlowReference *reference, uint32_t terminal,
                             unsigned priority, bool open);
void flow_reference_block(FlowReference *reference, uint32_t wire, bool blocked);
void flow_reference_step(FlowReference *reference);
/* Flits that waited at the front of a channel, times cycles. */
uint64_t flow_reference_blocked(const FlowReference *reference);
/* The moves of the last step, by the point they come from. */
const FlowReferenceMove *flow_reference_moves(const FlowReference *reference,
                                              uint32_t *count);

#endif
