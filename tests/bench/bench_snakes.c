/* bench_snakes FOLDER: how fast whole machines run the Snakes (programs/snakes), in CPU
 * time of one core: the load points of thesis chapter 4 on 8x8x8 nodes, plane engine
 * and graph engine; the cost of a node's cycle on larger machines; their memory.
 * FOLDER/../programs holds snakes.elf; figures also go to FOLDER/snakes.json. */
#include <sys/resource.h>
#include <unistd.h>

#include "tests/bench/bench.h"

typedef struct {
    const char *key;
    unsigned size;   /* of the mesh, in each dimension */
    int h;           /* cycles of a handler */
    uint64_t cycles; /* measured, from the start of the timed part on */
    const char *engine;
} Workload;

/* In the order of their memory: the resident set only grows. */
static const Workload workloads[] = {
    {"snakes_8x8x8_h45_graph", 8, 45, 20000, "graph"},
    {"snakes_8x8x8_h45", 8, 45, 400000, "auto"},
    {"snakes_8x8x8_h90", 8, 90, 200000, "auto"},
    {"snakes_8x8x8_h200", 8, 200, 400000, "auto"},
    {"snakes_16x16x16_h45", 16, 45, 20000, "auto"},
    {"snakes_32x32x32_h45", 32, 45, 2000, "auto"},
};
enum {
    WORKLOADS = sizeof workloads / sizeof *workloads,
    REFERENCE = 1,
    LARGEST_CYCLES = 6000 /* all have booted */
};

static double resident_megabytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

/* Machine cycles a CPU second, from the mark of the start on. */
static double measure(const Workload *workload, const char *folder) {
    JmMachine *machine =
        create_snakes(folder, workload->size, workload->h, workload->engine, 1);
    run_to_start(machine);
    const double seconds =
        time_cycles(machine, workload->cycles, CLOCK_PROCESS_CPUTIME_ID);
    jm_destroy(machine);
    return (double)workload->cycles / seconds;
}

static double node_cycles(const Workload *workload, double rate) {
    return rate * workload->size * workload->size * workload->size;
}

/* The reference of a figure, and the ratio to it. */
static double ratio(const double *rates, unsigned index, const char **beside) {
    const Workload *workload = &workloads[index];
    if (index == REFERENCE) {
        *beside = "graph engine";
        return rates[index] / rates[0];
    }
    *beside = "node-cycles of 8x8x8, h=45";
    return node_cycles(workload, rates[index]) /
           node_cycles(&workloads[REFERENCE], rates[REFERENCE]);
}

static void report(unsigned index, const double *rates, json_t *figures) {
    const Workload *workload = &workloads[index];
    const double rate = rates[index], memory = resident_megabytes();
    char what[100];
    snprintf(what, sizeof what, "machine cycles, %ux%ux%u, Snakes m=5 p=3 h=%d%s",
             workload->size, workload->size, workload->size, workload->h,
             index ? "" : ", graph engine");
    printf("%10.1f thousand a second: %s\n%10s %.1f million node-cycles a second, "
           "%.0f MB resident",
           rate / 1e3, what, "", node_cycles(workload, rate) / 1e6, memory);
    json_t *figure = json_pack("{s:s, s:f, s:f}", "what", what, "per_cpu_second", rate,
                               "resident_megabytes", memory);
    if (index) {
        const char *beside;
        const double times = ratio(rates, index, &beside);
        printf("; %.2f times %s", times, beside);
        json_object_set_new(figure, "ratio", json_real(times));
        json_object_set_new(figure, "beside", json_string(beside));
    }
    putchar('\n');
    fflush(stdout);
    json_object_set_new(figures, workload->key, figure);
}

/* ---- the largest machine --------------------------------------------------------- */

/* Bytes of memory that the process uses now, on Linux; else 0. */
static double resident_now(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*s %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* 32x32x64 nodes with kernel and Snakes: time until they are loaded and started, and
 * memory per node then and after every node has run its first cycles. */
static void report_largest(const char *folder, json_t *figures) {
    JmConfig config = cube(32);
    config.size_z = 64;
    const double before = resident_now();
    const double started = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    JmMachine *machine = create_snakes_on(&config, folder, 45);
    const double seconds = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - started;
    const double nodes = jm_node_count(machine);
    const double idle = (resident_now() - before) / nodes;
    time_cycles(machine, LARGEST_CYCLES, CLOCK_PROCESS_CPUTIME_ID);
    const double busy = (resident_now() - before) / nodes;
    jm_destroy(machine);
    printf("%10.2f s: 32x32x64 nodes created, kernel and Snakes loaded and started\n"
           "%10.0f bytes a node then, %.0f after %d cycles\n",
           seconds, idle, busy, LARGEST_CYCLES);
    json_object_set_new(figures, "largest",
                        json_pack("{s:s, s:f, s:f, s:f}", "what",
                                  "32x32x64 nodes with Snakes", "start_cpu_seconds",
                                  seconds, "idle_node_bytes", idle, "busy_node_bytes",
                                  busy));
}

int main(int argc, char **argv) {
    const char *folder = bench_folder(argc, argv);
    json_t *figures = json_object();
    double rates[WORKLOADS];
    for (unsigned i = 0; i < WORKLOADS; i++) {
        rates[i] = measure(&workloads[i], folder);
        report(i, rates, figures);
    }
    report_largest(folder, figures);
    return bench_write(figures, folder, "snakes");
}
