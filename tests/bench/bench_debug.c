/* bench_debug FOLDER: what the debugger costs, in CPU time of one core: the share of
 * jm_run()'s speed that is left without stops, and with ten breakpoints and two
 * watchpoints; how long reverse-continue takes over ten million cycles of 64 nodes.
 * FOLDER holds send.elf and compute.elf (tests/bench/x.s); the figures also go to
 * FOLDER/debug.json. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/debug/debug.h"

enum { ROUNDS = 5, REVERSED_CYCLES = 10 * 1000 * 1000 };

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double host_clock(void *context) {
    (void)context;
    return cpu_seconds();
}

static void drop_text(void *context, const char *text, size_t length) {
    (void)context;
    (void)text;
    (void)length;
}

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

typedef struct {
    const char *key, *program, *what;
    unsigned size;   /* of the mesh, in each dimension */
    unsigned cycles; /* of a round */
} Workload;

static const Workload workloads[] = {
    {"send_8x8x8", "send", "8x8x8, every node sends 4-word messages", 8, 4000},
    {"compute_8x8x8", "compute", "8x8x8, every node computes", 8, 100000},
    {"compute_1x1x1", "compute", "1x1x1, the node computes", 1, 20 * 1000 * 1000},
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static JmMachine *start(const char *program, unsigned size, const char *folder) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = size;
    JmError error;
    char path[4096], text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    snprintf(path, sizeof path, "%s/%s.elf", folder, program);
    JmMachine *machine = jm_create(&config, &error);
    if (machine && jm_load_file(machine, path, JM_ALL_NODES, &error))
        return machine;
    fprintf(stderr, "%s\n", jm_error_format(&error, text, sizeof text));
    exit(EXIT_FAILURE);
}

static Debug *debug(JmMachine *machine) {
    const DebugHost host = {
        .write = drop_text, .guest = drop_text, .clock = host_clock};
    return debug_create(machine, &host);
}

static void say(Debug *d, const char *line) {
    if (debug_do(d, line))
        return;
    fprintf(stderr, "bench_debug: '%s' failed\n", line);
    exit(EXIT_FAILURE);
}

/* Ten breakpoints in code that is not reached, of which the debugger looks at every row
 * and cycle all the same, and watchpoints on words that are not written beside some
 * that are. */
static void set_stops(Debug *d) {
    for (unsigned i = 0; i < 10; i++) {
        char line[64];
        snprintf(line, sizeof line, "set [0x%X] = INT:0000000%u", 0x600 + 16 * i, i);
        say(d, line);
        snprintf(line, sizeof line, "break 0x%X", 0x600 + 16 * i);
        say(d, line);
    }
    say(d, "watch data");
    say(d, "watch 0x700 4");
}

typedef enum { BARE, WITHOUT_STOPS, WITH_STOPS } Way;

static double seconds_for(const Workload *workload, const char *folder, Way way) {
    JmMachine *machine = start(workload->program, workload->size, folder);
    Debug *d = way == BARE ? NULL : debug(machine);
    double times[ROUNDS];
    char line[64];
    snprintf(line, sizeof line, "run %u", workload->cycles);
    if (way == WITH_STOPS)
        set_stops(d);
    jm_run(machine, workload->cycles);
    for (int round = 0; round < ROUNDS; round++) {
        const double started = cpu_seconds();
        const uint64_t end = jm_now(machine) + workload->cycles;
        if (way == BARE)
            jm_run(machine, end);
        else
            say(d, line);
        if (jm_now(machine) != end) {
            fprintf(stderr, "bench_debug: %s ended early\n", workload->key);
            exit(EXIT_FAILURE);
        }
        times[round] = cpu_seconds() - started;
    }
    debug_destroy(d);
    jm_destroy(machine);
    return median(times, ROUNDS);
}

/* Ten million cycles on; then back to the one stop at their beginning. */
static double reverse_seconds(const char *folder) {
    JmMachine *machine = start("compute", 4, folder);
    Debug *d = debug(machine);
    say(d, "run 100");
    say(d, "goto 10000000");
    say(d, "break boot");
    const double started = cpu_seconds();
    say(d, "reverse-continue");
    const double seconds = cpu_seconds() - started;
    if (jm_now(machine) > REVERSED_CYCLES / 1000) {
        fputs("bench_debug: the stop was not found\n", stderr);
        exit(EXIT_FAILURE);
    }
    debug_destroy(d);
    jm_destroy(machine);
    return seconds;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: bench_debug FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    json_t *figures = json_object();
    for (int i = 0; i < WORKLOADS; i++) {
        const Workload *w = &workloads[i];
        const double bare = seconds_for(w, argv[1], BARE);
        const double without = bare / seconds_for(w, argv[1], WITHOUT_STOPS);
        const double with = bare / seconds_for(w, argv[1], WITH_STOPS);
        printf(
            "%10.2f of jm run's speed in the debugger, %.2f with ten breakpoints and "
            "two watchpoints: %s\n",
            without, with, w->what);
        json_object_set_new(figures, w->key,
                            json_pack("{s:s, s:f, s:f}", "workload", w->what,
                                      "without_stops", without, "with_stops", with));
    }
    const double seconds = reverse_seconds(argv[1]);
    printf("%10.2f seconds: reverse-continue over ten million cycles of 64 nodes\n",
           seconds);
    json_object_set_new(figures, "reverse_continue_seconds", json_real(seconds));
    char path[4096];
    snprintf(path, sizeof path, "%s/debug.json", argv[1]);
    const int failed = json_dump_file(figures, path, JSON_INDENT(2));
    json_decref(figures);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
