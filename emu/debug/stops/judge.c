/* Stops while the machine runs: what touches a mark is judged on the spot, so that a
 * stop whose condition does not hold, or whose count is not reached, ends no run.
 *
 *     plain instruction, perhaps ahead of its time  judge_passes, by its own node alone
 *     marked instruction that is due in this cycle  judge_before, exactly
 *     event of this cycle                           judge_event, by its own node alone
 *     what cannot be told there                     the run ends, hits_count judges
 *
 * Hits that are let pass ahead are counted ahead: only while so many are left to ignore
 * that those of all nodes together cannot end the count before their time.
 */
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"

enum { AHEAD_HITS = 512 }; /* a node: more than it may be ahead in cycles */

typedef enum { LET_PASS, STOPS, LATER } Verdict;

void hit_add(JmDebug *d, const Stop *stop, unsigned node, const JmEvent *event,
             bool judged) {
    if (d->stops->hit_count == HITS_MAX)
        return;
    d->stops->hits[d->stops->hit_count++] =
        (Hit){.stop = stop->id,
              .judged = judged,
              .node = node,
              .cycle = d->machine->now,
              .event = event ? *event : (JmEvent){.node = node}};
}

/* ---- conditions ------------------------------------------------------------------ */

/* An error in a condition counts: better a stop too many than one too few. */
bool condition_holds(JmDebug *d, const Stop *stop, unsigned node) {
    Value value = value_of_number(1);
    if (!stop->condition)
        return true;
    if (stop->judges) {
        const Sight sight = {.d = d, .node = node};
        return compiled_value(stop->judges, &sight, &value) != COMPUTED ||
               value_true(&value);
    }
    return !evaluate_quietly(d, stop->condition, node, &value) || value_true(&value);
}

bool stop_value(JmDebug *d, const Stop *stop, Value *value) {
    const Sight sight = {.d = d, .node = stop->to};
    if (stop->looks)
        return compiled_value(stop->looks, &sight, value) == COMPUTED;
    return evaluate_quietly(d, stop->expression, stop->to, value);
}

bool same_value(const Value *a, const Value *b) {
    return a->is_word == b->is_word &&
           (a->is_word ? jm_same(a->word, b->word) : a->number == b->number);
}

/* Judges a condition where only `node` is known to be where it ought to be. */
static Verdict condition_early(JmDebug *d, const Stop *stop, unsigned node) {
    Value value;
    if (!stop->condition)
        return STOPS;
    if (!stop->judges)
        return LATER;
    const Sight sight = {.d = d, .node = node, .early = true};
    const Computed computed = compiled_value(stop->judges, &sight, &value);
    if (computed == NOT_STEADY)
        return LATER;
    return computed == COMPUTED && !value_true(&value) ? LET_PASS : STOPS;
}

/* ---- ahead of time --------------------------------------------------------------- */

/* Whether a stop may be hit by what is asked about, its condition apart. */
static bool is_meant(const Stop *stop, const NodeQuestion *q) {
    const unsigned node = q->node->rank;
    if (!stop->enabled)
        return false;
    switch (stop->kind) {
    case STOP_BREAK:
        return !q->done && stop->address == q->address &&
               nodeset_has(&stop->nodes, node);
    case STOP_WATCH:
        return ((q->reads && stop->reads) || (q->writes && stop->writes)) &&
               q->address - stop->address < stop->words &&
               nodeset_has(&stop->nodes, node);
    case STOP_VALUE:
        return q->done && stop->way == WAY_SPIED && spied_node(stop) == node;
    default:
        return false;
    }
}

/* Whether a spied value has become another: LATER if it cannot be told. */
static Verdict value_early(JmDebug *d, const Stop *stop, Value *value) {
    const Sight sight = {.d = d, .node = spied_node(stop), .early = true};
    if (stop->changed) /* the run is about to end: no more is issued ahead */
        return LATER;
    const Computed computed = compiled_value(stop->looks, &sight, value);
    if (computed != COMPUTED)
        return computed == NOT_STEADY ? LATER : LET_PASS;
    return same_value(value, &stop->last) ? LET_PASS : STOPS;
}

static Verdict judge_early(JmDebug *d, const Stop *stop, unsigned node, Value *value) {
    if (stop->kind == STOP_VALUE) {
        const Verdict verdict = value_early(d, stop, value);
        if (verdict != STOPS)
            return verdict;
    }
    return condition_early(d, stop, node);
}

static bool can_count_ahead(const JmDebug *d, const Stop *stop) {
    return stop->ignore > (uint64_t)d->machine->nodes * AHEAD_HITS;
}

typedef struct {
    const Armed *stops;
    size_t count;
} ArmedList;

/* The next stop of the list that is meant, from `*i` on; NULL: no more. */
static Stop *next_meant(JmDebug *d, ArmedList list, const NodeQuestion *q, size_t *i) {
    while (*i < list.count) {
        const Armed *armed = &list.stops[(*i)++];
        if (q->address - armed->address >= armed->words)
            continue;
        Stop *stop = &d->stops->list[armed->index];
        if (is_meant(stop, q))
            return stop;
    }
    return NULL;
}

/* A stop that is let pass. */
typedef struct {
    Stop *stop;
    Verdict verdict;
    Value value; /* VALUE: what it is now */
} Passage;
enum { PASSAGES_MAX = 16 };

/* What is let pass is noted, as often as it is undone and redone. */
static void note_passage(const Passage *passage, int replay) {
    Stop *stop = passage->stop;
    if (passage->verdict == STOPS) {
        stop->ignore += replay == NODE_UNDONE ? 1 : UINT64_MAX;
        stop->hits += replay == NODE_UNDONE ? UINT64_MAX : 1;
    }
    if (stop->kind == STOP_VALUE && passage->verdict != LATER)
        stop->last = passage->value;
}

/* All stops are judged before any is told. */
bool judge_passes(void *context, const NodeQuestion *q) {
    JmDebug *d = context;
    const ArmedList list = q->done
                               ? (ArmedList){d->stops->others, d->stops->other_count}
                               : (ArmedList){d->stops->breaks, d->stops->break_count};
    Passage passages[PASSAGES_MAX];
    unsigned count = 0;
    size_t i = 0;
    if (!d->stops->stopping)
        return false;
    for (Stop *stop; (stop = next_meant(d, list, q, &i));) {
        Passage *passage = &passages[count];
        passage->stop = stop;
        passage->value = stop->last;
        passage->verdict = judge_early(d, stop, q->node->rank, &passage->value);
        const bool stops = passage->verdict == LATER ||
                           (passage->verdict == STOPS && !can_count_ahead(d, stop));
        if (!q->replay && (stops || count == PASSAGES_MAX - 1))
            return false;
        count += passage->verdict == STOPS || stop->kind == STOP_VALUE;
    }
    while (count > 0)
        note_passage(&passages[--count], q->replay);
    return true;
}

/* ---- in the cycle ---------------------------------------------------------------- */

/* One that counts: true if the count is reached. */
static bool count_hit(Stop *stop) {
    if (!stop->ignore)
        return true;
    stop->ignore--;
    stop->hits++;
    return false;
}

/* Nodes that compiled conditions name do not run ahead, so these are judged here. */
bool judge_before(void *context, unsigned node) {
    JmDebug *d = context;
    const uint32_t address = address_of_ip(d, node);
    bool stops = false;
    d->stops->asked = d->machine->now;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (stop->kind != STOP_BREAK || !stop->enabled || stop->address != address ||
            !nodeset_has(&stop->nodes, node))
            continue;
        const bool later = stop->foreign && !stop->judges;
        if (!later && (!condition_holds(d, stop, node) || !count_hit(stop)))
            continue;
        hit_add(d, stop, node, NULL, !later);
        stops = true;
    }
    return stops;
}

static bool is_caught(const Stop *stop, const JmEvent *e) {
    if (!(stop->what >> e->kind & 1))
        return false;
    switch (e->kind) {
    case JM_EVENT_FAULT:
        return stop->faults >> e->fault & 1;
    case JM_EVENT_DISPATCH:
        return stop->any || e->address == stop->address;
    case JM_EVENT_SEND:
        return e->opens && (stop->any || e->destination == stop->to);
    default:
        return true;
    }
}

static bool is_watched(const Stop *stop, const JmEvent *e) {
    const bool access = (e->kind == JM_EVENT_READ && stop->reads) ||
                        (e->kind == JM_EVENT_WRITE && stop->writes);
    return access && e->address - stop->address < stop->words;
}

/* A node may have run ahead of what arrives at it. */
static bool is_of_the_network(const JmEvent *e) {
    return e->by_network || e->kind == JM_EVENT_ARRIVE || e->kind == JM_EVENT_OVERFLOW;
}

static bool hits_by_event(JmDebug *d, Stop *stop, const JmEvent *e) {
    const Verdict verdict = stop->condition && is_of_the_network(e)
                                ? LATER
                                : condition_early(d, stop, e->node);
    if (verdict == LET_PASS || (verdict == STOPS && !count_hit(stop)))
        return false;
    hit_add(d, stop, e->node, e, verdict == STOPS);
    return true;
}

bool judge_event(void *context, const JmEvent *event) {
    JmDebug *d = context;
    bool stops = false;
    if (d->stops->search)
        return d->stops->search->note(d->stops->search, event);
    if (d->stops->trace)
        stops = trace_event_of(d, event);
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        const bool hit = stop->kind == STOP_CATCH   ? is_caught(stop, event)
                         : stop->kind == STOP_WATCH ? is_watched(stop, event)
                                                    : false;
        if (hit && stop->enabled && nodeset_has(&stop->nodes, event->node))
            stops |= hits_by_event(d, stop, event);
    }
    return stops;
}

/* ---- values ---------------------------------------------------------------------- */

static bool is_spied(const Stop *stop, unsigned node) {
    return stop->enabled && stop->kind == STOP_VALUE && stop->way == WAY_SPIED &&
           spied_node(stop) == node;
}

/* What is not let pass here is looked at again after the run: the value that was is
 * kept. */
void judge_stepped(void *context, const Node *node) {
    JmDebug *d = context;
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Value value;
        if (!is_spied(stop, node->rank))
            continue;
        const Verdict changed = value_early(d, stop, &value);
        if (changed == LET_PASS)
            continue;
        d->stops->rearm |= changed == LATER;
        const Verdict verdict =
            changed == LATER ? LATER : condition_early(d, stop, node->rank);
        if (verdict == LET_PASS || (verdict == STOPS && stop->ignore)) {
            if (verdict == STOPS)
                count_hit(stop);
            stop->last = value;
        } else {
            stop->changed = true;
            d->machine->break_seen = d->machine->env.boundary = true;
        }
    }
}

void judge_rewound(void *context, const Node *node) {
    JmDebug *d = context;
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++)
        if (is_spied(&d->stops->list[i], node->rank) && !d->stops->list[i].changed)
            stop_value(d, &d->stops->list[i], &d->stops->list[i].last);
}

/* The nodes of these values do not run ahead. */
bool judge_after(void *context) {
    JmDebug *d = context;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Value value;
        if (!stop->enabled || stop->kind != STOP_VALUE || stop->way != WAY_CYCLE ||
            !stop_value(d, stop, &value) || same_value(&value, &stop->last))
            continue;
        if (stop->condition && !stop->judges)
            return true;
        if (condition_holds(d, stop, stop->to) && count_hit(stop))
            return true;
        stop->last = value;
    }
    return false;
}
