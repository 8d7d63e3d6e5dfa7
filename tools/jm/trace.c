#include "tools/jm/trace.h"

#include <inttypes.h>

/* Events traced, and their names. */
static const char *const event_name[JM_EVENT_COUNT] = {
    [JM_EVENT_DISPATCH] = "dispatch", [JM_EVENT_FAULT] = "fault",
    [JM_EVENT_SUSPEND] = "suspend",   [JM_EVENT_SEND] = "send",
    [JM_EVENT_ARRIVE] = "arrive",
};

static char context_letter(JmContext context) {
    return context == JM_CONTEXT_BACKGROUND ? 'b' : (char)('0' + context);
}

/* Messages are places on the wires, not in the program. */
static bool has_address(const JmEvent *event) {
    return event->kind != JM_EVENT_SEND && event->kind != JM_EVENT_ARRIVE;
}

static void print_address(FILE *out, const Trace *trace, const JmEvent *event) {
    char symbol[128];
    jm_symbol_at(trace->machine, event->address, symbol, sizeof symbol);
    if (has_address(event))
        fprintf(out, " %05" PRIX32 " %s", event->address, *symbol ? symbol : "-");
    else
        fputs(" - -", out);
}

static void print_detail(FILE *out, const JmEvent *event) {
    char word[32];
    jm_word_print(event->word, word, sizeof word);
    if (event->kind == JM_EVENT_FAULT)
        fprintf(out, " %s", jm_fault_name(event->fault));
    else if (event->kind == JM_EVENT_DISPATCH)
        fprintf(out, " %s", word);
    else if (event->kind == JM_EVENT_SEND)
        fprintf(out, " p%u #%" PRIu32 " %s %" PRIu32, event->priority, event->message,
                word, event->count);
    else if (event->kind == JM_EVENT_ARRIVE)
        fprintf(out, " p%u #%" PRIu32, event->priority, event->message);
}

/* Stops the run when the file cannot be written any more. */
static bool trace_event(void *context, const JmEvent *event) {
    Trace *trace = context;
    FILE *out = trace->file.stream;
    fprintf(out, "%" PRIu64 " %" PRIu32 " %c %s", event->cycle, event->node,
            context_letter(event->context), event_name[event->kind]);
    print_address(out, trace, event);
    print_detail(out, event);
    putc('\n', out);
    return ferror(out) != 0;
}

bool trace_open(Trace *trace, JmMachine *machine, const char *path, JmError *error) {
    trace->machine = machine;
    if (!outfile_open(&trace->file, path, error))
        return false;
    uint32_t kinds = 0;
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++)
        if (event_name[kind])
            kinds |= UINT32_C(1) << kind;
    jm_observe(machine, kinds, trace_event, trace);
    return true;
}
