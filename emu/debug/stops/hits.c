/* Evaluates hits after a run, as far as that was impossible in their cycles, and
 * reports what was hit. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/stops/stops.h"
#include "emu/debug/talk/names.h"

Stop *stop_by_id(JmDebug *d, unsigned id) {
    for (size_t i = 0; i < d->stops->count; i++)
        if (d->stops->list[i].id == id)
            return &d->stops->list[i];
    return NULL;
}

/* Whether a hit counts: its condition holds, and its count is reached. */
static bool counts(JmDebug *d, Hit *hit) {
    Stop *stop = stop_by_id(d, hit->stop);
    if (!hit->judged && !condition_holds(d, stop, hit->node, &hit->event, hit->why))
        return false;
    stop->hits++;
    if (!hit->judged && stop->ignore) {
        stop->ignore--;
        return false;
    }
    return true;
}

bool hits_count(JmDebug *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->stops->hit_count; i++)
        if (counts(d, &d->stops->hits[i]))
            d->stops->hits[kept++] = d->stops->hits[i];
    d->stops->hit_count = kept < HITS_MAX ? kept : HITS_MAX;
    return kept > 0;
}

/* Values that cannot be followed in a better way are evaluated after every cycle. */
bool stops_need_steps(const JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++)
        if (d->stops->list[i].enabled && d->stops->list[i].kind == STOP_VALUE &&
            d->stops->list[i].way == WAY_STEP)
            return true;
    return false;
}

void stops_see_values(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        if (stop->kind == STOP_VALUE)
            stop->last.none = !evaluate_quietly(d, stop->expression, stop->to, NULL,
                                                &stop->last, NULL);
    }
}

void stops_check_values(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        Stop *stop = &d->stops->list[i];
        stop->changed = false;
        if (stop->kind != STOP_VALUE || !stop->enabled)
            continue;
        const Value value = stop_value(d, stop);
        if (same_value(&value, &stop->last))
            continue;
        hit_add(d, stop, stop->to, NULL, false, NULL);
        stop->before = stop->last;
        stop->last = value;
    }
}

/* Adds hits of stops that catch the kind of end that the machine has reached. */
void stops_check_end(JmDebug *d) {
    for (size_t i = 0; i < d->stops->count; i++) {
        const Stop *stop = &d->stops->list[i];
        const bool hit = (stop->deadlock && d->machine->stop == JM_STOP_DEADLOCK) ||
                         (stop->idle && d->machine->stop == JM_STOP_IDLE);
        if (hit && stop->enabled)
            hit_add(d, stop, d->node, NULL, false, NULL);
    }
}

/* ---- printing -------------------------------------------------------------------- */

/* Prints an access. */
static void say_access(JmDebug *d, const JmEvent *e, const char *place) {
    static const char *const as[] = {[JM_ACCESS_OPERAND] = "",
                                     [JM_ACCESS_TABLE] = " of the translation table",
                                     [JM_ACCESS_CALL_VECTOR] = " as a vector of CALL",
                                     [JM_ACCESS_FAULT_VECTOR] =
                                         " as a vector of a fault",
                                     [JM_ACCESS_HEADER] = " as the header of a message",
                                     [JM_ACCESS_ROW] = ""};
    char word[LONG_TEXT];
    const bool write = e->kind == JM_EVENT_WRITE;
    say(d, ": %s %s %s %05" PRIX32 "%s%s%s", write ? "wrote" : "read",
        word_text(d, e->word, word, sizeof word), write ? "to" : "from", e->address,
        as[e->access], e->by_network ? ", a message" : " at ",
        e->by_network ? "" : place);
    if (!write)
        return;
    word_text(d, e->old, word, sizeof word);
    if (memory_is_rom(e->address))
        say(d, ", but ROM keeps %s", word);
    else if (jm_same(e->word, e->old))
        say(d, ", which it held before");
    else
        say(d, ", before %s", word);
}

/* Prints what happened, by the kind of event. */
static void say_event(JmDebug *d, const JmEvent *e) {
    char place[LONG_TEXT], word[LONG_TEXT];
    const uint32_t where =
        e->kind == JM_EVENT_READ || e->kind == JM_EVENT_WRITE ? e->where : e->address;
    place_text(d, where, true, place, sizeof place);
    word_text(d, e->word, word, sizeof word);
    switch (e->kind) {
    case JM_EVENT_READ:
    case JM_EVENT_WRITE:
        say_access(d, e, place);
        break;
    case JM_EVENT_FAULT:
        say(d, ": %s at %s, operand %s", jm_fault_name(e->fault), place, word);
        break;
    case JM_EVENT_DISPATCH:
        say(d, ": dispatched %s", word);
        break;
    case JM_EVENT_SUSPEND:
        say(d, ": SUSPEND at %s", place);
        break;
    case JM_EVENT_SEND:
        say(d, ": message %" PRIu32 " to node %" PRIu32 "%s", e->message,
            e->destination, jm_redirection_text((JmRedirection)e->redirected));
        break;
    case JM_EVENT_ARRIVE:
        say(d, ": message %" PRIu32 " has arrived", e->message);
        break;
    case JM_EVENT_OVERFLOW:
        say(d, ": queue %u is full", e->priority);
        break;
    case JM_EVENT_RETURN:
        say(d, ": message %" PRIu32 " goes back to its sender", e->message);
        break;
    case JM_EVENT_SPILL:
        say(d, ": a row of message %" PRIu32 " to the ring", e->message);
        break;
    case JM_EVENT_BRAKE:
        say(d, ": the brake is %s", e->count ? "on" : "off");
        break;
    default:
        break;
    }
}

/* Prints a watched value; `why`: why there is none. */
static void say_watched(JmDebug *d, const Value *value, const char *why) {
    char word[LONG_TEXT];
    if (value->none)
        say(d, "no value%s%s", *why ? ": " : "", why);
    else if (value->is_word)
        say(d, "%s", word_text(d, value->word, word, sizeof word));
    else
        say(d, "%" PRId64, value->number);
}

/* Prints the new value of a watch; what `until` waits for was false before. */
static void say_change(JmDebug *d, const Stop *stop) {
    say(d, ": now ");
    say_watched(d, &stop->last, stop->why);
    if (!stop->id)
        return;
    say(d, ", before ");
    say_watched(d, &stop->before, "");
}

void hits_say(JmDebug *d) {
    for (size_t i = 0; i < d->stops->hit_count; i++) {
        const Hit *hit = &d->stops->hits[i];
        const Stop *stop = stop_by_id(d, hit->stop);
        char name[SHORT_TEXT];
        if (!stop)
            continue;
        if (stop->id)
            say(d, "stop %u, ", stop->id);
        say(d, "%s, %s", stop->text, node_text(d, hit->node, name, sizeof name));
        if (stop->kind == STOP_WATCH || stop->kind == STOP_CATCH)
            say_event(d, &hit->event);
        if (stop->kind == STOP_VALUE)
            say_change(d, stop);
        say(d, "\n");
        if (*hit->why && stop->id)
            say(d, "stop %u: its condition has no value: %s\n", stop->id, hit->why);
    }
}
