/* The selection of events for a trace: nodes, kinds, cycles. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_FILTER_H
#define JM_TOOLS_JM_TRACE_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/isa/event.h"

typedef struct {
    uint32_t first, last;
} NodeRange;

typedef struct {
    NodeRange *ranges; /* no ranges: all nodes */
    unsigned range_count;
    uint32_t kinds;    /* bit 1 << JmEventKind */
    uint64_t from, to; /* cycles from..to-1 */
} TraceFilter;

/* Returns the name of a kind in traces; NULL for kinds that are not traced. */
const char *trace_kind_name(JmEventKind kind);

TraceFilter trace_filter_all(void);
void trace_filter_free(TraceFilter *filter);
/* Read a list of nodes ("0,5,8-15") or of kinds ("send,arrive"); false if it is
 * malformed. */
bool trace_filter_nodes(TraceFilter *filter, const char *list);
bool trace_filter_kinds(TraceFilter *filter, const char *list);
/* Returns the highest node of the list; 0 without a list. */
uint32_t trace_filter_highest(const TraceFilter *filter);

bool trace_filter_node(const TraceFilter *filter, uint32_t node);

static inline bool trace_filter_kind(const TraceFilter *filter, JmEventKind kind) {
    return filter->kinds >> kind & 1;
}

static inline bool trace_filter_cycle(const TraceFilter *filter, uint64_t cycle) {
    return cycle >= filter->from && cycle < filter->to;
}

#endif
