/* The life of a debugger. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/session/session.h"
#include "emu/debug/values/format.h"

static void guest_output(void *context, const char *bytes, size_t count) {
    JmDebug *d = context;
    /* What is gone over again has been said. */
    if (d->machine->env.now < d->past->travel.furthest)
        return;
    flush(d);
    d->host.guest(d->host.context, bytes, count);
}

Session *session_new(void) {
    return text_zeros(1, sizeof(Session));
}

void session_free(Session *session) {
    for (size_t i = 0; i < session->alias_count; i++) {
        free(session->aliases[i].name);
        free(session->aliases[i].text);
    }
    free(session->aliases);
    free(session->last_line);
    free(session);
}

JmDebug *jm_debug_create(JmMachine *machine, const JmDebugHost *host) {
    JmDebug *d = text_zeros(1, sizeof *d);
    d->machine = machine;
    d->host = *host;
    if (!d->host.columns)
        d->host.columns = 80;
    d->context = -1;
    d->next_address = UINT32_MAX;
    d->do_line = do_line;
    d->values = values_new();
    d->stops = stops_new(machine);
    d->past = past_new();
    d->session = session_new();
    jm_set_output(machine, guest_output, d);
    travel_start(d);
    return d;
}

bool jm_debug_finish(JmDebug *d) {
    const bool traced = trace_stop(d);
    const bool recorded = record_stop(d);
    flush(d);
    return traced && recorded;
}

void jm_debug_destroy(JmDebug *d) {
    if (!d)
        return;
    jm_debug_finish(d);
    machine_watch(d->machine, NULL);
    jm_end_output(d->machine);
    jm_set_output(d->machine, NULL, NULL);
    travel_end(d);
    stops_free(d);
    values_free(d->values);
    past_free(d->past);
    session_free(d->session);
    text_free(&d->out);
    text_free(&d->prompt);
    free(d);
}

void jm_debug_resize(JmDebug *d, unsigned columns) {
    d->host.columns = columns ? columns : 80;
}

bool jm_debug_has_quit(const JmDebug *d, int *status) {
    *status = d->status;
    return d->has_quit;
}

const char *jm_debug_prompt(JmDebug *d) {
    text_clear(&d->prompt);
    if (d->stops->collecting)
        text_add(&d->prompt, "> ");
    else
        text_add(&d->prompt, "(jm %u) ", d->node);
    return text_get(&d->prompt);
}
