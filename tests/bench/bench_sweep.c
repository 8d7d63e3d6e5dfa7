/* bench_sweep FOLDER: start-up cost of a run in a sweep of seeds, whether parallel runs
 * slow each other, and the speedup by a second thread inside one machine. Whole runs of
 * the Snakes (8x8x8 nodes, h=200, some thousand cycles) by one process, then by as many
 * processes as there are processors. Real time, because contention is the question;
 * also the memory of one run. FOLDER/../programs holds snakes.elf; figures also go to
 * FOLDER/sweep.json. */
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/bench.h"

enum { RUNS = 6, CYCLES = 40000, ROUNDS = 3, STARTS = 20, USED_CYCLES = 4000 };

/* Returns the CPU seconds to restart a machine that has run: restoring the
 * checkpoint of the program just loaded, and setting words of it. The minimum of
 * several starts. */
static double measure_start(const char *folder) {
    JmMachine *machine = create_snakes(folder, 8, 200, "auto", 1);
    JmCheckpoint *loaded = jm_checkpoint(machine);
    double least = INFINITY;
    if (!loaded)
        fail("no memory for a checkpoint");
    for (unsigned i = 0; i < STARTS; i++) {
        jm_run(machine, USED_CYCLES);
        const double start = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        if (!jm_restore(machine, loaded))
            fail("no memory to restore a checkpoint");
        set_snakes(machine, 200);
        least = fmin(least, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    jm_checkpoint_free(loaded);
    jm_destroy(machine);
    return least;
}

/* A run from the creation of the machine to its end. */
static void run_once(const char *folder, unsigned seed) {
    JmMachine *machine = create_snakes(folder, 8, 200, "auto", seed);
    time_cycles(machine, CYCLES, CLOCK_MONOTONIC);
    jm_destroy(machine);
}

/* Runs a second, of all processes together. */
static double measure(const char *folder, unsigned processes) {
    const double start = seconds_of(CLOCK_MONOTONIC);
    for (unsigned process = 0; process < processes; process++) {
        const pid_t child = fork();
        if (child < 0)
            fail("no more processes");
        if (child > 0)
            continue;
        for (unsigned run = 0; run < RUNS; run++)
            run_once(folder, 1 + process * RUNS + run);
        _exit(EXIT_SUCCESS);
    }
    for (unsigned process = 0; process < processes; process++) {
        int status;
        if (wait(&status) < 0 || status != 0)
            fail("a run failed");
    }
    return processes * RUNS / (seconds_of(CLOCK_MONOTONIC) - start);
}

/* ---- threads --------------------------------------------------------------------- */

typedef struct {
    const char *key;
    unsigned size;
    uint64_t cycles;
} Threaded;

static const Threaded threaded[] = {{"threads_16", 16, 12000},
                                    {"threads_32", 32, 1500}};

enum { THREADED = sizeof threaded / sizeof *threaded, TURNS = 2 };

/* Machine cycles a second with one thread and with two: the best of several rounds,
 * alternating on the same machine. */
static void measure_threads(const char *folder, const Threaded *workload,
                            double rates[2]) {
    JmMachine *machine = create_snakes(folder, workload->size, 45, "auto", 1);
    run_to_start(machine);
    time_cycles(machine, 2 * workload->cycles, CLOCK_MONOTONIC); /* queues fill */
    rates[0] = rates[1] = 0;
    for (int round = 0; round < 2 * TURNS; round++) {
        double *rate = &rates[round % 2];
        jm_set_threads(machine, 1 + (unsigned)round % 2);
        *rate =
            fmax(*rate, (double)workload->cycles /
                            time_cycles(machine, workload->cycles, CLOCK_MONOTONIC));
    }
    jm_destroy(machine);
}

static void report_threads(const char *folder, json_t *figures) {
    for (unsigned i = 0; i < THREADED; i++) {
        const Threaded *workload = &threaded[i];
        double rates[2];
        measure_threads(folder, workload, rates);
        const double one = rates[0], two = rates[1];
        char what[100];
        snprintf(
            what, sizeof what,
            "machine cycles a second of two threads, %ux%ux%u, Snakes m=5 p=3 h=45",
            workload->size, workload->size, workload->size);
        printf("%10.2f thousand %s; %.2f times one thread\n", two / 1e3, what,
               two / one);
        json_object_set_new(figures, workload->key,
                            json_pack("{s:s, s:f, s:f, s:s}", "what", what,
                                      "per_second", two, "ratio", two / one, "beside",
                                      "one thread"));
    }
}

int main(int argc, char **argv) {
    const char *folder = bench_folder(argc, argv);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned processors = online > 0 ? (unsigned)online : 1;
    const double start = measure_start(folder);
    double alone = 0, together = 0; /* the best of some rounds, in turns */
    for (int round = 0; round < ROUNDS; round++) {
        alone = fmax(alone, measure(folder, 1));
        together = fmax(together, measure(folder, processors));
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage); /* of the largest child */
    const double megabytes = (double)usage.ru_maxrss / 1024.0;
    printf("%10.2f runs a second: sweep, 8x8x8, Snakes h=200, %d cycles, one process\n"
           "%10.2f runs a second: the same by %u processes; each at %.2f of its speed "
           "alone, %.0f MB resident\n",
           alone, CYCLES, together, processors, together / alone / processors,
           megabytes);
    printf("%10.2f CPU milliseconds: start of a run of a sweep, 8x8x8, Snakes\n",
           start * 1e3);
    json_t *figures = json_pack(
        "{s:{s:s, s:f}, s:{s:s, s:f, s:f, s:s, s:i, s:f}}", "start", "what",
        "starts of a sweep's run, 8x8x8, Snakes: the machine of "
        "the run before restored",
        "per_cpu_second", 1 / start, "sweep", "what",
        "runs a second of a sweep over all processors, 8x8x8, "
        "Snakes h=200, 40000 cycles",
        "per_second", together, "ratio", together / alone, "beside", "one process",
        "processes", (int)processors, "resident_megabytes", megabytes);
    report_threads(folder, figures);
    return bench_write(figures, folder, "sweep");
}
