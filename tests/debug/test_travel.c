/* Time travel against a recorded run. A machine without a debugger is run cycle by
 * cycle; its events and the values of a register are noted. Sessions of random commands
 * must stop where these say, and find the machine in the recorded run's state.
 *
 * A stop belongs to one of two moments of a cycle: catchpoints and watchpoints stop at
 * its beginning, after the events of the cycle before; then breakpoints do, before the
 * instructions of the cycle.
 *
 *     cycle c - 1        | cycle c                       | cycle c + 1
 *     ... an event -> 2c | 2c + 1 <- an instruction ...  |
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "emu/debug/debug.h"
#include "recorded.h"
#include "said.h"

/* ---- sessions -------------------------------------------------------------------- */

typedef struct {
    uint8_t hits[MOMENTS + 2]; /* by moment */
    unsigned id;               /* 0: none */
    bool enabled, temporary;
    uint64_t ignore, counted;
} ModelStop;

typedef struct {
    Said said;
    Record *record;
    Rig *rig;
    JmDebug *debug;
    JmRng rng;
    uint64_t now;
    bool passed; /* the breakpoints of this cycle have been evaluated */
    ModelStop *stops;
    unsigned last_id;
    uint64_t seed;
    char line[256];
} Session;

static Session *session_open(Record *record, uint64_t seed) {
    Session *s = calloc(1, sizeof *s);
    s->record = record;
    s->rig = new_machine();
    s->rng = jm_rng(seed);
    s->seed = seed;
    s->stops = calloc(STOPS_MAX, sizeof *s->stops);
    const JmDebugHost host = {.context = s, .write = said_write, .guest = said_write};
    s->debug = jm_debug_create(s->rig->machine, &host);
    return s;
}

static void session_close(Session *s) {
    jm_debug_destroy(s->debug);
    rig_close(s->rig);
    free(s->stops);
    free(s);
}

static bool say(Session *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->line, sizeof s->line, format, arguments);
    va_end(arguments);
    said_empty(&s->said);
    return jm_debug_do(s->debug, s->line);
}

static unsigned below(Session *s, unsigned limit) {
    return (unsigned)(jm_rng_next(&s->rng) % limit);
}

static unsigned selected(Session *s) {
    unsigned node = NODES;
    cr_assert_eq(sscanf(jm_debug_prompt(s->debug), "(jm %u)", &node), 1);
    return node;
}

static void expect_cycle(Session *s, uint64_t cycle) {
    cr_assert_eq(jm_now(s->rig->machine), cycle,
                 "seed %" PRIu64 ", '%s' at %" PRIu64 " went to %" PRIu64
                 ", not %" PRIu64 ": %s",
                 s->seed, s->line, s->now, jm_now(s->rig->machine), cycle,
                 s->said.text);
    cr_assert_eq(state_of(s->rig->machine), recorded_state(s->record, cycle),
                 "seed %" PRIu64 ", '%s' at %" PRIu64
                 ": another state in cycle %" PRIu64,
                 s->seed, s->line, s->now, cycle);
    s->now = cycle;
    s->passed = false;
}

/* ---- stops ----------------------------------------------------------------------- */

typedef bool Meant(const Session *s, const JmEvent *event, uint32_t what);

/* A breakpoint stands at the high half of a word. */
static bool is_instruction_at(const Session *s, const JmEvent *e, uint32_t address) {
    const JmWord word = jm_read(s->record->rig->machine, e->node, address);
    return e->kind == JM_EVENT_INSTRUCTION && e->address == address &&
           e->instruction == jm_instruction(word, false);
}

static bool has_opcode(const Session *s, const JmEvent *e, uint32_t op) {
    (void)s;
    return e->kind == JM_EVENT_INSTRUCTION && jm_decode(e->instruction).op == op;
}

static bool is_write_to(const Session *s, const JmEvent *e, uint32_t address) {
    (void)s;
    return e->kind == JM_EVENT_WRITE && e->address == address;
}

static bool is_access_to(const Session *s, const JmEvent *e, uint32_t address) {
    (void)s;
    return (e->kind == JM_EVENT_WRITE || e->kind == JM_EVENT_READ) &&
           e->address == address;
}

static bool is_of_kind(const Session *s, const JmEvent *e, uint32_t kind) {
    (void)s;
    return e->kind == kind;
}

static bool is_send_to(const Session *s, const JmEvent *e, uint32_t node) {
    (void)s;
    return e->kind == JM_EVENT_SEND && e->opens && e->destination == node;
}

/* The first words of a message; other words have events too. */
static bool is_send(const Session *s, const JmEvent *e, uint32_t what) {
    (void)s;
    (void)what;
    return e->kind == JM_EVENT_SEND && e->opens;
}

static bool is_fault(const Session *s, const JmEvent *e, uint32_t fault) {
    (void)s;
    return e->kind == JM_EVENT_FAULT && e->fault == fault;
}

static bool is_dispatch_of(const Session *s, const JmEvent *e, uint32_t handler) {
    (void)s;
    return e->kind == JM_EVENT_DISPATCH && e->address == handler;
}

/* By moment: what of the recorded run hits a stop, on one node or, -1, on all; with a
 * modulus, if the cycle in which it stops leaves 1. */
static void find_hits(Session *s, ModelStop *stop, Meant *meant, uint32_t what,
                      int node, unsigned modulus) {
    const Record *r = s->record;
    memset(stop->hits, 0, sizeof stop->hits);
    for (size_t i = 0; i < r->count; i++) {
        const JmEvent *e = &r->events[i];
        if ((node >= 0 && e->node != (unsigned)node) || !meant(s, e, what))
            continue;
        const bool before = e->kind == JM_EVENT_INSTRUCTION;
        const uint64_t cycle = e->cycle + !before;
        if (modulus && cycle % modulus != 1)
            continue;
        if (cycle <= CYCLES)
            stop->hits[2 * cycle + before]++;
    }
}

static void find_changes(Session *s, ModelStop *stop) {
    const JmWord *value = s->record->spied;
    memset(stop->hits, 0, sizeof stop->hits);
    for (uint64_t cycle = 1; cycle <= CYCLES; cycle++)
        stop->hits[2 * cycle] = !jm_same(value[cycle], value[cycle - 1]);
}

static ModelStop *free_stop(Session *s) {
    for (unsigned i = 0; i < STOPS_MAX; i++)
        if (!s->stops[i].id)
            return &s->stops[i];
    return NULL;
}

static void define(Session *s) {
    const Rig *rig = s->record->rig;
    /* Behind the inline constants with which these begin. */
    const uint32_t quick = rig_address(rig, "quick") + 1,
                   loop = rig_address(rig, "loop") + 1;
    const uint32_t total = rig_address(rig, "total"), count = rig_address(rig, "count");
    const struct {
        const char *text;
        Meant *meant;
        uint32_t what;
        uint32_t number;
    } kinds[] = {
        {"break 0x%x", is_instruction_at, quick, quick},
        {"tbreak 0x%x", is_instruction_at, loop, loop},
        {"break 0x%x", is_instruction_at, count, count},
        {"catch op send", has_opcode, JM_OP_SEND, 0},
        {"catch op SUSPEND", has_opcode, JM_OP_SUSPEND, 0},
        {"catch op ADD", has_opcode, JM_OP_ADD, 0},
        {"watch 0x%x", is_write_to, total, total},
        {"awatch 0x%x", is_access_to, total, total},
        {"catch dispatch 0x%x", is_dispatch_of, count, count},
        {"catch overflow", is_of_kind, JM_EVENT_OVERFLOW, 0},
        {"catch suspend", is_of_kind, JM_EVENT_SUSPEND, 0},
        {"catch arrive", is_of_kind, JM_EVENT_ARRIVE, 0},
        {"catch send to %u", is_send_to, 2, 2},
        {"catch send", is_send, 0, 0},
        {"catch fault SEND", is_fault, JM_FAULT_SEND, 0},
        {"watch $r1.b@%u", NULL, 0, SPIED},
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    ModelStop *stop = free_stop(s);
    if (!stop)
        return;
    const unsigned kind = below(s, KINDS);
    const int node = kinds[kind].meant && below(s, 3) == 0 ? (int)below(s, NODES) : -1;
    const unsigned modulus = kinds[kind].meant && below(s, 3) == 0 ? 29 : 0;
    const unsigned after = below(s, 3) == 0 ? below(s, 30) : 0;
    char line[128], clause[32];
    snprintf(line, sizeof line, kinds[kind].text, kinds[kind].number);
    if (node >= 0)
        snprintf(clause, sizeof clause, " on %d", node);
    if (node >= 0)
        strcat(line, clause);
    snprintf(clause, sizeof clause, " after %u", after);
    strcat(line, modulus ? " if $cycle % 29 == 1" : "");
    strcat(line, after ? clause : "");
    cr_assert(say(s, "%s", line), "%s: %s", line, s->said.text);
    stop->id = ++s->last_id;
    stop->enabled = true;
    stop->temporary = line[0] == 't';
    stop->ignore = after;
    stop->counted = 0;
    if (kinds[kind].meant)
        find_hits(s, stop, kinds[kind].meant, kinds[kind].what, node, modulus);
    else
        find_changes(s, stop);
}

/* Whether the stops end a run at this moment; skipped hits are counted. */
static bool stops_at(Session *s, uint64_t moment) {
    bool stops = false;
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        ModelStop *stop = &s->stops[i];
        if (!stop->id || !stop->enabled)
            continue;
        for (unsigned k = 0; k < stop->hits[moment]; k++) {
            stop->counted++;
            stops |= stop->ignore == 0;
            stop->ignore -= stop->ignore > 0;
        }
    }
    return stops;
}

static void delete_temporary(Session *s, uint64_t moment) {
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        ModelStop *stop = &s->stops[i];
        if (stop->id && stop->enabled && stop->temporary && stop->hits[moment] &&
            !stop->ignore)
            stop->id = 0;
    }
}

static void expect_counts(Session *s) {
    cr_assert(say(s, "info stops"));
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        const ModelStop *stop = &s->stops[i];
        char name[32], hits[64], left[64] = "";
        if (!stop->id)
            continue;
        snprintf(name, sizeof name, "%3u %s ", stop->id, stop->enabled ? "on " : "off");
        snprintf(hits, sizeof hits, ", %" PRIu64 " hits", stop->counted);
        if (stop->ignore)
            snprintf(left, sizeof left, ", %" PRIu64 " to let pass", stop->ignore);
        const char *row = strstr(s->said.text, name);
        cr_assert(row, "no '%s' in %s", name, s->said.text);
        const char *end = strchr(row, '\n'), *found = strstr(row, hits);
        cr_assert(found && found < end, "seed %" PRIu64 ": no '%s' in %s", s->seed,
                  hits, row);
        cr_assert(strncmp(found + strlen(hits), left, strlen(left)) == 0, "%s", row);
    }
}

/* ---- commands -------------------------------------------------------------------- */

/* Where a run to `until` ends, the cycle `until` excluded for breakpoints; CYCLES + 1:
 * beyond the record, or too near its end. `extra` stops it as well. */
static uint64_t run_end(const Session *s, uint64_t until, const uint8_t *extra) {
    uint64_t left[STOPS_MAX];
    for (unsigned i = 0; i < STOPS_MAX; i++)
        left[i] = s->stops[i].ignore;
    for (uint64_t m = 2 * s->now + 1 + s->passed; m < MOMENTS && m <= 2 * until; m++) {
        if (extra && extra[m])
            return m;
        for (unsigned i = 0; i < STOPS_MAX; i++) {
            const ModelStop *stop = &s->stops[i];
            if (!stop->id || !stop->enabled || !stop->hits[m])
                continue;
            if (stop->hits[m] > left[i])
                return m;
            left[i] -= stop->hits[m];
        }
    }
    return until < CYCLES ? 2 * until : 2 * (CYCLES + 1);
}

/* After a command that has run to a stop or `until`: the machine must be at `end`. */
static void expect_run(Session *s, uint64_t end) {
    const uint64_t first = 2 * s->now + 1 + s->passed;
    expect_cycle(s, end / 2);
    s->passed = end % 2;
    for (uint64_t m = first; m <= end; m++)
        cr_assert(!stops_at(s, m) || m == end);
    delete_temporary(s, end);
    expect_counts(s);
}

/* Goes on past a stop: its hits are counted. */
static void pass_stop(Session *s, uint64_t end) {
    for (uint64_t m = 2 * s->now + 1 + s->passed; m <= end; m++)
        stops_at(s, m);
    s->now = end / 2;
    s->passed = end % 2;
}

static void do_continue(Session *s) {
    const unsigned count = below(s, 3) ? 1 : 1 + below(s, 6);
    ModelStop *stops = s->stops;
    const uint64_t now = s->now;
    const bool passed = s->passed;
    s->stops = calloc(STOPS_MAX, sizeof *stops);
    memcpy(s->stops, stops, STOPS_MAX * sizeof *stops);
    uint64_t end = run_end(s, UINT64_MAX / 2, NULL);
    for (unsigned k = 1; k < count && end / 2 <= CYCLES; k++) {
        pass_stop(s, end);
        end = run_end(s, UINT64_MAX / 2, NULL);
    }
    if (end / 2 <= CYCLES) {
        say(s, count > 1 ? "continue %u" : "continue", count);
        expect_run(s, end);
    } else { /* not to be told from the record */
        memcpy(s->stops, stops, STOPS_MAX * sizeof *stops);
        s->now = now;
        s->passed = passed;
    }
    free(stops);
}

static void do_run(Session *s) {
    const uint64_t until = s->now + 1 + below(s, 3000);
    if (until >= CYCLES)
        return;
    const uint64_t end = run_end(s, until, NULL);
    say(s, "run %" PRIu64, until - s->now);
    expect_run(s, end);
}

static void do_until(Session *s) {
    const uint64_t until = s->now + 1 + below(s, 900);
    if (until >= CYCLES)
        return;
    const uint64_t end = run_end(s, until, NULL);
    say(s, "until $cycle >= %" PRIu64, until);
    expect_run(s, end);
}

/* Of the node's SUSPENDs alone, but other stops count. */
static void do_task(Session *s) {
    ModelStop *own = calloc(1, sizeof *own);
    find_hits(s, own, is_of_kind, JM_EVENT_SUSPEND, (int)selected(s), 0);
    const uint64_t end = run_end(s, UINT64_MAX / 2, own->hits);
    if (end / 2 <= CYCLES) {
        say(s, "task");
        expect_run(s, end);
    }
    free(own);
}

static void do_goto(Session *s) {
    const uint64_t cycle = below(s, 4) ? below(s, CYCLES) : s->now;
    say(s, "goto %" PRIu64, cycle);
    const bool stays = cycle == s->now && s->passed;
    expect_cycle(s, cycle);
    s->passed = stays;
}

static void do_cycle(Session *s) {
    const uint64_t count = 1 + below(s, 500);
    if (s->now + count >= CYCLES)
        return;
    say(s, "cycle %" PRIu64, count);
    expect_cycle(s, s->now + count);
}

static void do_step(Session *s) {
    const unsigned node = selected(s), count = 1 + below(s, 40);
    uint64_t cycle = s->now;
    for (unsigned left = count; left > 0 && cycle < CYCLES; cycle++)
        left -= s->record->boundary[cycle] >> node & 1;
    if (cycle >= CYCLES - 1)
        return;
    say(s, "step %u", count);
    expect_cycle(s, cycle);
}

static void do_reverse_step(Session *s) {
    const unsigned node = selected(s);
    const unsigned count = 1 + below(s, below(s, 4) ? 30 : 3000);
    uint64_t cycle = s->now;
    unsigned left = count;
    while (left > 0 && cycle > 0)
        left -= s->record->boundary[--cycle] >> node & 1;
    const bool good = say(s, "reverse-step %u", count);
    const bool stays = left > 0 && s->passed;
    cr_assert_eq(good, left == 0, "seed %" PRIu64 ": %s", s->seed, s->said.text);
    expect_cycle(s, left ? s->now : cycle);
    s->passed = stays;
}

/* Whether a stop without hits to let pass is hit at a moment. */
static bool is_hit(const Session *s, uint64_t moment) {
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        const ModelStop *stop = &s->stops[i];
        if (stop->id && stop->enabled && !stop->ignore && stop->hits[moment])
            return true;
    }
    return false;
}

/* Stops that still have hits to let pass do not count, and nothing is counted. */
static void do_reverse_continue(Session *s) {
    uint64_t m = 2 * s->now + s->passed;
    const unsigned count = below(s, 3) ? 1 : 1 + below(s, 6);
    unsigned left = count;
    while (left > 0 && m-- > 0)
        left -= is_hit(s, m);
    const bool found = left == 0;
    say(s, count > 1 ? "reverse-continue %u" : "reverse-continue", count);
    expect_cycle(s, found ? m / 2 : 0);
    s->passed = found && m % 2;
    cr_assert_eq(found, !strstr(s->said.text, "no stop was hit before"), "%s",
                 s->said.text);
    if (found)
        delete_temporary(s, m);
    expect_counts(s);
}

static ModelStop *some_stop(Session *s) {
    ModelStop *stop = &s->stops[below(s, STOPS_MAX)];
    return stop->id ? stop : NULL;
}

static void do_stops(Session *s) {
    ModelStop *stop = some_stop(s);
    const unsigned what = stop ? below(s, 5) : 0;
    const char *const able[] = {"disable", "enable"};
    if (what == 0) {
        define(s);
    } else if (what <= 2) {
        stop->enabled = what == 2;
        cr_assert(say(s, "%s %u", able[what - 1], stop->id));
    } else if (what == 3) {
        cr_assert(say(s, "delete %u", stop->id));
        stop->id = 0;
    } else {
        stop->ignore = below(s, 3) ? 0 : below(s, 60);
        cr_assert(say(s, "ignore %u %u", stop->id, (unsigned)stop->ignore));
    }
}

static void do_node(Session *s) {
    const unsigned node = below(s, NODES);
    cr_assert(say(s, "node %u", node));
}

static void random_session(Record *record, uint64_t seed, unsigned commands) {
    static void (*const deeds[])(Session *) = {
        do_continue, do_continue, do_run,          do_until,
        do_task,     do_goto,     do_cycle,        do_step,
        do_node,     do_stops,    do_reverse_step, do_reverse_continue,
        do_stops,    do_stops,    do_reverse_step, do_reverse_continue};
    Session *s = session_open(record, seed);
    for (unsigned i = 0; i < commands; i++)
        deeds[below(s, sizeof deeds / sizeof *deeds)](s);
    session_close(s);
}

Test(travel, random_sessions_find_the_recorded_run, .timeout = 600) {
    Record *record = record_run();
    for (uint64_t seed = 1; seed <= 12; seed++)
        random_session(record, seed, 60);
    record_free(record);
}

/* A node may sleep where the machine is saved, and wake within a turn of its loop. */
Test(travel, restored_machines_go_the_same_way, .timeout = 600) {
    Rig *saved = new_machine(), *restored = new_machine();
    for (uint64_t cycle = 600; cycle < 4000; cycle += 40) {
        jm_run(saved->machine, cycle);
        JmCheckpoint *state = jm_checkpoint(saved->machine);
        cr_assert(state && jm_restore(restored->machine, state));
        jm_checkpoint_free(state);
        for (uint64_t later = cycle + 1; later <= cycle + 25; later++) {
            jm_run(saved->machine, later);
            jm_run(restored->machine, later);
            cr_assert_eq(state_of(restored->machine), state_of(saved->machine),
                         "saved in cycle %" PRIu64 ": differs in %" PRIu64, cycle,
                         later);
        }
    }
    rig_close(restored);
    rig_close(saved);
}
