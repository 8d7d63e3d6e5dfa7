/* Reports why the machine has stopped, and executes the commands of stops. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/format.h"
#include "emu/machine/stop/explain.h"

/* Keeps the output from `from` on for `why stopped`. */
static void remember_stop(JmDebug *d, size_t from) {
    heap_free(d->past->stopped_text);
    d->past->stopped_text =
        text_copy(d->heap, d->out.bytes + from, d->out.length - from);
}

/* Returns the first node that has stopped, or `node` if none has. */
static unsigned stopped_node(const JmDebug *d, unsigned node) {
    for (unsigned i = 0; i < d->machine->nodes; i++)
        if (explain_has_stopped(node_at(d, i)))
            return i;
    return node;
}

/* Selects the node that was hit. */
static void select_hit(JmDebug *d) {
    if (d->stops->hit_count)
        d->node = d->stops->hits[0].node;
    else if (d->machine->stop == JM_STOP_STOPPED)
        d->node = stopped_node(d, d->node);
}

void say_arrival(JmDebug *d) {
    look_anew(d);
    say_next(d, d->node);
    displays_say(d);
}

static void delete_temporary(JmDebug *d) {
    for (size_t i = 0; i < d->stops->hit_count; i++) {
        Stop *stop = stop_by_id(d, d->stops->hits[i].stop);
        if (stop && stop->temporary)
            stop_delete(d, stop);
    }
}

/* Collects the commands of the stops that were hit, as lines. They are copied because
 * they may delete their stops. */
static void queue_commands(JmDebug *d) {
    text_clear(&d->past->queued);
    for (size_t i = 0; i < d->stops->hit_count; i++) {
        const Stop *stop = stop_by_id(d, d->stops->hits[i].stop);
        for (size_t k = 0; stop && k < stop->command_count; k++)
            text_add(&d->past->queued, "%s\n", stop->commands[k]);
    }
    d->past->hit_again = true;
}

/* Executes the collected lines up to one that fails or runs to a stop again. */
static bool do_queued(JmDebug *d) {
    Text lines = d->past->queued;
    d->past->queued = (Text){.heap = d->heap};
    d->past->hit_again = false;
    bool good = true;
    char *at = lines.bytes;
    for (char *end; good && !d->past->hit_again && at && *at; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        good = d->do_line(d, at) && !d->has_quit && !is_interrupted(d);
        flush(d);
    }
    text_free(&lines);
    return good;
}

/* Executes the commands of the stops that were hit. Commands that run to a stop with
 * commands make a loop here, not a recursion, so they may do so for ever. */
static void hits_after(JmDebug *d) {
    queue_commands(d);
    delete_temporary(d);
    d->stops->hit_count = 0;
    if (d->past->doing_commands)
        return;
    d->past->doing_commands = true;
    while (d->past->queued.length && do_queued(d))
        ;
    if (d->interrupted)
        say(d, "interrupted; the commands of the stop end here\n");
    text_clear(&d->past->queued);
    d->past->doing_commands = false;
}

void report_stop(JmDebug *d, RunEnd end) {
    const size_t from = d->out.length;
    say(d, "cycle %" PRIu64 ": ", d->machine->now);
    if (end == END_HIT)
        hits_say(d);
    else if (end == END_INTERRUPTED)
        say(d, "interrupted\n");
    else if (end == END_REACHED)
        say(d, "ran as far as was asked\n");
    if (d->machine->stop != JM_STOP_NONE && end != END_REACHED) {
        say(d, "the machine has ended: %s\n", jm_stop_name(d->machine->stop));
        jm_explain(d->machine, say_row, d);
        rows_end(d);
    }
    remember_stop(d, from);
    select_hit(d);
    say_arrival(d);
    if (end == END_HIT) {
        flush(d);
        hits_after(d);
    }
}
