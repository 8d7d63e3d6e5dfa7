/* Which events go into a trace. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_FILTER_H
#define JM_TOOLS_JM_TRACE_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/isa/event.h"

typedef struct {
    uint32_t first, last;
} NodeRange;

typedef struct {
    NodeRange *ranges; /* none: all nodes */
    unsigned range_count;
    uint32_t kinds;    /* bit 1 << JmEventKind */
    uint64_t from, to; /* cycles; `to` is not traced */
} TraceFilter;

/* The kinds that traces know, by JmEventKind; NULL for others. */
const char *trace_kind_name(JmEventKind kind);

TraceFilter trace_filter_all(void);
void trace_filter_free(TraceFilter *filter);
/* Read lists: "0,5,8-15"; "send,arrive". False if malformed. */
bool trace_filter_nodes(TraceFilter *filter, const char *list);
bool trace_filter_kinds(TraceFilter *filter, const char *list);
/* The highest node of the list, or 0. */
uint32_t trace_filter_highest(const TraceFilter *filter);

bool trace_filter_node(const TraceFilter *filter, uint32_t node);

static inline bool trace_filter_kind(const TraceFilter *filter, JmEventKind kind) {
    return filter->kinds >> kind & 1;
}

static inline bool trace_filter_cycle(const TraceFilter *filter, uint64_t cycle) {
    return cycle >= filter->from && cycle < filter->to;
}

#endif
