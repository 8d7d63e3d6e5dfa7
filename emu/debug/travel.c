/* Time travel. Moments are checkpoints of the machine by cycle; any cycle is reached
 * from the moment before it by running again, which always does the same. Changes made
 * by hand are kept with their cycles and made again on the way:
 *
 *     moment 0 ......... moment 1 ...c....... moment 2 ..... furthest
 *                             restore, run, make change c, run -> cycle asked for
 */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/track.h"

enum { MOMENTS_MAX = 128 };
static const uint64_t EVERY_FIRST = 10000;
static const size_t LIMIT_FIRST = (size_t)256 << 20;
/* A moment may take this part of the time since the last one. */
static const double SHARE = 160;

/* ---- moments --------------------------------------------------------------------- */

static void drop_moment(Travel *t, size_t index) {
    jm_checkpoint_free(t->moments[index].state);
    t->count--;
    memmove(&t->moments[index], &t->moments[index + 1],
            (t->count - index) * sizeof *t->moments);
}

/* Every second moment goes, not the first: it cannot be made again. */
static void thin(Travel *t) {
    for (size_t i = 1; i < t->count; i++)
        drop_moment(t, i);
    t->every *= 2;
}

/* Moments share pages: which, only counting tells. */
static size_t count_bytes(const Travel *t) {
    size_t bytes = 0;
    for (size_t i = 0; i < t->count; i++)
        bytes += jm_checkpoint_bytes(t->moments[i].state);
    return bytes;
}

/* The first moment and the last stay, whatever they take. */
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

const Moment *travel_moment(const Debug *d, uint64_t cycle) {
    const Travel *t = &d->travel;
    const Moment *found = NULL;
    for (size_t i = 0; i < t->count && t->moments[i].cycle <= cycle; i++)
        found = &t->moments[i];
    return found;
}

static void remember(Debug *d) {
    Travel *t = &d->travel;
    size_t at = t->count;
    while (at > 0 && t->moments[at - 1].cycle > d->machine->now)
        at--;
    t->moments = text_grow(t->moments, t->count, &t->capacity, sizeof *t->moments);
    memmove(&t->moments[at + 1], &t->moments[at], (t->count - at) * sizeof *t->moments);
    t->moments[at] = (Moment){.cycle = d->machine->now,
                              .changes = t->applied,
                              .state = jm_checkpoint(d->machine)};
    t->count++;
    t->bytes += jm_checkpoint_bytes(t->moments[at].state);
    keep_to_limit(t);
}

void travel_pass(Debug *d) {
    Travel *t = &d->travel;
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

void travel_start(Debug *d) {
    Travel *t = &d->travel;
    t->every = EVERY_FIRST;
    t->limit_bytes = LIMIT_FIRST;
    t->furthest = d->machine->now;
    remember(d);
}

static void drop_changes(Travel *t, size_t kept) {
    while (t->change_count > kept)
        free(t->changes[--t->change_count].words);
}

void travel_end(Debug *d) {
    Travel *t = &d->travel;
    while (t->count)
        drop_moment(t, t->count - 1);
    drop_changes(t, 0);
    free(t->moments);
    free(t->changes);
}

void travel_switch(Debug *d, bool on) {
    Travel *t = &d->travel;
    if (t->off != on)
        return;
    t->off = !on;
    while (t->count)
        drop_moment(t, t->count - 1);
    if (on)
        remember(d);
}

void travel_limit(Debug *d, size_t bytes) {
    d->travel.limit_bytes = bytes;
    d->travel.bytes = count_bytes(&d->travel);
    keep_to_limit(&d->travel);
}

/* ---- changes --------------------------------------------------------------------- */

uint64_t travel_due(const Debug *d) {
    const Travel *t = &d->travel;
    return t->applied < t->change_count ? t->changes[t->applied].cycle : UINT64_MAX;
}

void travel_apply_due(Debug *d) {
    while (travel_due(d) <= d->machine->now) {
        const Change *change = &d->travel.changes[d->travel.applied++];
        if (d->tracker)
            tracker_change(d->tracker, change);
        change_apply(d->machine, change);
    }
}

void travel_change(Debug *d, Change change) {
    Travel *t = &d->travel;
    change.cycle = d->machine->now;
    drop_changes(t, t->applied);
    while (t->count && t->moments[t->count - 1].cycle > d->machine->now)
        drop_moment(t, t->count - 1);
    t->furthest = d->machine->now;
    t->changes =
        text_grow(t->changes, t->change_count, &t->change_capacity, sizeof *t->changes);
    t->changes[t->change_count++] = change;
    t->applied++;
    change_apply(d->machine, &change);
}

/* ---- going ----------------------------------------------------------------------- */

void travel_restore(Debug *d, const Moment *moment) {
    jm_restore(d->machine, moment->state);
    d->travel.applied = moment->changes;
    d->asked = UINT64_MAX;
    d->hit_count = 0;
}

bool travel_to(Debug *d, uint64_t cycle) {
    const Moment *moment = travel_moment(d, cycle);
    const bool helps =
        moment && (cycle < d->machine->now || moment->cycle > d->machine->now);
    if (helps)
        travel_restore(d, moment);
    return run_to(d, cycle, false) != END_INTERRUPTED;
}

bool travel_has_past(Debug *d) {
    if (!d->travel.off)
        return true;
    return fail(d, "time travel is off; `option time-travel on` begins it here");
}

Here travel_leave(Debug *d) {
    tracker_see_queues(d);
    Here here = {.state = jm_checkpoint(d->machine),
                 .applied = d->travel.applied,
                 .asked = d->asked,
                 .hit_count = d->hit_count};
    memcpy(here.hits, d->hits, sizeof here.hits);
    return here;
}

void travel_return(Debug *d, Here *here) {
    jm_restore(d->machine, here->state);
    jm_checkpoint_free(here->state);
    d->travel.applied = here->applied;
    d->asked = here->asked;
    d->hit_count = here->hit_count;
    memcpy(d->hits, here->hits, sizeof here->hits);
}

void travel_stay(Here *here) {
    jm_checkpoint_free(here->state);
}

bool cmd_goto(Debug *d, Args *args) {
    int64_t cycle;
    if (!take_number(args, "the cycle", 0, INT64_MAX, &cycle) || !expect_end(args))
        return false;
    const bool back = (uint64_t)cycle < d->machine->now;
    if (back && !travel_has_past(d))
        return false;
    if (back && d->travel.moments[0].cycle > (uint64_t)cycle)
        return fail(d, "the past begins with cycle %" PRIu64,
                    d->travel.moments[0].cycle);
    const bool good = travel_to(d, (uint64_t)cycle);
    report_stop(d, !good                               ? END_INTERRUPTED
                   : d->machine->now < (uint64_t)cycle ? END_MACHINE
                                                       : END_REACHED);
    return true;
}

/* ---- back by an instruction ------------------------------------------------------ */

/* Cycles in which the node issued, in their order, and the source lines of what. */
typedef struct {
    uint64_t cycle;
    SourceLine line;
} Boundary;

typedef struct {
    Boundary *at;
    size_t count, capacity;
} Boundaries;

/* Those from `start` to before `end`; false if interrupted. */
static bool find_boundaries(Debug *d, uint64_t start, uint64_t end, Boundaries *found) {
    const Node *node = node_at(d, d->node);
    found->count = 0;
    if (!travel_to(d, start))
        return false;
    while (d->machine->now < end) {
        if (node->runs && !node->asleep && node->ready == d->machine->now) {
            found->at =
                text_grow(found->at, found->count, &found->capacity, sizeof *found->at);
            found->at[found->count++] =
                (Boundary){d->machine->now, line_of_next(d, d->node)};
        }
        const RunEnd reached = run_to(d, d->machine->now + 1, false);
        if (reached == END_INTERRUPTED)
            return false;
        if (reached != END_REACHED)
            break;
    }
    return true;
}

/* What is looked for from the latest boundary back; when `seen` is true, `cycle` is
 * where to go. */
typedef struct Back Back;
struct Back {
    bool (*seen)(Back *back, const Boundary *boundary);
    uint64_t count;  /* left to do */
    bool in_line;    /* seen_line: boundaries of `line` have been seen, */
    SourceLine line; /* the earliest of them in `cycle` */
    uint64_t cycle;
};

static bool seen_instruction(Back *back, const Boundary *boundary) {
    back->cycle = boundary->cycle;
    return --back->count == 0;
}

/* A line begins where another was before it. */
static bool seen_line(Back *back, const Boundary *boundary) {
    if (back->in_line && !same_line(back->line, boundary->line) && --back->count == 0)
        return true;
    back->in_line = true;
    back->line = boundary->line;
    back->cycle = boundary->cycle;
    return false;
}

/* Window by window back, each wider than the last. */
static bool go_back(Debug *d, Back *back) {
    const uint64_t begin = d->travel.moments[0].cycle;
    Boundaries found = {.at = NULL};
    uint64_t high = d->machine->now;
    bool there = false, interrupted = false;
    for (uint64_t width = 64; !there && !interrupted && high > begin; width *= 8) {
        const uint64_t start = high - begin > width ? high - width : begin;
        interrupted = !find_boundaries(d, start, high, &found);
        for (size_t i = interrupted ? 0 : found.count; i-- > 0 && !there;)
            there = back->seen(back, &found.at[i]);
        high = start;
    }
    free(found.at);
    there |= !interrupted && back->in_line && back->count == 1;
    if (there && travel_to(d, back->cycle))
        return true;
    return there || interrupted
               ? fail(d, "interrupted; the machine is where it was")
               : fail(d, "node %u has not done so much before", d->node);
}

static bool reverse(Debug *d, Args *args, bool (*seen)(Back *, const Boundary *)) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT32_MAX, 1, &count) ||
        !expect_end(args) || !travel_has_past(d))
        return false;
    Back back = {.seen = seen, .count = (uint64_t)count};
    Here here = travel_leave(d);
    if (!go_back(d, &back)) {
        travel_return(d, &here);
        return false;
    }
    travel_stay(&here);
    say_arrival(d);
    return true;
}

bool cmd_reverse_step(Debug *d, Args *args) {
    return reverse(d, args, seen_instruction);
}

bool cmd_reverse_line(Debug *d, Args *args) {
    return reverse(d, args, seen_line);
}

/* ---- back to a stop -------------------------------------------------------------- */

typedef struct {
    bool found;
    uint64_t cycle;
    Hit hits[HITS_MAX];
    size_t count;
} LastHit;

/* The last stop from the present moment to before `end`; `limit` ends the piece. False
 * if interrupted. */
static bool scan_forward(Debug *d, uint64_t limit, uint64_t end, LastHit *last) {
    RunEnd reached;
    d->watch.passed = UINT64_MAX;
    while ((reached = run_to(d, limit, true)) == END_HIT && d->machine->now < end) {
        last->found = true;
        last->cycle = d->machine->now;
        last->count = d->hit_count;
        memcpy(last->hits, d->hits, sizeof last->hits);
        d->watch.passed = d->asked == d->machine->now ? d->asked : UINT64_MAX;
    }
    return reached != END_INTERRUPTED;
}

typedef struct {
    uint64_t hits;
    bool enabled;
} Count;

/* Counts are of the way forward and stay as they are. A stop that still has hits to let
 * pass has let all of the past pass: none would have stopped. */
static Count *set_counts_aside(const Debug *d) {
    Count *counts = calloc(d->stop_count + 1, sizeof *counts);
    if (!counts)
        abort(); /* out of memory: nothing sensible can go on */
    for (size_t i = 0; i < d->stop_count; i++) {
        Stop *stop = &d->stops[i];
        counts[i] = (Count){stop->hits, stop->enabled};
        stop->enabled &= stop->ignore == 0;
    }
    return counts;
}

static void restore_counts(Debug *d, Count *counts) {
    for (size_t i = 0; i < d->stop_count; i++) {
        d->stops[i].hits = counts[i].hits;
        d->stops[i].enabled = counts[i].enabled;
    }
    free(counts);
}

/* Piece by piece, from the latest moment back. */
static bool scan_back(Debug *d, uint64_t end, LastHit *last) {
    uint64_t limit = end;
    while (!last->found && limit > d->travel.moments[0].cycle) {
        const Moment *moment = travel_moment(d, limit - 1);
        const uint64_t start = moment->cycle;
        travel_restore(d, moment);
        stops_see_values(d);
        if (!scan_forward(d, limit, end, last))
            return false;
        limit = start;
    }
    return true;
}

bool cmd_reverse_continue(Debug *d, Args *args) {
    if (!expect_end(args) || !travel_has_past(d))
        return false;
    const uint64_t end = d->machine->now;
    LastHit last = {.found = false};
    Count *counts = set_counts_aside(d);
    Here here = travel_leave(d);
    const bool good = scan_back(d, end, &last);
    restore_counts(d, counts);
    if (!good) {
        travel_return(d, &here);
        stops_see_values(d);
        return fail(d, "interrupted; the machine is where it was");
    }
    travel_stay(&here);
    travel_to(d, last.found ? last.cycle : d->travel.moments[0].cycle);
    stops_see_values(d);
    if (!last.found) {
        say(d, "no stop was hit before; this is the beginning\n");
        report_stop(d, END_REACHED);
        return true;
    }
    memcpy(d->hits, last.hits, sizeof d->hits);
    d->hit_count = last.count;
    d->asked = last.cycle;
    report_stop(d, END_HIT);
    return true;
}
