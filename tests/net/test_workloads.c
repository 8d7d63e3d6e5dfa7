/* Error messages for unsuitable message lengths, and seeds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/traffic.h"

/* Makes a workload on a mesh with parameters, as they stand behind --param; what is
 * said if it does not fit goes to `error`. */
static bool fits_with(const char *topology, const char *workload, const char *given,
                      JmError *error) {
    NetParams params = net_params_default();
    NetWorkloadValues values;
    char text[200], *rest = NULL;
    snprintf(text, sizeof text, "%s", given);
    for (char *at = strtok_r(text, ",", &rest); at; at = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(at, '=');
        cr_assert(value);
        *value++ = 0;
        cr_assert_eq(net_params_set(&params, at, (uint32_t)atoi(value)), 0, "%s", at);
    }
    Net *net = net_create(topology, &params, "auto", error);
    const NetWorkload *row = net_workload_read(workload, &values, error);
    cr_assert(net && row, "%s", error->text);
    NetTraffic *traffic = net_traffic_create(net, row, &values, 3, error);
    const bool fits = traffic != NULL;
    for (unsigned i = 0; fits && i < 300; i++)
        cr_assert(net_traffic_step(traffic));
    net_traffic_destroy(traffic);
    net_destroy(net);
    return fits;
}

/* Lengths that are given under all headers: where they do not fit, the parameters that
 * the error names make them fit. */
Test(workloads, what_a_mesh_says_of_lengths_is_true) {
    unsigned fitted = 0;
    for (unsigned header = 0; header <= 3; header++)
        for (unsigned length = 2; length <= NET_TRAFFIC_MAX_FLITS; length++) {
            char workload[100], given[100];
            JmError error = {.text = ""};
            snprintf(workload, sizeof workload,
                     "memory,l_msg1=%u,l_resp1=%u,l_msg2=%u,l_resp2=%u", length, length,
                     length, length);
            snprintf(given, sizeof given, "header_flits=%u", header);
            if (fits_with("mesh=2x1", workload, given, &error)) {
                fitted++;
                cr_expect(length > header && (length - header) % 2 == 0);
                continue;
            }
            const char *remedy = strstr(error.text, "--param ");
            cr_assert(remedy, "%s", error.text);
            char all[200];
            snprintf(all, sizeof all, "%s,%.*s", given, (int)strcspn(remedy + 8, " ,"),
                     remedy + 8);
            cr_expect(fits_with("mesh=2x1", workload, all, &error), "%u, %s: %s",
                      length, all, error.text);
        }
    cr_expect_eq(fitted, 30 + 29 + 29 + 28);
}

/* On an idle mesh a message takes the cycles of its header and whole words, whatever
 * its length, that of its buffer and the header: net/README.md. */
Test(workloads, a_mesh_takes_messages_of_any_length) {
    for (unsigned header = 0; header <= 3; header++)
        for (unsigned length = 2; length <= NET_TRAFFIC_MAX_FLITS; length++) {
            char workload[100];
            NetParams params = net_params_default();
            NetWorkloadValues values;
            params.header_flits = header;
            params.buffer_words = 4 + length % 5;
            snprintf(workload, sizeof workload,
                     "pattern=neighbor,process=periodic,rate=0.001,length=%u", length);
            Net *net = net_create("mesh=2", &params, "auto", NULL);
            const NetWorkload *row = net_workload_read(workload, &values, NULL);
            NetTraffic *traffic = net_traffic_create(net, row, &values, 3, NULL);
            while (net_traffic_counts(traffic).arrived < 4)
                cr_assert(net_traffic_step(traffic));
            const unsigned words = length <= header ? 1 : (length - header + 1) / 2;
            const double cycles = net_traffic_counts(traffic).latency / 4;
            cr_expect_eq(net_traffic_flits(traffic, length), header + 2 * words);
            cr_expect_float_eq(cycles, 1 + 2 * words + header + 2, 2.5, "%u, %u: %g",
                               header, length, cycles);
            net_traffic_destroy(traffic);
            net_destroy(net);
        }
}

Test(workloads, options_have_bounds) {
    static const char *const good[] = {
        "memory,n_out=512,tau=1.001,d_mem=1000,f_nn=1,l_msg1=60",
        "memory,f_hot=1,p_1=0", "memory,n_out=1,tau=1e6,d_mem=1,read=1,l_resp2=2",
        "poisson,rate=1,length=60,hot=1e6", "poisson,rate=1e-9,length=2,f_hot=0"};
    static const char *const bad[] = {
        "memory,n_out=513", "memory,n_out=0",       "memory,n_out=1.5",
        "memory,tau=1",     "memory,tau=1e6,tau=2", "memory,d_mem=1001",
        "memory,read=0",    "memory,p_1=1.01",      "memory,l_msg2=61",
        "poisson,length=1", "poisson,rate=1.01",    "poisson,rate=0",
        "poisson,rate=nan", "poisson,rate=0.1=",    "poisson,f_hot=-0.1",
        "poisson,hot=2e6",  "poisson,hot=1,",       "poisson=3"};
    NetWorkloadValues values;
    JmError error;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        cr_expect(net_workload_read(good[i], &values, &error), "%s", error.text);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_null(net_workload_read(bad[i], &values, &error), "%s", bad[i]);
}

/* A network draws what the traffic's seed says, whatever it was told before. */
Test(workloads, networks_are_seeded_anew) {
    NetParams params = net_params_default();
    NetWorkloadValues values;
    JmError error = {.text = ""};
    NetTrafficCounts counts[3];
    cr_assert(net_specification_params("torus=4x4", &params, &error));
    for (unsigned i = 0; i < 3; i++) {
        Net *net = net_create("torus=4x4", &params, "auto", &error);
        net_seed(net, i % 2);
        const NetWorkload *row = net_workload_read("memory,n_out=4", &values, &error);
        NetTraffic *traffic = net_traffic_create(net, row, &values, 5 + i / 2, &error);
        cr_assert_not_null(traffic, "%s", error.text);
        while (net_now(net) < 4000)
            cr_assert(net_traffic_step(traffic));
        counts[i] = net_traffic_counts(traffic);
        net_traffic_destroy(traffic);
        net_destroy(net);
    }
    cr_expect_eq(memcmp(&counts[0], &counts[1], sizeof counts[0]), 0);
    cr_expect_neq(memcmp(&counts[0], &counts[2], sizeof counts[0]), 0);
}
