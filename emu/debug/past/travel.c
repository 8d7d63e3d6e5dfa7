/* Time travel. Moments are checkpoints of the machine by cycle. Any cycle is reached
 * from the moment before it by replay, which is deterministic. Manual changes are kept
 * with their cycles in the journal and repeated during replay:
 *
 *     moment 0 ......... moment 1 ...c....... moment 2 ..... furthest
 *                             restore, run, make change c, run -> requested cycle */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/commands.h"

enum { MOMENTS_MAX = 128, SLICE_FIRST = 4096 };
static const uint64_t EVERY_FIRST = 10000;
static const size_t LIMIT_FIRST = (size_t)256 << 20;
/* After a moment that took t seconds, the next one comes at least SHARE * t later, so
 * moments take less than a hundredth of the time. */
static const double SHARE = 160;

/* ---- moments --------------------------------------------------------------------- */

static void drop_moment(Travel *t, size_t index) {
    jm_checkpoint_free(t->moments[index].state);
    t->count--;
    memmove(&t->moments[index], &t->moments[index + 1],
            (t->count - index) * sizeof *t->moments);
}

/* Drops every second moment. The first stays, because it cannot be recreated. */
static void thin(Travel *t) {
    for (size_t i = 1; i < t->count; i++)
        drop_moment(t, i);
    t->every *= 2;
}

/* Returns the true size of all moments. They share pages, so it must be counted. */
static size_t count_bytes(const Travel *t) {
    size_t bytes = 0;
    for (size_t i = 0; i < t->count; i++)
        bytes += jm_checkpoint_bytes(t->moments[i].state);
    return bytes;
}

/* Drops moments until they are within their limits of number and bytes. The first and
 * the last always stay. */
static void keep_to_limit(Travel *t) {
    if (t->count > MOMENTS_MAX)
        thin(t);
    if (t->bytes <= t->limit_bytes)
        return;
    t->bytes = count_bytes(t);
    while (t->bytes > t->limit_bytes && t->count > 2) {
        thin(t);
        t->bytes = count_bytes(t);
    }
}

const Moment *travel_moment(const JmDebug *d, uint64_t cycle) {
    const Travel *t = &d->past->travel;
    const Moment *found = NULL;
    for (size_t i = 0; i < t->count && t->moments[i].cycle <= cycle; i++)
        found = &t->moments[i];
    return found;
}

/* Records a moment of the present, in its place among the others. */
static void remember(JmDebug *d) {
    Travel *t = &d->past->travel;
    size_t at = t->count;
    while (at > 0 && t->moments[at - 1].cycle > d->machine->now)
        at--;
    t->moments =
        text_grow(d->heap, t->moments, t->count, &t->capacity, sizeof *t->moments);
    JmCheckpoint *state = heap_need(d->heap, jm_checkpoint(d->machine));
    memmove(&t->moments[at + 1], &t->moments[at], (t->count - at) * sizeof *t->moments);
    t->moments[at] =
        (Moment){.cycle = d->machine->now, .changes = t->applied, .state = state};
    t->count++;
    t->bytes += jm_checkpoint_bytes(t->moments[at].state);
    keep_to_limit(t);
}

void travel_pass(JmDebug *d) {
    Travel *t = &d->past->travel;
    if (d->machine->now > t->furthest)
        t->furthest = d->machine->now;
    trace_reached(d);
    if (t->off || !t->count)
        return;
    const Moment *last = travel_moment(d, d->machine->now);
    const double now = d->host.clock ? d->host.clock(d->host.context) : t->due;
    if (d->machine->now - last->cycle < t->every || now < t->due)
        return;
    remember(d);
    if (d->host.clock) {
        const double end = d->host.clock(d->host.context);
        t->due = end + SHARE * (end - now) + 0.02;
    }
}

void travel_start(JmDebug *d) {
    Travel *t = &d->past->travel;
    t->every = EVERY_FIRST;
    t->limit_bytes = LIMIT_FIRST;
    t->furthest = d->machine->now;
    remember(d);
}

Past *past_new(Heap *heap) {
    Past *past = heap_alloc(heap, sizeof *past);
    past->slice = SLICE_FIRST;
    past->queued.heap = heap;
    return past;
}

/* Forgets the changes of the journal after the first `kept`. */
static void drop_changes(Travel *t, size_t kept) {
    while (t->change_count > kept)
        heap_free(t->changes[--t->change_count].words);
}

void travel_end(JmDebug *d) {
    Travel *t = &d->past->travel;
    while (t->count)
        drop_moment(t, t->count - 1);
}

void travel_switch(JmDebug *d, bool on) {
    Travel *t = &d->past->travel;
    if (t->off != on)
        return;
    t->off = !on;
    while (t->count)
        drop_moment(t, t->count - 1);
    if (on)
        remember(d);
}

void travel_limit(JmDebug *d, size_t bytes) {
    d->past->travel.limit_bytes = bytes;
    d->past->travel.bytes = count_bytes(&d->past->travel);
    keep_to_limit(&d->past->travel);
}

/* ---- changes --------------------------------------------------------------------- */

uint64_t travel_due(const JmDebug *d) {
    const Travel *t = &d->past->travel;
    return t->applied < t->change_count ? t->changes[t->applied].cycle : UINT64_MAX;
}

void travel_apply_due(JmDebug *d) {
    while (travel_due(d) <= d->machine->now) {
        const Change *change = &d->past->travel.changes[d->past->travel.applied++];
        if (d->past->tracker)
            tracker_change(d->past->tracker, change);
        change_apply(d->machine, change);
    }
}

void travel_change(JmDebug *d, Change change) {
    Travel *t = &d->past->travel;
    change.cycle = d->machine->now;
    drop_changes(t, t->applied);
    while (t->count && t->moments[t->count - 1].cycle > d->machine->now)
        drop_moment(t, t->count - 1);
    t->furthest = d->machine->now;
    t->changes = text_grow(d->heap, t->changes, t->change_count, &t->change_capacity,
                           sizeof *t->changes);
    t->changes[t->change_count++] = change;
    t->applied++;
    change_apply(d->machine, &change);
}

/* ---- going ----------------------------------------------------------------------- */

/* Restores a state. Without memory the session ends. */
static void restore(JmDebug *d, const JmCheckpoint *state) {
    if (!jm_restore(d->machine, state))
        heap_fail(d->heap);
}

void travel_restore(JmDebug *d, const Moment *moment) {
    restore(d, moment->state);
    d->past->travel.applied = moment->changes;
    d->stops->asked = UINT64_MAX;
    d->stops->hit_count = 0;
}

bool travel_to(JmDebug *d, uint64_t cycle) {
    const Moment *moment = travel_moment(d, cycle);
    const bool helps =
        moment && (cycle < d->machine->now || moment->cycle > d->machine->now);
    if (helps)
        travel_restore(d, moment);
    return run_to(d, cycle, false) != END_INTERRUPTED;
}

bool travel_has_past(JmDebug *d) {
    if (!d->past->travel.off)
        return true;
    return fail(d, "time travel is off; `option time-travel on` begins it here");
}

/* Frees the present if the session ends during a journey. */
static void end_state(void *state) {
    jm_checkpoint_free(state);
}

Here travel_leave(JmDebug *d) {
    tracker_see_queues(d);
    JmCheckpoint *state = heap_need(d->heap, jm_checkpoint(d->machine));
    heap_at_end(d->heap, end_state, state);
    Here here = {.state = state,
                 .applied = d->past->travel.applied,
                 .asked = d->stops->asked,
                 .hit_count = d->stops->hit_count};
    memcpy(here.hits, d->stops->hits, sizeof here.hits);
    return here;
}

void travel_return(JmDebug *d, Here *here) {
    restore(d, here->state);
    travel_stay(d, here);
    d->past->travel.applied = here->applied;
    d->stops->asked = here->asked;
    d->stops->hit_count = here->hit_count;
    memcpy(d->stops->hits, here->hits, sizeof here->hits);
}

void travel_stay(JmDebug *d, Here *here) {
    heap_keep(d->heap, here->state);
    jm_checkpoint_free(here->state);
}

bool cmd_goto(JmDebug *d, Args *args) {
    int64_t cycle;
    if (!take_number(args, "the cycle", 0, INT64_MAX, &cycle) || !expect_end(args))
        return false;
    const bool back = (uint64_t)cycle < d->machine->now;
    if (back && !travel_has_past(d))
        return false;
    if (back && d->past->travel.moments[0].cycle > (uint64_t)cycle)
        return fail(d, "the past begins with cycle %" PRIu64,
                    d->past->travel.moments[0].cycle);
    const bool good = travel_to(d, (uint64_t)cycle);
    report_stop(d, !good                               ? END_INTERRUPTED
                   : d->machine->now < (uint64_t)cycle ? END_MACHINE
                                                       : END_REACHED);
    return true;
}
