/* Effects of an overflow on the queue, and its costs, against table 2.1 of
 * Lethin's thesis. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/rig.h"
#include "tools/exp/run/costs.h"

#define GOLDEN_FILE "tests/kernel/overflow_costs.txt"

static const struct {
    const char *text;
    double thesis;
} heading[COST_HEADINGS] = {
    {"queue overflow trap preamble", 150},
    {"queue to buffer subroutine", 50},
    {"word to buffer", 22},
    {"queue overflow token", 52},
    {"message from buffer to queue", 23},
    {"word from buffer to queue", 26},
};

/* 150 + 50 + 256 * 22. */
#define FIRST_TEXT "first overflow, 256 words"
#define FIRST_THESIS 5832.0

/* The cost of a machine's overflows. */
typedef struct {
    double each[COST_HEADINGS], first;
} Profile;

/* Two queues' worth of messages arrive while the first one is handled. */
static Profile measure(int32_t queue_words, int32_t message_words) {
    JmMachine *machine = rig_machine("overflow_costs", 2);
    rig_set(machine, "kernel_queue0", queue_words);
    rig_set(machine, "cost_length", message_words);
    rig_set(machine, "cost_count", 2 * queue_words / message_words);
    JmError error;
    Costs *costs = costs_open(machine, &error);
    cr_assert_not_null(costs, "%s", error.text);
    cr_expect_eq(jm_run(machine, 10000000), JM_STOP_IDLE);
    Profile profile = {.first = (double)costs_first(costs, 0)};
    for (int i = 0; i < COST_HEADINGS; i++)
        profile.each[i] = (double)costs_cycles(costs, (CostHeading)i) /
                          (double)costs_units(costs, (CostHeading)i);
    jm_destroy(machine);
    costs_close(costs);
    return profile;
}

/* ---- the table ---------------------------------------------------------------- */

enum { COLUMNS = 3 };
static const int32_t message_words[COLUMNS] = {4, 8, 16};

static void row(char *text, size_t size, const char *name, double thesis,
                const double *measured) {
    size_t length = (size_t)snprintf(text, size, "%-30s %6.0f", name, thesis);
    for (int i = 0; i < COLUMNS; i++)
        length += (size_t)snprintf(text + length, size - length, " %9.2f", measured[i]);
    snprintf(text + length, size - length, "\n");
}

/* Within 15% of the thesis. */
static void check_row(const char *name, double thesis, const double *measured) {
    for (int i = 0; i < COLUMNS; i++)
        cr_expect_leq(fabs(measured[i] - thesis), 0.15 * thesis,
                      "%s, messages of %d words: %.2f cycles, thesis %.0f", name,
                      (int)message_words[i], measured[i], thesis);
}

static void compare_with_golden(const char *table) {
    char golden[4096] = "";
    const char *renew = getenv("GOLDEN");
    FILE *file = fopen(GOLDEN_FILE, renew && !strcmp(renew, "renew") ? "w+" : "r");
    cr_assert_not_null(file, GOLDEN_FILE);
    if (renew && !strcmp(renew, "renew"))
        fputs(table, file), rewind(file);
    golden[fread(golden, 1, sizeof golden - 1, file)] = '\0';
    fclose(file);
    cr_expect_str_eq(table, golden, "%s", table);
}

Test(overflow, costs) {
    Profile profile[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        profile[i] = measure(256, message_words[i]);
    char table[4096] =
        "cycles per                     thesis   4 words   8 words  16 words\n";
    double measured[COLUMNS];
    for (int h = 0; h <= COST_HEADINGS; h++) {
        for (int i = 0; i < COLUMNS; i++)
            measured[i] = h == COST_HEADINGS ? profile[i].first : profile[i].each[h];
        const char *name = h == COST_HEADINGS ? FIRST_TEXT : heading[h].text;
        const double thesis = h == COST_HEADINGS ? FIRST_THESIS : heading[h].thesis;
        const size_t length = strlen(table);
        row(table + length, sizeof table - length, name, thesis, measured);
        check_row(name, thesis, measured);
    }
    fputs(table, stderr);
    compare_with_golden(table);
}

/* ---- what it does ---------------------------------------------------------------- */

/* A word of the kernel on node 0: `offset` words behind a symbol. */
static uint32_t word_at(const JmMachine *machine, const char *name, uint32_t offset) {
    uint32_t address;
    cr_assert(jm_symbol(machine, name, &address), "%s", name);
    return jm_data(jm_read(machine, 0, address + offset));
}

/* Runs until a handler has begun to work on queue 0 of node 0, and has finished. */
static void run_one_handler(JmMachine *machine) {
    uint32_t busy;
    cr_assert(jm_symbol(machine, "OVERFLOW_BUSY", &busy));
    for (unsigned phase = 0; phase < 2; phase++) {
        while ((word_at(machine, "overflow_queue0", busy) != 0) == (phase != 0))
            cr_assert_eq(jm_run(machine, jm_now(machine) + 1), JM_STOP_NONE);
    }
}

static JmMachine *overflowing_machine(int32_t queue_words, bool background) {
    JmMachine *machine = rig_machine("overflow_costs", 2);
    rig_set(machine, "kernel_queue0", queue_words);
    rig_set(machine, "cost_count", queue_words);
    rig_set(machine, "cost_background", background);
    return machine;
}

/* Words that can arrive between the opening of a queue and the check: two rows. */
enum { SLACK = 8, MESSAGE = 4, TOKEN_ROW = 4 };

Test(overflow, keeps_the_running_message) {
    JmMachine *machine = overflowing_machine(64, false);
    run_one_handler(machine);
    cr_expect_eq(word_at(machine, "kernel_overflow_words0", 0), 64 - MESSAGE);
    cr_expect_leq(jm_queue_words(machine, 0, 0), MESSAGE + TOKEN_ROW + SLACK);
    cr_expect_eq(word_at(machine, "kernel_overflows0", 0), 1);
    jm_destroy(machine);
}

Test(overflow, copies_the_head_if_no_task_is_active) {
    JmMachine *machine = overflowing_machine(64, true);
    run_one_handler(machine);
    cr_expect_eq(word_at(machine, "kernel_overflow_words0", 0), 64);
    cr_expect_leq(jm_queue_words(machine, 0, 0), TOKEN_ROW + SLACK);
    cr_expect_eq(jm_run(machine, 1000000), JM_STOP_IDLE);
    jm_destroy(machine);
}

Test(overflow, brings_half_a_queue_back) {
    JmMachine *machine = overflowing_machine(256, false);
    rig_set(machine, "cost_count", 80); /* one trap, and all arrive before the token */
    run_one_handler(machine);
    run_one_handler(machine);
    cr_expect_eq(word_at(machine, "kernel_overflows0", 0), 1);
    cr_expect_eq(jm_queue_words(machine, 0, 0), 256 / 2 + TOKEN_ROW);
    cr_expect_eq(word_at(machine, "kernel_overflow_words0", 0), (80 - 1) * MESSAGE);
    cr_expect_eq(word_at(machine, "kernel_overflow_peak0", 0), (80 - 1) * MESSAGE);
    cr_expect_eq(jm_run(machine, 1000000), JM_STOP_IDLE);
    jm_destroy(machine);
}

/* The buffer's pointers start near its end: what they point to goes on at its begin. */
Test(overflow, buffer_is_a_ring) {
    enum { NODES = 4, CHAINS = 6, HOPS = 10, BEFORE_END = 50 };
    JmMachine *machine = rig_machine("stress", NODES);
    rig_set(machine, "kernel_queue0", 32);
    rig_set(machine, "stress_hot", 700);
    rig_set(machine, "stress_count", CHAINS);
    rig_set(machine, "stress_hops", HOPS);
    const uint32_t last = word_at(machine, "overflow_queue0", 5);
    uint32_t state;
    cr_assert(jm_symbol(machine, "overflow_queue0", &state));
    jm_write_all(machine, state, jm_int((int32_t)last - BEFORE_END));
    jm_write_all(machine, state + 1, jm_int((int32_t)last - BEFORE_END));
    cr_expect_eq(jm_run(machine, 100000000), JM_STOP_IDLE);
    uint32_t ended = 0;
    for (unsigned node = 0; node < NODES; node++)
        ended += jm_data(jm_read(machine, node, 0x2801));
    cr_expect_eq(ended, NODES * CHAINS);
    cr_expect_neq(jm_tag(jm_read(machine, 0, last)), JM_TAG_SYM);
    jm_destroy(machine);
}

/* ---- what it counts -------------------------------------------------------------- */

enum { COUNTED_NODES = 6 };

/* The actions of a queue's handlers, seen from outside. */
typedef struct {
    uint32_t state, ring, ring_words; /* overflow_queue0 or 1; its buffer */
    bool in_token[COUNTED_NODES];     /* the token's handler works */
    uint32_t overflows[COUNTED_NODES], words[COUNTED_NODES], peak[COUNTED_NODES];
} Counted;

typedef struct {
    JmMachine *machine;
    uint32_t token;
    Counted queue[2];
} Counting;

/* Each time words have been moved to the buffer, word IN of the queue's state changes,
 * which says where the next one goes; OUT is behind it. An empty buffer begins anew. A
 * task of the other priority can do so before the token's handler, which it interrupts
 * or which lets it end its work. */
static void count_write(const Counting *counting, unsigned q, Counted *queue,
                        const JmEvent *e) {
    const uint32_t node = e->node, in = jm_data(e->word);
    queue->words[node] +=
        e->address >= queue->ring && e->address < queue->ring + queue->ring_words;
    if (e->address != queue->state || in == queue->ring)
        return;
    const uint32_t out = jm_data(jm_read(counting->machine, node, queue->state + 1));
    const uint32_t held = (in - out) & (queue->ring_words - 1);
    if (held > queue->peak[node])
        queue->peak[node] = held;
    queue->overflows[node] += !(queue->in_token[node] && e->context == (JmContext)q);
}

static bool count_event(void *context, const JmEvent *e) {
    Counting *counting = context;
    if (e->kind == JM_EVENT_DISPATCH)
        counting->queue[e->priority].in_token[e->node] = e->address == counting->token;
    else if (e->kind == JM_EVENT_SUSPEND)
        counting->queue[e->priority].in_token[e->node] = false;
    else if (e->kind == JM_EVENT_FAULT && e->fault == JM_FAULT_QUEUE)
        counting->queue[e->context % 2].in_token[e->node] = false; /* behind its end */
    else if (e->kind == JM_EVENT_WRITE && !e->by_network)
        for (unsigned q = 0; q < 2; q++)
            count_write(counting, q, &counting->queue[q], e);
    return false;
}

static void expect_counts(const JmMachine *machine, unsigned q, const Counted *queue) {
    static const char *const names[] = {"overflows", "overflow_words", "overflow_peak"};
    const uint32_t *const counts[] = {queue->overflows, queue->words, queue->peak};
    for (unsigned i = 0; i < 3; i++) {
        char name[40];
        uint32_t address;
        snprintf(name, sizeof name, "kernel_%s%u", names[i], q);
        cr_assert(jm_symbol(machine, name, &address));
        for (unsigned node = 0; node < COUNTED_NODES; node++)
            cr_expect_eq(jm_data(jm_read(machine, node, address)), counts[i][node],
                         "%s of node %u: %u, not %u", name, node,
                         (unsigned)jm_data(jm_read(machine, node, address)),
                         (unsigned)counts[i][node]);
    }
}

/* The kernel's counters, recomputed from its writes, where tasks of both priorities
 * meet full queues of both, also at the same time. */
Test(overflow, counters_are_what_was_moved) {
    JmMachine *machine = rig_machine("stress", COUNTED_NODES);
    static const char *const names[] = {
        "kernel_queue0", "kernel_queue1", "stress_count",  "stress_hops",
        "stress_urgent", "stress_hot",    "stress_longest"};
    static const int32_t values[] = {16, 16, 20, 20, 300, 300, 8};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        rig_set(machine, names[i], values[i]);
    Counting counting = {.machine = machine,
                         .queue = {{.ring = 0x40000, .ring_words = 0x20000},
                                   {.ring = 0x60000, .ring_words = 0x10000}}};
    cr_assert(jm_symbol(machine, "overflow_token", &counting.token));
    cr_assert(jm_symbol(machine, "overflow_queue0", &counting.queue[0].state));
    cr_assert(jm_symbol(machine, "overflow_queue1", &counting.queue[1].state));
    jm_observe(machine,
               1u << JM_EVENT_DISPATCH | 1u << JM_EVENT_SUSPEND | 1u << JM_EVENT_FAULT |
                   1u << JM_EVENT_WRITE,
               count_event, &counting);
    cr_expect_eq(jm_run(machine, 100000000), JM_STOP_IDLE);
    for (unsigned q = 0; q < 2; q++)
        expect_counts(machine, q, &counting.queue[q]);
    cr_expect_gt(counting.queue[0].overflows[0] + counting.queue[1].overflows[0], 100u);
    jm_destroy(machine);
}
