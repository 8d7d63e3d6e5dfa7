/* The life of a debugger, and completion. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/object.h"
#include "emu/debug/inside.h"

static void guest_output(void *context, const char *bytes, size_t count) {
    Debug *d = context;
    /* What is gone over again has been said. */
    if (d->machine->env.now < d->travel.furthest)
        return;
    flush(d);
    d->host.guest(d->host.context, bytes, count);
}

static void *allocate(size_t count, size_t size) {
    void *block = calloc(count, size);
    if (!block)
        abort(); /* out of memory: nothing sensible can go on */
    return block;
}

Debug *debug_create(JmMachine *machine, const DebugHost *host) {
    Debug *d = allocate(1, sizeof *d);
    d->machine = machine;
    d->host = *host;
    if (!d->host.columns)
        d->host.columns = 80;
    d->context = -1;
    d->slice = 4096;
    d->asked = UINT64_MAX;
    d->next_address = UINT32_MAX;
    const size_t words = machine->nodes / 64 + 1;
    d->minding = allocate(words, sizeof *d->minding);
    d->spied = allocate(words, sizeof *d->spied);
    d->lockstep = allocate(words, sizeof *d->lockstep);
    d->code_marks = allocate(NODE_MARKS, sizeof *d->code_marks);
    d->data_marks = allocate(NODE_MARKS, sizeof *d->data_marks);
    jm_set_output(machine, guest_output, d);
    travel_start(d);
    return d;
}

void debug_destroy(Debug *d) {
    if (!d)
        return;
    trace_stop(d);
    flush(d);
    if (d->record)
        fclose(d->record);
    machine_watch(d->machine, NULL);
    jm_end_output(d->machine);
    jm_set_output(d->machine, NULL, NULL);
    travel_end(d);
    while (d->stop_count)
        stop_delete(d, &d->stops[d->stop_count - 1]);
    for (size_t i = 0; i < d->variable_count; i++)
        free(d->variables[i].name);
    for (size_t i = 0; i < d->alias_count; i++) {
        free(d->aliases[i].name);
        free(d->aliases[i].text);
    }
    free(d->stops);
    free(d->variables);
    free(d->aliases);
    free(d->code_marks);
    free(d->data_marks);
    free(d->minding);
    free(d->spied);
    free(d->lockstep);
    free(d->breaks);
    free(d->others);
    free(d->stopped_text);
    free(d->last_line);
    text_free(&d->out);
    text_free(&d->prompt);
    text_free(&d->queued);
    free(d);
}

void debug_resize(Debug *d, unsigned columns) {
    d->host.columns = columns ? columns : 80;
}

bool debug_has_quit(const Debug *d, int *status) {
    *status = d->status;
    return d->has_quit;
}

const char *debug_prompt(Debug *d) {
    text_clear(&d->prompt);
    if (d->collecting)
        text_add(&d->prompt, "> ");
    else
        text_add(&d->prompt, "(jm %u) ", d->node);
    return text_get(&d->prompt);
}

/* ---- completion ------------------------------------------------------------------ */

typedef struct {
    const char *word;
    size_t length;
    unsigned skip; /* how many matches to pass over */
    char *found;
} Completion;

/* True: this is the one that was asked for. */
static bool offer(Completion *c, const char *prefix, const char *name) {
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    if (strncmp(whole, c->word, c->length) != 0)
        return false;
    if (c->skip-- > 0)
        return false;
    c->found = text_copy_all(whole);
    return true;
}

static bool offer_commands(const Debug *d, Completion *c) {
    for (unsigned i = 0; debug_command(i); i++)
        if (offer(c, "", debug_command(i)->name))
            return true;
    for (size_t i = 0; i < d->alias_count; i++)
        if (offer(c, "", d->aliases[i].name))
            return true;
    return false;
}

static bool offer_dollar(const Debug *d, Completion *c) {
    static const char *const own[] = {"cycle", "node", "nodes", "context", "running"};
    for (unsigned n = 0; n < JM_REG_COUNT; n++) {
        char lower[16] = "";
        const char *name = jm_reg_name(n);
        for (size_t i = 0; name && name[i] && i + 1 < sizeof lower; i++)
            lower[i] = (char)tolower((unsigned char)name[i]);
        if (name && offer(c, "$", lower))
            return true;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (offer(c, "$", own[i]))
            return true;
    for (size_t i = 0; i < d->variable_count; i++)
        if (offer(c, "$", d->variables[i].name))
            return true;
    return false;
}

/* The command that a line begins with, by name, abbreviation or a beginning; or NULL.
 */
static const DebugCommand *command_of(const char *line) {
    char name[64];
    const DebugCommand *begun = NULL;
    Args args = {NULL, line, line};
    next_word(&args, name, sizeof name);
    for (unsigned i = 0; debug_command(i); i++) {
        const DebugCommand *command = debug_command(i);
        if (strcmp(command->name, name) == 0 ||
            strcmp(command->abbreviation, name) == 0)
            return command;
        if (!begun && strncmp(command->name, name, strlen(name)) == 0)
            begun = command;
    }
    return begun;
}

/* Words of the command's own arguments, as its row of the table names them. */
static bool offer_arguments(const Debug *d, Completion *c,
                            const DebugCommand *command) {
    for (const char *at = command->arguments; *at;) {
        char word[32];
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz-");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length > 1 && offer(c, "", word))
            return true;
        at += length ? length : 1;
    }
    return strcmp(command->name, "help") == 0 && offer_commands(d, c);
}

/* Whether the row of the table has `kind` (NODE, FILE) where the word at `start` is:
 * first of all, or behind the word that stands before it. */
static bool wants(const DebugCommand *command, const char *line, size_t start,
                  const char *kind) {
    const char *first = line + strspn(line, " \t");
    size_t end = start;
    while (end > 0 && strchr(" \t", line[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && !strchr(" \t", line[begin - 1]))
        begin--;
    const char *at = command->arguments;
    if (line + begin > first) {
        char before[32];
        snprintf(before, sizeof before, "%.*s ", (int)(end - begin), line + begin);
        at = strstr(at, before);
        at = at ? at + strlen(before) : "";
    }
    at += strspn(at, "[");
    const size_t length = strlen(kind);
    return strncmp(at, kind, length) == 0 && at[length] != ':';
}

static bool offer_faults(Completion *c) {
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++)
        if (offer(c, "", jm_fault_name(f)))
            return true;
    return false;
}

static bool offer_symbols(const Debug *d, Completion *c, const char *prefix) {
    const Object *image = program_image(d->machine);
    for (int i = 0; image && i < image->symbol_count; i++)
        if (image->symbols[i].section != OBJECT_UNDEFINED &&
            offer(c, prefix, image->symbols[i].name))
            return true;
    for (int i = 0; image && i < image->file_count && !*prefix; i++) {
        const char *slash = strrchr(image->files[i], '/');
        if (offer(c, "", slash ? slash + 1 : image->files[i]))
            return true;
    }
    return false;
}

static bool offer_nodes(const Debug *d, Completion *c) {
    for (unsigned i = 0; i < d->machine->nodes; i++) {
        char rank[16];
        snprintf(rank, sizeof rank, "%u", i);
        if (offer(c, "", rank))
            return true;
    }
    return false;
}

/* Of a file nothing is offered here: that is for the caller. */
static void offer_argument(const Debug *d, Completion *c, const char *line,
                           size_t start) {
    const DebugCommand *command = command_of(line);
    if (command && wants(command, line, start, "FILE"))
        return;
    if (isdigit((unsigned char)*c->word) ||
        (command && wants(command, line, start, "NODE")))
        offer_nodes(d, c);
    else if (!(command && offer_arguments(d, c, command)) && !offer_symbols(d, c, "") &&
             c->length)
        offer_faults(c);
}

char *debug_complete(const Debug *d, const char *line, size_t start, unsigned index) {
    Completion c = {.word = line + start, .skip = index};
    c.length = strlen(c.word);
    if (strspn(line, " \t") == start)
        offer_commands(d, &c);
    else if (*c.word == '$')
        offer_dollar(d, &c);
    else if (*c.word == '[')
        offer_symbols(d, &c, "[");
    else
        offer_argument(d, &c, line, start);
    return c.found;
}
