/* The life of a debugger. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/format.h"

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
    record_stop(d);
    flush(d);
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
    for (size_t i = 0; i < d->display_count; i++)
        display_free(&d->displays[i]);
    free(d->displays);
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
