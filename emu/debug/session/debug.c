/* A debugger as a whole: creation, work for the caller, the end.
 *
 * All state and working memory of the debugger is in one heap. A call of the library
 * runs as a piece of work with it (heap_work()): if memory runs out anywhere below, the
 * work is abandoned at once and the session ends. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/session/session.h"
#include "emu/debug/values/format.h"

/* Passes on the program's output. During replay it has been printed already. */
static void guest_output(void *context, const char *bytes, size_t count) {
    JmDebug *d = context;
    /* Replayed output has been printed before. */
    if (d->machine->env.now < d->past->travel.furthest)
        return;
    flush(d);
    d->host.guest(d->host.context, bytes, count);
    d->guest_line = bytes[count - 1] != '\n';
}

/* ---- work ------------------------------------------------------------------------ */

/* A piece of work for a caller, as heap_work() wants it. */
typedef struct {
    JmDebug *d;
    bool (*work)(JmDebug *d, const char *text);
    const char *text;
    bool good;
} Job;

static void do_job(Heap *heap, void *context) {
    Job *job = context;
    (void)heap;
    job->good = job->work(job->d, job->text);
}

/* Ends the session because memory ran out. The work was abandoned at that point,
 * perhaps in the middle of a cycle, so the machine cannot run any more. */
static void end_starved(JmDebug *d) {
    static const char text[] = "error: out of memory; the session has ended\n";
    d->starved = d->has_quit = true;
    d->status = 1;
    machine_starve(d->machine);
    d->machine->running = false;
    machine_watch(d->machine, NULL);
    flush(d);
    tell_host(d, text, sizeof text - 1);
}

bool session_work(JmDebug *d, bool (*work)(JmDebug *d, const char *text),
                  const char *text) {
    Job job = {.d = d, .work = work, .text = text};
    if (d->starved)
        return false;
    if (heap_work(d->heap, do_job, &job))
        return job.good;
    end_starved(d);
    return false;
}

/* ---- life ------------------------------------------------------------------------ */

/* Makes all rooms. Runs as work, so that each allocation may fail. */
static bool create(JmDebug *d, const char *text) {
    Heap *heap = d->heap;
    (void)text;
    d->out.heap = d->prompt.heap = heap;
    d->values = heap_alloc(heap, sizeof *d->values);
    d->stops = stops_new(heap, d->machine);
    d->past = past_new(heap);
    d->session = heap_alloc(heap, sizeof *d->session);
    d->written[WRITER_RECORD] = &d->session->record;
    travel_start(d);
    return true;
}

/* Frees the debugger, which may be only partly created. */
static void release(JmDebug *d) {
    if (d->past)
        travel_end(d);
    heap_delete(d->heap);
    free(d);
}

JmDebug *jm_debug_create(JmMachine *machine, const JmDebugHost *host) {
    JmDebug *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->machine = machine;
    d->host = *host;
    if (!d->host.columns)
        d->host.columns = 80;
    d->context = -1;
    d->next_address = UINT32_MAX;
    d->do_line = do_line;
    d->heap = heap_new();
    if (!d->heap || !heap_work(d->heap, do_job, &(Job){.d = d, .work = create})) {
        release(d);
        return NULL;
    }
    jm_set_output(machine, guest_output, d);
    return d;
}

/* Writes trace and record to their files. */
static bool end_files(JmDebug *d, const char *text) {
    (void)text;
    const bool traced = trace_stop(d);
    const bool recorded = record_stop(d);
    flush(d);
    return traced && recorded;
}

bool jm_debug_finish(JmDebug *d) {
    Job job = {.d = d, .work = end_files};
    if (heap_work(d->heap, do_job, &job))
        return job.good;
    jm_outfile_drop(&d->session->record);
    return false;
}

void jm_debug_destroy(JmDebug *d) {
    if (!d)
        return;
    jm_debug_finish(d);
    machine_watch(d->machine, NULL);
    jm_end_output(d->machine);
    jm_set_output(d->machine, NULL, NULL);
    release(d);
}

void jm_debug_resize(JmDebug *d, unsigned columns) {
    d->host.columns = columns ? columns : 80;
}

bool jm_debug_has_quit(const JmDebug *d, int *status) {
    *status = d->status;
    return d->has_quit;
}

bool jm_debug_starved(const JmDebug *d) {
    return d->starved;
}

const char *session_prompt(JmDebug *d) {
    text_clear(&d->prompt);
    if (d->stops->collecting)
        text_add(&d->prompt, "> ");
    else
        text_add(&d->prompt, "(jm %u) ", d->node);
    return text_get(&d->prompt);
}

static bool make_prompt(JmDebug *d, const char *text) {
    (void)text;
    session_prompt(d);
    return true;
}

const char *jm_debug_prompt(JmDebug *d) {
    return session_work(d, make_prompt, NULL) ? text_get(&d->prompt) : "";
}
