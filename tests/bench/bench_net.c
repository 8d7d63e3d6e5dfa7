/* bench_net FOLDER: speed of the network alone: network cycles per second of CPU time.
 * Under a closed workload of abstract processors (tests/bench/closed.h) for the plane
 * engine and the graph engine beside it; under shared memory (net/traffic/memory.c) for
 * the flow engine. The figures also go to FOLDER/net.json.
 *
 * bench_net WORKLOAD CYCLES: only runs a workload, by the plane engine, for those who
 * count what the host does for it. */
#include <string.h>

#include "net/traffic/traffic.h"
#include "tests/bench/bench.h"
#include "tests/bench/closed.h"

enum { ROUNDS = 5 };

typedef struct {
    const char *key, *what;
    unsigned side, load, work; /* messages per node; cycles of work on each */
    unsigned cycles[2];        /* of a round: plane, graph */
} Workload;

static const Workload workloads[] = {
    {"saturated_8", "8x8x8 saturated (m=5, h=45)", 8, 5, 45, {60000, 5000}},
    {"limited_8", "8x8x8 processor-limited (m=5, h=200)", 8, 5, 200, {100000, 8000}},
    {"light_8", "8x8x8 light (m=1, h=1000)", 8, 1, 1000, {200000, 20000}},
    {"saturated_16", "16x16x16 saturated (m=5, h=45)", 16, 5, 45, {8000, 500}},
    {"saturated_32", "32x32x32 saturated (m=5, h=45)", 32, 5, 45, {600, 50}},
};

enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

/* Tori, saturated by Adve and Vernon's processors with 4 requests out each. */
typedef struct {
    const char *key, *specification;
    unsigned side, cycles; /* of a round */
} Torus;

static const Torus tori[] = {
    {"torus_8", "torus=8x8", 8, 60000},
    {"torus_32", "torus=32x32", 32, 4000},
};

enum { TORI = sizeof tori / sizeof tori[0], BOOKSIM_NODES = 8 * 8 * 8 };

static Net *create_net(const Workload *workload, const char *engine) {
    const NetParams params = net_params_default();
    JmError error;
    Net *net = net_create_mesh_with(workload->side, workload->side, workload->side,
                                    &params, engine, &error);
    if (!net)
        fail(error.text);
    return net;
}

static NetClosed *create_processors(const Workload *workload, Net *net) {
    const NetClosedPlan plan = {
        .load = workload->load, .work = workload->work, .seed = 1};
    return net_closed_create(net, &plan);
}

static void run(void *processors, unsigned cycles) {
    net_closed_run(processors, cycles);
}

/* Runs the workload for this many cycles. */
typedef void RunCycles(void *subject, unsigned cycles);

/* Cycles per CPU second: the median of some rounds. */
static double median_rate(RunCycles *run_cycles, void *subject, unsigned cycles) {
    double rates[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        const double start = cpu_seconds();
        run_cycles(subject, cycles);
        rates[round] = cycles / (cpu_seconds() - start);
    }
    return median(rates, ROUNDS);
}

static double measure(const Workload *workload, const char *engine, unsigned cycles) {
    Net *net = create_net(workload, engine);
    NetClosed *processors = create_processors(workload, net);
    run(processors, workload->work > 500 ? 2 * workload->work : cycles / 4 + 200);
    const double rate = median_rate(run, processors, cycles);
    net_closed_destroy(processors);
    net_destroy(net);
    return rate;
}

/* ---- tori ------------------------------------------------------------------------ */

static void run_traffic(void *traffic, unsigned cycles) {
    while (cycles-- > 0)
        if (!net_traffic_step(traffic))
            fail("no memory for messages");
}

static double measure_torus(const Torus *torus) {
    NetWorkloadValues values;
    NetParams params = net_params_default();
    JmError error;
    const NetWorkload *rows =
        net_workload_read("memory,n_out=4,tau=20", &values, &error);
    if (!rows || !net_specification_params(torus->specification, &params, &error))
        fail(error.text);
    Net *net = net_create(torus->specification, &params, "auto", &error);
    NetTraffic *traffic =
        net ? net_traffic_create(net, rows, &values, 1, &error) : NULL;
    if (!traffic)
        fail(error.text);
    run_traffic(traffic, torus->cycles / 4);
    const double rate = median_rate(run_traffic, traffic, torus->cycles);
    net_traffic_destroy(traffic);
    net_destroy(net);
    return rate;
}

static void add_torus(const Torus *torus, json_t *figures) {
    const double rate = measure_torus(torus);
    const double nodes = (double)torus->side * torus->side;
    printf("%10.1f thousand cycles a second: %s, shared memory, 4 requests out\n"
           "%10s %.1f million node-cycles a second\n",
           rate / 1e3, torus->specification, "", rate * nodes / 1e6);
    json_object_set_new(figures, torus->key,
                        json_pack("{s:s++, s:f}", "what", "cycles, flow engine, ",
                                  torus->specification,
                                  ", shared memory, 4 requests out each 20 cycles",
                                  "per_cpu_second", rate));
}

static void run_one(const Workload *workload, unsigned cycles) {
    Net *net = create_net(workload, "plane");
    NetClosed *processors = create_processors(workload, net);
    run(processors, cycles);
    net_closed_destroy(processors);
    net_destroy(net);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        for (int i = 0; i < WORKLOADS; i++)
            if (strcmp(workloads[i].key, argv[1]) == 0) {
                run_one(&workloads[i], (unsigned)strtoul(argv[2], NULL, 10));
                return 0;
            }
        fail("there is no such workload");
    }
    const char *folder = bench_folder(argc, argv);
    json_t *figures = json_object();
    for (int i = 0; i < WORKLOADS; i++) {
        const Workload *workload = &workloads[i];
        const double nodes = (double)workload->side * workload->side * workload->side;
        const double plane = measure(workload, "plane", workload->cycles[0]);
        const double graph = measure(workload, "graph", workload->cycles[1]);
        printf("%10.1f thousand cycles a second: network, %s\n"
               "%10s %.1f million node-cycles a second; %.1f times the graph engine\n",
               plane / 1e3, workload->what, "", plane * nodes / 1e6, plane / graph);
        json_object_set_new(figures, workload->key,
                            json_pack("{s:s+, s:f, s:f, s:s}", "what",
                                      "machine cycles, network alone, ", workload->what,
                                      "per_cpu_second", plane, "ratio", plane / graph,
                                      "beside", "graph engine"));
    }
    for (int i = 0; i < TORI; i++)
        add_torus(&tori[i], figures);
    printf("%10s beside: BookSim2, a saturated mesh of 8x8x8: 450 to 820 cycles a\n"
           "%10s second, %.1f to %.1f million node-cycles; another shape, with\n"
           "%10s routers in stages and credits\n",
           "", "", 450 * BOOKSIM_NODES / 1e6, 820 * BOOKSIM_NODES / 1e6, "");
    return bench_write(figures, folder, "net");
}
