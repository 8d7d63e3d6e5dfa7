/* `trace`: writes events as lines of a file, possibly over several runs. */
#include <errno.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/core/sourcetext.h"
#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/files.h"

/* A trace that is being written. */
struct TraceFile {
    JmOutFile file;
    JmEventFilter filter;
    uint64_t written_to; /* events before this cycle have been written */
};

const char *traced_kind_name(unsigned index) {
    for (unsigned kind = 0; kind < JM_EVENT_COUNT; kind++)
        if (jm_event_name((JmEventKind)kind) && index-- == 0)
            return jm_event_name((JmEventKind)kind);
    return NULL;
}

uint32_t trace_kinds(const JmDebug *d) {
    return d->stops->trace ? d->stops->trace->filter.kinds : 0;
}

/* Replayed events have been written before. */
bool trace_event_of(JmDebug *d, const JmEvent *event) {
    struct TraceFile *t = d->stops->trace;
    if (event->cycle < t->written_to || !jm_filter_kind(&t->filter, event->kind) ||
        !jm_filter_cycle(&t->filter, event->cycle) ||
        !jm_filter_node(&t->filter, event->node))
        return false;
    char line[JM_EVENT_TEXT_MAX];
    fprintf(t->file.stream, "%s\n", jm_event_text(d->machine, event, line));
    return false;
}

void trace_reached(JmDebug *d) {
    if (d->stops->trace && d->machine->now > d->stops->trace->written_to)
        d->stops->trace->written_to = d->machine->now;
}

void trace_restart(JmDebug *d) {
    if (d->stops->trace)
        d->stops->trace->written_to = d->machine->now;
}

/* Abandons the file and frees the trace. */
static void trace_free(struct TraceFile *t) {
    jm_outfile_drop(&t->file);
    heap_free(t->filter.nodes);
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

/* Lists the existing kinds, and suggests the nearest. */
static bool fail_kind(Args *args, const char *at, size_t length) {
    Text names = {.heap = args->d->work};
    for (unsigned i = 0; traced_kind_name(i); i++)
        text_add(&names, "%s%s", i ? ", " : "", traced_kind_name(i));
    return fail_at(args, at, "kinds are %s%s", names.bytes,
                   nearest_text(args->d, at, length, traced_kind_name, ""));
}

/* Takes kinds of events, separated by commas. */
static bool take_kinds(Args *args, uint32_t *kinds) {
    skip_blanks(args);
    do {
        const char *at = args->at;
        const size_t length = strcspn(at, " \t,");
        const JmEventKind kind = jm_event_named(at, length);
        if (kind == JM_EVENT_COUNT)
            return fail_kind(args, at, length);
        *kinds |= UINT32_C(1) << kind;
        args->at += length;
    } while (*args->at == ',' && args->at++);
    return true;
}

/* Takes "[on NODES] [kinds KINDS] [from CYCLE] [to CYCLE]" in any order. */
static bool take_filter(Args *args, JmEventFilter *f) {
    while (!at_end(args)) {
        const int filter = take_choice(args, "on kinds from to");
        int64_t cycle;
        if (filter == 0) {
            NodeSet set;
            if (!take_nodes(args, &set))
                return false;
            f->nodes = set.bits;
        } else if (filter == 1) {
            if (!take_kinds(args, &f->kinds))
                return false;
        } else if (filter == 2) {
            const uint64_t last = f->to - 1 < INT64_MAX ? f->to - 1 : INT64_MAX;
            if (!take_number(args, "the cycle", 0, (int64_t)last, &cycle))
                return false;
            f->from = (uint64_t)cycle;
        } else if (filter == 3) {
            if (!take_number(args, "the cycle", (int64_t)f->from, INT64_MAX, &cycle))
                return false;
            f->to = (uint64_t)cycle + 1;
        } else {
            return false;
        }
    }
    return true;
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
    if (jm_has_suffix(path, ".json"))
        return fail_at(args, args->at - strlen(path),
                       "lines of text are written here; `save` the machine, and `jm "
                       "run --restore FILE --trace FILE.json` writes the other form");
    JmEventFilter filter = {.to = UINT64_MAX};
    if (!take_filter(args, &filter))
        return false;
    if (!filter.kinds)
        filter.kinds = jm_event_kinds();
    const NodeSet set = {filter.nodes, d->machine->nodes};
    filter.nodes = heap_copy(d->heap, set.bits, nodeset_bytes(&set));
    struct TraceFile *t = heap_alloc(d->heap, sizeof *t);
    *t = (struct TraceFile){.filter = filter, .written_to = d->machine->now};
    if (!open_output(d, WRITER_TRACE, &t->file, path)) {
        trace_free(t);
        return false;
    }
    const bool good = trace_stop(d);
    d->stops->trace = t;
    d->written[WRITER_TRACE] = &t->file;
    return good;
}
