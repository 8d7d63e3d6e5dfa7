/* Stops at work: what the machine is watched for, and which hits count. */
#include <stdlib.h>
#include <string.h>

#include "emu/debug/inside.h"

static bool add_hit(Debug *d, const Stop *stop, unsigned node, const JmEvent *event) {
    if (d->hit_count == HITS_MAX)
        return true;
    d->hits[d->hit_count++] = (Hit){.stop = stop->id,
                                    .node = node,
                                    .cycle = d->machine->now,
                                    .event = event ? *event : (JmEvent){.node = node}};
    return true;
}

/* An error in a condition counts: better a stop too many than one too few. */
static bool condition_holds(Debug *d, const Stop *stop, unsigned node) {
    Value value;
    if (!stop->condition || !evaluate_quietly(d, stop->condition, node, &value))
        return true;
    return value_true(&value);
}

/* ---- in the middle of a run --------------------------------------------------------
 */

/* Conditions that look at other nodes are judged when all nodes are where they ought to
 * be; the others here, so that hits that do not count cost little. */
static bool before(void *context, unsigned node) {
    Debug *d = context;
    const uint32_t address = address_of_ip(d, node);
    bool stops = false;
    d->asked = d->machine->now;
    for (size_t i = 0; i < d->stop_count; i++) {
        Stop *stop = &d->stops[i];
        if (stop->kind != STOP_BREAK || !stop->enabled || stop->address != address ||
            !nodeset_has(&stop->nodes, node))
            continue;
        if (!stop->foreign && !condition_holds(d, stop, node))
            continue;
        if (!stop->foreign && stop->ignore) {
            stop->ignore--;
            stop->hits++;
            continue;
        }
        stops |= add_hit(d, stop, node, NULL);
    }
    /* Breakpoints are at words; the second phase of one is no hit. */
    return stops;
}

static bool before_first_phase(void *context, unsigned node) {
    const Debug *d = context;
    const bool low = (jm_data(node_at(d, node)->current->ip) & JM_IP_PHASE) != 0;
    return !low && before(context, node);
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

static bool observe(void *context, const JmEvent *event) {
    Debug *d = context;
    bool stops = false;
    if (d->search)
        return d->search->note(d->search, event);
    if (d->trace)
        stops = trace_event_of(d, event);
    for (size_t i = 0; d->stopping && i < d->stop_count; i++) {
        const Stop *stop = &d->stops[i];
        const bool hit = stop->kind == STOP_CATCH   ? is_caught(stop, event)
                         : stop->kind == STOP_WATCH ? is_watched(stop, event)
                                                    : false;
        if (hit && stop->enabled && nodeset_has(&stop->nodes, event->node))
            stops |= add_hit(d, stop, event->node, event);
    }
    return stops;
}

/* ---- arming ------------------------------------------------------------------------
 */

static void mark_row(uint64_t *rows, uint32_t address) {
    const uint32_t row = address / NODE_ROW_WORDS;
    rows[row / 64] |= UINT64_C(1) << (row % 64);
}

static void mark_data(Debug *d, const Stop *stop) {
    NodeMarks *marks = &d->watch.marks;
    const uint32_t low = stop->address, end = low + stop->words;
    for (uint32_t address = low; address < end; address++)
        d->data_marks[address / 64] |= UINT64_C(1) << (address % 64);
    const uint32_t old_end = marks->data_low + marks->data_words;
    if (!marks->data_words || low < marks->data_low)
        marks->data_low = low;
    marks->data_words = (old_end > end ? old_end : end) - marks->data_low;
}

/* Where messages wait: in queues, and where software puts those that do not fit. */
static void mark_messages(Debug *d) {
    memset(d->data_marks + MEMORY_EXTERNAL / 64, 0xFF,
           (NODE_DATA_MARKS - MEMORY_EXTERNAL / 64) * sizeof *d->data_marks);
    d->watch.marks.data_low = MEMORY_EXTERNAL;
    d->watch.marks.data_words = JM_ADDRESS_MASK + 1 - MEMORY_EXTERNAL;
    for (unsigned p = 0; p < 2; p++) {
        const uint32_t low = d->queues[p].low, end = d->queues[p].end;
        const Stop queue = {.address = low, .words = end - low};
        if (low < end)
            mark_data(d, &queue);
    }
}

/* What is looked for in the past is watched for alone. */
static void arm_search(Debug *d) {
    const Search *search = d->search;
    d->watch.kinds = search->kinds;
    if (search->messages)
        mark_messages(d);
    if (search->marked) {
        const Stop word = {.address = search->address, .words = 1};
        mark_data(d, &word);
    }
    machine_watch(d->machine, &d->watch);
}

static bool is_useful(const Stop *stop) {
    return stop->enabled && stop->kind != STOP_VALUE;
}

/* False: there is nothing to watch for. */
static bool mark_stops(Debug *d) {
    bool any = false;
    for (size_t i = 0; i < d->stop_count; i++) {
        const Stop *stop = &d->stops[i];
        if (!is_useful(stop))
            continue;
        any = true;
        if (stop->kind == STOP_BREAK)
            mark_row(d->code_marks, stop->address);
        if (stop->kind == STOP_CATCH)
            d->watch.kinds |= stop->what;
        if (stop->kind != STOP_WATCH)
            continue;
        mark_data(d, stop);
        d->watch.kinds |= UINT32_C(1) << JM_EVENT_WRITE;
        if (stop->reads)
            d->watch.kinds |= UINT32_C(1) << JM_EVENT_READ;
    }
    return any;
}

void stops_arm(Debug *d, bool on) {
    memset(d->code_marks, 0, NODE_CODE_MARKS * sizeof *d->code_marks);
    memset(d->data_marks, 0, NODE_DATA_MARKS * sizeof *d->data_marks);
    d->watch.marks = (NodeMarks){.code = d->code_marks, .data = d->data_marks};
    d->watch.kinds = trace_kinds(d);
    d->watch.observer = observe;
    d->watch.before = before_first_phase;
    d->watch.context = d;
    d->stopping = on;
    if (d->search) {
        arm_search(d);
        return;
    }
    const bool any = on && mark_stops(d);
    machine_watch(d->machine, any || d->watch.kinds ? &d->watch : NULL);
}

/* ---- after a run -------------------------------------------------------------------
 */

Stop *stop_by_id(Debug *d, unsigned id) {
    for (size_t i = 0; i < d->stop_count; i++)
        if (d->stops[i].id == id)
            return &d->stops[i];
    return NULL;
}

static bool counts(Debug *d, const Hit *hit) {
    Stop *stop = stop_by_id(d, hit->stop);
    const bool judged = stop->kind == STOP_BREAK && !stop->foreign;
    if (!judged && !condition_holds(d, stop, hit->node))
        return false;
    stop->hits++;
    if (!judged && stop->ignore) {
        stop->ignore--;
        return false;
    }
    return true;
}

bool hits_count(Debug *d) {
    size_t kept = 0;
    for (size_t i = 0; i < d->hit_count; i++)
        if (counts(d, &d->hits[i]))
            d->hits[kept++] = d->hits[i];
    d->hit_count = kept;
    return kept > 0;
}

bool stops_have_values(const Debug *d) {
    for (size_t i = 0; i < d->stop_count; i++)
        if (d->stops[i].enabled && d->stops[i].kind == STOP_VALUE)
            return true;
    return false;
}

static bool same_value(const Value *a, const Value *b) {
    return a->is_word == b->is_word &&
           (a->is_word ? jm_same(a->word, b->word) : a->number == b->number);
}

void stops_check_values(Debug *d) {
    for (size_t i = 0; i < d->stop_count; i++) {
        Stop *stop = &d->stops[i];
        Value value;
        if (stop->kind != STOP_VALUE || !stop->enabled ||
            !evaluate_quietly(d, stop->expression, stop->to, &value) ||
            same_value(&value, &stop->last))
            continue;
        add_hit(d, stop, stop->to, NULL);
        stop->last = value;
    }
}

/* A stop at the end of the machine. */
void stops_check_end(Debug *d) {
    for (size_t i = 0; i < d->stop_count; i++) {
        const Stop *stop = &d->stops[i];
        const bool hit = (stop->deadlock && d->machine->stop == JM_STOP_DEADLOCK) ||
                         (stop->idle && d->machine->stop == JM_STOP_IDLE);
        if (hit && stop->enabled)
            add_hit(d, stop, d->node, NULL);
    }
}

/* ---- saying ------------------------------------------------------------------------
 */

static void say_event(Debug *d, const JmEvent *e) {
    char place[LONG_TEXT], word[LONG_TEXT];
    const uint32_t where =
        e->kind == JM_EVENT_READ || e->kind == JM_EVENT_WRITE ? e->where : e->address;
    place_text(d, where, true, place, sizeof place);
    word_text(d, e->word, word, sizeof word);
    switch (e->kind) {
    case JM_EVENT_READ:
        say(d, ": read %s from %05" PRIX32 " at %s", word, e->address, place);
        break;
    case JM_EVENT_WRITE:
        say(d, ": wrote %s to %05" PRIX32 "%s%s", word, e->address,
            e->by_network ? "" : " at ", e->by_network ? ", a message" : place);
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
        say(d, ": message %" PRIu32 " to node %" PRIu32, e->message, e->destination);
        break;
    case JM_EVENT_ARRIVE:
        say(d, ": message %" PRIu32 " has arrived", e->message);
        break;
    case JM_EVENT_OVERFLOW:
        say(d, ": queue %u is full", e->priority);
        break;
    default:
        break;
    }
}

void hits_say(Debug *d) {
    for (size_t i = 0; i < d->hit_count; i++) {
        const Hit *hit = &d->hits[i];
        const Stop *stop = stop_by_id(d, hit->stop);
        char name[SHORT_TEXT], word[LONG_TEXT];
        if (!stop)
            continue;
        if (stop->id)
            say(d, "stop %u, ", stop->id);
        say(d, "%s, %s", stop->text, node_text(d, hit->node, name, sizeof name));
        if (stop->kind == STOP_WATCH || stop->kind == STOP_CATCH)
            say_event(d, &hit->event);
        if (stop->kind == STOP_VALUE && stop->last.is_word)
            say(d, ": now %s", word_text(d, stop->last.word, word, sizeof word));
        else if (stop->kind == STOP_VALUE)
            say(d, ": now %" PRId64, stop->last.number);
        say(d, "\n");
    }
}

static void delete_temporary(Debug *d) {
    for (size_t i = 0; i < d->hit_count; i++) {
        Stop *stop = stop_by_id(d, d->hits[i].stop);
        if (stop && stop->temporary)
            stop_delete(d, stop);
    }
}

/* Commands of the stops that were hit, as lines; copied, for they may delete theirs. */
static void queue_commands(Debug *d) {
    text_clear(&d->queued);
    for (size_t i = 0; i < d->hit_count; i++) {
        const Stop *stop = stop_by_id(d, d->hits[i].stop);
        for (size_t k = 0; stop && k < stop->command_count; k++)
            text_add(&d->queued, "%s\n", stop->commands[k]);
    }
    d->hit_again = true;
}

/* Does the lines, up to one that runs to a stop again or fails. */
static bool do_queued(Debug *d) {
    Text lines = d->queued;
    d->queued = (Text){NULL, 0, 0};
    d->hit_again = false;
    bool good = true;
    char *at = lines.bytes;
    for (char *end; good && !d->hit_again && at && *at; at = end + 1) {
        end = strchr(at, '\n');
        *end = '\0';
        good = do_line(d, at) && !d->has_quit;
        flush(d);
    }
    text_free(&lines);
    return good;
}

/* Commands that run to a stop with commands make a loop, not a nest: however often. */
void hits_after(Debug *d) {
    queue_commands(d);
    delete_temporary(d);
    d->hit_count = 0;
    if (d->doing_commands)
        return;
    d->doing_commands = true;
    while (d->queued.length && do_queued(d))
        if (d->host.interrupted && d->host.interrupted(d->host.context)) {
            say(d, "interrupted\n");
            break;
        }
    text_clear(&d->queued);
    d->doing_commands = false;
}
