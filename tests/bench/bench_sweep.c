/* bench_sweep FOLDER: whether runs side by side slow each other, as in a sweep of
 * seeds. Whole runs of the Snakes (8x8x8 nodes, h=200, some thousand cycles) by one
 * process, then by as many processes as there are processors. Real time, as waiting for
 * each other is the question; the memory of one run beside it. FOLDER/../programs holds
 * snakes.elf; figures also go to FOLDER/sweep.json. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emu/jm.h"

enum { RUNS = 6, CYCLES = 40000, ROUNDS = 3 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void fail(const char *what) {
    fprintf(stderr, "bench_sweep: %s\n", what);
    exit(EXIT_FAILURE);
}

static void set(JmMachine *machine, const char *symbol, int value) {
    uint32_t address;
    if (!jm_symbol_word(machine, symbol, &address))
        fail(symbol);
    jm_write_all(machine, address, jm_int(value));
}

/* A run from nothing to the end of the machine. */
static void run_once(const char *path, unsigned seed) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = 8;
    config.seed = seed;
    JmError error;
    JmMachine *machine = jm_create(&config, &error);
    if (!machine || !jm_load_file(machine, path, JM_ALL_NODES, &error))
        fail(error.text);
    set(machine, "snakes_m", 5);
    set(machine, "snakes_p", 3);
    set(machine, "snakes_h", 200);
    set(machine, "snakes_l", 1000);
    if (jm_run(machine, CYCLES) != JM_STOP_NONE)
        fail("the run ended too early");
    jm_destroy(machine);
}

/* Runs a second, of all processes together. */
static double measure(const char *path, unsigned processes) {
    const double start = seconds();
    for (unsigned process = 0; process < processes; process++) {
        const pid_t child = fork();
        if (child < 0)
            fail("no more processes");
        if (child > 0)
            continue;
        for (unsigned run = 0; run < RUNS; run++)
            run_once(path, 1 + process * RUNS + run);
        _exit(EXIT_SUCCESS);
    }
    for (unsigned process = 0; process < processes; process++) {
        int status;
        if (wait(&status) < 0 || status != 0)
            fail("a run failed");
    }
    return processes * RUNS / (seconds() - start);
}

static double best_of_rounds(const char *path, unsigned processes) {
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        const double rate = measure(path, processes);
        best = rate > best ? rate : best;
    }
    return best;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: bench_sweep FOLDER\n", stderr);
        return 2;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/../programs/snakes.elf", argv[1]);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned processors = online > 0 ? (unsigned)online : 1;
    const double alone = best_of_rounds(path, 1);
    const double together = best_of_rounds(path, processors);
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage); /* of the largest child */
    const double megabytes = (double)usage.ru_maxrss / 1024.0;
    printf("%10.2f runs a second: sweep, 8x8x8, Snakes h=200, %d cycles, one process\n"
           "%10.2f runs a second: the same by %u processes; each at %.2f of its speed "
           "alone, %.0f MB resident\n",
           alone, CYCLES, together, processors, together / alone / processors,
           megabytes);
    json_t *figures = json_pack("{s:{s:s, s:f, s:f, s:s, s:i, s:f}}", "sweep", "what",
                                "runs a second of a sweep over all processors, 8x8x8, "
                                "Snakes h=200, 40000 cycles",
                                "per_second", together, "ratio", together / alone,
                                "beside", "one process", "processes", (int)processors,
                                "resident_megabytes", megabytes);
    snprintf(path, sizeof path, "%s/sweep.json", argv[1]);
    const int failed =
        json_dump_file(figures, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(figures);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
