/* Runs the machine in slices, and the commands that run it: to stops, by instructions,
 * lines, cycles, tasks, messages. */
#include <string.h>

#include "emu/debug/past/past.h"
#include "emu/debug/talk/commands.h"
#include "emu/debug/talk/names.h"
#include "emu/machine/stop/explain.h"
#include "net/net.h"

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
static bool run_piece(JmDebug *d, uint64_t until, bool stops, RunEnd *end) {
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
    *end = END_HIT;
    if (hit)
        return true;
    *end = END_MACHINE;
    if (stop != JM_STOP_NONE && stop != JM_STOP_BREAK)
        return true;
    if (stop == JM_STOP_BREAK && d->stops->asked == d->machine->now)
        d->stops->watch.passed = d->machine->now;
    *end = END_INTERRUPTED;
    return is_interrupted(d);
}

RunEnd run_to(JmDebug *d, uint64_t until, bool stops) {
    RunEnd end = END_REACHED;
    stops_arm(d, stops);
    for (;;) {
        travel_apply_due(d);
        if (d->stops->rearm)
            stops_arm(d, stops);
        if (d->machine->now >= until)
            break;
        const bool ends = run_piece(d, until, stops, &end);
        /* A machine that had ended may have been changed so that it continued. */
        if (ends && (end != END_MACHINE || travel_due(d) > d->machine->now))
            break;
        end = END_REACHED;
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

static RunEnd go_on(JmDebug *d, uint64_t until) {
    begin_run(d);
    return run_to(d, until, true);
}

/* ---- commands -------------------------------------------------------------------- */

bool cmd_continue(JmDebug *d, Args *args) {
    if (!expect_end(args))
        return false;
    report_stop(d, go_on(d, UINT64_MAX));
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
    const RunEnd end = run_to(d, d->machine->now + (uint64_t)cycles, false);
    report_stop(d, end);
    return true;
}

bool cmd_until(JmDebug *d, Args *args) {
    Stop stop = {.kind = STOP_VALUE, .nodes = {NULL, d->machine->nodes}, .to = d->node};
    skip_blanks(args);
    const char *start = args->at;
    Value now;
    char *text;
    if (!check_expression(args, false, &text, &stop.foreign))
        return false;
    if (!expect_end(args) ||
        !evaluate_quietly(d, text, d->node, NULL, &now, stop.why)) {
        heap_free(text);
        return at_end(args) &&
               fail_at(args, start, "this has no value now: %s", stop.why);
    }
    if (value_true(&now)) {
        heap_free(text);
        say(d, "it holds now\n");
        return true;
    }
    Text truth = {.heap = d->heap}, said = {.heap = d->heap};
    text_add(&truth, "!!(%s)", text);
    text_add(&said, "until %s", text);
    heap_free(text);
    stop.expression = truth.bytes;
    stop.text = said.bytes;
    stop.last = value_of_number(0);
    stop_add_own(d, stop);
    const RunEnd end = go_on(d, UINT64_MAX);
    report_stop(d, end);
    Stop *left = stop_by_id(d, 0);
    if (left)
        stop_delete(d, left);
    return true;
}

/* ---- by the node ----------------------------------------------------------------- */

/* Runs until the selected node issues, or takes a message or a fault. For a sleeping
 * node this may take long. */
static RunEnd to_boundary(JmDebug *d, bool stops) {
    const Node *node = node_at(d, d->node);
    RunEnd end = END_REACHED;
    while (end == END_REACHED) {
        if (node->runs && !node->asleep) {
            const uint64_t due =
                node->ready > d->machine->now ? node->ready : d->machine->now;
            return run_to(d, due + 1, stops);
        }
        const uint64_t far = d->machine->now + 1;
        if (!node->runs)
            return END_MACHINE;
        end = run_to(d, far, stops);
    }
    return end;
}

/* Runs until the selected node is at another source line. */
static RunEnd to_line(JmDebug *d) {
    const SourceLine start = line_of_next(d, d->node);
    RunEnd end;
    do
        end = to_boundary(d, false);
    while (end == END_REACHED && same_line(start, line_of_next(d, d->node)));
    return end;
}

static RunEnd to_instruction(JmDebug *d) {
    return to_boundary(d, false);
}

/* Runs as many steps as the argument says, and reports where it ended. */
static bool go_by(JmDebug *d, Args *args, RunEnd (*go)(JmDebug *d)) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT32_MAX, 1, &count) || !expect_end(args))
        return false;
    if (!node_at(d, d->node)->runs)
        return fail(d, "node %u is %s", d->node, activity_of(d, d->node, NULL));
    RunEnd end = END_REACHED;
    for (; count > 0 && end == END_REACHED; count--)
        end = go(d);
    if (end != END_REACHED)
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

/* Runs to an event of the selected node, as to a stop that exists only for this. False
 * if something else came first. */
static bool run_to_event(JmDebug *d, Stop stop, const char *text) {
    stop.kind = STOP_CATCH;
    stop.text = text_copy_all(d->heap, text);
    stop.nodes =
        (NodeSet){heap_alloc(d->heap, (d->machine->nodes / 64 + 1) * sizeof(uint64_t)),
                  d->machine->nodes};
    stop.nodes.bits[d->node / 64] = UINT64_C(1) << (d->node % 64);
    stop_add_own(d, stop);
    const RunEnd end = go_on(d, UINT64_MAX);
    report_stop(d, end);
    Stop *left = stop_by_id(d, 0); /* another stop was hit first, or none */
    if (left)
        stop_delete(d, left);
    return end == END_HIT && !left;
}

bool cmd_task(JmDebug *d, Args *args) {
    int64_t count;
    if (!take_optional(args, "the count", 1, INT32_MAX, 1, &count) || !expect_end(args))
        return false;
    const Stop stop = {.what = UINT32_C(1) << JM_EVENT_SUSPEND};
    while (count-- > 0 && run_to_event(d, stop, "end of the task"))
        if (count > 0 && is_interrupted(d)) {
            say(d, "interrupted\n");
            break;
        }
    return true;
}

/* Runs until a message is delivered: its number is free then, or another message's. */
static RunEnd run_to_delivery(JmDebug *d, uint32_t number, uint64_t opened) {
    NetMessageState m;
    RunEnd end = END_REACHED;
    begin_run(d);
    while (end == END_REACHED &&
           net_message_state(netif_network(d->machine), number, &m) &&
           m.opened_cycle == opened)
        end = run_to(d, d->machine->now + 1, true);
    return end;
}

bool cmd_deliver(JmDebug *d, Args *args) {
    NetMessageState m;
    int64_t number;
    skip_blanks(args);
    const char *at = args->at;
    if (at_end(args)) {
        const Stop stop = {.what = UINT32_C(1) << JM_EVENT_ARRIVE};
        run_to_event(d, stop, "arrival of a message");
        return true;
    }
    if (!take_number(args, "a message", 0, UINT32_MAX, &number) || !expect_end(args))
        return false;
    if (!net_message_state(netif_network(d->machine), (uint32_t)number, &m))
        return fail_at(args, at, "no message %" PRId64 " is in flight", number);
    const RunEnd end = run_to_delivery(d, (uint32_t)number, m.opened_cycle);
    if (end == END_REACHED)
        say(d, "message %" PRId64 " has been delivered to node %" PRIu32 "\n", number,
            m.destination);
    report_stop(d, end);
    return true;
}
