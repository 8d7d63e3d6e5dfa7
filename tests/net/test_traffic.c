/* Workloads on networks: arrivals, laws that hold for any network, saving. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"

/* Buffers have room for the longest message. */
static void start(Load *load, const char *topology, const char *workload,
                  uint64_t seed) {
    load_start(load, net_of(topology, "buffer_words=64"), workload, seed);
}

static double *sums(Load *load) {
    void *self = net_traffic_workload(load->traffic);
    double *all = malloc(load->workload.counters(self) * sizeof *all);
    load->workload.count(self, net_now(load->net), all);
    return all;
}

/* The measures of `cycles` cycles after as many a quarter of that. */
static void measure(Load *load, unsigned cycles, double *values) {
    void *self = net_traffic_workload(load->traffic);
    load_run(load, cycles / 4);
    double *before = sums(load);
    load_run(load, cycles);
    double *after = sums(load);
    for (unsigned i = 0; i < load->workload.counters(self); i++)
        after[i] -= before[i];
    load->workload.measure(self, after, values);
    free(before);
    free(after);
}

enum { EFFICIENCY, RESIDENCE = 4, RESPONSE = 5 };

/* With long services no message waits: residence is that of messages alone,
 * twice the mean distance (2.1333 in a 4x4 torus) and 2 * 2 + 3 + 9 - 2 for a read and
 * 2 * 2 + 11 + 3 - 2 for a write. */
Test(traffic, shared_memory_without_waits) {
    Load load;
    start(&load, "torus=4x4", "memory,tau=20000,d_mem=4,read=7,write=7", 1);
    double values[16];
    measure(&load, 2000000, values);
    const double ways = 2 * 32 / 15.0;
    const double expected = ways + 0.8 * 14 + 0.2 * 16;
    cr_assert_float_eq(values[RESIDENCE], expected, 0.1, "%g", values[RESIDENCE]);
    cr_assert_float_eq(values[RESPONSE], expected + 7, 0.15, "%g", values[RESPONSE]);
    load_end(&load);
}

/* All want the memory of node 2,2, which serves a request in 50 cycles, though a reply
 * leaves 5 cycles after its service began. */
Test(traffic, a_memory_serves_one_request_at_a_time) {
    Load load;
    start(&load, "torus=4x4", "memory,n_out=4,f_hot=1,d_mem=50,read=5,write=5", 11);
    load_run(&load, 100000);
    double *all = sums(&load);
    cr_assert_float_eq(all[5], 100000 / 50.0, 20, "%g", all[5]);
    free(all);
    load_end(&load);
}

/* A customer is in service, in the network or at a memory, so with one of them
 * efficiency is tau over the sum of the times. */
Test(traffic, one_customer_is_somewhere_at_any_time) {
    Load load;
    start(&load, "torus=4x4,links=multiple", "memory,n_out=1,tau=25", 2);
    double values[16];
    measure(&load, 300000, values);
    cr_assert_float_eq(values[EFFICIENCY], 100 * 25 / (25 + values[RESPONSE]), 0.4,
                       "%g", values[EFFICIENCY]);
    load_end(&load);
}

static double share_to_hot(const char *workload) {
    Load load;
    start(&load, "torus=4x4", workload, 4);
    load_run(&load, 200000);
    double *all = sums(&load);
    const double share = all[5] / (all[5] + all[7]);
    free(all);
    load_end(&load);
    return share;
}

/* Of requests of the other 15 nodes, F_hot and a fifteenth of the rest go there. */
Test(traffic, hot_spot_and_neighbours) {
    const double plain = share_to_hot("memory,tau=100");
    const double hot = share_to_hot("memory,tau=100,f_hot=0.2");
    cr_assert_float_eq(plain, 1 / 16.0, 0.004, "%g", plain);
    cr_assert_float_eq(hot, 15 / 16.0 * (0.2 + 0.8 / 15), 0.01, "%g", hot);
    Load load;
    start(&load, "torus=8x8", "memory,tau=20000,f_nn=1,read=7,write=7", 5);
    double values[16];
    measure(&load, 1000000, values);
    cr_assert_float_eq(values[RESIDENCE], 2 + 0.8 * 14 + 0.2 * 16, 0.1, "%g",
                       values[RESIDENCE]);
    load_end(&load);
}

/* At a light load latency is mean hops + 11 for 12 flits: Quaglia's columns extrapolate
 * to 15.06 for k = 8. */
Test(traffic, poisson_at_light_load) {
    Load load;
    start(&load, "torus=8x8,lanes=4,escape=2,places=2,links=4", "poisson,rate=0.00005",
          6);
    double values[8];
    measure(&load, 800000, values);
    cr_assert_float_eq(values[0], 256 / 63.0 + 11, 0.15, "%g", values[0]);
    cr_assert_float_eq(values[1], 0.00005, 0.000005, "%g", values[1]);
    load_end(&load);
}

/* A run that is saved and restored after some cycles is the same a thousand later. */
static void resumes_at(unsigned cycles, const char *settings, const char *topology,
                       const char *workload) {
    Load one, other;
    load_start(&one, net_of(topology, settings), workload, 7);
    load_start(&other, net_of(topology, settings), workload, 8);
    Archive middle = jm_archive_save(), last = jm_archive_save(),
            again = jm_archive_save();
    load_run(&one, cycles);
    cr_assert(net_traffic_archive(one.traffic, &middle));
    Archive loading = jm_archive_load(middle.bytes, middle.size);
    cr_assert(net_traffic_archive(other.traffic, &loading), "%s", topology);
    cr_assert_eq(loading.at, loading.end);
    load_run(&one, 1000);
    load_run(&other, 1000);
    cr_assert(net_traffic_archive(one.traffic, &last));
    cr_assert(net_traffic_archive(other.traffic, &again));
    expect_same_bytes(last, again, topology);
    jm_archive_free(&middle);
    load_end(&one);
    load_end(&other);
}

static void resumes(const char *topology, const char *workload) {
    resumes_at(3000, "buffer_words=64", topology, workload);
}

Test(traffic, goes_on_as_saved) {
    resumes("torus=4x4", "memory,n_out=4,tau=10");
    resumes("torus=3x4", "memory,n_out=8,tau=2,d_mem=60,read=9,write=70,p_1=0.5");
    resumes("torus=4x4,links=multiple", "memory,n_out=2,tau=20,f_nn=0.5,f_hot=0.1");
    resumes("torus=6x6,lanes=4,escape=2,places=2,links=4", "poisson,rate=0.03");
    resumes("clos=2x2,levels=2,layer=turns", "poisson,rate=0.005");
    for (unsigned cycles = 1; cycles < 9; cycles++) /* before any message */
        resumes_at(cycles, "", "torus=4x4", "poisson,rate=0.0003,length=4");
}

/* A buffer that holds only one message is empty for a cycle while others still wait. */
Test(traffic, goes_on_as_saved_with_messages_behind_an_empty_buffer) {
    for (unsigned cycles = 700; cycles < 724; cycles++)
        resumes_at(cycles, "buffer_words=12", "torus=3x4", "poisson,rate=0.09");
}

/* A message that is longer than its buffer enters it word by word. */
Test(traffic, goes_on_as_saved_within_a_message) {
    for (unsigned cycles = 700; cycles < 724; cycles++)
        resumes_at(cycles, "", "mesh=3x2x2", "pattern=uniform,rate=0.01,length=60");
}

/* Shares of 100,000 draws with mean 5: P(1) = 1/5 and P(> 10) = 0.8^10 of the geometric
 * kind, P(< 1) = 1 - exp(-1/5) and P(> 10) = exp(-2) of the exponential. */
Test(traffic, draws_are_geometric_and_exponential) {
    enum { DRAWS = 100000 };
    JmRng rng = jm_rng(12);
    double whole[3] = {0}, real[3] = {0};
    for (unsigned i = 0; i < DRAWS; i++) {
        const double g = (double)net_traffic_geometric(&rng, 5);
        const double e = net_traffic_exponential(&rng, 5);
        whole[0] += g / DRAWS;
        whole[1] += (g == 1) / (double)DRAWS;
        whole[2] += (g > 10) / (double)DRAWS;
        real[0] += e / DRAWS;
        real[1] += (e < 1) / (double)DRAWS;
        real[2] += (e > 10) / (double)DRAWS;
    }
    cr_assert_float_eq(whole[0], 5, 0.1, "%g", whole[0]);
    cr_assert_float_eq(whole[1], 0.2, 0.01, "%g", whole[1]);
    cr_assert_float_eq(whole[2], pow(0.8, 10), 0.01, "%g", whole[2]);
    cr_assert_float_eq(real[0], 5, 0.1, "%g", real[0]);
    cr_assert_float_eq(real[1], 1 - exp(-0.2), 0.01, "%g", real[1]);
    cr_assert_float_eq(real[2], exp(-2), 0.01, "%g", real[2]);
}

/* Of the sources of a processor that takes the next message which has the least to
 * send, in its queue or in its buffer: at first each takes one. */
Test(traffic, messages_take_the_source_with_the_shortest_queue) {
    for (unsigned links = 2; links <= 8; links++)
        for (unsigned apart = 0; apart < 2; apart++) {
            char topology[40];
            snprintf(topology, sizeof topology, "torus=3x4,links=%u", links);
            Load load;
            start(&load, topology, "poisson,rate=1e-9", 1);
            for (unsigned i = 0; i < links; i++) {
                net_traffic_send(load.traffic, 11, 0, 12, 0);
                load_run(&load, apart);
            }
            load_run(&load, 1);
            for (unsigned i = 0; i < links; i++)
                cr_expect_gt(net_places(load.net, 0)[11 * links + i], 0,
                             "source %u of %u", i, links);
            load_end(&load);
        }
}

/* ---- lengths and hot nodes ------------------------------------------------------- */

/* Where all send to node 5 of 16 it takes a flit a cycle; its own messages arrive
 * elsewhere. */
Test(traffic, a_share_of_random_messages_goes_to_the_hot_node) {
    enum { LATENCY, ARRIVED, SENT };
    double values[16];
    Load load;
    start(&load, "torus=4x4", "poisson,rate=0.001,length=12,f_hot=1,hot=5", 4);
    measure(&load, 400000, values);
    cr_expect_float_eq(values[ARRIVED], 0.001, 3e-5, "%g", values[ARRIVED]);
    load_end(&load);
    start(&load, "torus=4x4", "poisson,rate=0.02,length=12,f_hot=1,hot=5", 4);
    measure(&load, 50000, values);
    cr_expect_float_eq(values[ARRIVED], (1 / 12.0 + 0.02) / 16, 1e-4, "%g",
                       values[ARRIVED]);
    load_end(&load);
    /* A third goes there, and what else the other 15 send to it. Their queues are in
     * order, so that what waits for the hot node holds the rest back. */
    start(&load, "torus=4x4", "poisson,rate=0.02,length=12,f_hot=0.3333,hot=5", 4);
    measure(&load, 50000, values);
    const double others = 1 / 12.0 / (15 * (0.3333 + 0.6667 / 15));
    cr_expect_float_eq(values[ARRIVED], (15 * others + 0.02) / 16, 1e-3, "%g",
                       values[ARRIVED]);
    load_end(&load);
}

/* Messages go to the shortest queue. What the traffic counts of all of them is what the
 * workload measures. */
Test(traffic, sources_of_a_processor_share_its_messages) {
    enum { LATENCY, END_CYCLES = 2 };
    double values[16];
    uint32_t left[4] = {0};
    Load load;
    start(&load, "torus=4x4,lanes=4,escape=2,links=4", "poisson,rate=0.06", 10);
    for (unsigned i = 0; i < 6000; i++) {
        NetMessageState state;
        size_t count;
        load_run(&load, 1);
        const NetDelivery *out = net_deliveries(load.net, &count);
        for (size_t k = 0; k < count; k++)
            if (out[k].tail && net_message_state(load.net, out[k].message, &state))
                left[state.source % 4]++;
    }
    const NetTrafficCounts counts = net_traffic_counts(load.traffic);
    for (unsigned link = 0; link < 4; link++)
        cr_expect_gt(left[link], counts.arrived / 6, "%u: %u", link, left[link]);
    double *all = sums(&load);
    load.workload.measure(net_traffic_workload(load.traffic), all, values);
    cr_expect_float_eq(counts.latency / (double)counts.arrived,
                       values[LATENCY] + END_CYCLES, 1e-9);
    free(all);
    load_end(&load);
}

/* ---- lengths on a mesh, and seeds --------------------------------------------- */

/* Whether a workload fits a mesh with parameters, as they stand behind --param. */
static bool fits_with(const char *workload, const char *settings, JmError *error) {
    Load load;
    const bool fits = load_try(&load, net_of("mesh=2x1", settings), workload, 3, error);
    if (fits)
        load_run(&load, 300);
    load_end(&load);
    return fits;
}

/* Lengths that are given under all headers: where they do not fit, the parameters that
 * the error names make them fit. */
Test(traffic, what_a_mesh_says_of_lengths_is_true) {
    unsigned fitted = 0;
    for (unsigned header = 0; header <= 3; header++)
        for (unsigned length = 2; length <= NET_TRAFFIC_MAX_FLITS; length++) {
            char workload[100], given[100];
            JmError error = {.text = ""};
            snprintf(workload, sizeof workload,
                     "memory,l_msg1=%u,l_resp1=%u,l_msg2=%u,l_resp2=%u", length, length,
                     length, length);
            snprintf(given, sizeof given, "header_flits=%u", header);
            if (fits_with(workload, given, &error)) {
                fitted++;
                cr_expect(length > header && (length - header) % 2 == 0);
                continue;
            }
            const char *remedy = strstr(error.text, "--param ");
            cr_assert(remedy, "%s", error.text);
            char all[200];
            snprintf(all, sizeof all, "%s,%.*s", given, (int)strcspn(remedy + 8, " ,"),
                     remedy + 8);
            cr_expect(fits_with(workload, all, &error), "%u, %s: %s", length, all,
                      error.text);
        }
    cr_expect_eq(fitted, 30 + 29 + 29 + 28);
}

/* On an idle mesh a message takes the cycles of its header and whole words, whatever
 * its length, that of its buffer and the header: net/router.md. */
Test(traffic, a_mesh_takes_messages_of_any_length) {
    for (unsigned header = 0; header <= 3; header++)
        for (unsigned length = 2; length <= NET_TRAFFIC_MAX_FLITS; length++) {
            char workload[100], settings[100];
            Load load;
            snprintf(settings, sizeof settings, "header_flits=%u,buffer_words=%u",
                     header, 4 + length % 5);
            snprintf(workload, sizeof workload,
                     "pattern=neighbor,process=periodic,rate=0.001,length=%u", length);
            load_start(&load, net_of("mesh=2", settings), workload, 3);
            while (net_traffic_counts(load.traffic).arrived < 4)
                load_run(&load, 1);
            const unsigned words = length <= header ? 1 : (length - header + 1) / 2;
            const double cycles = net_traffic_counts(load.traffic).latency / 4;
            cr_expect_eq(net_traffic_flits(load.traffic, length), header + 2 * words);
            cr_expect_float_eq(cycles, 1 + 2 * words + header + 2, 2.5, "%u, %u: %g",
                               header, length, cycles);
            load_end(&load);
        }
}

/* A network draws by the traffic's seed, whatever its own was before. */
Test(traffic, networks_are_seeded_anew) {
    NetTrafficCounts counts[3];
    for (unsigned i = 0; i < 3; i++) {
        Load load;
        Net *net = net_of("torus=4x4", "");
        net_seed(net, i % 2);
        load_start(&load, net, "memory,n_out=4", 5 + i / 2);
        load_run(&load, 4000);
        counts[i] = net_traffic_counts(load.traffic);
        load_end(&load);
    }
    cr_expect_eq(memcmp(&counts[0], &counts[1], sizeof counts[0]), 0);
    cr_expect_neq(memcmp(&counts[0], &counts[2], sizeof counts[0]), 0);
}
