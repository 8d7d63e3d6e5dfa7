/* bench_machine FOLDER: how fast the emulator is, in CPU time of one core, beside a
 * plain C loop on the same host. FOLDER holds send.elf and compute.elf
 * (tests/bench/x.s); the figures also go to FOLDER/machine.json. */
#include "tests/bench/bench.h"

enum { ROUNDS = 5 };
static const double round_seconds = 0.6, warm_up_seconds = 0.3;

/* ---- the plain C loop ------------------------------------------------------------ */

/* Dependent additions a second, each waiting for the one before, in a loop compiled
 * without optimisation: sum and counter live in memory. */
static double additions_per_second(void) {
    enum { COUNT = 100 * 1000 * 1000 };
    double rates[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double started = cpu_seconds();
        volatile uint64_t sum = 1;
        for (volatile uint64_t i = 0; i < COUNT; i++)
            sum = sum + i;
        rates[round] = COUNT / (cpu_seconds() - started);
    }
    return median(rates, ROUNDS);
}

/* ---- machines -------------------------------------------------------------------- */

typedef struct {
    const char *key, *program, *what;
    unsigned size; /* of the mesh, in each dimension */
    bool cycles;   /* counts machine cycles, else instructions */
} Workload;

static const Workload workloads[] = {
    {"send_8x8x8", "send", "machine cycles, 8x8x8, every node sends 4-word messages", 8,
     true},
    {"compute_8x8x8", "compute", "MDP instructions, 8x8x8, every node computes", 8,
     false},
    {"compute_1x1x1", "compute", "MDP instructions, 1x1x1, the node computes", 1,
     false},
};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static double work_done(const Workload *workload, const JmMachine *machine) {
    if (workload->cycles)
        return (double)jm_now(machine);
    uint64_t instructions = 0;
    for (unsigned node = 0; node < jm_node_count(machine); node++) {
        JmNodeStatistics statistics;
        jm_node_statistics(machine, node, &statistics);
        instructions += statistics.instructions;
    }
    return (double)instructions;
}

/* Runs for about `seconds` of CPU time; returns the seconds used. */
static double run_for(JmMachine *machine, uint64_t slice, double seconds) {
    const double started = cpu_seconds();
    double passed;
    do {
        const JmStop stop = jm_run(machine, jm_now(machine) + slice);
        if (stop != JM_STOP_NONE && stop != JM_STOP_LIMIT) {
            fprintf(stderr, "bench_machine: %s after %llu cycles\n", jm_stop_name(stop),
                    (unsigned long long)jm_now(machine));
            exit(EXIT_FAILURE);
        }
        passed = cpu_seconds() - started;
    } while (passed < seconds);
    return passed;
}

static double measure(const Workload *workload, const char *folder) {
    const JmConfig config = cube(workload->size);
    JmMachine *machine = create_machine(&config, folder, workload->program);
    const uint64_t slice = workload->size == 1 ? 100000 : 500;
    run_for(machine, slice, warm_up_seconds);
    double rates[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double before = work_done(workload, machine);
        const double seconds = run_for(machine, slice, round_seconds);
        rates[round] = (work_done(workload, machine) - before) / seconds;
    }
    jm_destroy(machine);
    return median(rates, ROUNDS);
}

int main(int argc, char **argv) {
    const char *folder = bench_folder(argc, argv);
    const double additions = additions_per_second();
    json_t *figures = json_pack("{s:{s:s, s:f}}", "c_additions", "what",
                                "dependent additions, plain C loop, not optimised",
                                "per_cpu_second", additions);
    printf(
        "%10.1f million a second: dependent additions, plain C loop, not optimised\n",
        additions / 1e6);
    for (int i = 0; i < WORKLOADS; i++) {
        const Workload *workload = &workloads[i];
        const double rate = measure(workload, folder);
        printf("%10.1f %s a second: %s\n"
               "%10s %.4g for a thousand additions\n",
               workload->cycles ? rate / 1e3 : rate / 1e6,
               workload->cycles ? "thousand" : "million", workload->what, "",
               rate / additions * 1e3);
        json_object_set_new(figures, workload->key,
                            json_pack("{s:s, s:f, s:f, s:s}", "what", workload->what,
                                      "per_cpu_second", rate, "ratio", rate / additions,
                                      "beside", "C additions"));
    }
    return bench_write(figures, folder, "machine");
}
