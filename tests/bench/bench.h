/* Shared by all benchmarks: clocks, medians, failures, and the file of figures. */
#ifndef JM_TESTS_BENCH_BENCH_H
#define JM_TESTS_BENCH_BENCH_H

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

#endif
