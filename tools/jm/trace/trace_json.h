/* A trace as trace events in JSON, which Perfetto and Chrome's viewer show. One cycle
 * of the machine is a microsecond there.
 *
 * A process is a node; its threads are priority 0, priority 1 and background. On them:
 *
 *     B, E   tasks, from dispatch to SUSPEND, named after their handlers; and, within
 *            them, stalls: from a SEND fault to the SEND that succeeds
 *     X      a message is opened by SEND
 *     i      faults; arrivals of whole messages; queues that become full
 *     X      on threads of their own, if asked for: executed instructions and inline
 *            constants, as long as they take, and the time a node sleeps in a loop
 *     s, f   the flow of a message from where it is opened to the task it dispatches
 *
 * A message may dispatch before its tail has arrived. Which message it is shows with
 * the tail, and there, within the task, its flow ends. The flow of a message that a
 * program takes out of the queue itself, as an overflow handler does, ends in a slice
 * "taken out of the queue" at the node's next event.
 *
 * Memory does not grow with the length of the trace. */
#ifndef JM_TOOLS_JM_TRACE_TRACE_JSON_H
#define JM_TOOLS_JM_TRACE_TRACE_JSON_H

#include <stdio.h>

#include "emu/jm.h"
#include "tools/jm/trace/trace_filter.h"
#include "tools/jm/trace/trace_step.h"

typedef struct TraceJson TraceJson;

/* Begins a trace. `machine` may be under way: tasks that are active begin now. */
TraceJson *trace_json_start(FILE *out, const JmMachine *machine,
                            const JmEventFilter *filter);
/* Takes an event, in the order of cycles. */
void trace_json_event(TraceJson *trace, const JmEvent *event);
/* Writes an executed instruction, or the turns of a loop in which a node has slept. */
void trace_json_step(TraceJson *trace, const JmEvent *event, const TraceStep *step);
void trace_json_idle(TraceJson *trace, uint32_t node, const TraceLoop *loop,
                     uint64_t turns);
/* Ends what is open, and the file. */
void trace_json_finish(TraceJson *trace);
void trace_json_free(TraceJson *trace); /* NULL is ignored */

#endif
