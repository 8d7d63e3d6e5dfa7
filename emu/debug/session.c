/* The session: scripts, recording, aliases, options, traces to a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inside.h"

enum { LINE_MAX_LENGTH = 4096 };

/* ---- source ---------------------------------------------------------------------- */

static bool source_line(Debug *d, const char *line, size_t length) {
    if (strlen(line) < length)
        return fail(d, "this line is no text");
    if (d->echo)
        say(d, "%s%s\n", debug_prompt(d), line);
    return do_line(d, line);
}

/* The next line without its end; false at the end of the file. Of a line that is too
 * long, which a file without lines or end may have, a part that fills `line`. */
static bool read_line(FILE *file, char line[LINE_MAX_LENGTH], size_t *length) {
    int c = EOF;
    *length = 0;
    while (*length < LINE_MAX_LENGTH - 1 && (c = getc(file)) != EOF && c != '\n')
        line[(*length)++] = (char)c;
    const bool found = *length > 0 || c == '\n';
    if (*length > 0 && line[*length - 1] == '\r')
        --*length;
    line[*length] = '\0';
    return found;
}

static bool source_lines(Debug *d, FILE *file, const char *path) {
    bool good = true;
    unsigned number = 0;
    char line[LINE_MAX_LENGTH];
    size_t length;
    while (good && !d->has_quit && read_line(file, line, &length)) {
        number++;
        good = length < LINE_MAX_LENGTH - 1
                   ? source_line(d, line, length) && !is_interrupted(d)
                   : fail(d, "a line is longer than %d bytes", LINE_MAX_LENGTH - 2);
        if (!good)
            fail(d, "%s:%u: %sthe script ends here", path, number,
                 d->interrupted ? "interrupted; " : "");
        flush(d);
    }
    if (good && ferror(file))
        good = fail(d, "%s: %s", path, strerror(errno));
    if (good && d->collecting) {
        d->collecting = NULL;
        good = fail(d, "%s: `commands` without `end`", path);
    }
    return good;
}

static bool do_script(Debug *d, const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) {
        fail(d, "%s: %s", path, strerror(errno));
        flush(d);
        return false;
    }
    const bool good = source_lines(d, file, path);
    fclose(file);
    flush(d);
    return good;
}

bool debug_source(Debug *d, const char *path) {
    d->interrupted = false;
    return do_script(d, path);
}

static bool take_path(Args *args, char path[LINE_MAX_LENGTH]) {
    if (!next_word(args, path, LINE_MAX_LENGTH))
        return fail_at(args, args->at, "a file expected");
    return true;
}

bool cmd_source(Debug *d, Args *args) {
    char path[LINE_MAX_LENGTH];
    return take_path(args, path) && expect_end(args) && do_script(d, path);
}

bool record_stop(Debug *d) {
    JmError error;
    return !d->record.stream || outfile_commit(&d->record, &error) ||
           fail(d, "%s: %s", error.file, error.text);
}

bool cmd_record(Debug *d, Args *args) {
    char path[LINE_MAX_LENGTH];
    JmError error;
    if (!take_path(args, path) || !expect_end(args))
        return false;
    OutFile file = {0};
    if (strcmp(path, "off") != 0 && !outfile_open(&file, path, &error))
        return fail(d, "%s: %s", error.file, error.text);
    const bool good = record_stop(d);
    d->record = file;
    return good;
}

bool cmd_save(Debug *d, Args *args) {
    char path[LINE_MAX_LENGTH];
    JmError error;
    if (!take_path(args, path) || !expect_end(args))
        return false;
    return jm_save(d->machine, path, &error) ||
           fail(d, "%s: %s", error.file, error.text);
}

/* ---- alias, option --------------------------------------------------------------- */

bool cmd_alias(Debug *d, Args *args) {
    char name[64];
    skip_blanks(args);
    const char *at = args->at;
    if (!next_word(args, name, sizeof name))
        return fail_at(args, at, "a name expected");
    for (unsigned i = 0; debug_command(i); i++)
        if (strcmp(debug_command(i)->name, name) == 0)
            return fail_at(args, at, "'%s' is a command", name);
    if (at_end(args))
        return fail_at(args, args->at, "a command expected");
    for (size_t i = 0; i < d->alias_count; i++) {
        if (strcmp(d->aliases[i].name, name) != 0)
            continue;
        free(d->aliases[i].text);
        d->aliases[i].text = text_copy_all(args->at);
        return true;
    }
    d->aliases =
        text_grow(d->aliases, d->alias_count, &d->alias_capacity, sizeof *d->aliases);
    d->aliases[d->alias_count++] =
        (Alias){text_copy_all(name), text_copy_all(args->at)};
    return true;
}

static bool take_switch(Args *args, bool *on) {
    skip_blanks(args);
    const char *at = args->at;
    *on = take_word(args, "on");
    if (!*on && !take_word(args, "off"))
        return fail_at(args, at, "on or off expected");
    return expect_end(args);
}

bool cmd_option(Debug *d, Args *args) {
    bool on;
    int64_t megabytes;
    skip_blanks(args);
    const char *at = args->at;
    if (take_word(args, "echo")) {
        if (!take_switch(args, &on))
            return false;
        d->echo = on;
    } else if (take_word(args, "time-travel")) {
        if (!take_switch(args, &on))
            return false;
        travel_switch(d, on);
    } else if (take_word(args, "memory")) {
        if (!take_number(args, "megabytes", 1, 1 << 20, &megabytes) ||
            !expect_end(args))
            return false;
        travel_limit(d, (size_t)megabytes << 20);
    } else {
        return fail_at(args, at, "echo, memory or time-travel expected");
    }
    return true;
}

/* ---- trace ----------------------------------------------------------------------- */

struct TraceFile {
    OutFile file;
    NodeSet nodes;
    uint32_t kinds;
    uint64_t first, last; /* cycles to be traced */
    uint64_t written_to;  /* events before this cycle have been written */
};

static const struct {
    const char *name;
    JmEventKind kind;
} trace_names[] = {{"dispatch", JM_EVENT_DISPATCH}, {"send", JM_EVENT_SEND},
                   {"fault", JM_EVENT_FAULT},       {"suspend", JM_EVENT_SUSPEND},
                   {"arrive", JM_EVENT_ARRIVE},     {"overflow", JM_EVENT_OVERFLOW}};
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

uint32_t trace_kinds(const Debug *d) {
    return d->trace ? d->trace->kinds : 0;
}

/* CYCLE NODE CONTEXT EVENT ADDRESS SYMBOL [DETAIL], as `jm run --trace` writes it. */
static void write_event(const Debug *d, FILE *out, const JmEvent *e) {
    char place[LONG_TEXT], word[32];
    const bool message = e->kind == JM_EVENT_SEND || e->kind == JM_EVENT_ARRIVE ||
                         e->kind == JM_EVENT_OVERFLOW;
    const char *name = "";
    for (unsigned i = 0; i < TRACE_KINDS; i++)
        name = trace_names[i].kind == e->kind ? trace_names[i].name : name;
    jm_word_print(e->word, word, sizeof word);
    jm_symbol_at(d->machine, e->address, place, sizeof place);
    fprintf(out, "%" PRIu64 " %" PRIu32 " %c %s", e->cycle, e->node, "01b"[e->context],
            name);
    if (message)
        fprintf(out, " - - p%u #%" PRIu32, e->priority, e->message);
    else
        fprintf(out, " %05" PRIX32 " %s", e->address, *place ? place : "-");
    if (e->kind == JM_EVENT_SEND)
        fprintf(out, " %s %" PRIu32, word, e->count);
    else if (e->kind == JM_EVENT_FAULT)
        fprintf(out, " %s", jm_fault_name(e->fault));
    else if (e->kind == JM_EVENT_DISPATCH)
        fprintf(out, " %s", word);
    putc('\n', out);
}

/* What is gone over again is not written twice. */
bool trace_event_of(Debug *d, const JmEvent *event) {
    struct TraceFile *t = d->trace;
    if (!(t->kinds >> event->kind & 1) || event->cycle < t->written_to ||
        event->cycle < t->first || event->cycle > t->last ||
        !nodeset_has(&t->nodes, event->node))
        return false;
    write_event(d, t->file.stream, event);
    return false;
}

void trace_reached(Debug *d) {
    if (d->trace && d->machine->now > d->trace->written_to)
        d->trace->written_to = d->machine->now;
}

static void trace_free(struct TraceFile *t) {
    outfile_drop(&t->file);
    nodeset_free(&t->nodes);
    free(t);
}

void trace_stop(Debug *d) {
    struct TraceFile *t = d->trace;
    JmError error;
    if (!t)
        return;
    d->trace = NULL;
    if (!outfile_commit(&t->file, &error))
        fail(d, "%s: %s", error.file, error.text);
    trace_free(t);
}

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
            return fail_at(args, at,
                           "kinds are dispatch, send, fault, suspend, arrive, "
                           "overflow");
        *kinds |= UINT32_C(1) << trace_names[i].kind;
        args->at += length;
    } while (*args->at == ',' && args->at++);
    return true;
}

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
            if (!take_number(args, "the cycle", 0, INT64_MAX, &cycle))
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

bool cmd_trace(Debug *d, Args *args) {
    char path[LINE_MAX_LENGTH];
    if (!take_path(args, path))
        return false;
    if (strcmp(path, "off") == 0) {
        if (!expect_end(args))
            return false;
        if (!d->trace)
            return fail(d, "nothing is being traced");
        trace_stop(d);
        return true;
    }
    if (is_json(path))
        return fail_at(args, args->at - strlen(path),
                       "lines of text are written here; `save` the machine, and `jm "
                       "run --restore FILE --trace FILE.json` writes the other form");
    struct TraceFile *t = calloc(1, sizeof *t);
    if (!t)
        abort(); /* out of memory: nothing sensible can go on */
    *t = (struct TraceFile){.last = UINT64_MAX,
                            .nodes = {NULL, d->machine->nodes},
                            .written_to = d->machine->now};
    if (!take_filters(args, t)) {
        trace_free(t);
        return false;
    }
    if (!t->kinds)
        t->kinds = all_trace_kinds();
    trace_stop(d);
    JmError error;
    if (!outfile_open(&t->file, path, &error)) {
        fail(d, "%s: %s", error.file, error.text);
        trace_free(t);
        return false;
    }
    d->trace = t;
    return true;
}
