/* bench_threads FOLDER: speedup by a second thread inside one machine (Snakes, m=5,
 * p=3, h=45, from the mark of the start on), by size. Real time, because the threads
 * work at the same time. FOLDER/../programs holds snakes.elf; figures also go to
 * FOLDER/threads.json. */
#include <math.h>

#include "tests/bench/snakes.h"

typedef struct {
    const char *key;
    unsigned size;
    uint64_t cycles;
} Workload;

static const Workload workloads[] = {{"threads_16", 16, 12000},
                                     {"threads_32", 32, 1500}};
enum { WORKLOADS = sizeof workloads / sizeof *workloads, ROUNDS = 2 };

/* Machine cycles a second with one thread and with two: the best of several rounds,
 * alternating on the same machine. */
static void measure(const char *folder, const Workload *workload, double rates[2]) {
    JmMachine *machine = create_snakes(folder, workload->size, 45, "auto", 1);
    run_to_start(machine);
    time_cycles(machine, 2 * workload->cycles, CLOCK_MONOTONIC); /* queues fill */
    rates[0] = rates[1] = 0;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        double *rate = &rates[round % 2];
        jm_set_threads(machine, 1 + (unsigned)round % 2);
        *rate =
            fmax(*rate, (double)workload->cycles /
                            time_cycles(machine, workload->cycles, CLOCK_MONOTONIC));
    }
    jm_destroy(machine);
}

int main(int argc, char **argv) {
    const char *folder = bench_folder(argc, argv);
    json_t *figures = json_object();
    for (int i = 0; i < WORKLOADS; i++) {
        const Workload *workload = &workloads[i];
        double rates[2];
        measure(folder, workload, rates);
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
    return bench_write(figures, folder, "threads");
}
