/* Shared by all benchmarks: clocks, medians, failures, figures, machines. */
#ifndef JM_TESTS_BENCH_BENCH_H
#define JM_TESTS_BENCH_BENCH_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emu/jm.h"

static inline double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline double cpu_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

static inline void fail(const char *what) {
    fprintf(stderr, "benchmark: %s\n", what);
    exit(EXIT_FAILURE);
}

static inline int bench_by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, bench_by_value);
    return values[count / 2];
}

/* The folder that the command line names. */
static inline const char *bench_folder(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        exit(2);
    }
    return argv[1];
}

/* Writes FOLDER/NAME.json and frees the figures; returns the exit status. */
static inline int bench_write(json_t *figures, const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    const int failed =
        json_dump_file(figures, path, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    json_decref(figures);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- machines -------------------------------------------------------------------- */

static inline JmConfig cube(unsigned side) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = side;
    return config;
}

/* A machine with FOLDER/PROGRAM.elf on all nodes. */
static inline JmMachine *create_machine(const JmConfig *config, const char *folder,
                                        const char *program) {
    JmError error;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.elf", folder, program);
    JmMachine *machine = jm_create(config, &error);
    if (!machine || !jm_load_file(machine, path, JM_ALL_NODES, &error))
        fail(error.text);
    return machine;
}

static inline void set(JmMachine *machine, const char *symbol, int value) {
    uint32_t address;
    if (!jm_symbol_word(machine, symbol, &address))
        fail(symbol);
    jm_write_all(machine, address, jm_int(value));
}

/* Sets the words of the Snakes: m=5, p=3, L=4000. */
static inline void set_snakes(JmMachine *machine, int h) {
    set(machine, "snakes_m", 5);
    set(machine, "snakes_p", 3);
    set(machine, "snakes_h", h);
    set(machine, "snakes_l", 4000);
}

/* Snakes with m=5, p=3 and L=4000 (programs/snakes). */
static inline JmMachine *create_snakes_on(const JmConfig *config, const char *folder,
                                          int h) {
    JmMachine *machine = create_machine(config, folder, "../programs/snakes");
    set_snakes(machine, h);
    return machine;
}

/* The same on a cube of `size` nodes a side. */
static inline JmMachine *create_snakes(const char *folder, unsigned size, int h,
                                       const char *engine, uint64_t seed) {
    JmConfig config = cube(size);
    config.engine = engine;
    config.seed = seed;
    return create_snakes_on(&config, folder, h);
}

/* Up to the mark that starts the timed part. */
static inline void run_to_start(JmMachine *machine) {
    size_t marks = 0;
    while (!marks) {
        if (jm_run(machine, jm_now(machine) + 1000) != JM_STOP_NONE)
            fail("the run ended before it began");
        jm_marks(machine, &marks);
    }
}

/* Runs on; returns the seconds of `clock` used. */
static inline double time_cycles(JmMachine *machine, uint64_t cycles, clockid_t clock) {
    const double started = seconds_of(clock);
    if (jm_run(machine, jm_now(machine) + cycles) != JM_STOP_NONE)
        fail("the run ended too early");
    return seconds_of(clock) - started;
}

#endif
