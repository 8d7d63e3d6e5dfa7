/* The lists that select events for a trace: of nodes and of kinds. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_FILTER_H
#define JM_TOOLS_JM_TRACE_TRACE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/suggest.h"
#include "emu/isa/event.h"

/* Adds a list of nodes, "0,5,8-15", to a filter; false if it is malformed. `highest`:
 * the highest node so far. Free the filter's nodes in the end. */
bool trace_filter_nodes(JmEventFilter *filter, const char *list, uint32_t *highest);
/* Reads a list of kinds, "send,arrive" or "instruction", which no event's name is;
 * false if it is malformed. If a word is not a kind, `near` then suggests one. */
bool trace_filter_kinds(const char *list, uint32_t *kinds, JmSuggestion *near);

/* Whether executed instructions are selected. */
static inline bool trace_filter_instructions(const JmEventFilter *filter) {
    return jm_filter_kind(filter, JM_EVENT_EXECUTED);
}

#endif
