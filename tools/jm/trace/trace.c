/* Writes the trace of a run as text, or hands events on to trace_json.c. */
#include "tools/jm/trace/trace.h"

#include <inttypes.h>
#include <string.h>

#include "tools/jm/trace/trace_json.h"

/* 0 and 1 are the priorities, b is the background. */
static char context_letter(JmContext context) {
    return context == JM_CONTEXT_BACKGROUND ? 'b' : (char)('0' + context);
}

/* Events of messages happen in the network, not at an address of the program. */
static bool has_address(const JmEvent *event) {
    return event->kind != JM_EVENT_SEND && event->kind != JM_EVENT_ARRIVE &&
           event->kind != JM_EVENT_OVERFLOW && event->kind != JM_EVENT_RETURN &&
           event->kind != JM_EVENT_SPILL && event->kind != JM_EVENT_BRAKE;
}

static void print_address(FILE *out, const Trace *trace, const JmEvent *event) {
    char symbol[128];
    jm_symbol_at(trace->machine, event->address, symbol, sizeof symbol);
    if (has_address(event))
        fprintf(out, " %05" PRIX32 " %s", event->address, *symbol ? symbol : "-");
    else
        fputs(" - -", out);
}

/* Prints what only some kinds of events have; nothing for the others. */
static void print_detail(FILE *out, const JmEvent *event) {
    char word[32];
    jm_word_print(event->word, word, sizeof word);
    if (event->kind == JM_EVENT_FAULT)
        fprintf(out, " %s", jm_fault_name(event->fault));
    else if (event->kind == JM_EVENT_DISPATCH)
        fprintf(out, " %s", word);
    else if (event->kind == JM_EVENT_SEND)
        fprintf(out, " p%u #%" PRIu32 " %s %" PRIu32 "%s", event->priority,
                event->message, word, event->count,
                jm_redirection_text((JmRedirection)event->redirected));
    else if (event->kind == JM_EVENT_BRAKE)
        fputs(event->count ? " on" : " off", out);
    else if (event->kind == JM_EVENT_ARRIVE || event->kind == JM_EVENT_OVERFLOW ||
             event->kind == JM_EVENT_RETURN || event->kind == JM_EVENT_SPILL)
        fprintf(out, " p%u #%" PRIu32, event->priority, event->message);
}

/* Observer for text traces. Stops the run (true) when the file cannot be written any
 * more. */
static bool trace_text(void *context, const JmEvent *event) {
    Trace *trace = context;
    FILE *out = trace->file.stream;
    if (!trace_filter_cycle(trace->filter, event->cycle) ||
        !trace_filter_node(trace->filter, event->node))
        return false;
    fprintf(out, "%" PRIu64 " %" PRIu32 " %c %s", event->cycle, event->node,
            context_letter(event->context), trace_kind_name(event->kind));
    print_address(out, trace, event);
    print_detail(out, event);
    putc('\n', out);
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
