/* Simulated points against direct calls of the same simulation: each setting
 * reaches it, and the record holds what it counts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "net/model/servers.h"
#include "net/traffic/customers.h"
#include "net/traffic/processors.h"
#include "net/traffic/traffic.h"
#include "tests/exp/made.h"

enum { SEED = 3, TEXT_MAX = 256 };

/* ---- abstract -------------------------------------------------------------------- */

/* A point of the model `abstract`, and the same in the words of the library. */
typedef struct {
    unsigned size[3];
    NetParams params;
    NetProcessorsPlan plan;
} Abstract;

static Abstract abstract_default(void) {
    return (Abstract){.size = {4, 2, 2},
                      .params = net_params_default(),
                      .plan = {.load = 5,
                               .hops = 12,
                               .words = 4,
                               .handler = 60,
                               .imbalance = 1,
                               .queue = {40, 128},
                               .traps = 3,
                               .brake_patience = 3000,
                               .spill_cycles = 5,
                               .seed = SEED}};
}

/* Settings, and what they mean. The functions of a cure are tried with its mark. */
#define ABSTRACT_POINTS                                                                \
    POINT("Q=40", plan.queue[0] = 40)                                                  \
    POINT("mesh=2x3x1", size[0] = 2, a->size[1] = 3, a->size[2] = 1)                   \
    POINT("m=6", plan.load = 6)                                                        \
    POINT("L=31", plan.hops = 31)                                                      \
    POINT("p=7 Q=64", plan.words = 8, a->plan.queue[0] = 64)                           \
    POINT("h=33", plan.handler = 33)                                                   \
    POINT("random=1", plan.exponential = true)                                         \
    POINT("return=2", plan.home_every = 2)                                             \
    POINT("return=3", plan.home_every = 3)                                             \
    POINT("imbalance=250", plan.imbalance = 2.5)                                       \
    POINT("imbalance=250 hot=6", plan.imbalance = 2.5, a->plan.hot = 6)                \
    POINT("Q=64", plan.queue[0] = 64)                                                  \
    POINT("hwm_mark=20 Q1=48", plan.hwm_mark = 20, a->plan.queue[1] = 48)              \
    POINT("traps=2", plan.traps = 2)                                                   \
    POINT("escape_mark=12", plan.escape_mark = 12)                                     \
    POINT("brake_mark=24", plan.brake_mark = 24)                                       \
    POINT("brake_mark=24 brake_release=12", plan.brake_mark = 24,                      \
          a->plan.brake_release = 12)                                                  \
    POINT("brake_mark=24 brake_patience=50", plan.brake_mark = 24,                     \
          a->plan.brake_patience = 50)                                                 \
    POINT("spill_mark=24", plan.spill_mark = 24)                                       \
    POINT("spill_mark=24 spill_cycles=9", plan.spill_mark = 24,                        \
          a->plan.spill_cycles = 9)                                                    \
    POINT("spill_mark=24 brake_mark=32 brake_ring=1", plan.spill_mark = 24,            \
          a->plan.brake_mark = 32, a->plan.brake_ring = true)                          \
    POINT("hwm_mark=16 Q1=32 spill_mark=30 spill_both=1", plan.hwm_mark = 16,          \
          a->plan.queue[1] = 32, a->plan.spill_mark = 30, a->plan.spill_both = true)   \
    POINT("meter_mark=12 meter=2", plan.meter_mark = 12, a->plan.meter = 2)            \
    POINT("whole=1", plan.whole = true)                                                \
    POINT("age=1", params.age = 1, a->plan.aged = true)                                \
    POINT("fair=1", params.fair = 1)                                                   \
    POINT("virtual_channels=2", params.virtual_channels = 2)                           \
    POINT("header_flits=0", params.header_flits = 0)                                   \
    POINT("buffer_words=16", params.buffer_words = 16)

/* Makes the n-th of them; returns its settings, NULL behind the last. */
static const char *make_abstract(unsigned n, Abstract *a) {
    *a = abstract_default();
#define POINT(text, ...)                                                               \
    if (n-- == 0) {                                                                    \
        a->__VA_ARGS__;                                                                \
        return text;                                                                   \
    }
    ABSTRACT_POINTS
#undef POINT
    return NULL;
}

/* Runs it in one go, and compares. */
static void expect_abstract(const Abstract *a, const json_t *record,
                            const char *point) {
    JmError error;
    Net *net = net_create_mesh(a->size[0], a->size[1], a->size[2], &a->params, &error);
    NetProcessors *processors = net_processors_create(net, &a->plan, &error);
    cr_assert(processors, "%s: %s", point, error.text);
    const NetProcessorsState state = net_processors_run(processors, UINT32_MAX);
    const NetProcessorsCounts c = net_processors_counts(processors);
    const bool none = c.first_overflow == UINT64_MAX;
    made_expect(record, "T", state == NET_PROCESSORS_DONE ? (double)c.cycles : NAN,
                point);
    made_expect(record, "deadlock", state == NET_PROCESSORS_DEADLOCK, point);
    made_expect(record, "overflows", (double)c.overflows[0], point);
    made_expect(record, "overflows1", (double)c.overflows[1], point);
    made_expect(record, "first_overflow", none ? NAN : (double)c.first_overflow, point);
    made_expect(record, "first_node", none ? NAN : (double)c.first_node, point);
    made_expect(record, "longest", c.longest[0], point);
    made_expect(record, "longest1", c.longest[1], point);
    made_expect(record, "share1", (double)c.sent[1] / (double)(c.sent[0] + c.sent[1]),
                point);
    made_expect(record, "spilled", (double)c.spilled, point);
    made_expect(record, "spill_peak", (double)c.spill_peak, point);
    net_processors_destroy(processors);
    net_destroy(net);
}

/* Every point but the first, which is the default, differs from it. */
Test(points, abstract) {
    static const char base[] = "model=abstract mesh=4x2x2 m=5 L=12 p=3 h=60 Q=40 "
                               "brake_patience=3000";
    json_t *plain = made_solve(base, SEED);
    json_object_del(plain, "key");
    Abstract a;
    const char *settings;
    for (unsigned n = 0; (settings = make_abstract(n, &a)); n++) {
        json_t *record = made_point(base, settings, SEED);
        expect_abstract(&a, record, settings);
        json_object_del(record, "key");
        cr_expect_eq(json_equal(plain, record), n == 0, "%s", settings);
        json_decref(record);
    }
    json_decref(plain);
}

/* ---- servers --------------------------------------------------------------------- */

static const ServersProblem six_servers = {.servers = 6,
                                           .customers = 15,
                                           .queue = 4,
                                           .slow = 1,
                                           .spread = 0.05,
                                           .duration = 500,
                                           .seed = SEED};

static void expect_servers(const char *settings, const ServersProblem *problem) {
    JmError error;
    ServersResult result;
    json_t *record = made_point(
        "model=servers servers=6 m=2.5 overflow_above=4 time=500", settings, SEED);
    cr_assert(net_servers_run(problem, &result, &error), "%s", error.text);
    made_expect(record, "per_node", 2.5, settings);
    made_expect(record, "mean_first", result.mean_first, settings);
    made_expect(record, "p_no_overflow", 1 - result.overflow_share, settings);
    made_expect(record, "overflow_rate", result.overflow_entries, settings);
    json_decref(record);
}

Test(points, servers) {
    ServersProblem problem = six_servers;
    expect_servers("", &problem);
    problem.constant = true;
    expect_servers("service=constant", &problem);
    problem.spread = 0.3;
    expect_servers("service=constant spread=0.3", &problem);
    problem = six_servers;
    problem.warm_up = 77;
    expect_servers("warm_up=77", &problem);
    problem.slow = 1.7;
    problem.duration = 321;
    expect_servers("warm_up=77 slow=1.7 time=321", &problem);
}

/* ---- customers on the network ---------------------------------------------------- */

typedef struct {
    unsigned size[3];
    NetParams params;
    NetCustomersPlan plan;
} Customers;

#define CUSTOMERS_POINTS                                                               \
    POINT("m=4", plan.load = 4)                                                        \
    POINT("m=9", plan.load = 9)                                                        \
    POINT("mesh=5x2x2", size[0] = 5)                                                   \
    POINT("workload=snakes", plan.home = false)                                        \
    POINT("tau=60", plan.service = 60)                                                 \
    POINT("flits=12", plan.words = 6)                                                  \
    POINT("fair=1", params.fair = 1)                                                   \
    POINT("r_order=1", params.r_order = 1)                                             \
    POINT("header_flits=3", params.header_flits = 3)

static const char *make_customers(unsigned n, Customers *a) {
    *a = (Customers){
        .size = {3, 2, 2},
        .params = net_params_default(),
        .plan = {.load = 4, .words = 4, .service = 9, .home = true, .seed = SEED}};
    a->params.header_flits = 0; /* as in the thesis's model */
#define POINT(text, ...)                                                               \
    if (n-- == 0) {                                                                    \
        a->__VA_ARGS__;                                                                \
        return text;                                                                   \
    }
    CUSTOMERS_POINTS
#undef POINT
    return NULL;
}

static double crossed_x(const Net *net) {
    return (double)net_statistics(net)->bisection_flits[0] /
           (double)net_statistics(net)->bisection_wires[0];
}

/* As many cycles are forgotten as are counted. */
static void expect_customers(const Customers *a, unsigned cycles, const json_t *record,
                             const char *point) {
    JmError error;
    Net *net = net_create_mesh(a->size[0], a->size[1], a->size[2], &a->params, &error);
    NetCustomers *customers = net_customers_create(net, &a->plan, &error);
    cr_assert(customers, "%s: %s", point, error.text);
    cr_assert(net_customers_run(customers, cycles));
    net_customers_forget(customers);
    const double before = crossed_x(net);
    cr_assert(net_customers_run(customers, cycles));
    const unsigned nodes = net_node_count(net);
    made_expect(record, "per_node", a->plan.load, point);
    made_expect(record, "rate",
                (double)net_customers_served(customers) / cycles / nodes, point);
    made_expect(record, "bisection", (crossed_x(net) - before) / cycles, point);
    const json_t *list = json_object_get(record, "node_queue");
    cr_assert_eq(json_array_size(list), nodes);
    for (unsigned i = 0; i < nodes; i++)
        cr_expect(made_same(json_number_value(json_array_get(list, i)),
                            net_customers_queue(customers, i)),
                  "%s: node %u", point, i);
    net_customers_destroy(customers);
    net_destroy(net);
}

Test(points, network) {
    static const char base[] = "model=network mesh=3x2x2 m=4 tau=9 cycles=5003";
    json_t *plain = made_solve(base, SEED);
    json_object_del(plain, "key");
    Customers a;
    const char *settings;
    for (unsigned n = 0; (settings = make_customers(n, &a)); n++) {
        json_t *record = made_point(base, settings, SEED);
        expect_customers(&a, 5003, record, settings);
        json_object_del(record, "key");
        cr_expect_eq(json_equal(plain, record), n == 0, "%s", settings);
        json_decref(record);
    }
    json_decref(plain);
}

/* ---- traffic --------------------------------------------------------------------- */

enum { BATCHES = 20, MEASURES_MAX = 16, SUMS_MAX = 4096 };

/* Points, and the specifications of network and workload that stand for them. */
static const struct {
    const char *settings, *topology, *traffic;
} traffic_points[] = {
#define MEMORY ",d_mem=4,read=4,write=4,f_nn=0,f_hot=0,p_1=0.8"
#define LENGTHS ",l_msg1=3,l_resp1=9,l_msg2=11,l_resp2=3"
    {"model=memory k=4", "torus=4x4,links=single,tie=split,places=1",
     "memory,n_out=1,tau=25" MEMORY LENGTHS},
    {"model=memory k=4 links=multiple n_out=3 tau=12.5 tie=wrap places=2",
     "torus=4x4,links=multiple,tie=wrap,places=2",
     "memory,n_out=3,tau=12.5" MEMORY LENGTHS},
    {"model=memory k=4 topology=mesh flit_lengths=section_iv_e",
     "torus=4x4,ends=0,links=single,tie=split,places=1",
     "memory,n_out=1,tau=25" MEMORY ",l_msg1=4,l_resp1=10,l_msg2=12,l_resp2=4"},
    {"model=memory k=4 topology=uni_torus",
     "torus=4x4,oneway=1,links=single,tie=split,places=1",
     "memory,n_out=1,tau=25" MEMORY ",l_msg1=2,l_resp1=5,l_msg2=6,l_resp2=2"},
    {"model=memory k=4 d_mem=5 read=7 write=11 f_nn=0.3 f_hot=0.1",
     "torus=4x4,links=single,tie=split,places=1",
     "memory,n_out=1,tau=25,d_mem=5,read=7,write=11,f_nn=0.3,f_hot=0.1,p_1=0."
     "8" LENGTHS},
    {"model=poisson k=4 rate=0.01", "torus=4x4,lanes=4,escape=2,places=4,links=4",
     "poisson,rate=0.01,length=12"},
    {"model=poisson k=4 rate=0.02 length=7 lanes=3 escape=2 places=3 sources=2",
     "torus=4x4,lanes=3,escape=2,places=3,links=2", "poisson,rate=0.02,length=7"},
    {"model=poisson k=4 rate=0.01 routing=dimension_order",
     "torus=4x4,lanes=4,escape=0,places=4,links=4", "poisson,rate=0.01,length=12"},
};

/* Counts up to the ends of batches, the first of which is that of the
 * warm-up. */
typedef struct {
    Net *net;
    NetTraffic *traffic;
    const NetWorkload *rows;
    unsigned sums;
    double ends[BATCHES + 1][SUMS_MAX];
} Counted;

static void count_batches(Counted *c, uint64_t warm_up, uint64_t batch) {
    for (unsigned i = 0; i <= BATCHES; i++) {
        while (net_now(c->net) < warm_up + i * batch)
            cr_assert(net_traffic_step(c->traffic));
        c->rows->count(net_traffic_workload(c->traffic), net_now(c->net), c->ends[i]);
    }
}

static void measure_between(const Counted *c, unsigned from, unsigned to,
                            double values[MEASURES_MAX]) {
    double differences[SUMS_MAX];
    for (unsigned i = 0; i < c->sums; i++)
        differences[i] = c->ends[to][i] - c->ends[from][i];
    c->rows->measure(net_traffic_workload(c->traffic), differences, values);
}

/* Half of the 95 % interval of the batches' mean: Student's t of 19 degrees. */
static double half_of(double values[BATCHES][MEASURES_MAX], unsigned measure) {
    double sum = 0, squares = 0;
    for (unsigned i = 0; i < BATCHES; i++)
        sum += values[i][measure];
    for (unsigned i = 0; i < BATCHES; i++)
        squares += pow(values[i][measure] - sum / BATCHES, 2);
    return sum == 0 && squares == 0
               ? NAN
               : 2.0930240544 * sqrt(squares / (BATCHES - 1) / BATCHES);
}

static void expect_traffic(const json_t *record, const Counted *c, const char *point) {
    double all[MEASURES_MAX], batch[BATCHES][MEASURES_MAX];
    measure_between(c, 0, BATCHES, all);
    for (unsigned i = 0; i < BATCHES; i++)
        measure_between(c, i, i + 1, batch[i]);
    for (unsigned i = 0; c->rows->measures[i].name; i++) {
        char half[TEXT_MAX];
        snprintf(half, sizeof half, "%s_half", c->rows->measures[i].name);
        made_expect(record, c->rows->measures[i].name, all[i], point);
        made_expect(record, half, half_of(batch, i), point);
    }
}

Test(points, traffic) {
    static Counted c;
    for (size_t n = 0; n < sizeof traffic_points / sizeof traffic_points[0]; n++) {
        const char *settings = traffic_points[n].settings;
        NetWorkloadValues values;
        JmError error;
        NetParams params = net_params_default();
        cr_assert(
            net_specification_params(traffic_points[n].topology, &params, &error));
        c.net = net_create(traffic_points[n].topology, &params, "auto", &error);
        c.rows = net_workload_read(traffic_points[n].traffic, &values, &error);
        cr_assert(c.net && c.rows, "%s: %s", settings, error.text);
        c.traffic = net_traffic_create(c.net, c.rows, &values, SEED, &error);
        cr_assert(c.traffic, "%s: %s", settings, error.text);
        c.sums = c.rows->counters(net_traffic_workload(c.traffic));
        cr_assert_leq(c.sums, SUMS_MAX);
        count_batches(&c, 800, 160);
        json_t *record = made_point(settings, "cycles=4000", SEED);
        expect_traffic(record, &c, settings);
        json_decref(record);
        net_traffic_destroy(c.traffic);
        net_destroy(c.net);
    }
}
