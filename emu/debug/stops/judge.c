/* Evaluates stops while the machine runs. An instruction that touches a mark is
 * executed in its own cycle and evaluated there, so that a stop whose condition does
 * not hold, or whose count is not reached, does not end the run.
 *
 *     marked instruction that is due in this cycle  judge_before, exactly
 *     event of this cycle                           judge_event, by its own node alone
 *     step of a node whose registers are watched    judge_stepped, by that node alone
 *     end of a cycle                                judge_after, exactly
 *     cannot be evaluated there                     the run ends, hits_count decides */
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"
#include "emu/debug/values/compiled.h"

/* LATER: it cannot be decided before the run has ended */
typedef enum { LET_PASS, STOPS, LATER } Verdict;

void hit_add(JmDebug *d, const Stop *stop, unsigned node, const JmEvent *event,
             bool judged, const char *why) {
    d->stops->hits = text_grow(d->heap, d->stops->hits, d->stops->hit_count,
                               &d->stops->hit_capacity, sizeof *d->stops->hits);
    Hit *hit = &d->stops->hits[d->stops->hit_count++];
    *hit = (Hit){.stop = stop->id,
                 .judged = judged,
                 .node = node,
                 .cycle = d->machine->now,
                 .event = event ? *event : (JmEvent){.node = node}};
    if (why)
        snprintf(hit->why, sizeof hit->why, "%s", why);
}

/* ---- conditions ------------------------------------------------------------------ */

/* Returns the value of $old in a condition, or NULL. */
static const Value *old_value(const Stop *stop, const JmEvent *event, Value *room) {
    if (stop->kind == STOP_VALUE)
        return stop->before.none ? NULL : &stop->before;
    if (stop->kind != STOP_WATCH || !event)
        return NULL;
    *room = value_of_word(event->old);
    return room;
}

/* A condition without a value counts as true: a stop too many is better than one too
 * few, and it is reported. */
bool condition_holds(JmDebug *d, const Stop *stop, unsigned node, const JmEvent *event,
                     Reason why) {
    Value value, room;
    why[0] = '\0';
    if (!stop->condition)
        return true;
    const Value *old = old_value(stop, event, &room);
    const Sight sight = {.d = d, .node = node, .old = old, .why = why};
    const bool computed =
        stop->judges ? compiled_value(stop->judges, &sight, &value) == COMPUTED
                     : evaluate_quietly(d, stop->condition, node, old, &value, why);
    return !computed || value_true(&value);
}

Value stop_value(JmDebug *d, Stop *stop) {
    Value value = value_of_number(0);
    const Sight sight = {.d = d, .node = stop->to, .why = stop->why};
    value.none = stop->looks ? compiled_value(stop->looks, &sight, &value) != COMPUTED
                             : !evaluate_quietly(d, stop->expression, stop->to, NULL,
                                                 &value, stop->why);
    return value;
}

bool same_value(const Value *a, const Value *b) {
    if (a->none || b->none)
        return a->none == b->none;
    return a->is_word == b->is_word &&
           (a->is_word ? jm_same(a->word, b->word) : a->number == b->number);
}

/* Evaluates a condition while only `node` is known to be in its state of this cycle. */
static Verdict condition_early(JmDebug *d, const Stop *stop, unsigned node,
                               const JmEvent *event, Reason why) {
    Value value, room;
    why[0] = '\0';
    if (!stop->condition)
        return STOPS;
    if (!stop->judges)
        return LATER;
    const Sight sight = {.d = d,
                         .node = node,
                         .early = true,
                         .old = old_value(stop, event, &room),
                         .why = why};
    const Computed computed = compiled_value(stop->judges, &sight, &value);
    if (computed == NOT_STEADY)
        return LATER;
    return computed == COMPUTED && !value_true(&value) ? LET_PASS : STOPS;
}

/* ---- in the cycle ---------------------------------------------------------------- */

/* Counts a hit. True if the stop has ignored enough of them. */
static bool count_hit(Stop *stop) {
    if (!stop->ignore)
        return true;
    stop->ignore--;
    stop->hits++;
    return false;
}

static bool is_at(const Stop *stop, CodePlace place) {
    for (size_t i = 0; i < stop->at.count; i++)
        if (stop->at.list[i].address == place.address &&
            stop->at.list[i].low == place.low)
            return true;
    return false;
}

/* Nodes that compiled conditions name do not run ahead, so they can be evaluated
 * here. */
bool judge_before(void *context, unsigned node) {
    JmDebug *d = context;
    const CodePlace next = {address_of_ip(d, node),
                            (jm_data(node_at(d, node)->current->ip) & JM_IP_PHASE) !=
                                0};
    Reason why = "";
    bool stops = false;
    d->stops->asked = d->machine->now;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (stop->kind != STOP_BREAK || !stop->enabled || !is_at(stop, next) ||
            !nodeset_has(&stop->nodes, node))
            continue;
        const bool later = stop->foreign && !stop->judges;
        if (!later && (!condition_holds(d, stop, node, NULL, why) || !count_hit(stop)))
            continue;
        hit_add(d, stop, node, NULL, !later, why);
        stops = true;
    }
    return stops;
}

/* Whether an event is one that a catchpoint is for. */
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

/* Whether an event is an access to words of a watchpoint. */
static bool is_watched(const Stop *stop, const JmEvent *e) {
    const bool access = (e->kind == JM_EVENT_READ && stop->reads) ||
                        (e->kind == JM_EVENT_WRITE && stop->writes);
    return access && e->address - stop->address < stop->words;
}

/* Whether an event comes from the network. Its node may have run ahead of it, so the
 * node's state says nothing. */
static bool is_of_the_network(const JmEvent *e) {
    return e->by_network || e->kind == JM_EVENT_ARRIVE || e->kind == JM_EVENT_OVERFLOW;
}

/* Whether an access is by an instruction of which another access was a hit. */
static bool is_counted(const Stop *stop, const JmEvent *e) {
    return stop->kind == STOP_WATCH && !e->by_network &&
           stop->hit_cycle == e->cycle + 1 && stop->hit_node == e->node;
}

/* Evaluates an event that a stop is for; adds a hit unless it is ignored. */
static bool hits_by_event(JmDebug *d, Stop *stop, const JmEvent *e) {
    Reason why = "";
    if (is_counted(stop, e))
        return false;
    const Verdict verdict = stop->condition && is_of_the_network(e)
                                ? LATER
                                : condition_early(d, stop, e->node, e, why);
    if (verdict == LET_PASS)
        return false;
    stop->hit_cycle = e->by_network ? 0 : e->cycle + 1;
    stop->hit_node = e->node;
    if (verdict == STOPS && !count_hit(stop))
        return false;
    hit_add(d, stop, e->node, e, verdict == STOPS, why);
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

/* Whether a spied value has changed: STOPS if so, LATER if it cannot be decided. */
static Verdict value_early(JmDebug *d, Stop *stop, Value *value) {
    const Sight sight = {
        .d = d, .node = spied_node(stop), .early = true, .why = stop->why};
    if (stop->changed) /* the run is about to end: nothing more is issued ahead */
        return LATER;
    const Computed computed = compiled_value(stop->looks, &sight, value);
    if (computed == NOT_STEADY)
        return LATER;
    if (computed == NO_VALUE)
        *value = (Value){.none = true};
    return same_value(value, &stop->last) ? LET_PASS : STOPS;
}

/* A value that is not ignored here is evaluated again after the run, so the value
 * before the change is kept. */
void judge_stepped(void *context, const Node *node) {
    JmDebug *d = context;
    for (size_t i = 0; d->stops->stopping && i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Value value;
        Reason why;
        if (!is_spied(stop, node->rank))
            continue;
        const Verdict changed = value_early(d, stop, &value);
        if (changed == LET_PASS)
            continue;
        stop->before = stop->last;
        d->stops->rearm |= changed == LATER;
        const Verdict verdict =
            changed == LATER ? LATER : condition_early(d, stop, node->rank, NULL, why);
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

/* Nodes that these values read do not run ahead, so all can be evaluated exactly. */
bool judge_after(void *context) {
    JmDebug *d = context;
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        Reason why;
        if (!stop->enabled || stop->kind != STOP_VALUE || stop->way != WAY_CYCLE)
            continue;
        const Value value = stop_value(d, stop);
        if (same_value(&value, &stop->last))
            continue;
        stop->before = stop->last;
        if (stop->condition && !stop->judges)
            return true;
        if (condition_holds(d, stop, stop->to, NULL, why) && count_hit(stop))
            return true;
        stop->last = value;
    }
    return false;
}
