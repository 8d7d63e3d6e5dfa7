/* The selection of events for a trace: nodes, kinds, cycles. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_FILTER_H
#define JM_TOOLS_JM_TRACE_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/suggest.h"
#include "emu/isa/event.h"

/* Ranks, both included. */
typedef struct {
    uint32_t first, last;
} NodeRange;

/* A selection of events. */
typedef struct {
    NodeRange *ranges; /* no ranges: all nodes */
    unsigned range_count;
    uint32_t kinds;    /* bit 1 << JmEventKind */
    uint64_t from, to; /* cycles from..to-1 */
} TraceFilter;

/* Returns the selection of all events. */
TraceFilter trace_filter_all(void);
void trace_filter_free(TraceFilter *filter);
/* Whether executed instructions are selected; trace_filter_all() does not select
 * them. */
static inline bool trace_filter_instructions(const TraceFilter *filter) {
    return filter->kinds >> JM_EVENT_EXECUTED & 1;
}

/* Read a list of nodes ("0,5,8-15") or of kinds ("send,arrive"); false if it is
 * malformed. If a word is no kind, `near` then suggests one. */
bool trace_filter_nodes(TraceFilter *filter, const char *list);
bool trace_filter_kinds(TraceFilter *filter, const char *list, JmSuggestion *near);
/* Returns the highest node of the list; 0 without a list. */
uint32_t trace_filter_highest(const TraceFilter *filter);

/* Whether a node is selected. */
bool trace_filter_node(const TraceFilter *filter, uint32_t node);

/* Whether a kind is selected. */
static inline bool trace_filter_kind(const TraceFilter *filter, JmEventKind kind) {
    return filter->kinds >> kind & 1;
}

/* Whether a cycle is selected. */
static inline bool trace_filter_cycle(const TraceFilter *filter, uint64_t cycle) {
    return cycle >= filter->from && cycle < filter->to;
}

#endif
