/* The trace of a run: a line of text for every dispatch, fault, suspend, send and
 * arrival, in the order in which they happen.
 *
 *     CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL]
 *
 * CONTEXT is 0, 1 or b (background); ADDRESS five hexadecimal digits and SYMBOL
 * name+offset, or "-" of sends and arrivals. DETAIL: of a dispatch the message header,
 * of a fault its name, of sends and arrivals the priority (p0, p1) and the network's
 * number of the message (#17), which is used again later; then, of a send, the first
 * word that was taken and how many were. */
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
