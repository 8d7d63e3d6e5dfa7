/* bench_debug FOLDER [PART]: what the debugger costs, in CPU time of one core: the
 * share of jm_run()'s speed that is left without stops, and with stops of every kind,
 * most of them where the program spends all its time; how long reverse-continue takes
 * over ten million cycles of 64 nodes. FOLDER holds send.elf and compute.elf
 * (tests/bench/x.s), FOLDER/../programs snakes.elf; the figures also go to
 * FOLDER/debug.json. With PART only cases that have it in their keys. */
#include <string.h>

#include "emu/debug/debug.h"
#include "tests/bench/bench.h"

enum { ROUNDS = 3, LINES_MAX = 14, REVERSED_CYCLES = 10 * 1000 * 1000 };
static const double ROUND_SECONDS = 0.15;

static double host_clock(void *context) {
    (void)context;
    return cpu_seconds();
}

/* The context is the second in which a round ends. */
static bool is_over(void *context) {
    const double *end = context;
    return cpu_seconds() >= *end;
}

static void drop_text(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

/* ---- what runs ------------------------------------------------------------------- */

typedef struct {
    const char *key, *program, *what;
    unsigned size;   /* of the mesh, in each dimension */
    uint64_t before; /* cycles that are not measured */
} Workload;

typedef struct {
    const char *key, *what;
    const char *run; /* the command that goes on */
    const char *lines[LINES_MAX];
} Case;

/* Breakpoints in code that is not reached and watchpoints on words that are not
 * written, next to some that are. */
#define FAR_STOPS(data)                                                                \
    {                                                                                  \
        "break 0x600", "break 0x610", "break 0x620", "break 0x630", "break 0x640",     \
            "break 0x650", "break 0x660", "break 0x670", "break 0x680", "break 0x690", \
            "watch " data, "watch 0x700 4"                                             \
    }

static const Case compute_cases[] = {
    {"without", "no stops", "continue", {0}},
    {"far", "ten breakpoints and two watchpoints not hit", "continue",
     FAR_STOPS("data")},
    {"one",
     "a breakpoint in the loop, its condition false",
     "continue",
     {"break loop if $r3 == FUT:0"}},
    {"message",
     "a breakpoint in the loop, its condition on memory",
     "continue",
     {"break loop if [data + 1] == FUT:0 && $r0 > 5"}},
    {"count",
     "a breakpoint in the loop, its count not reached",
     "continue",
     {"break loop after 1000000000000"}},
    {"ten",
     "all words of the loop, and two words of its data, conditions false",
     "continue",
     {"break loop if $r3 == FUT:0", "break loop+1 if $r3 == FUT:0",
      "break loop+2 if $r3 == FUT:0", "break loop+3 if $r3 == FUT:0",
      "break loop+4 if $r3 == FUT:0", "break loop+5 if $r3 == FUT:0",
      "break loop+6 if $r3 == FUT:0", "break loop+7 if $r3 == FUT:0",
      "watch data+1 if [data+1] == FUT:0", "watch data+2"}},
    {"watch",
     "a watchpoint on a word that is written, its condition false",
     "continue",
     {"watch data+1 if [data+1] == FUT:0"}},
    {"watch_count",
     "a watchpoint on a word that is read and written, with a count",
     "continue",
     {"awatch data 4 after 1000000000000"}},
    {"register",
     "a register of one node watched, its condition false",
     "continue",
     {"watch $r3 if $r3 == FUT:0"}},
    {"until", "until a register of one node has a value", "until $r3 == FUT:0", {0}},
    {"until_memory",
     "until a word of one node has a value",
     "until [data+1]@0 == FUT:0",
     {0}},
    {"until_queue", "until a queue of one node has words", "until queue(0) > 900", {0}},
    {"elsewhere",
     "a breakpoint in the loop, its condition on another node",
     "continue",
     {"break loop on 7 if [data + 1]@0 == FUT:0"}},
};

static const Case snakes_cases[] = {
    {"without", "no stops", "continue", {0}},
    {"far",
     "ten breakpoints and two watchpoints not hit",
     "continue",
     {"break main", "break fail", "break snake_done", "break emit",
      "break kernel_idle if 0 == 1", "break main+1", "break main+2", "break main+3",
      "break snake_last", "break snake_last+1", "watch snakes_hops",
      "watch snakes_cycles"}},
    {"handler",
     "a breakpoint in the handler, its condition false",
     "continue",
     {"break snake_code+4 if [$a3 + 1] == INT:7FFFFFFF"}},
    {"count",
     "a breakpoint in the handler, its count not reached",
     "continue",
     {"break snake_code+4 after 1000000000000"}},
    {"ten",
     "ten breakpoints in the handler and two words it writes, conditions false",
     "continue",
     {"break snake_code+4 if $r0 == FUT:0", "break snake_code+5 if $r0 == FUT:0",
      "break snake_code+6 if $r0 == FUT:0", "break snake_code+7 if $r0 == FUT:0",
      "break snake_code+8 if $r0 == FUT:0", "break snake_code+9 if $r0 == FUT:0",
      "break snake_code+10 if $r0 == FUT:0", "break snake_code+14 if $r0 == FUT:0",
      "break snake_code+12 if $r0 == FUT:0", "break snake_code+13 if $r0 == FUT:0",
      "watch snakes_data+16 if [snakes_data+16] == FUT:0",
      "awatch snakes_data+18 if [snakes_data+18] == INT:7FFFFFFF"}},
    {"register",
     "a register of one node watched, its condition false",
     "continue",
     {"watch $r3 if $r3 == FUT:0"}},
    {"until",
     "until a word of one node has a value",
     "until [snakes_data+18]@0 == INT:7FFFFFFF",
     {0}},
    {"until_queue", "until a queue of one node has words", "until queue(0) > 900", {0}},
    {"catch",
     "dispatches of the handler and its ends caught, conditions false",
     "continue",
     {"catch dispatch snake_code+4 if [$a3 + 1] == INT:7FFFFFFF",
      "catch suspend after 1000000000000"}},
};

static const struct {
    Workload workload;
    const Case *cases;
    size_t count;
} series[] = {
    {{"snakes_8x8x8", "../programs/snakes", "8x8x8, the Snakes", 8, 100000},
     snakes_cases,
     sizeof snakes_cases / sizeof *snakes_cases},
    {{"compute_8x8x8", "compute", "8x8x8, every node computes", 8, 1000},
     compute_cases,
     sizeof compute_cases / sizeof *compute_cases},
    {{"compute_1x1x1", "compute", "1x1x1, the node computes", 1, 1000},
     compute_cases,
     sizeof compute_cases / sizeof *compute_cases - 1},
    {{"send_8x8x8", "send", "8x8x8, every node sends 4-word messages", 8, 1000},
     compute_cases,
     2},
};
enum { SERIES = sizeof series / sizeof *series };

static JmMachine *start(const Workload *workload, const char *folder) {
    const JmConfig config = cube(workload->size);
    JmMachine *machine = create_machine(&config, folder, workload->program);
    if (strstr(workload->program, "snakes"))
        set(machine, "snakes_l", 4000);
    if (jm_run(machine, workload->before) != JM_STOP_NONE)
        fail("the run ended before it began");
    return machine;
}

/* ---- speed ----------------------------------------------------------------------- */

static JmDebug *debug(JmMachine *machine, double *round_end) {
    const JmDebugHost host = {.context = round_end,
                              .write = drop_text,
                              .guest = drop_text,
                              .clock = host_clock,
                              .interrupted = is_over};
    return jm_debug_create(machine, &host);
}

static void say(JmDebug *d, const char *line) {
    if (!jm_debug_do(d, line))
        fail(line);
}

static void set_stops(JmDebug *d, const Case *c) {
    for (unsigned i = 0x600; i < 0x6A0; i += 16) { /* code, for breakpoints there */
        char line[64];
        snprintf(line, sizeof line, "set [0x%X] = INT:0", i);
        say(d, line);
    }
    for (unsigned i = 0; i < LINES_MAX && c->lines[i]; i++)
        say(d, c->lines[i]);
}

typedef struct {
    JmMachine *machine;
    JmDebug *debug; /* NULL: jm_run() alone */
    double end;     /* of the round */
} Runner;

static Runner *runner(const Workload *workload, const char *folder, const Case *c) {
    Runner *r = calloc(1, sizeof *r);
    if (!r)
        fail("out of memory");
    r->machine = start(workload, folder);
    if (!c)
        return r;
    r->debug = debug(r->machine, &r->end);
    set_stops(r->debug, c);
    return r;
}

static void drop_runner(Runner *r) {
    jm_debug_destroy(r->debug);
    jm_destroy(r->machine);
    free(r);
}

/* Cycles a second in a round. */
static double speed(Runner *r, const char *command) {
    const uint64_t cycle = jm_now(r->machine);
    const double started = cpu_seconds();
    r->end = started + ROUND_SECONDS;
    if (r->debug)
        say(r->debug, command);
    while (!r->debug && !is_over(&r->end))
        if (jm_run(r->machine, jm_now(r->machine) + 10000) != JM_STOP_NONE)
            fail("a run ended early");
    if (!is_over(&r->end))
        fail(command);
    return (double)(jm_now(r->machine) - cycle) / (cpu_seconds() - started);
}

/* In turn with plain jm_run(), to compensate for changes of the host's speed. */
static double share_of_run(const Workload *workload, const char *folder,
                           const Case *c) {
    double shares[ROUNDS];
    Runner *bare = runner(workload, folder, NULL);
    Runner *stopping = runner(workload, folder, c);
    for (int round = 0; round < ROUNDS; round++) {
        const double with = speed(stopping, c->run);
        shares[round] = with / speed(bare, NULL);
    }
    drop_runner(bare);
    drop_runner(stopping);
    return median(shares, ROUNDS);
}

static void measure_series(int i, const char *folder, const char *part,
                           json_t *figures) {
    const Workload *w = &series[i].workload;
    printf("%s:\n", w->what);
    for (size_t k = 0; k < series[i].count; k++) {
        const Case *c = &series[i].cases[k];
        char key[64];
        snprintf(key, sizeof key, "%s_%s", w->key, c->key);
        if (!strstr(key, part))
            continue;
        const double share = share_of_run(w, folder, c);
        printf("%10.2f of jm run's speed in the debugger: %s\n", share, c->what);
        fflush(stdout);
        json_object_set_new(figures, key,
                            json_pack("{s:s, s:s, s:f}", "workload", w->what, "stops",
                                      c->what, "share_of_run", share));
    }
}

/* ---- back ------------------------------------------------------------------------ */

/* Ten million cycles on; then back to the one stop at their beginning. */
static double reverse_seconds(const char *folder) {
    static const Workload workload = {"reverse", "compute", "", 4, 1};
    double never = 1e300;
    JmMachine *machine = start(&workload, folder);
    JmDebug *d = debug(machine, &never);
    say(d, "run 100");
    say(d, "goto 10000000");
    say(d, "break boot + 2");
    const double started = cpu_seconds();
    say(d, "reverse-continue");
    const double seconds = cpu_seconds() - started;
    if (jm_now(machine) > REVERSED_CYCLES / 1000)
        fail("the stop was not found");
    jm_debug_destroy(d);
    jm_destroy(machine);
    return seconds;
}

static void measure_reverse(const char *folder, json_t *figures) {
    const double seconds = reverse_seconds(folder);
    printf("%10.2f seconds: reverse-continue over ten million cycles of 64 nodes\n",
           seconds);
    json_object_set_new(figures, "reverse_continue_seconds", json_real(seconds));
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("usage: bench_debug FOLDER [PART]\n", stderr);
        return EXIT_FAILURE;
    }
    const char *part = argc == 3 ? argv[2] : "";
    json_t *figures = json_object();
    for (int i = 0; i < SERIES; i++)
        measure_series(i, argv[1], part, figures);
    if (strstr("reverse", part))
        measure_reverse(argv[1], figures);
    return bench_write(figures, argv[1], "debug");
}
