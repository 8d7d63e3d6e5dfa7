/* Effects of an overflow on the queue, and its costs, against table 2.1 of
 * Lethin's thesis. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/emu/rig.h"
#include "tools/exp/run/costs.h"

/* tests/kernel/<name>.s on so many nodes in a row; the machine knows its symbols. */
static Rig *open_program(const char *name, unsigned nodes) {
    JmConfig config = jm_config_default();
    config.size_x = nodes;
    char source[256];
    snprintf(source, sizeof source, " .include \"tests/kernel/%s.s\"\n", name);
    Rig *rig = rig_open_kernel(&config, source);
    JmError error;
    size_t size;
    void *elf = asm_object_bytes(rig->image, name, &size, &error);
    cr_assert_not_null(elf, "%s", error.text);
    cr_assert(jm_load_elf(rig->machine, elf, size, name, JM_ALL_NODES, &error));
    free(elf);
    return rig;
}

/* A word of the program, by symbol, on every node. */
static void set(Rig *rig, const char *name, int32_t value) {
    jm_write_all(rig->machine, rig_address(rig, name), jm_int(value));
}

/* ---- costs ----------------------------------------------------------------------- */

#define GOLDEN_FILE "tests/kernel/overflow_costs.txt"

enum { FIRST = COST_HEADINGS, ROWS, COLUMNS = 3 };
static const int32_t message_words[COLUMNS] = {4, 8, 16};
static const struct {
    const char *text;
    double thesis;
} rows[ROWS] = {
    {"queue overflow trap preamble", 150},
    {"queue to buffer subroutine", 50},
    {"word to buffer", 22},
    {"queue overflow token", 52},
    {"message from buffer to queue", 23},
    {"word from buffer to queue", 26},
    {"first overflow, 256 words", 150 + 50 + 256 * 22},
};

/* Cycles of the first overflow, from the QUEUE fault until the task resumes. */
static double first_overflow(JmMachine *machine, const Costs *costs) {
    enum { LONGEST = 50 /* above the cycles of any instruction */ };
    uint64_t cycles = 0, since = jm_now(machine);
    while (cycles == 0 || jm_now(machine) - since < LONGEST) {
        cr_assert_eq(jm_run(machine, jm_now(machine) + 1), JM_STOP_NONE);
        if (costs_cycles(costs) != cycles)
            since = jm_now(machine);
        cycles = costs_cycles(costs);
    }
    return (double)cycles;
}

/* Two queues' worth of messages arrive while the first one is handled. */
static void measure(int32_t queue_words, int32_t words, double cycles[ROWS]) {
    Rig *rig = open_program("overflow_costs", 2);
    set(rig, "kernel_queue0", queue_words);
    set(rig, "cost_length", words);
    set(rig, "cost_count", 2 * queue_words / words);
    JmError error;
    Costs *costs = costs_open(rig->machine, &error);
    cr_assert_not_null(costs, "%s", error.text);
    cycles[FIRST] = first_overflow(rig->machine, costs);
    rig_run(rig, 10000000, JM_STOP_IDLE);
    json_t *result = costs_result(costs), *row;
    const char *name;
    json_object_foreach (result, name, row)
        *cycles++ = json_number_value(json_object_get(row, "cycles")) /
                    json_number_value(json_object_get(row, "units"));
    json_decref(result);
    rig_close(rig);
    costs_close(costs);
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

/* The table of the exact figures, each within 15% of the thesis. */
Test(overflow, costs) {
    double cycles[COLUMNS][ROWS];
    for (int i = 0; i < COLUMNS; i++)
        measure(256, message_words[i], cycles[i]);
    char *table = NULL;
    size_t size;
    FILE *out = open_memstream(&table, &size);
    fputs("cycles per                     thesis   4 words   8 words  16 words\n", out);
    for (int r = 0; r < ROWS; r++) {
        const double thesis = rows[r].thesis;
        fprintf(out, "%-30s %6.0f", rows[r].text, thesis);
        for (int i = 0; i < COLUMNS; i++) {
            fprintf(out, " %9.2f", cycles[i][r]);
            cr_expect_leq(fabs(cycles[i][r] - thesis), 0.15 * thesis, "%s, column %d",
                          rows[r].text, i);
        }
        fputc('\n', out);
    }
    fclose(out);
    compare_with_golden(table);
    free(table);
}

/* ---- what it does ---------------------------------------------------------------- */

/* A word of the kernel on node 0: `offset` words behind a symbol. */
static uint32_t word_at(const Rig *rig, const char *name, uint32_t offset) {
    return jm_data(rig_word(rig, 0, name, offset));
}

/* Runs until a handler has begun to work on queue 0 of node 0, and has finished. */
static void run_one_handler(Rig *rig) {
    const uint32_t busy = rig_address(rig, "OVERFLOW_BUSY");
    for (unsigned phase = 0; phase < 2; phase++) {
        while ((word_at(rig, "overflow_queue0", busy) != 0) == (phase != 0))
            rig_run(rig, jm_now(rig->machine) + 1, JM_STOP_NONE);
    }
}

static Rig *open_overflowing(int32_t queue_words, int32_t count, bool background) {
    Rig *rig = open_program("overflow_costs", 2);
    set(rig, "kernel_queue0", queue_words);
    set(rig, "cost_count", count);
    set(rig, "cost_background", background);
    return rig;
}

/* Words that can arrive between the opening of a queue and the check: two rows. */
enum { SLACK = 8, MESSAGE = 4, TOKEN_ROW = 4 };

/* The running message stays in the queue; without one all are copied. */
Test(overflow, keeps_the_running_message_alone) {
    for (int background = 0; background < 2; background++) {
        Rig *rig = open_overflowing(64, 64, background);
        const uint32_t kept = background ? 0 : MESSAGE;
        run_one_handler(rig);
        cr_expect_eq(word_at(rig, "kernel_overflow_words0", 0), 64 - kept);
        cr_expect_leq(jm_queue_words(rig->machine, 0, 0), kept + TOKEN_ROW + SLACK);
        cr_expect_eq(word_at(rig, "kernel_overflows0", 0), 1);
        rig_run(rig, 1000000, JM_STOP_IDLE);
        rig_close(rig);
    }
}

Test(overflow, brings_half_a_queue_back) {
    /* One trap, and all arrive before the token. */
    Rig *rig = open_overflowing(256, 80, false);
    run_one_handler(rig);
    run_one_handler(rig);
    cr_expect_eq(word_at(rig, "kernel_overflows0", 0), 1);
    cr_expect_eq(jm_queue_words(rig->machine, 0, 0), 256 / 2 + TOKEN_ROW);
    cr_expect_eq(word_at(rig, "kernel_overflow_words0", 0), (80 - 1) * MESSAGE);
    cr_expect_eq(word_at(rig, "kernel_overflow_peak0", 0), (80 - 1) * MESSAGE);
    rig_run(rig, 1000000, JM_STOP_IDLE);
    rig_close(rig);
}

/* The buffer's pointers start near its end, so its contents continue at its start. */
Test(overflow, buffer_is_a_ring) {
    enum { NODES = 4, CHAINS = 6, HOPS = 10, BEFORE_END = 50 };
    Rig *rig = open_program("stress", NODES);
    set(rig, "kernel_queue0", 32);
    set(rig, "stress_hot", 700);
    set(rig, "stress_count", CHAINS);
    set(rig, "stress_hops", HOPS);
    const uint32_t last = word_at(rig, "overflow_queue0", 5);
    const uint32_t state = rig_address(rig, "overflow_queue0");
    for (unsigned i = 0; i < 2; i++)
        jm_write_all(rig->machine, state + i, jm_int((int32_t)last - BEFORE_END));
    rig_run(rig, 100000000, JM_STOP_IDLE);
    uint32_t ended = 0;
    for (unsigned node = 0; node < NODES; node++)
        ended += jm_data(jm_read(rig->machine, node, 0x2801));
    cr_expect_eq(ended, NODES * CHAINS);
    cr_expect_neq(jm_tag(jm_read(rig->machine, 0, last)), JM_TAG_SYM);
    rig_close(rig);
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

static void expect_counts(const Rig *rig, unsigned q, const Counted *queue) {
    static const char *const names[] = {"overflows", "overflow_words", "overflow_peak"};
    const uint32_t *const counts[] = {queue->overflows, queue->words, queue->peak};
    for (unsigned i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "kernel_%s%u", names[i], q);
        for (unsigned node = 0; node < COUNTED_NODES; node++)
            cr_expect_eq(jm_data(rig_word(rig, node, name, 0)), counts[i][node],
                         "%s of node %u", name, node);
    }
}

/* The kernel's counters, recomputed from its writes, where tasks of both priorities
 * meet full queues of both, also at the same time. */
Test(overflow, counters_are_what_was_moved) {
    static const struct {
        const char *name;
        int32_t value;
    } words[] = {{"kernel_queue0", 16}, {"kernel_queue1", 16},  {"stress_count", 20},
                 {"stress_hops", 20},   {"stress_urgent", 300}, {"stress_hot", 300},
                 {"stress_longest", 8}};
    Rig *rig = open_program("stress", COUNTED_NODES);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        set(rig, words[i].name, words[i].value);
    Counting counting = {.machine = rig->machine,
                         .token = rig_address(rig, "overflow_token"),
                         .queue = {{.state = rig_address(rig, "overflow_queue0"),
                                    .ring = 0x40000,
                                    .ring_words = 0x20000},
                                   {.state = rig_address(rig, "overflow_queue1"),
                                    .ring = 0x60000,
                                    .ring_words = 0x10000}}};
    jm_observe(rig->machine,
               1u << JM_EVENT_DISPATCH | 1u << JM_EVENT_SUSPEND | 1u << JM_EVENT_FAULT |
                   1u << JM_EVENT_WRITE,
               count_event, &counting);
    rig_run(rig, 100000000, JM_STOP_IDLE);
    for (unsigned q = 0; q < 2; q++)
        expect_counts(rig, q, &counting.queue[q]);
    cr_expect_gt(counting.queue[0].overflows[0] + counting.queue[1].overflows[0], 100u);
    rig_close(rig);
}
