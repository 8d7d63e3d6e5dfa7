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
#include "emu/machine/link/netif.h"
#include "emu/machine/machine.h"
#include "emu/node/archive.h"
#include "session.h"

/* ---- the recorded run ------------------------------------------------------------ */

enum {
    CYCLES = 45000,
    MOMENTS = 2 * (CYCLES + 1),
    NODES = 8,
    EVERY = 1000, /* cycles between checkpoints of the recorded run */
    MEMORY_USED = 0x1100,
    STOPS_MAX = 6,
    SPIED = 1, /* the node whose R1 of background is watched */
};

typedef struct {
    Rig *rig; /* for states; its position in the run does not matter */
    JmCheckpoint *past[CYCLES / EVERY + 1];
    uint8_t boundary[CYCLES + 1]; /* bit by node */
    JmWord spied[CYCLES + 1];     /* the watched register at the start of the cycle */
    JmEvent *events;
    size_t count, capacity;
    uint64_t cached_cycle, cached_state;
} Record;

static uint64_t mixed(uint64_t sum, uint64_t value) {
    return (sum ^ value) * UINT64_C(0x100000001B3);
}

/* A hash of the nodes and network as in a saved machine, and of the memory that the
 * program uses. */
static uint64_t state_of(const JmMachine *machine) {
    Archive archive = jm_archive_save();
    uint64_t sum = mixed(machine->now, machine->moved);
    for (unsigned i = 0; i < NODES; i++) {
        node_archive(&archive, &machine->node[i], machine->now);
        for (uint32_t a = 0; a < MEMORY_USED; a++)
            sum = mixed(sum, jm_read(machine, i, a).bits);
    }
    netif_save(machine, &archive);
    for (size_t i = 0; i < archive.size; i++)
        sum = mixed(sum, archive.bytes[i]);
    jm_archive_free(&archive);
    return sum;
}

static uint64_t recorded_state(Record *r, uint64_t cycle) {
    if (r->cached_cycle == cycle)
        return r->cached_state;
    jm_restore(r->rig->machine, r->past[cycle / EVERY]);
    jm_run(r->rig->machine, cycle);
    r->cached_cycle = cycle;
    return r->cached_state = state_of(r->rig->machine);
}

/* A machine at its start, like the recorded one. */
static Rig *new_machine(void) {
    return rig_open(2, 2, 2, rig_traffic);
}

static bool note(void *context, const JmEvent *event) {
    Record *r = context;
    if (r->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 1 << 16;
        r->events = realloc(r->events, r->capacity * sizeof *r->events);
        cr_assert(r->events);
    }
    r->events[r->count++] = *event;
    return false;
}

static JmWord spied_register(const JmMachine *machine) {
    return jm_register(machine, SPIED, JM_CONTEXT_BACKGROUND, JM_REG_R1);
}

/* Nodes at a boundary: they issue an instruction or an inline constant, dispatch or
 * take a fault in the next cycle. Constants have no event. */
static uint8_t boundaries(const JmMachine *machine) {
    uint8_t found = 0;
    for (unsigned i = 0; i < NODES; i++) {
        const Node *node = &machine->node[i];
        if (node->runs && !node->asleep && node->ready == machine->now)
            found |= (uint8_t)(1u << i);
    }
    return found;
}

static Record *record_run(void) {
    Record *r = calloc(1, sizeof *r);
    r->rig = new_machine();
    r->cached_cycle = UINT64_MAX;
    JmMachine *machine = r->rig->machine;
    jm_observe(machine, UINT32_MAX & ~(UINT32_C(1) << JM_EVENT_FLIT), note, r);
    for (uint64_t cycle = 0; cycle <= CYCLES; cycle++) {
        cr_assert_eq(jm_now(machine), cycle);
        if (cycle % EVERY == 0)
            r->past[cycle / EVERY] = jm_checkpoint(machine);
        r->spied[cycle] = spied_register(machine);
        r->boundary[cycle] = boundaries(machine);
        jm_run(machine, cycle + 1);
    }
    jm_observe(machine, 0, NULL, NULL);
    return r;
}

static void record_free(Record *r) {
    for (size_t i = 0; i <= CYCLES / EVERY; i++)
        jm_checkpoint_free(r->past[i]);
    rig_close(r->rig);
    free(r->events);
    free(r);
}

/* ---- sessions -------------------------------------------------------------------- */

typedef struct {
    uint8_t hits[MOMENTS + 2]; /* by moment */
    unsigned id;               /* 0: none */
    bool enabled, temporary;
    uint64_t ignore, counted;
} ModelStop;

/* A session, and what it should do by the record. */
typedef struct {
    Session *session;
    Record *record;
    JmMachine *machine;
    JmRng rng;
    uint64_t now;
    bool passed; /* the breakpoints of this cycle have been evaluated */
    ModelStop *stops;
    unsigned last_id;
    uint64_t seed;
} Model;

static unsigned below(Model *s, unsigned limit) {
    return (unsigned)(jm_rng_next(&s->rng) % limit);
}

static unsigned selected(Model *s) {
    unsigned node = NODES;
    cr_assert_eq(sscanf(jm_debug_prompt(s->session->debug), "(jm %u)", &node), 1);
    return node;
}

static void expect_cycle(Model *s, uint64_t cycle) {
    cr_assert_eq(jm_now(s->machine), cycle,
                 "seed %" PRIu64 ", '%s' at %" PRIu64 " went to %" PRIu64
                 ", not %" PRIu64 ": %s",
                 s->seed, s->session->line, s->now, jm_now(s->machine), cycle,
                 s->session->said);
    cr_assert_eq(state_of(s->machine), recorded_state(s->record, cycle),
                 "seed %" PRIu64 ", '%s' at %" PRIu64
                 ": another state in cycle %" PRIu64,
                 s->seed, s->session->line, s->now, cycle);
    s->now = cycle;
    s->passed = false;
}

/* ---- stops ----------------------------------------------------------------------- */

/* The events that hit a stop: of these kinds (bits 1 << JmEventKind), at an address, to
 * a node, of a fault, or of an opcode. */
typedef struct {
    uint32_t kinds;
    int64_t what; /* ANY: whatever it is */
    bool op;      /* it is an opcode */
} Target;

enum { ANY = -1 };
#define KIND(kind) (UINT32_C(1) << JM_EVENT_##kind)

/* A breakpoint stands at the high half of a word. */
static bool is_instruction(const Record *r, const JmEvent *e, const Target *t) {
    const JmWord word = jm_read(r->rig->machine, e->node, e->address);
    return t->op
               ? jm_decode(e->instruction).op == t->what
               : e->address == t->what && e->instruction == jm_instruction(word, false);
}

static bool is_meant(const Record *r, const JmEvent *e, const Target *t) {
    if (!(t->kinds >> e->kind & 1))
        return false;
    switch (e->kind) {
    case JM_EVENT_INSTRUCTION:
        return is_instruction(r, e, t);
    case JM_EVENT_SEND: /* other words of a message have events too */
        return e->opens && (t->what == ANY || e->destination == t->what);
    case JM_EVENT_FAULT:
        return e->fault == t->what;
    default:
        return t->what == ANY || e->address == t->what;
    }
}

/* By moment: what of the recorded run hits a stop, on one node or, -1, on all; with a
 * modulus, if the cycle in which it stops leaves 1. */
static void find_hits(const Record *r, ModelStop *stop, const Target *target, int node,
                      unsigned modulus) {
    memset(stop->hits, 0, sizeof stop->hits);
    for (size_t i = 0; i < r->count; i++) {
        const JmEvent *e = &r->events[i];
        if ((node >= 0 && e->node != (unsigned)node) || !is_meant(r, e, target))
            continue;
        const bool before = e->kind == JM_EVENT_INSTRUCTION;
        const uint64_t cycle = e->cycle + !before;
        if (modulus && cycle % modulus != 1)
            continue;
        if (cycle <= CYCLES)
            stop->hits[2 * cycle + before]++;
    }
}

static void find_changes(Model *s, ModelStop *stop) {
    const JmWord *value = s->record->spied;
    memset(stop->hits, 0, sizeof stop->hits);
    for (uint64_t cycle = 1; cycle <= CYCLES; cycle++)
        stop->hits[2 * cycle] = !jm_same(value[cycle], value[cycle - 1]);
}

static ModelStop *free_stop(Model *s) {
    for (unsigned i = 0; i < STOPS_MAX; i++)
        if (!s->stops[i].id)
            return &s->stops[i];
    return NULL;
}

static void define(Model *s) {
    const Rig *rig = s->record->rig;
    /* Behind the inline constants with which these begin. */
    const uint32_t quick = rig_address(rig, "quick") + 1,
                   loop = rig_address(rig, "loop") + 1;
    const uint32_t total = rig_address(rig, "total"), count = rig_address(rig, "count");
    const struct {
        const char *text;
        uint32_t number;
        Target target;
    } kinds[] = {
        {"break 0x%x", quick, {KIND(INSTRUCTION), quick, false}},
        {"tbreak 0x%x", loop, {KIND(INSTRUCTION), loop, false}},
        {"break 0x%x", count, {KIND(INSTRUCTION), count, false}},
        {"catch op send", 0, {KIND(INSTRUCTION), JM_OP_SEND, true}},
        {"catch op SUSPEND", 0, {KIND(INSTRUCTION), JM_OP_SUSPEND, true}},
        {"catch op ADD", 0, {KIND(INSTRUCTION), JM_OP_ADD, true}},
        {"watch 0x%x", total, {KIND(WRITE), total, false}},
        {"awatch 0x%x", total, {KIND(WRITE) | KIND(READ), total, false}},
        {"catch dispatch 0x%x", count, {KIND(DISPATCH), count, false}},
        {"catch overflow", 0, {KIND(OVERFLOW), ANY, false}},
        {"catch suspend", 0, {KIND(SUSPEND), ANY, false}},
        {"catch arrive", 0, {KIND(ARRIVE), ANY, false}},
        {"catch send to %u", 2, {KIND(SEND), 2, false}},
        {"catch send", 0, {KIND(SEND), ANY, false}},
        {"catch fault SEND", 0, {KIND(FAULT), JM_FAULT_SEND, false}},
        {"watch $r1.b@%u", SPIED, {0, ANY, false}}, /* a value that changes */
    };
    enum { KINDS = sizeof kinds / sizeof *kinds };
    ModelStop *stop = free_stop(s);
    if (!stop)
        return;
    const unsigned kind = below(s, KINDS);
    const int node =
        kinds[kind].target.kinds && below(s, 3) == 0 ? (int)below(s, NODES) : -1;
    const unsigned modulus = kinds[kind].target.kinds && below(s, 3) == 0 ? 29 : 0;
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
    cr_assert(tell(s->session, "%s", line), "%s: %s", line, s->session->said);
    stop->id = ++s->last_id;
    stop->enabled = true;
    stop->temporary = line[0] == 't';
    stop->ignore = after;
    stop->counted = 0;
    if (kinds[kind].target.kinds)
        find_hits(s->record, stop, &kinds[kind].target, node, modulus);
    else
        find_changes(s, stop);
}

/* Whether the stops end a run at this moment; skipped hits are counted. */
static bool stops_at(Model *s, uint64_t moment) {
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

static void delete_temporary(Model *s, uint64_t moment) {
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        ModelStop *stop = &s->stops[i];
        if (stop->id && stop->enabled && stop->temporary && stop->hits[moment] &&
            !stop->ignore)
            stop->id = 0;
    }
}

static void expect_counts(Model *s) {
    cr_assert(tell(s->session, "info stops"));
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        const ModelStop *stop = &s->stops[i];
        char name[32], hits[64], left[64] = "";
        if (!stop->id)
            continue;
        snprintf(name, sizeof name, "%3u %s ", stop->id, stop->enabled ? "on " : "off");
        snprintf(hits, sizeof hits, ", %" PRIu64 " hits", stop->counted);
        if (stop->ignore)
            snprintf(left, sizeof left, ", %" PRIu64 " to let pass", stop->ignore);
        const char *row = strstr(s->session->said, name);
        cr_assert(row, "no '%s' in %s", name, s->session->said);
        const char *end = strchr(row, '\n'), *found = strstr(row, hits);
        cr_assert(found && found < end, "seed %" PRIu64 ": no '%s' in %s", s->seed,
                  hits, row);
        cr_assert(strncmp(found + strlen(hits), left, strlen(left)) == 0, "%s", row);
    }
}

/* ---- commands -------------------------------------------------------------------- */

/* Where a run to `until` ends, the cycle `until` excluded for breakpoints; CYCLES + 1:
 * beyond the record, or too near its end. `extra` stops it as well. */
static uint64_t run_end(const Model *s, uint64_t until, const uint8_t *extra) {
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
static void expect_run(Model *s, uint64_t end) {
    const uint64_t first = 2 * s->now + 1 + s->passed;
    expect_cycle(s, end / 2);
    s->passed = end % 2;
    for (uint64_t m = first; m <= end; m++)
        cr_assert(!stops_at(s, m) || m == end);
    delete_temporary(s, end);
    expect_counts(s);
}

/* Goes on past a stop: its hits are counted. */
static void pass_stop(Model *s, uint64_t end) {
    for (uint64_t m = 2 * s->now + 1 + s->passed; m <= end; m++)
        stops_at(s, m);
    s->now = end / 2;
    s->passed = end % 2;
}

static void do_continue(Model *s) {
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
        tell(s->session, count > 1 ? "continue %u" : "continue", count);
        expect_run(s, end);
    } else { /* not to be told from the record */
        memcpy(s->stops, stops, STOPS_MAX * sizeof *stops);
        s->now = now;
        s->passed = passed;
    }
    free(stops);
}

static void do_run(Model *s) {
    const uint64_t until = s->now + 1 + below(s, 3000);
    if (until >= CYCLES)
        return;
    const uint64_t end = run_end(s, until, NULL);
    tell(s->session, "run %" PRIu64, until - s->now);
    expect_run(s, end);
}

static void do_until(Model *s) {
    const uint64_t until = s->now + 1 + below(s, 900);
    if (until >= CYCLES)
        return;
    const uint64_t end = run_end(s, until, NULL);
    tell(s->session, "until $cycle >= %" PRIu64, until);
    expect_run(s, end);
}

/* Of the node's SUSPENDs alone, but other stops count. */
static void do_task(Model *s) {
    ModelStop *own = calloc(1, sizeof *own);
    const Target suspends = {KIND(SUSPEND), ANY, false};
    find_hits(s->record, own, &suspends, (int)selected(s), 0);
    const uint64_t end = run_end(s, UINT64_MAX / 2, own->hits);
    if (end / 2 <= CYCLES) {
        tell(s->session, "task");
        expect_run(s, end);
    }
    free(own);
}

static void do_goto(Model *s) {
    const uint64_t cycle = below(s, 4) ? below(s, CYCLES) : s->now;
    tell(s->session, "goto %" PRIu64, cycle);
    const bool stays = cycle == s->now && s->passed;
    expect_cycle(s, cycle);
    s->passed = stays;
}

static void do_cycle(Model *s) {
    const uint64_t count = 1 + below(s, 500);
    if (s->now + count >= CYCLES)
        return;
    tell(s->session, "cycle %" PRIu64, count);
    expect_cycle(s, s->now + count);
}

static void do_step(Model *s) {
    const unsigned node = selected(s), count = 1 + below(s, 40);
    uint64_t cycle = s->now;
    for (unsigned left = count; left > 0 && cycle < CYCLES; cycle++)
        left -= s->record->boundary[cycle] >> node & 1;
    if (cycle >= CYCLES - 1)
        return;
    tell(s->session, "step %u", count);
    expect_cycle(s, cycle);
}

static void do_reverse_step(Model *s) {
    const unsigned node = selected(s);
    const unsigned count = 1 + below(s, below(s, 4) ? 30 : 3000);
    uint64_t cycle = s->now;
    unsigned left = count;
    while (left > 0 && cycle > 0)
        left -= s->record->boundary[--cycle] >> node & 1;
    const bool good = tell(s->session, "reverse-step %u", count);
    const bool stays = left > 0 && s->passed;
    cr_assert_eq(good, left == 0, "seed %" PRIu64 ": %s", s->seed, s->session->said);
    expect_cycle(s, left ? s->now : cycle);
    s->passed = stays;
}

/* Whether a stop without hits to let pass is hit at a moment. */
static bool is_hit(const Model *s, uint64_t moment) {
    for (unsigned i = 0; i < STOPS_MAX; i++) {
        const ModelStop *stop = &s->stops[i];
        if (stop->id && stop->enabled && !stop->ignore && stop->hits[moment])
            return true;
    }
    return false;
}

/* Stops that still have hits to let pass do not count, and nothing is counted. */
static void do_reverse_continue(Model *s) {
    uint64_t m = 2 * s->now + s->passed;
    const unsigned count = below(s, 3) ? 1 : 1 + below(s, 6);
    unsigned left = count;
    while (left > 0 && m-- > 0)
        left -= is_hit(s, m);
    const bool found = left == 0;
    tell(s->session, count > 1 ? "reverse-continue %u" : "reverse-continue", count);
    expect_cycle(s, found ? m / 2 : 0);
    s->passed = found && m % 2;
    cr_assert_eq(found, !strstr(s->session->said, "no stop was hit before"), "%s",
                 s->session->said);
    if (found)
        delete_temporary(s, m);
    expect_counts(s);
}

static ModelStop *some_stop(Model *s) {
    ModelStop *stop = &s->stops[below(s, STOPS_MAX)];
    return stop->id ? stop : NULL;
}

static void do_stops(Model *s) {
    ModelStop *stop = some_stop(s);
    const unsigned what = stop ? below(s, 5) : 0;
    const char *const able[] = {"disable", "enable"};
    if (what == 0) {
        define(s);
    } else if (what <= 2) {
        stop->enabled = what == 2;
        cr_assert(tell(s->session, "%s %u", able[what - 1], stop->id));
    } else if (what == 3) {
        cr_assert(tell(s->session, "delete %u", stop->id));
        stop->id = 0;
    } else {
        stop->ignore = below(s, 3) ? 0 : below(s, 60);
        cr_assert(tell(s->session, "ignore %u %u", stop->id, (unsigned)stop->ignore));
    }
}

static void do_node(Model *s) {
    const unsigned node = below(s, NODES);
    cr_assert(tell(s->session, "node %u", node));
}

static void random_session(Record *record, uint64_t seed, unsigned commands) {
    static void (*const deeds[])(Model *) = {
        do_continue, do_continue, do_run,          do_until,
        do_task,     do_goto,     do_cycle,        do_step,
        do_node,     do_stops,    do_reverse_step, do_reverse_continue,
        do_stops,    do_stops,    do_reverse_step, do_reverse_continue};
    Model s = {.session = session_open(2, 2, 2, rig_traffic),
               .record = record,
               .rng = jm_rng(seed),
               .seed = seed,
               .stops = calloc(STOPS_MAX, sizeof *s.stops)};
    s.machine = s.session->rig->machine;
    for (unsigned i = 0; i < commands; i++)
        deeds[below(&s, sizeof deeds / sizeof *deeds)](&s);
    session_close(s.session);
    free(s.stops);
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
