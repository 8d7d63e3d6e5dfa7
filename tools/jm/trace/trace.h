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
 * send, the first word that was taken and how many were.
 *
 * If asked for, also a line for every executed instruction and inline constant:
 *
 *     CYCLE NODE CONTEXT instruction ADDRESS SYMBOL FILE:LINE TEXT ; EFFECT...
 *     CYCLE NODE CONTEXT constant ADDRESS SYMBOL FILE:LINE WORD ; r0=WORD
 *     CYCLE NODE b idle ADDRESS SYMBOL TURNS
 *
 * ADDRESS ends in :low for an instruction in the low half of a word. An effect is
 * REGISTER=WORD, [ADDRESS]=WORD (written) or [ADDRESS]:WORD (read); a
 * register of another context than the one that ran has it behind ' (r1'0). A node that
 * sleeps in a loop is not visited: when it is, `idle` shows how often it jumped. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_H
#define JM_TOOLS_JM_TRACE_TRACE_H

#include <stdbool.h>

#include "emu/core/outfile.h"
#include "emu/jm.h"
#include "tools/jm/trace/trace_filter.h"
#include "tools/jm/trace/trace_step.h"

typedef struct TraceJson TraceJson;

/* A trace being written. */
typedef struct {
    JmMachine *machine; /* NULL: there is no trace */
    const JmEventFilter *filter;
    TraceJson *json; /* NULL: text */
    JmOutFile file;
    TraceLoop *loops; /* by node, while instructions are traced; else NULL */
    TraceStep step;   /* the instruction under way */
} Trace;

/* Opens the file and starts to observe the machine; `highest`: the highest node that
 * the filter names. False and an error. */
bool trace_open(Trace *trace, JmMachine *machine, const char *path,
                const JmEventFilter *filter, uint32_t highest, JmError *error);
/* Returns the next cycle in which trace_turn() is due; UINT64_MAX: none. */
uint64_t trace_next_turn(const Trace *trace);
/* Begins and ends to observe instructions at the ends of the range of cycles: outside
 * it they cost nothing. Call it between runs. */
void trace_turn(Trace *trace);
/* Writes the end of the file; call it however the run ended. */
void trace_finish(Trace *trace);
/* Frees the trace. */
void trace_close(Trace *trace);

#endif
