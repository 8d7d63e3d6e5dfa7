/* Reports against states: a machine is put into each state that a row can show, and two
 * nodes are made to differ in exactly one field that a report depends on. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/machine.h"
#include "tests/emu/rig.h"

/* ---- reports that are the same --------------------------------------------------- */

/* Two nodes stop alike: in background, or in the handler of a TYPE fault. */
static const char stops[] = "        .word INT:0x20\n"
                            "        wtag r0,r0,r1\n";

/* FIELD(of the second node, its value): nodes that differ in it have reports of their
 * own. */
#define FIELDS(FIELD)                                                                  \
    FIELD(stop.why, NODE_BAD_ROUTE)                                                    \
    FIELD(stop.context, JM_CONTEXT_0)                                                  \
    FIELD(stop.fault, JM_FAULT_LIMIT)                                                  \
    FIELD(stop.in_fault, !second->stop.in_fault)                                       \
    FIELD(stop.noted, !second->stop.noted)                                             \
    FIELD(stop.address, second->stop.address + 1)                                      \
    FIELD(stop.low, !second->stop.low)                                                 \
    FIELD(stop.word, jm_int(0x123))                                                    \
    FIELD(fault[JM_CONTEXT_BACKGROUND].fault, JM_FAULT_LIMIT)                          \
    FIELD(fault[JM_CONTEXT_BACKGROUND].address, 0x1003)                                \
    FIELD(fault[JM_CONTEXT_BACKGROUND].low, !second->fault[2].low)                     \
    FIELD(fault[JM_CONTEXT_BACKGROUND].fip, jm_ip(0x1001, JM_IP_FAULT))

#define BODY(field, value)                                                             \
    if (index == at++) {                                                               \
        second->field = value;                                                         \
        return #field;                                                                 \
    }

/* Changes field `index`; returns its name, or NULL if there are no more. */
static const char *change(Node *second, unsigned index) {
    unsigned at = 0;
    FIELDS(BODY)
    return NULL;
}

Test(emu_reports, nodes_that_differ_in_one_field_are_told_apart) {
    const char *field = "";
    unsigned index = 0;
    for (; field; index++) {
        Rig *rig = rig_open(2, 1, 1, stops);
        rig_run(rig, 100, JM_STOP_STOPPED);
        cr_expect(rig_tells(rig, "nodes 0-1: "), "they are alike");
        field = change(&rig->machine->node[1], index);
        if (field)
            cr_expect(!rig_tells(rig, "nodes 0-1: "), "%s", field);
        rig_close(rig);
    }
    cr_expect_gt(index, 10);
}

/* Four nodes stop or fail alike, each after some turns of a loop: their report has the
 * first and the last cycle. */
static void expect_cycles(const char *end, const char *what, const int *turns) {
    JmConfig config = jm_config_default();
    char source[300], told[80];
    config.size_x = 4;
    config.keep_going = true;
    snprintf(source, sizeof source,
             "        peek turns,r1\n"
             "again:  sub r1,1,r1\n"
             "        bnz r1,^again\n"
             "        .word INT:0x20\n"
             "        %s\n"
             "        .data\n"
             "turns:  .word INT:0\n",
             end);
    Rig *rig = rig_open_with(&config, source);
    for (unsigned i = 0; i < 4; i++)
        rig_set_word(rig, i, "turns", jm_int(turns[i]));
    rig_run(rig, 1000, JM_STOP_IDLE);
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t cycle = rig->machine->node[i].stop.cycle;
        first = cycle < first ? cycle : first;
        last = cycle > last ? cycle : last;
    }
    if (first == last)
        snprintf(told, sizeof told, "nodes 0-3: %s in cycle %u,", what,
                 (unsigned)first);
    else
        snprintf(told, sizeof told, "nodes 0-3: %s in cycles %u to %u,", what,
                 (unsigned)first, (unsigned)last);
    cr_expect(rig_tells(rig, told), "%s", told);
    rig_close(rig);
}

Test(emu_reports, first_and_last_cycle_of_a_group) {
    static const int turns[][4] = {{5, 9, 2, 7}, {2, 5, 7, 9}, {9, 7, 5, 2},
                                   {2, 9, 9, 2}, {9, 2, 2, 9}, {4, 4, 4, 4}};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        expect_cycles("suspend", "stopped", turns[i]);
        expect_cycles("wtag r0,r0,r1", "fault TYPE", turns[i]);
    }
}

/* Routing words that name no node are part of a report, with each coordinate. */
Test(emu_reports, routes_are_told_apart) {
    static const struct {
        uint32_t x, y, z;
    } routes[] = {{9, 5, 3}, {10, 5, 3},   {9, 6, 3},
                  {9, 5, 4}, {31, 30, 63}, {0, 0, 32}};
    for (unsigned i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        Rig *rig = rig_open(2, 1, 1,
                            "        peek route,r1\n"
                            "        send r1,0\n"
                            "        rest\n"
                            "        .data\n"
                            "route:  .word INT:9 + 32 * 5 + 1024 * 3\n");
        char told[60];
        const uint32_t x = routes[i].x, y = routes[i].y, z = routes[i].z;
        rig_set_word(rig, 1, "route", jm_int((int32_t)(x + 32 * y + 1024 * z)));
        rig_run(rig, 100, JM_STOP_STOPPED);
        snprintf(told, sizeof told, "word %u,%u,%u names no node of a 2x1x1", x, y, z);
        cr_expect_eq(rig_tells(rig, "nodes 0-1: "), i == 0);
        cr_expect(rig_tells(rig, "the routing word 9,5,3 names no node"));
        cr_expect(rig_tells(rig, told), "%s", told);
        rig_close(rig);
    }
}

/* ---- states of nodes that wait or go on ------------------------------------------ */

/* STATE(stop, setup, expected report): a node of a machine at rest, with a message open
 * at priority 0 so that a deadlock reports it. */
#define STATES(STATE)                                                                  \
    STATE(DEADLOCK, n->send_open = 1, "in the middle of a send")                       \
    STATE(DEADLOCK, n->send_open = 2, "in the middle of a send")                       \
    STATE(DEADLOCK, (n->send_open = 1, n->masked = true), "I = 1")                     \
    STATE(DEADLOCK, (n->send_open = 1, n->posted = 1), "an external fault waits")      \
    STATE(DEADLOCK, (n->send_open = 1, n->asleep = true), ": idle at ")                \
    STATE(DEADLOCK, (n->send_open = 1, n->stop.why = NODE_NOT_STARTED),                \
          ": not started at ")                                                         \
    STATE(DEADLOCK, (n->send_open = 1, n->stop.why = NODE_BAD_ROUTE), ": stopped at ") \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[0].active = true),                  \
          "queue 0 holds 0 of 64 words, a task is active")                             \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[1].active = true),                  \
          "queue 1 holds 0 of 32 words, a task is active")                             \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[0].gate = false),                   \
          "queue 0 holds 0 of 64 words, its input is closed")                          \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[1].gate = false),                   \
          "queue 1 holds 0 of 32 words, its input is closed")                          \
    STATE(DEADLOCK,                                                                    \
          (n->send_open = 1, n->priority[0].gate = false, n->brake = NODE_BRAKE_ON),   \
          "its brake is on")                                                           \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[0].qbm |= JM_ADDR_INVALID),         \
          "queue 0 is disabled")                                                       \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[1].qbm |= JM_ADDR_INVALID),         \
          "queue 1 is disabled")                                                       \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[0].qhl += 8),                       \
          "queue 0 holds 8 of 64 words")                                               \
    STATE(DEADLOCK, (n->send_open = 1, n->priority[1].qhl += 8),                       \
          "queue 1 holds 8 of 32 words")                                               \
    STATE(NONE, n->stop.why = NODE_NOT_STARTED, "node 1 (1,0,0): not started")         \
    STATE(NONE, n->asleep = !n->asleep, "node 1 (1,0,0): ")                            \
    STATE(NONE, n->send_open = 1, "in the middle of a send")                           \
    STATE(NONE, n->send_open = 2, "in the middle of a send")                           \
    STATE(NONE, n->send_wait = 1, "waits for room to send")                            \
    STATE(NONE, n->send_wait = 2, "waits for room to send")                            \
    STATE(NONE, n->send_wait = 4, "waits for room to send")                            \
    STATE(NONE, n->masked = true, "I = 1")                                             \
    STATE(NONE, n->running = JM_CONTEXT_0, "node 1 (1,0,0): idle, priority 0 ")        \
    STATE(NONE, n->running = JM_CONTEXT_1, "node 1 (1,0,0): idle, priority 1 ")

typedef struct {
    JmStop stop;
    const char *set, *text;
} State;
#define STATE_ROW(stop, set, text) {JM_STOP_##stop, #set, text},
static const State states[] = {STATES(STATE_ROW)};
enum { STATE_COUNT = sizeof states / sizeof *states };

static void put(Node *n, unsigned index) {
    unsigned at = 0;
#define STATE_PUT(stop, set, text)                                                     \
    if (index == at++)                                                                 \
        set;
    STATES(STATE_PUT)
}

Test(emu_reports, each_row_tells_its_state) {
    for (unsigned i = 0; i < STATE_COUNT; i++) {
        Rig *rig = rig_open(2, 1, 1,
                            "        queues 63,31\n"
                            "        rest\n");
        rig_run(rig, 100, JM_STOP_IDLE);
        rig->machine->stop = states[i].stop;
        cr_expect(!rig_tells(rig, states[i].text), "before: %s", states[i].text);
        put(&rig->machine->node[1], i);
        cr_expect(rig_tells(rig, states[i].text), "after %s: %s", states[i].set,
                  states[i].text);
        rig_close(rig);
    }
}

/* A task whose SEND faulted, and whose handler gave it up, leaves a message open; the
 * next task of its priority does not wait for anything. */
Test(emu_reports, given_up_sends) {
    for (unsigned gives_up = 0; gives_up < 2; gives_up++) {
        char source[900];
        snprintf(source, sizeof source,
                 "        vector 0x43, full,U,F\n"
                 "        peek 0xFFF0E,r1\n"
                 "        bnz r1,^rests\n"
                 "        queues 63,63\n"
                 "        move true,r0\n"
                 "        move r0,i\n"
                 "        move 0,r2\n"
                 "        .msg sends,1,U\n"
                 "        send2e r2,r0,0\n"
                 "        .msg spins,1,U\n"
                 "        send2e r2,r0,0\n"
                 "        .word INT:50\n"
                 "wait:   sub r0,1,r0\n"
                 "        bnz r0,^wait\n"
                 "        move false,r0\n"
                 "        move r0,i\n"
                 "rests:  rest\n"
                 "        .text\n"
                 "sends:  move 1,r2\n"
                 "more:   send r2,0\n"
                 "        br ^more\n"
                 "spins:  add r3,1,r3\n"
                 "        br ^spins\n"
                 "        .align 4\n"
                 "full:   %s\n",
                 gives_up ? "suspend" : "retry");
        Rig *rig = rig_open(2, 1, 1, source);
        rig_run(rig, 3000, JM_STOP_NONE);
        rig_expect_told(rig, "in the middle of a send");
        cr_expect_eq(rig_tells(rig, "waits for room to send"), !gives_up);
        rig_close(rig);
    }
}

/* A machine at rest, set up as if it had stopped for this reason. */
static Rig *resting(unsigned x, unsigned y, JmStop stop) {
    Rig *rig = rig_open(x, y, 1,
                        "        queues 63,63\n"
                        "        rest\n");
    rig_run(rig, 100, JM_STOP_IDLE);
    rig->machine->stop = stop;
    return rig;
}

/* For nodes in the same state the length of the longest queue of each priority is
 * reported, whichever nodes have them. */
Test(emu_reports, longest_queues_of_a_group) {
    for (unsigned longest = 0; longest < 3; longest++) {
        Rig *rig = resting(3, 1, JM_STOP_NONE);
        for (unsigned i = 0; i < 3; i++)
            for (unsigned p = 0; p < 2; p++)
                rig->machine->node[i].priority[p].qhl =
                    jm_data(jm_addr(0x800, i == (longest + p) % 3 ? 20 + 8 * p : 4));
        cr_expect(rig_tells(rig, "queues hold up to 20 and 28 words"), "%u", longest);
        rig_close(rig);
    }
}

/* Nodes are reported together though they are at different instructions, even of one
 * word. */
Test(emu_reports, nodes_at_different_places) {
    for (unsigned halves = 0; halves < 4; halves++) {
        Rig *rig = resting(3, 1, JM_STOP_NONE);
        rig->machine->node[2].current->ip.bits += halves * JM_IP_PHASE;
        cr_expect(rig_tells(rig, "nodes 0-2: idle, background at "));
        cr_expect_eq(rig_tells(rig, " and elsewhere"), halves != 0, "%u", halves);
        rig_close(rig);
    }
}

/* Names of many nodes: single ones and runs of two and three, up to 16 runs; of the
 * rest is told how many nodes they are. */
static void expect_names(unsigned runs) {
    enum { NAMED = 16 };
    JmConfig config = jm_config_default();
    config.size_x = 8;
    config.size_y = 16;
    Rig rig = {.machine = jm_create(&config, NULL)};
    char told[400] = "", wanted[460];
    unsigned first = 1, more = 0;
    for (unsigned i = 0; i < runs; i++, first += 4) {
        const unsigned last = first + i % 3;
        for (unsigned node = first; node <= last; node++)
            jm_start(rig.machine, node);
        if (i >= NAMED)
            more += i % 3 + 1;
        else
            sprintf(told + strlen(told), i % 3 ? "%s%u-%u" : "%s%u", i ? "," : "",
                    first, last);
    }
    if (runs == 1)
        sprintf(wanted, "node 1 (1,0,0): ");
    else if (more)
        sprintf(wanted, "nodes %s and %u more: ", told, more);
    else
        sprintf(wanted, "nodes %s: ", told);
    cr_expect(rig_tells(&rig, wanted), "%s", wanted);
    jm_destroy(rig.machine);
}

Test(emu_reports, names_of_many_nodes) {
    for (unsigned runs = 1; runs <= 24; runs++)
        expect_names(runs);
}

/* ---- more than are reported ------------------------------------------------------ */

enum { TOLD = 16, MANY = 40 };

static unsigned count(const Rig *rig, const char *part) {
    char *text = rig_explanation(rig);
    unsigned found = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        found++;
    free(text);
    return found;
}

/* The first 16 of the nodes that wait in a deadlock are reported, wherever they are. */
Test(emu_reports, waiting_nodes_of_a_deadlock) {
    for (unsigned waiting = 1; waiting <= MANY; waiting += 3) {
        Rig *rig = resting(MANY / 2, 2, JM_STOP_DEADLOCK);
        for (unsigned i = MANY - waiting; i < MANY; i++)
            rig->machine->node[i].send_open = 2;
        cr_expect_eq(count(rig, "in the middle of a send"),
                     waiting < TOLD ? waiting : TOLD);
        cr_expect_eq(rig_tells(rig, "\nnode 39 (19,1,0): "), waiting <= TOLD, "%u",
                     waiting);
        rig_close(rig);
    }
}

/* Nodes that stopped at places of their own, or do something else each: 16 of them are
 * told, and how many more there are. */
static void expect_more(unsigned nodes, JmStop stop, const char *each,
                        const char *stopped, const char *elsewhere) {
    Rig *rig = resting(MANY / 2, 2, stop);
    char text[60];
    for (unsigned i = 1; i <= nodes; i++) {
        Node *n = &rig->machine->node[MANY - i];
        n->send_open = i & 1;
        n->masked = i >> 1 & 1;
        n->asleep = !(i >> 2 & 1);
        n->send_wait = i >> 3 & 1;
        n->running = JM_CONTEXT_BACKGROUND - (i >> 4);
        if (stop == JM_STOP_STOPPED)
            n->stop = (NodeStop){.why = NODE_BACKGROUND_SUSPEND, .address = 0x2000 + i};
    }
    /* The other nodes are one more group, if the report says what they do. */
    const unsigned groups = nodes + (stop == JM_STOP_NONE && nodes < MANY);
    cr_expect_eq(count(rig, each), groups < TOLD ? groups : TOLD, "%u", nodes);
    const unsigned others = nodes - TOLD + (groups > nodes);
    snprintf(text, sizeof text, "and %u more %snode%s%s\n", others, stopped,
             others == 1 ? "" : "s", elsewhere);
    cr_expect_eq(rig_tells(rig, text), groups > TOLD, "%s of %u", text, nodes);
    rig_close(rig);
}

Test(emu_reports, more_groups_than_are_told) {
    for (unsigned nodes = 1; nodes <= 20; nodes++) {
        expect_more(nodes, JM_STOP_STOPPED, ": stopped in cycle", "stopped ", "");
        expect_more(nodes, JM_STOP_NONE, " at 0100", "", " elsewhere");
    }
}

/* ---- nodes that a text image starts ---------------------------------------------- */

Test(emu_reports, every_row_of_an_image_starts_its_nodes) {
    static const struct {
        const char *text, *idle; /* ranks of nodes that are not started */
    } images[] = {
        {"* 1000 C00000000\n1 1001 C00000000\n", ""},
        {"1 1001 C00000000\n* 1000 C00000000\n", ""},
        {"0 1000 C00000000\n2 1000 C00000000\n", "node 1 (1,0,0): not started"},
        {"2 1000 C00000000\n0 1000 C00000000\n", "node 1 (1,0,0): not started"},
        {"1 1000 C00000000\n", "nodes 0,2: not started"},
    };
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        JmConfig config = jm_config_default();
        config.size_x = 3;
        Rig rig = {.machine = jm_create(&config, NULL)};
        cr_assert(jm_load_text(rig.machine, images[i].text, strlen(images[i].text),
                               "rows", NULL));
        cr_expect(rig_tells(&rig, images[i].idle), "%s", images[i].text);
        cr_expect_eq(rig_tells(&rig, "not started"), *images[i].idle != '\0', "%s",
                     images[i].text);
        jm_destroy(rig.machine);
    }
}
