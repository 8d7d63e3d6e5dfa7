/* Writes the trace of a run as text, or hands events on to trace_json.c. */
#include "tools/jm/trace/trace.h"

#include <inttypes.h>
#include <string.h>

#include "tools/jm/trace/trace_json.h"

/* Observer for text traces. Stops the run (true) when the file cannot be written any
 * more. */
static bool trace_text(void *context, const JmEvent *event) {
    Trace *trace = context;
    FILE *out = trace->file.stream;
    if (!trace_filter_cycle(trace->filter, event->cycle) ||
        !trace_filter_node(trace->filter, event->node))
        return false;
    char line[JM_EVENT_TEXT_MAX];
    fprintf(out, "%s\n", jm_event_text(trace->machine, event, line));
    return ferror(out) != 0;
}

static bool trace_events(void *context, const JmEvent *event) {
    Trace *trace = context;
    trace_json_event(trace->json, event);
    return ferror(trace->file.stream) != 0;
}

static bool is_json(const char *path) {
    const size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

bool trace_open(Trace *trace, JmMachine *machine, const char *path,
                const TraceFilter *filter, JmError *error) {
    trace->machine = machine;
    trace->filter = filter;
    if (trace_filter_highest(filter) >= jm_node_count(machine))
        return jm_fail(error, "jm run",
                       "--trace-nodes: there is no node %" PRIu32
                       "; the machine has %u",
                       trace_filter_highest(filter), jm_node_count(machine));
    if (!jm_outfile_open(&trace->file, path, jm_inputs(machine), error))
        return false;
    if (is_json(path)) {
        trace->json = trace_json_start(trace->file.stream, machine, filter);
        if (jm_observe(machine, TRACE_JSON_KINDS, trace_events, trace))
            return true;
    } else if (jm_observe(machine, filter->kinds, trace_text, trace)) {
        return true;
    }
    return jm_fail(error, path, "no memory to trace");
}

void trace_finish(Trace *trace) {
    if (trace->json)
        trace_json_finish(trace->json);
}

void trace_close(Trace *trace) {
    trace_json_free(trace->json);
    trace->json = NULL;
}
