/* Moves the machine in time: forward in slices, to stops, by instructions, lines,
 * cycles, tasks and messages; anywhere by replay; and reports where it has arrived.
 *
 * Moments are checkpoints of the machine by cycle. Any cycle is reached from the moment
 * before it by replay, which is deterministic. Manual changes are kept with their
 * cycles in the journal and repeated during replay:
 *
 *     moment 0 ......... moment 1 ...c....... moment 2 ..... furthest
 *                             restore, run, make change c, run -> requested cycle */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"
#include "net/net.h"

/* ---- changes --------------------------------------------------------------------- */

/* Puts a message into a queue as if its last flits had arrived in the cycle before. */
static void put_message(JmMachine *machine, const Change *change) {
    Node *node = &machine->node[change->node];
    const uint64_t then = machine->now ? machine->now - 1 : 0;
    for (uint32_t i = 0; i < change->count; i++)
        node_receive(node, change->priority, &change->words[i], 1,
                     i + 1 == change->count, then);
    machine_touch(machine, change->node);
}

/* Replaces everything in a queue from word `first` on, and its length. */
static void put_queue(JmMachine *machine, const Change *change) {
    const Priority *queue = &machine->node[change->node].priority[change->priority];
    const uint32_t start = jm_field20(queue->qhl) + change->first;
    for (uint32_t i = 0; i < change->count; i++)
        jm_write(machine, change->node, node_queue_address(queue, start + i),
                 change->words[i]);
    const uint32_t qhl =
        (queue->qhl & ~(uint32_t)JM_LENGTH_MASK) | (change->first + change->count);
    jm_set_register(machine, change->node, (JmContext)change->priority, JM_REG_QHL,
                    jm_word(JM_TAG_ADDR, qhl));
}

/* Makes a change in the machine only. */
static void change_apply(JmMachine *machine, const Change *change) {
    switch (change->kind) {
    case CHANGE_REGISTER:
        jm_set_register(machine, change->node, change->context, change->reg,
                        change->word);
        break;
    case CHANGE_MEMORY:
        jm_write(machine, change->node, change->address, change->word);
        break;
    case CHANGE_MESSAGE:
        put_message(machine, change);
        break;
    case CHANGE_QUEUE:
        put_queue(machine, change);
        break;
    case CHANGE_WIRE:
        netif_block_link(machine, change->node, change->dimension, change->up,
                         change->blocked);
        machine_touch(machine, change->node);
        break;
    default:
        jm_post(machine, change->node, change->fault);
    }
}

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

/* Drops moments until they are within their limits of number and bytes. Two always
 * stay: the first and a later one. */
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
        heap_grow(d->heap, t->moments, t->count, &t->capacity, sizeof *t->moments);
    JmCheckpoint *state = heap_need(d->heap, jm_checkpoint(d->machine));
    memmove(&t->moments[at + 1], &t->moments[at], (t->count - at) * sizeof *t->moments);
    t->moments[at] =
        (Moment){.cycle = d->machine->now, .changes = t->applied, .state = state};
    t->count++;
    t->bytes += jm_checkpoint_bytes(t->moments[at].state);
    keep_to_limit(t);
}

/* Called at a cycle: records a moment if one is due. */
static void travel_pass(JmDebug *d) {
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
    past->queued.heap = past->report.explanation.heap = heap;
    return past;
}

/* Forgets the changes of the journal after the first `kept`. */
static void drop_changes(Travel *t, size_t kept) {
    while (t->change_count > kept)
        heap_free(t->changes[--t->change_count].words);
}

/* Drops all moments. */
static void forget(Travel *t) {
    while (t->count)
        drop_moment(t, t->count - 1);
    t->bytes = 0;
}

void travel_end(JmDebug *d) {
    forget(&d->past->travel);
    jm_checkpoint_free(d->past->travel.start);
}

/* Keeps the state in which the session began, which is moment 0 at first, before the
 * moments are dropped. */
static void keep_start(JmDebug *d) {
    Travel *t = &d->past->travel;
    if (t->start)
        return;
    t->start = t->moments[0].state;
    memmove(t->moments, t->moments + 1, --t->count * sizeof *t->moments);
}

void travel_switch(JmDebug *d, bool on) {
    Travel *t = &d->past->travel;
    if (t->off != on)
        return;
    t->off = !on;
    keep_start(d);
    forget(t);
    if (on)
        remember(d);
}

void travel_limit(JmDebug *d, size_t bytes) {
    d->past->travel.limit_bytes = bytes;
    d->past->travel.bytes = count_bytes(&d->past->travel);
    keep_to_limit(&d->past->travel);
}

/* ---- changes --------------------------------------------------------------------- */

/* Returns the next cycle in which a change of the journal is to be repeated, or
 * UINT64_MAX. */
static uint64_t travel_due(const JmDebug *d) {
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
    t->changes = heap_grow(d->heap, t->changes, t->change_count, &t->change_capacity,
                           sizeof *t->changes);
    change.words =
        heap_copy(d->heap, change.words, change.count * sizeof *change.words);
    t->changes[t->change_count++] = change;
    t->applied++;
    d->past->changed++;
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

uint64_t travel_begin(const JmDebug *d) {
    return d->past->travel.moments[0].cycle;
}

bool travel_to(JmDebug *d, uint64_t cycle) {
    const Moment *moment = travel_moment(d, cycle);
    const bool helps =
        moment && (cycle < d->machine->now || moment->cycle > d->machine->now);
    if (helps)
        travel_restore(d, moment);
    return run_to(d, cycle, false) != JM_DEBUG_INTERRUPTED;
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
    stops_see_queues(d);
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
    if (back && travel_begin(d) > (uint64_t)cycle)
        return fail(d, "the past begins with cycle %" PRIu64, travel_begin(d));
    const bool good = travel_to(d, (uint64_t)cycle);
    report_stop(d, !good                               ? JM_DEBUG_INTERRUPTED
                   : d->machine->now < (uint64_t)cycle ? JM_DEBUG_ENDED
                                                       : JM_DEBUG_REACHED);
    return true;
}

bool cmd_restart(JmDebug *d, Args *args) {
    Travel *t = &d->past->travel;
    if (!expect_end(args))
        return false;
    keep_start(d);
    restore(d, t->start);
    forget(t);
    drop_changes(t, 0);
    t->applied = 0;
    t->furthest = d->machine->now;
    if (!t->off)
        remember(d);
    trace_restart(d);
    stops_restart(d);
    d->past->report.made = false;
    say(d, "cycle %" PRIu64 ": the program starts again\n", d->machine->now);
    say_arrival(d);
    return true;
}

/* ---- arriving -------------------------------------------------------------------- */

/* Makes the report of a stop, in place of the last one. */
static void make_report(JmDebug *d, JmDebugEnd end) {
    Report *r = &d->past->report;
    while (r->hit_count)
        heap_free(r->hits[--r->hit_count].text);
    text_clear(&r->explanation);
    r->made = true;
    r->arrival = d->past->arrivals + 1;
    r->cycle = d->machine->now;
    r->end = end;
    r->stop = end == JM_DEBUG_REACHED ? JM_STOP_NONE : d->machine->stop;
    if (end == JM_DEBUG_HIT)
        r->hit_count = hits_report(d, r->hits);
    r->left_out = end == JM_DEBUG_HIT ? d->stops->left_out : 0;
    if (r->stop != JM_STOP_NONE)
        jm_explain(d->machine, add_row, &(Rows){d, &r->explanation, ""});
    rows_end(d);
}

void report_say(JmDebug *d, Text *out) {
    const Report *r = &d->past->report;
    if (!r->made) {
        say_to(out, "it has not run yet\n");
        return;
    }
    say_to(out, "cycle %" PRIu64 ": ", r->cycle);
    for (size_t i = 0; i < r->hit_count; i++)
        reported_say(d, out, &r->hits[i]);
    if (r->left_out)
        say_to(out, "and %zu more\n", r->left_out);
    if (r->end == JM_DEBUG_INTERRUPTED)
        say_to(out, "interrupted\n");
    else if (r->end == JM_DEBUG_REACHED)
        say_to(out, "ran as far as was asked\n");
    if (r->stop != JM_STOP_NONE)
        say_to(out, "the machine has ended: %s\n%s", jm_stop_name(r->stop),
               text_get(&r->explanation));
}

/* Returns the first node that has stopped, or `node` if none has. */
static unsigned stopped_node(const JmDebug *d, unsigned node) {
    for (unsigned i = 0; i < d->machine->nodes; i++)
        if (machine_node_has_stopped(node_at(d, i)))
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
    d->past->arrivals++;
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
    for (size_t i = 0; i < d->stops->hit_count; i++) {
        const Stop *stop = stop_by_id(d, d->stops->hits[i].stop);
        for (size_t k = 0; stop && k < stop->command_count; k++)
            text_add(&d->past->queued, "%s\n", stop->commands[k]);
    }
    d->past->hit_again = true;
}

void report_stop(JmDebug *d, JmDebugEnd end) {
    make_report(d, end);
    report_say(d, &d->out);
    select_hit(d);
    say_arrival(d);
    if (end != JM_DEBUG_HIT)
        return;
    queue_commands(d);
    delete_temporary(d);
    d->stops->hit_count = 0;
}

/* Target length of a slice: how long Ctrl-C may have to wait. */
static const double SLICE_SECONDS = 0.05;

/* ---- the engine ------------------------------------------------------------------ */

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Doubles or halves the slices if one of `cycles` took much less or more time than
 * wanted. One that was cut short says nothing about full ones. */
static void adapt_slice(JmDebug *d, double started, uint64_t cycles) {
    if (!d->host.clock)
        return;
    const double seconds = d->host.clock(d->host.context) - started;
    if (seconds < SLICE_SECONDS / 2 && cycles >= d->past->slice &&
        d->past->slice < UINT64_C(1) << 40)
        d->past->slice *= 2;
    else if (seconds > 2 * SLICE_SECONDS && d->past->slice > 1)
        d->past->slice /= 2;
}

/* Returns the cycle up to which jm_run() may run in one slice. */
static uint64_t target(const JmDebug *d, uint64_t until, bool stops) {
    uint64_t cycle = earlier(until, travel_due(d));
    cycle = earlier(cycle, d->machine->now + d->past->slice);
    return stops && stops_need_steps(d) ? d->machine->now + 1 : cycle;
}

/* Runs one slice. True: something happened that ends the run, *end says what. */
static bool run_piece(JmDebug *d, uint64_t until, bool stops, JmDebugEnd *end) {
    const double started = d->host.clock ? d->host.clock(d->host.context) : 0;
    const uint64_t before = d->machine->now;
    d->stops->hit_count = 0;
    const JmStop stop = run_machine(d, target(d, until, stops));
    if (stops)
        stops_check_values(d);
    if (stops && stop != JM_STOP_NONE && stop != JM_STOP_BREAK)
        stops_check_end(d);
    const bool hit = d->stops->hit_count && hits_count(d);
    travel_pass(d);
    adapt_slice(d, started, d->machine->now - before);
    *end = JM_DEBUG_HIT;
    if (hit)
        return true;
    *end = JM_DEBUG_ENDED;
    if (stop != JM_STOP_NONE && stop != JM_STOP_BREAK)
        return true;
    if (stop == JM_STOP_BREAK && d->stops->asked == d->machine->now)
        d->stops->watch.passed = d->machine->now;
    *end = JM_DEBUG_INTERRUPTED;
    return is_interrupted(d);
}

JmDebugEnd run_to(JmDebug *d, uint64_t until, bool stops) {
    JmDebugEnd end = JM_DEBUG_REACHED;
    stops_arm(d, stops);
    for (;;) {
        travel_apply_due(d);
        if (d->stops->rearm)
            stops_arm(d, stops);
        if (d->machine->now >= until)
            break;
        const bool ends = run_piece(d, until, stops, &end);
        /* A machine that had ended may have been changed so that it continued. */
        if (ends && (end != JM_DEBUG_ENDED || travel_due(d) > d->machine->now))
            break;
        end = JM_DEBUG_REACHED;
    }
    travel_apply_due(d); /* those made where it has stopped */
    machine_watch(d->machine, NULL);
    return end;
}

/* Begins a run to a stop. Values that have changed since the last run, manually or by
 * travel, do not count as changed; breakpoints that stopped the last run in this cycle
 * do not stop it again. */
static void begin_run(JmDebug *d) {
    stops_see_values(d);
    d->stops->watch.passed =
        d->stops->asked == d->machine->now ? d->stops->asked : UINT64_MAX;
}

static JmDebugEnd go_on(JmDebug *d, uint64_t until) {
    begin_run(d);
    return run_to(d, until, true);
}

/* ---- commands -------------------------------------------------------------------- */

/* Stops that are let pass have no report: their commands are not done, and temporary
 * ones stay. */
bool cmd_continue(JmDebug *d, Args *args) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT64_MAX, 1, &count) || !expect_end(args))
        return false;
    JmDebugEnd end;
    do
        end = go_on(d, UINT64_MAX);
    while (end == JM_DEBUG_HIT && d->machine->stop == JM_STOP_NONE && --count > 0 &&
           !is_interrupted(d));
    report_stop(d, end);
    return true;
}

bool cmd_run(JmDebug *d, Args *args) {
    int64_t cycles;
    if (!take_number(args, "the cycles", 1, INT64_MAX / 2, &cycles) ||
        !expect_end(args))
        return false;
    report_stop(d, go_on(d, d->machine->now + (uint64_t)cycles));
    return true;
}

bool cmd_cycle(JmDebug *d, Args *args) {
    int64_t cycles;
    if (!take_optional(args, "the cycles", 1, INT64_MAX / 2, 1, &cycles) ||
        !expect_end(args))
        return false;
    const JmDebugEnd end = run_to(d, d->machine->now + (uint64_t)cycles, false);
    report_stop(d, end);
    return true;
}

/* Runs to a stop that exists only for this command. False if something else came
 * first. */
static bool run_to_own(JmDebug *d, Stop stop) {
    stop_add_own(d, stop);
    const JmDebugEnd end = go_on(d, UINT64_MAX);
    report_stop(d, end);
    Stop *left = stop_by_id(d, 0);
    if (left)
        stop_delete(d, left);
    return end == JM_DEBUG_HIT && !left;
}

bool cmd_until(JmDebug *d, Args *args) {
    Stop stop = {.kind = STOP_VALUE, .nodes = {NULL, d->machine->nodes}, .to = d->node};
    const char *start = next_at(args);
    Value now;
    char *text;
    if (!check_expression(args, false, &text, &stop.foreign) || !expect_end(args))
        return false;
    if (!evaluate_quietly(d, text, d->node, NULL, &now, stop.why))
        return fail_at(args, start, "this has no value now: %s", stop.why);
    if (value_true(&now)) {
        say(d, "it holds now\n");
        return true;
    }
    Text truth = {.heap = d->work}, said = {.heap = d->work};
    text_add(&truth, "!!(%s)", text);
    text_add(&said, "until %s", text);
    stop.expression = truth.bytes;
    stop.text = said.bytes;
    stop.last = value_of_number(0);
    run_to_own(d, stop);
    return true;
}

/* ---- by the node ----------------------------------------------------------------- */

/* Runs until the selected node issues, or takes a message or a fault. For a sleeping
 * node this may take long. */
static JmDebugEnd to_instruction(JmDebug *d) {
    const Node *node = node_at(d, d->node);
    JmDebugEnd end = JM_DEBUG_REACHED;
    while (end == JM_DEBUG_REACHED && node->runs && node->asleep)
        end = run_to(d, d->machine->now + 1, false);
    if (end != JM_DEBUG_REACHED)
        return end;
    if (!node->runs)
        return JM_DEBUG_ENDED;
    const uint64_t due = node->ready > d->machine->now ? node->ready : d->machine->now;
    return run_to(d, due + 1, false);
}

/* Runs with `go` until the selected node is at another source line. */
static JmDebugEnd to_line_by(JmDebug *d, JmDebugEnd (*go)(JmDebug *d)) {
    const JmDebugPlace start = next_of(d, d->node);
    JmDebugEnd end;
    do
        end = go(d);
    while (end == JM_DEBUG_REACHED && same_line(start, next_of(d, d->node)));
    return end;
}

static JmDebugEnd to_line(JmDebug *d) {
    return to_line_by(d, to_instruction);
}

/* A set of one node. */
static NodeSet nodes_alone(const JmDebug *d, unsigned node) {
    NodeSet set = {.count = d->machine->nodes};
    set.bits = heap_alloc(d->work, nodeset_bytes(&set));
    set.bits[node / 64] = UINT64_C(1) << (node % 64);
    return set;
}

/* ---- past calls ------------------------------------------------------------------ */

/* Whether a word is the IP of an instruction. */
static bool is_ip_of(const Node *node, JmWord word, JmDebugPlace place) {
    const uint32_t ip = jm_data(word);
    return jm_tag(word) == JM_TAG_IP &&
           place.address == node_code_address(node, ip, jm_field20(ip)) &&
           place.low == ((ip & JM_IP_PHASE) != 0);
}

/* Whether a register in which routines and handlers find their way back holds the IP of
 * an instruction. */
static bool is_linked(const Node *node, JmDebugPlace place) {
    for (unsigned i = 0; i < 4; i++)
        if (is_ip_of(node, node->current->r[i], place))
            return true;
    return is_ip_of(node, node->current->fip, place);
}

static bool handles_fault(const Node *node) {
    return jm_data(node->current->ip) & JM_IP_FAULT;
}

/* Finds where a node goes back to that instruction `from` has led elsewhere. A call is
 * a jump after which a register holds the IP of what lies behind it: the other half of
 * the word or, for labels, the next word. A fault goes back there or to `from`. */
static bool find_way_back(const JmDebug *d, JmDebugPlace from, bool handled,
                          JmDebugPlace *back) {
    const Node *node = node_at(d, d->node);
    const JmDebugPlace now = next_of(d, d->node);
    const JmDebugPlace ways[] = {
        {.address = from.address + 1}, {.address = from.address, .low = true}, from};
    const bool open[] = {true, !from.low, !handled && handles_fault(node)};
    bool found = false;
    for (unsigned i = 0; i < 3; i++) {
        if (same_place(now, ways[i]))
            return false;
        if (open[i] && !found && is_linked(node, ways[i])) {
            *back = ways[i];
            found = true;
        }
    }
    return found;
}

/* Whether the run has ended for the command's own stop alone. */
static bool own_hit(const JmDebug *d, JmDebugEnd end) {
    return end == JM_DEBUG_HIT && d->stops->hit_count == 1 &&
           d->stops->hits[0].stop == 0;
}

/* Runs to a stop of the selected node, as often as it takes until the node is in
 * `context` then. */
static JmDebugEnd back_to(JmDebug *d, JmContext context, Stop stop) {
    const Node *node = node_at(d, d->node);
    stop.nodes = nodes_alone(d, d->node);
    stop_add_own(d, stop);
    JmDebugEnd end;
    do
        end = go_on(d, UINT64_MAX);
    while (own_hit(d, end) && node->running != context && !is_interrupted(d));
    if (own_hit(d, end))
        end = is_interrupted(d) ? JM_DEBUG_INTERRUPTED : JM_DEBUG_REACHED;
    stop_delete(d, stop_by_id(d, 0));
    return end;
}

/* Whether a task of another context has come in between. */
static bool is_between(const Node *node, JmContext context) {
    return node->running != context &&
           (context == JM_CONTEXT_BACKGROUND ||
            (context == JM_CONTEXT_0 && node->priority[0].active));
}

/* Like to_instruction(), but steps over calls, fault handlers and, unless the node
 * slept, tasks that run in between. */
static JmDebugEnd past_call(JmDebug *d) {
    const Node *node = node_at(d, d->node);
    const JmContext context = node->running;
    const JmDebugPlace from = next_of(d, d->node);
    const bool handled = handles_fault(node), slept = node->asleep;
    JmDebugPlace back;
    JmDebugEnd end = to_instruction(d);
    if (end == JM_DEBUG_REACHED && !slept && is_between(node, context))
        end = back_to(d, context,
                      (Stop){.kind = STOP_CATCH, .what = 1 << JM_EVENT_SUSPEND});
    if (end == JM_DEBUG_REACHED && node->running == context &&
        find_way_back(d, from, handled, &back)) {
        Stop stop = {.kind = STOP_BREAK};
        places_add(d, &stop.at, back);
        end = back_to(d, context, stop);
    }
    return end;
}

static JmDebugEnd past_line(JmDebug *d) {
    return to_line_by(d, past_call);
}

/* ---- steps ----------------------------------------------------------------------- */

/* Runs as many steps as the argument says, and reports where it ended. */
static bool go_by(JmDebug *d, Args *args, JmDebugEnd (*go)(JmDebug *d)) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT32_MAX, 1, &count) || !expect_end(args))
        return false;
    if (!node_at(d, d->node)->runs)
        return fail(d, "node %u is %s", d->node,
                    activity_text(activity_of(d, d->node)));
    JmDebugEnd end = JM_DEBUG_REACHED;
    for (; count > 0 && end == JM_DEBUG_REACHED; count--)
        end = go(d);
    if (end != JM_DEBUG_REACHED)
        report_stop(d, end);
    else
        say_arrival(d);
    return true;
}

bool cmd_step(JmDebug *d, Args *args) {
    return go_by(d, args, to_instruction);
}

bool cmd_line(JmDebug *d, Args *args) {
    return go_by(d, args, to_line);
}

bool cmd_next(JmDebug *d, Args *args) {
    return go_by(d, args, past_line);
}

bool cmd_nexti(JmDebug *d, Args *args) {
    return go_by(d, args, past_call);
}

/* Runs to an event of the selected node. False if something else came first. */
static bool run_to_event(JmDebug *d, JmEventKind kind, const char *text) {
    Stop stop = {.kind = STOP_CATCH,
                 .what = UINT32_C(1) << kind,
                 .nodes = nodes_alone(d, d->node),
                 .text = text_copy_all(d->work, text)};
    return run_to_own(d, stop);
}

bool cmd_task(JmDebug *d, Args *args) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT32_MAX, 1, &count) || !expect_end(args))
        return false;
    while (count-- > 0 && run_to_event(d, JM_EVENT_SUSPEND, "end of the task"))
        if (count > 0 && is_interrupted(d)) {
            say(d, "interrupted\n");
            break;
        }
    return true;
}

/* Runs until a message is delivered: its number is free then, or another message's. */
static JmDebugEnd run_to_delivery(JmDebug *d, uint32_t number, uint64_t opened) {
    NetMessageState m;
    JmDebugEnd end = JM_DEBUG_REACHED;
    begin_run(d);
    while (end == JM_DEBUG_REACHED &&
           net_message_state(netif_network(d->machine), number, &m) &&
           m.opened_cycle == opened)
        end = run_to(d, d->machine->now + 1, true);
    return end;
}

bool cmd_deliver(JmDebug *d, Args *args) {
    NetMessageState m;
    int64_t number;
    const char *at = next_at(args);
    if (at_end(args)) {
        run_to_event(d, JM_EVENT_ARRIVE, "arrival of a message");
        return true;
    }
    if (!take_number(args, "a message", 0, UINT32_MAX, &number) || !expect_end(args))
        return false;
    if (!net_message_state(netif_network(d->machine), (uint32_t)number, &m))
        return fail_at(args, at, "no message %" PRId64 " is in flight", number);
    const JmDebugEnd end = run_to_delivery(d, (uint32_t)number, m.opened_cycle);
    if (end == JM_DEBUG_REACHED)
        say(d, "message %" PRId64 " has been delivered to node %" PRIu32 "\n", number,
            m.destination);
    report_stop(d, end);
    return true;
}
