/* Commands that go back in time: by instructions, by lines, to a stop. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/talk/names.h"

/* ---- back by an instruction ------------------------------------------------------ */

/* A cycle in which the selected node issued, and the instruction. */
typedef struct {
    uint64_t cycle;
    JmDebugPlace place;
} Boundary;

typedef struct {
    Boundary *at;
    size_t count, capacity;
} Boundaries;

/* Finds the boundaries of the selected node in cycles [start, end), in their order.
 * False if interrupted. */
static bool find_boundaries(JmDebug *d, uint64_t start, uint64_t end,
                            Boundaries *found) {
    const Node *node = node_at(d, d->node);
    found->count = 0;
    if (!travel_to(d, start))
        return false;
    while (d->machine->now < end) {
        if (node->runs && !node->asleep && node->ready == d->machine->now) {
            found->at = heap_grow(d->work, found->at, found->count, &found->capacity,
                                  sizeof *found->at);
            found->at[found->count++] =
                (Boundary){d->machine->now, next_of(d, d->node)};
        }
        const JmDebugEnd reached = run_to(d, d->machine->now + 1, false);
        if (reached == JM_DEBUG_INTERRUPTED)
            return false;
        if (reached != JM_DEBUG_REACHED)
            break;
    }
    return true;
}

/* A search backwards from the latest boundary. `seen` is called for each; when it
 * returns true, `cycle` is the target. */
typedef struct Back Back;
struct Back {
    bool (*seen)(Back *back, const Boundary *boundary);
    uint64_t count; /* boundaries or lines still to go back */
    bool in_line; /* seen_line(): some boundary in the line of `place` has been seen, */
    JmDebugPlace place; /* and `cycle` is the earliest of them */
    uint64_t cycle;
};

static bool seen_instruction(Back *back, const Boundary *boundary) {
    back->cycle = boundary->cycle;
    return --back->count == 0;
}

/* Counts lines. A line begins where the boundary before it was in another. */
static bool seen_line(Back *back, const Boundary *boundary) {
    if (back->in_line && !same_line(back->place, boundary->place) && --back->count == 0)
        return true;
    back->in_line = true;
    back->place = boundary->place;
    back->cycle = boundary->cycle;
    return false;
}

/* Searches window after window backwards, each eight times as wide as the one
 * before. */
static bool go_back(JmDebug *d, Back *back) {
    const uint64_t begin = travel_begin(d);
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
    there |= !interrupted && back->in_line && back->count == 1;
    if (there && travel_to(d, back->cycle))
        return true;
    return there || interrupted
               ? fail(d, "interrupted; the machine is where it was")
               : fail(d, "node %u has not done so much before", d->node);
}

/* Goes back by `count` boundaries or lines of the selected node. */
static bool reverse(JmDebug *d, Args *args, bool (*seen)(Back *, const Boundary *)) {
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
    travel_stay(d, &here);
    say_arrival(d);
    return true;
}

bool cmd_reverse_step(JmDebug *d, Args *args) {
    return reverse(d, args, seen_instruction);
}

bool cmd_reverse_line(JmDebug *d, Args *args) {
    return reverse(d, args, seen_line);
}

/* ---- back to a stop -------------------------------------------------------------- */

/* The last stop of an interval of the past. */
typedef struct {
    bool found;
    uint64_t cycle;
    uint64_t asked; /* Stops.asked there */
    Hit hits[HITS_MAX];
    size_t count, left_out; /* hits; those beyond HITS_MAX */
} LastHit;

/* Whether breakpoints have been asked about before this cycle: a stop of the cycle
 * before, an event, comes first. */
static bool is_asked(const JmDebug *d) {
    return d->stops->asked == d->machine->now;
}

/* Where a search back ends, before a cycle. */
typedef struct {
    uint64_t cycle;
    bool asked; /* behind what stopped after the cycle before */
} Bound;

static bool is_before(const JmDebug *d, const Bound *end) {
    return d->machine->now < end->cycle ||
           (d->machine->now == end->cycle && end->asked && !is_asked(d));
}

/* Runs from the present moment to `limit` and records the last stop before `end`. False
 * if interrupted. */
static bool scan_forward(JmDebug *d, uint64_t limit, const Bound *end, LastHit *last) {
    JmDebugEnd reached;
    d->stops->watch.passed = UINT64_MAX;
    while ((reached = run_to(d, limit, true)) == JM_DEBUG_HIT && is_before(d, end)) {
        last->found = true;
        last->cycle = d->machine->now;
        last->count = d->stops->hit_count;
        last->left_out = d->stops->left_out;
        memcpy(last->hits, d->stops->hits, sizeof last->hits);
        last->asked = d->stops->asked;
        d->stops->watch.passed = is_asked(d) ? d->stops->asked : UINT64_MAX;
    }
    return reached != JM_DEBUG_INTERRUPTED;
}

/* A stop's counts, to be restored. */
typedef struct {
    uint64_t hits;
    bool enabled;
} Count;

/* Saves the counts of stops, which belong to the forward direction. A stop that still
 * has hits to ignore has ignored the whole past, so it is disabled for the search. */
static Count *set_counts_aside(const JmDebug *d) {
    Count *counts = heap_alloc(d->work, (d->stops->count + 1) * sizeof *counts);
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        counts[i] = (Count){stop->hits, stop->enabled};
        stop->enabled &= stop->ignore == 0;
    }
    return counts;
}

static void restore_counts(JmDebug *d, const Count *counts) {
    for (size_t i = 0; i < d->stops->count; i++) {
        d->stops->list[i].hits = counts[i].hits;
        d->stops->list[i].enabled = counts[i].enabled;
    }
}

/* Searches interval after interval, from the latest moment back. */
static bool scan_back(JmDebug *d, const Bound *end, LastHit *last) {
    uint64_t limit = end->cycle;
    while (!last->found && limit > travel_begin(d)) {
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

/* Searches for the `count`-th stop back. False if interrupted; `last` is not found if
 * there are fewer. */
static bool find_back(JmDebug *d, int64_t count, LastHit *last) {
    Bound end = {d->machine->now, is_asked(d)};
    do {
        *last = (LastHit){.found = false};
        if (!scan_back(d, &end, last))
            return false;
        end = (Bound){last->cycle, last->asked == last->cycle};
    } while (last->found && --count > 0);
    return true;
}

bool cmd_reverse_continue(JmDebug *d, Args *args) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT64_MAX, 1, &count) ||
        !expect_end(args) || !travel_has_past(d))
        return false;
    LastHit last;
    const Count *counts = set_counts_aside(d);
    Here here = travel_leave(d);
    const bool good = find_back(d, count, &last);
    restore_counts(d, counts);
    if (!good) {
        travel_return(d, &here);
        stops_see_values(d);
        return fail(d, "interrupted; the machine is where it was");
    }
    travel_stay(d, &here);
    travel_to(d, last.found ? last.cycle : travel_begin(d));
    stops_see_values(d);
    if (!last.found) {
        say(d, "no stop was hit before; this is the beginning\n");
        report_stop(d, JM_DEBUG_REACHED);
        return true;
    }
    memcpy(d->stops->hits, last.hits, sizeof last.hits);
    d->stops->hit_count = last.count;
    d->stops->left_out = last.left_out;
    d->stops->asked = last.asked;
    report_stop(d, JM_DEBUG_HIT);
    return true;
}
