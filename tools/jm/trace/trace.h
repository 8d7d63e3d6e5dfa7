/* The trace of a run, written as it happens.
 *
 * To a file whose name ends in .json: trace events as Perfetto and Chrome's viewer read
 * them (trace_json.h). To any other file: a line of text for every dispatch, fault,
 * suspend, send, arrival and overflow, in the order in which they happen.
 *
 *     CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL]
 *
 * CONTEXT is 0, 1 or b (background); ADDRESS five hexadecimal digits and SYMBOL
 * name+offset, or "-" of what happens on the wires. DETAIL: of a dispatch the message
 * header, of a fault its name, of sends, arrivals and overflows the priority (p0, p1)
 * and the network's number of the message (#17), which is used again later; then, of a
 * send, the first word that was taken and how many were. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_H
#define JM_TOOLS_JM_TRACE_TRACE_H

#include <stdbool.h>

#include "emu/core/outfile.h"
#include "emu/jm.h"
#include "tools/jm/trace/trace_filter.h"

typedef struct TraceJson TraceJson;

/* A trace being written. */
typedef struct {
    const JmMachine *machine;
    const TraceFilter *filter;
    TraceJson *json; /* NULL: text */
    JmOutFile file;
} Trace;

/* Opens the file and starts to observe the machine. False and an error. */
bool trace_open(Trace *trace, JmMachine *machine, const char *path,
                const TraceFilter *filter, JmError *error);
/* Writes the end of the file; call it however the run ended. */
void trace_finish(Trace *trace);
/* Frees the trace. */
void trace_close(Trace *trace);

#endif
