/* `trace`: writes events as lines of a file, possibly over several runs. */
#include <errno.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/files.h"

/* A trace that is being written. */
struct TraceFile {
    JmOutFile file;
    NodeSet nodes;
    uint32_t kinds;
    uint64_t first, last; /* cycles to be traced, both included */
    uint64_t written_to;  /* events before this cycle have been written */
};

static const struct {
    const char *name;
    JmEventKind kind;
} trace_names[] = {{"dispatch", JM_EVENT_DISPATCH}, {"send", JM_EVENT_SEND},
                   {"fault", JM_EVENT_FAULT},       {"suspend", JM_EVENT_SUSPEND},
                   {"arrive", JM_EVENT_ARRIVE},     {"overflow", JM_EVENT_OVERFLOW},
                   {"return", JM_EVENT_RETURN},     {"spill", JM_EVENT_SPILL},
                   {"brake", JM_EVENT_BRAKE}};
enum { TRACE_KINDS = sizeof trace_names / sizeof *trace_names };

const char *traced_kind_name(unsigned index) {
    return index < TRACE_KINDS ? trace_names[index].name : NULL;
}

static uint32_t all_trace_kinds(void) {
    uint32_t kinds = 0;
    for (unsigned i = 0; i < TRACE_KINDS; i++)
        kinds |= UINT32_C(1) << trace_names[i].kind;
    return kinds;
}

uint32_t trace_kinds(const JmDebug *d) {
    return d->stops->trace ? d->stops->trace->kinds : 0;
}

/* Writes a line CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL], as `jm run --trace`
 * does. */
static void write_event(const JmDebug *d, FILE *out, const JmEvent *e) {
    char place[LONG_TEXT], word[32];
    const bool message = e->kind == JM_EVENT_SEND || e->kind == JM_EVENT_ARRIVE ||
                         e->kind == JM_EVENT_OVERFLOW || e->kind == JM_EVENT_RETURN ||
                         e->kind == JM_EVENT_SPILL;
    const char *name = "";
    for (unsigned i = 0; i < TRACE_KINDS; i++)
        name = trace_names[i].kind == e->kind ? trace_names[i].name : name;
    jm_word_print(e->word, word, sizeof word);
    jm_symbol_at(d->machine, e->address, place, sizeof place);
    fprintf(out, "%" PRIu64 " %" PRIu32 " %c %s", e->cycle, e->node, "01b"[e->context],
            name);
    if (message)
        fprintf(out, " - - p%u #%" PRIu32, e->priority, e->message);
    else if (e->kind == JM_EVENT_BRAKE)
        fprintf(out, " - - %s", e->count ? "on" : "off");
    else
        fprintf(out, " %05" PRIX32 " %s", e->address, *place ? place : "-");
    if (e->kind == JM_EVENT_SEND)
        fprintf(out, " %s %" PRIu32 "%s", word, e->count,
                jm_redirection_text((JmRedirection)e->redirected));
    else if (e->kind == JM_EVENT_FAULT)
        fprintf(out, " %s", jm_fault_name(e->fault));
    else if (e->kind == JM_EVENT_DISPATCH)
        fprintf(out, " %s", word);
    putc('\n', out);
}

/* Replayed events have been written before. */
bool trace_event_of(JmDebug *d, const JmEvent *event) {
    struct TraceFile *t = d->stops->trace;
    if (!(t->kinds >> event->kind & 1) || event->cycle < t->written_to ||
        event->cycle < t->first || event->cycle > t->last ||
        !nodeset_has(&t->nodes, event->node))
        return false;
    write_event(d, t->file.stream, event);
    return false;
}

void trace_reached(JmDebug *d) {
    if (d->stops->trace && d->machine->now > d->stops->trace->written_to)
        d->stops->trace->written_to = d->machine->now;
}

/* Abandons the file and frees the trace. */
static void trace_free(struct TraceFile *t) {
    jm_outfile_drop(&t->file);
    nodeset_free(&t->nodes);
    heap_free(t);
}

bool trace_stop(JmDebug *d) {
    struct TraceFile *t = d->stops->trace;
    JmError error;
    if (!t)
        return true;
    d->stops->trace = NULL;
    d->written[WRITER_TRACE] = NULL;
    const bool good = jm_outfile_commit(&t->file, &error) ||
                      fail(d, "%s: %s", error.file, error.text);
    trace_free(t);
    return good;
}

/* Lists the existing kinds. */
static bool fail_kind(Args *args, const char *at) {
    Text names = {.heap = args->d->heap};
    for (unsigned i = 0; i < TRACE_KINDS; i++)
        text_add(&names, "%s%s", i ? ", " : "", trace_names[i].name);
    fail_at(args, at, "kinds are %s", names.bytes);
    text_free(&names);
    return false;
}

/* Takes kinds of events, separated by commas. */
static bool take_kinds(Args *args, uint32_t *kinds) {
    skip_blanks(args);
    do {
        const char *at = args->at;
        const size_t length = strcspn(at, " \t,");
        unsigned i = 0;
        while (i < TRACE_KINDS && (strlen(trace_names[i].name) != length ||
                                   strncmp(trace_names[i].name, at, length) != 0))
            i++;
        if (i == TRACE_KINDS)
            return fail_kind(args, at);
        *kinds |= UINT32_C(1) << trace_names[i].kind;
        args->at += length;
    } while (*args->at == ',' && args->at++);
    return true;
}

/* Takes "[on NODES] [kinds KINDS] [from CYCLE] [to CYCLE]" in any order. */
static bool take_filters(Args *args, struct TraceFile *t) {
    while (!at_end(args)) {
        const char *at = args->at;
        int64_t cycle;
        if (take_word(args, "on")) {
            nodeset_free(&t->nodes);
            if (!take_nodes(args, &t->nodes))
                return false;
        } else if (take_word(args, "kinds")) {
            if (!take_kinds(args, &t->kinds))
                return false;
        } else if (take_word(args, "from")) {
            const int64_t last = t->last < INT64_MAX ? (int64_t)t->last : INT64_MAX;
            if (!take_number(args, "the cycle", 0, last, &cycle))
                return false;
            t->first = (uint64_t)cycle;
        } else if (take_word(args, "to")) {
            if (!take_number(args, "the cycle", (int64_t)t->first, INT64_MAX, &cycle))
                return false;
            t->last = (uint64_t)cycle;
        } else {
            return fail_at(args, at, "'on', 'kinds', 'from' or 'to' expected");
        }
    }
    return true;
}

static bool is_json(const char *path) {
    const size_t length = strlen(path);
    return length >= 5 && strcmp(path + length - 5, ".json") == 0;
}

bool cmd_trace(JmDebug *d, Args *args) {
    char path[PATH_LENGTH];
    if (!take_path(args, path))
        return false;
    if (strcmp(path, "off") == 0) {
        if (!expect_end(args))
            return false;
        if (!d->stops->trace)
            return fail(d, "nothing is being traced");
        return trace_stop(d);
    }
    if (is_json(path))
        return fail_at(args, args->at - strlen(path),
                       "lines of text are written here; `save` the machine, and `jm "
                       "run --restore FILE --trace FILE.json` writes the other form");
    struct TraceFile *t = heap_alloc(d->heap, sizeof *t);
    *t = (struct TraceFile){.last = UINT64_MAX,
                            .nodes = {NULL, d->machine->nodes},
                            .written_to = d->machine->now};
    if (!take_filters(args, t)) {
        trace_free(t);
        return false;
    }
    if (!t->kinds)
        t->kinds = all_trace_kinds();
    if (!open_output(d, WRITER_TRACE, &t->file, path)) {
        trace_free(t);
        return false;
    }
    const bool good = trace_stop(d);
    d->stops->trace = t;
    d->written[WRITER_TRACE] = &t->file;
    return good;
}
