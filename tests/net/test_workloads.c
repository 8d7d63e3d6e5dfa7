/* Refused workloads and their messages; the bounds of options. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/traffic/traffic.h"

Test(workloads, bad_specifications_are_refused) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "name of a workload is expected"},
        {"memry", "'memry': there is no workload memry; did you mean 'memory'?"
                  "; there is "
                  "memory, poisson"},
        {"memory,tau=5,n_out=2,tau=5", "tau is given twice"},
        {"memory,tua=5",
         "there is no option tua; did you mean 'tau'?; there is n_out, tau, "
         "f_nn, f_hot, d_mem, read, write, p_1, l_msg1, l_resp1, l_msg2, l_resp2"},
        {"memory,tau", "'=' is expected behind tau"},
        {"memory,tau=", "a number is expected for tau"},
        {"memory,tau=x", "a number is expected for tau"},
        {"memory,tau=5x", "a number is expected for tau"},
        {"memory,tau=1", "tau is 1, not"},
        {"memory,n_out=1.5", "no whole number"},
        {"memory,", "the name of an option is expected"},
        {"poisson,rate=2", "rate is 2, not"},
        {"poisson,length=1", "length is 1, not 2"},
        {"poisson,rate=nan", "a number is expected"},
        {"poisson,rate=1e999", "a number is expected"},
        {"poisson=3", "'poisson=3': ',' or the end is expected at '=3'"},
        {"poisson,rate=0.1=", "a number is expected for rate"},
        {"a23456789012345678901234567890x", "there is no workload a234567890"},
        {"a234567890123456789012345678901x", "name of a workload is expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        JmError error = {.text = ""};
        double values[NET_WORKLOAD_OPTIONS];
        cr_assert_null(net_workload_read(bad[i].text, values, &error), "%s",
                       bad[i].text);
        cr_assert_not_null(strstr(error.text, bad[i].says), "%s: %s", bad[i].text,
                           error.text);
    }
}

/* On a mesh, with a buffer for all lengths. */
static bool is_refused(unsigned header, const char *workload) {
    NetParams params = net_params_default();
    double values[NET_WORKLOAD_OPTIONS];
    JmError error;
    params.buffer_words = 64;
    params.header_flits = header;
    Net *net = net_create("mesh=2x2", &params, "auto", &error);
    const NetWorkload *row = net_workload_read(workload, values, &error);
    cr_assert(net && row);
    NetTraffic *traffic = net_traffic_create(net, row, values, 3, &error);
    net_traffic_destroy(traffic);
    net_destroy(net);
    return !traffic;
}

Test(workloads, lengths_that_words_do_not_make_up_are_refused) {
    cr_expect(is_refused(0, "poisson,length=11"));
    cr_expect_not(is_refused(0, "poisson,length=12"));
    cr_expect(is_refused(3, "poisson,length=12"));
    cr_expect(is_refused(3, "poisson,length=3"));
    cr_expect_not(is_refused(3, "poisson,length=5"));
    cr_expect(is_refused(0, "memory"));
    cr_expect(is_refused(0, "memory,l_msg1=4,l_resp1=4,l_msg2=4,l_resp2=5"));
    cr_expect_not(is_refused(0, "memory,l_msg1=4,l_resp1=4,l_msg2=4,l_resp2=4"));
    cr_expect(is_refused(0, "poisson,length=12,hot=4"));
    cr_expect_not(is_refused(0, "poisson,length=12,hot=3"));
}

static void refused(const char *topology, const char *workload, const char *says) {
    NetParams params = net_params_default();
    double values[NET_WORKLOAD_OPTIONS];
    JmError error = {.text = ""};
    cr_assert(net_specification_params(topology, &params, &error));
    Net *net = net_create(topology, &params, "auto", &error);
    const NetWorkload *row = net_workload_read(workload, values, &error);
    cr_assert(net && row);
    cr_expect_null(net_traffic_create(net, row, values, 3, &error));
    cr_expect_str_eq(error.text, says);
    net_destroy(net);
}

Test(workloads, nodes_and_neighbours_that_there_are_not_are_refused) {
    refused("torus=2x2", "memory,f_hot=0.1",
            "f_hot=0.1: this network has no node 2,2"
            ": it takes three rows and columns");
    refused("torus=8x2", "memory,f_hot=0.1",
            "f_hot=0.1: this network has no node 2,2"
            ": it takes three rows and columns");
    refused("clos=1x1", "memory,f_nn=0.5", "f_nn=0.5: processor 0 has no neighbour");
}

/* The least and the greatest value of each option, and those beside them. */
Test(workloads, options_have_bounds) {
    double values[NET_WORKLOAD_OPTIONS];
    JmError error;
    for (unsigned row = 0; net_workload_row(row); row++) {
        const NetWorkload *workload = net_workload_row(row);
        for (unsigned i = 0; workload->options[i].name; i++) {
            const NetWorkloadOption *option = &workload->options[i];
            const double step = option->whole ? 1 : option->high / 1e4;
            const double tried[] = {option->low, option->high, option->high + step,
                                    option->low - step};
            for (unsigned k = 0; k < 4 && tried[k] >= 0; k++) {
                char text[100], says[100];
                snprintf(text, sizeof text, "%s,%s=%.17g", workload->name, option->name,
                         tried[k]);
                snprintf(says, sizeof says, "%s is %g, not %g to %g", option->name,
                         tried[k], option->low, option->high);
                const NetWorkload *read = net_workload_read(text, values, &error);
                cr_expect_eq(read, k < 2 ? workload : NULL, "%s", text);
                if (k < 2)
                    cr_expect_eq(values[i], tried[k], "%s: %g", text, values[i]);
                else
                    cr_expect_not_null(strstr(error.text, says), "%s", error.text);
            }
        }
    }
    cr_expect_not_null(net_workload_row(1));
    cr_expect_null(net_workload_row(2));
}

/* Makes a workload on a mesh with parameters, as they stand behind --param; what is
 * said if it does not fit goes to `error`. */
static bool fits_with(const char *topology, const char *workload, const char *given,
                      JmError *error) {
    NetParams params = net_params_default();
    double values[NET_WORKLOAD_OPTIONS];
    char text[200], *rest = NULL;
    snprintf(text, sizeof text, "%s", given);
    for (char *at = strtok_r(text, ",", &rest); at; at = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(at, '=');
        cr_assert(value);
        *value++ = 0;
        cr_assert_eq(net_params_set(&params, at, (uint32_t)atoi(value)), 0, "%s", at);
    }
    Net *net = net_create(topology, &params, "auto", error);
    const NetWorkload *row = net_workload_read(workload, values, error);
    cr_assert(net && row, "%s", error->text);
    NetTraffic *traffic = net_traffic_create(net, row, values, 3, error);
    const bool fits = traffic != NULL;
    for (unsigned i = 0; fits && i < 300; i++)
        cr_assert(net_traffic_step(traffic));
    net_traffic_destroy(traffic);
    net_destroy(net);
    return fits;
}

/* All lengths of messages under all headers: where they do not fit, the parameters that
 * the error names make them fit, or the length that it names. */
Test(workloads, what_a_mesh_says_of_lengths_is_true) {
    unsigned fitted = 0;
    for (unsigned header = 0; header <= 3; header++)
        for (unsigned length = 2; length <= NET_TRAFFIC_MAX_FLITS; length++) {
            char workload[100], given[100];
            JmError error = {.text = ""};
            snprintf(workload, sizeof workload, "poisson,rate=0.05,length=%u", length);
            snprintf(given, sizeof given, "header_flits=%u", header);
            if (fits_with("mesh=2x1", workload, given, &error)) {
                fitted++;
                cr_expect(length > header && (length - header) / 2 < 8);
                continue;
            }
            const char *remedy = strstr(error.text, "--param ");
            cr_assert(remedy, "%s", error.text);
            char all[200];
            snprintf(all, sizeof all, "%s,%.*s", given,
                     (int)strcspn(remedy + 8, " ") - (strstr(remedy, ", or ") != NULL),
                     remedy + 8);
            cr_expect(fits_with("mesh=2x1", workload, all, &error), "%u, %s: %s",
                      length, all, error.text);
        }
    cr_expect_eq(fitted, 4 * 7);
}

Test(workloads, lengths_of_all_kinds_of_messages_are_looked_at) {
    static const char *const kinds[] = {"l_msg1", "l_resp1", "l_msg2", "l_resp2"};
    static const char odd[] = "memory,l_msg1=5,l_resp1=5,l_msg2=5,l_resp2=5";
    JmError error = {.text = ""};
    cr_expect(fits_with("mesh=2x1", odd, "fair=0", &error), "%s", error.text);
    for (unsigned i = 0; i < 4; i++) {
        char workload[100];
        snprintf(workload, sizeof workload, "%s", odd);
        *(strstr(workload, kinds[i]) + strlen(kinds[i]) + 1) = '6';
        cr_expect_not(fits_with("mesh=2x1", workload, "fair=0", &error));
        cr_expect(strstr(error.text, "of 6 flits are not 3 of header"), "%s",
                  error.text);
        cr_expect(strstr(error.text, "odd"), "%s", error.text);
    }
    cr_expect(fits_with("mesh=2x1", "memory", "header_flits=1", &error));
    cr_expect(
        fits_with("mesh=3x3x2", "memory,f_hot=0.5,f_nn=0.3", "header_flits=1", &error),
        "%s", error.text);
}

Test(workloads, networks_that_are_too_small_are_refused) {
    static const struct {
        const char *topology, *workload, *says;
    } rows[] = {
        {"mesh=1x1", "memory", "shared memory needs two nodes, there is one"},
        {"mesh=1x1", "poisson", "messages to others need two nodes, there is one"},
        {"mesh=2x1", "poisson,hot=2", "hot=2: the last of 2 nodes is 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        JmError error = {.text = ""};
        cr_expect_not(fits_with(rows[i].topology, rows[i].workload, "fair=0", &error));
        cr_expect_str_eq(error.text, rows[i].says);
    }
    JmError error = {.text = ""};
    cr_expect(fits_with("mesh=2x1", "poisson,length=5,hot=1", "fair=0", &error));
}

/* A network draws what the traffic's seed says, whatever it was told before. */
Test(workloads, networks_are_seeded_anew) {
    NetParams params = net_params_default();
    double values[NET_WORKLOAD_OPTIONS];
    JmError error = {.text = ""};
    NetTrafficCounts counts[3];
    cr_assert(net_specification_params("torus=4x4", &params, &error));
    for (unsigned i = 0; i < 3; i++) {
        Net *net = net_create("torus=4x4", &params, "auto", &error);
        net_seed(net, i % 2);
        const NetWorkload *row = net_workload_read("memory,n_out=4", values, &error);
        NetTraffic *traffic = net_traffic_create(net, row, values, 5 + i / 2, &error);
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
