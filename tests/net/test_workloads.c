/* Lengths of messages on a mesh, and seeds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"

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
 * its length, that of its buffer and the header: net/README.md. */
Test(workloads, a_mesh_takes_messages_of_any_length) {
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

/* A network draws what the traffic's seed says, whatever it was told before. */
Test(workloads, networks_are_seeded_anew) {
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
