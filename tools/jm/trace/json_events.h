/* Events of a trace as JSON, in the format that trace_json.h describes: beginnings,
 * ends and the members that several kinds of event have. A node is a process of the
 * format, a context of a node one of its threads. */
#ifndef JM_TOOLS_JM_TRACE_JSON_EVENTS_H
#define JM_TOOLS_JM_TRACE_JSON_EVENTS_H

#include <stdio.h>

#include "emu/jm.h"

enum { JSON_TRACKS = 3 }; /* contexts of a node: two priorities and the background */

/* A list of events being written. */
typedef struct {
    FILE *out;
    const JmMachine *machine;
    bool first; /* no event has been written yet */
} JsonEvents;

/* Begins an event of a phase of the format, in a cycle; the caller adds members, with a
 * comma before each, and its end. */
void json_begin(JsonEvents *json, char phase, uint32_t node, unsigned context,
                uint64_t cycle);
void json_end(JsonEvents *json);

/* The members of category and name. A name is UTF-8. */
void json_name(JsonEvents *json, const char *category, const char *name);
/* The same with the name of an address: its symbol, or else its digits. */
void json_symbol(JsonEvents *json, const char *category, uint32_t address);

/* A whole event: a point of a flow, whose phase is 's' or 'f'. */
void json_flow(JsonEvents *json, char phase, uint32_t node, unsigned context,
               uint64_t cycle, uint64_t flow);
/* Whole events: the names of a node and of its contexts. */
void json_track_names(JsonEvents *json, uint32_t node);

#endif
