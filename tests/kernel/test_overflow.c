/* What a queue overflow does to the queue, and what it costs, beside table 2.1 of
 * Lethin's thesis: an observer charges every cycle of node 0 to the heading of the
 * kernel's code that it was spent in. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tests/kernel/rig.h"

#define GOLDEN_FILE "tests/kernel/overflow_costs.txt"

/* Headings of the table; kernel/README.md says what each counts. */
typedef enum {
    PREAMBLE,
    SUBROUTINE,
    WORD_TO_BUFFER,
    TOKEN,
    MESSAGE_FROM_BUFFER,
    WORD_FROM_BUFFER,
    HEADINGS,
    ELSEWHERE = HEADINGS
} Heading;

static const struct {
    const char *text;
    double thesis;
} heading[HEADINGS] = {
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

/* Where the code of each heading begins, in the order of addresses. */
static const struct {
    const char *symbol;
    Heading heading;
    bool counts; /* its first instruction begins one unit of the heading */
} code[] = {
    {"overflow_queue_fault", PREAMBLE, true},
    {"empty.call", SUBROUTINE, false},
    {"empty.copied", PREAMBLE, false},
    {"queue_to_buffer", SUBROUTINE, true},
    {"queue_to_buffer.header", WORD_TO_BUFFER, false},
    {"queue_to_buffer.word", WORD_TO_BUFFER, true},
    {"queue_to_buffer.end", SUBROUTINE, false},
    {"queue_to_buffer.wait", ELSEWHERE, false},
    {"overflow_token", TOKEN, true},
    {"overflow_token.call", SUBROUTINE, false},
    {"overflow_token.refill", TOKEN, false},
    {"overflow_token.message", MESSAGE_FROM_BUFFER, true},
    {"overflow_token.word", WORD_FROM_BUFFER, true},
    {"overflow_token.empty", TOKEN, false},
    {"overflow_report", ELSEWHERE, false},
};
enum { CODES = sizeof code / sizeof code[0], TOKEN_CODE = 8 };

typedef struct {
    uint32_t begin[CODES];
    uint64_t cycles[HEADINGS + 1];
    uint64_t units[HEADINGS + 1];
    uint64_t first;       /* cycles of the first overflow's trap */
    bool first_is_over;   /* the task that it interrupted has gone on */
    uint64_t since;       /* cycle of the last event, */
    Heading now;          /* what has been going on from then on, */
    uint32_t instruction; /* and the word of its instruction */
} Profile;

static Heading heading_at(Profile *profile, uint32_t address) {
    Heading found = ELSEWHERE;
    for (unsigned i = 0; i < CODES && address >= profile->begin[i]; i++) {
        found = code[i].heading;
        /* A word holds two instructions. */
        if (code[i].counts && address == profile->begin[i] &&
            address != profile->instruction)
            profile->units[found]++;
    }
    profile->instruction = address;
    return found;
}

static bool charge(void *context, const JmEvent *event) {
    Profile *profile = context;
    if (event->node != 0)
        return false;
    const uint64_t cycles = event->cycle - profile->since;
    profile->cycles[profile->now] += cycles;
    if (profile->now != ELSEWHERE && !profile->first_is_over)
        profile->first += cycles;
    profile->since = event->cycle;
    if (event->kind == JM_EVENT_FAULT)
        profile->now = event->fault == JM_FAULT_QUEUE ? PREAMBLE : profile->now;
    else if (event->kind == JM_EVENT_INSTRUCTION)
        profile->now = heading_at(profile, event->address);
    else /* dispatch */
        profile->now = event->address == profile->begin[TOKEN_CODE] ? TOKEN : ELSEWHERE;
    if (profile->first && profile->now == ELSEWHERE)
        profile->first_is_over = true;
    return false;
}

/* Two queues' worth of messages arrive while the first one is handled. */
static Profile measure(int32_t queue_words, int32_t message_words) {
    JmMachine *machine = rig_machine("overflow_costs", 2);
    rig_set(machine, "kernel_queue0", queue_words);
    rig_set(machine, "cost_length", message_words);
    rig_set(machine, "cost_count", 2 * queue_words / message_words);
    Profile profile = {.now = ELSEWHERE};
    for (unsigned i = 0; i < CODES; i++)
        cr_assert(jm_symbol(machine, code[i].symbol, &profile.begin[i]), "%s",
                  code[i].symbol);
    jm_observe(machine,
               1u << JM_EVENT_INSTRUCTION | 1u << JM_EVENT_FAULT |
                   1u << JM_EVENT_DISPATCH,
               charge, &profile);
    cr_expect_eq(jm_run(machine, 10000000), JM_STOP_IDLE);
    jm_destroy(machine);
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
    for (int h = 0; h <= HEADINGS; h++) {
        for (int i = 0; i < COLUMNS; i++)
            measured[i] = h == HEADINGS ? (double)profile[i].first
                                        : (double)profile[i].cycles[h] /
                                              (double)profile[i].units[h];
        const char *name = h == HEADINGS ? FIRST_TEXT : heading[h].text;
        const double thesis = h == HEADINGS ? FIRST_THESIS : heading[h].thesis;
        const size_t length = strlen(table);
        row(table + length, sizeof table - length, name, thesis, measured);
        check_row(name, thesis, measured);
    }
    fputs(table, stderr);
    compare_with_golden(table);
}

/* ---- what it does
 * -------------------------------------------------------------------- */

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
