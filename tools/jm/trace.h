/* The trace of a run: a line of text for every dispatch, fault, suspend, send and
 * arrival, in the order in which they happen.
 *
 *     CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL]
 *
 * CONTEXT is 0, 1 or b (background); ADDRESS five hexadecimal digits; SYMBOL
 * name+offset or "-"; DETAIL per event: dispatch and arrive the header, fault its name,
 * send the first word and how many. */
#ifndef JM_TOOLS_TRACE_H
#define JM_TOOLS_TRACE_H

#include <stdbool.h>

#include "emu/jm.h"
#include "tools/jm/outfile.h"

typedef struct {
    const JmMachine *machine;
    OutFile file;
} Trace;

bool trace_open(Trace *trace, JmMachine *machine, const char *path, JmError *error);

#endif
