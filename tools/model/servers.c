/* The command `jm model servers`: a closed queueing network, simulated. */
#include "net/model/servers.h"

#include <stdio.h>
#include <string.h>

#include "net/model/queueing.h"
#include "tools/host/host.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/arguments.h"
#include "tools/model/model.h"

static const char command[] = "jm model servers";

/* Most events of a simulation: some minutes. */
static const double events_max = 1e10;

typedef struct {
    ServersProblem problem;
    unsigned service, seed;
    const char *json;
    bool help;
} Request;

enum { OPTIONS = 12 };

/* Fills in the table of options, with places in the request. */
static void make_options(Request *r, Argument options[OPTIONS]) {
    ServersProblem *const p = &r->problem;
    const Argument table[OPTIONS] = {
#define ARGUMENT ARGUMENT_ROW
#include "tools/model/servers.def"
#undef ARGUMENT
    };
    memcpy(options, table, sizeof table);
}

/* Completes the request and checks what single options cannot. */
static bool settle(Request *r, const Argument *options, JmError *error) {
    static const char *const needed[] = {"servers", "customers", "queue"};
    for (unsigned i = 0; i < 3; i++)
        if (!arguments_given(options, needed[i]))
            return jm_fail(error, command, "--%s is missing", needed[i]);
    ServersProblem *problem = &r->problem;
    problem->constant = r->service == 1;
    problem->seed = r->seed;
    if (arguments_given(options, "spread") && !problem->constant)
        return jm_fail(error, command, "--spread needs --service constant");
    const double events = (problem->warm_up + problem->duration) * problem->servers;
    if (events > events_max)
        return jm_fail(error, command, "%.3g services are too many: at most %.0e",
                       events, events_max);
    return !r->json || jm_outfile_check(r->json, NULL, error);
}

static json_t *to_json(const ServersProblem *p, const ServersResult *result) {
    return json_pack("{s:i,s:i,s:i,s:o,s:o,s:o,s:o}", "servers", (int)p->servers,
                     "customers", (int)p->customers, "queue", (int)p->queue,
                     "p_no_overflow", jvalue_number(1 - result->overflow_share), "rate",
                     jvalue_number(result->overflow_entries), "mean_k1",
                     jvalue_number(result->mean_first), "services",
                     jvalue_number(result->services));
}

static void print(const ServersProblem *p, const ServersResult *result) {
    printf("%u servers, %u customers (%.4g a server), queues of %u, %s service\n",
           p->servers, p->customers, p->customers / (double)p->servers, p->queue,
           p->constant ? "constant" : "exponential");
    printf("  time without overflow     %.6g\n", 1 - result->overflow_share);
    printf("  overflows per service     %.4g\n", result->overflow_entries);
    printf("  mean customers            %.6g at the first server\n",
           result->mean_first);
    printf("  services                  %.0f\n", result->services);
}

int model_servers(int argc, char **argv) {
    Request request = {.problem = {.slow = 1, .spread = 0.05, .duration = 10000},
                       .seed = 1};
    Argument options[OPTIONS];
    JmError error;
    make_options(&request, options);
    if (!arguments_parse(command, options, argc, argv, &error))
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (request.help) {
        printf("Usage: %s --servers N --customers K --queue Q [OPTION]...\n"
               "Simulates a closed queueing network: every server has its own clock,\n"
               "customers go to any of them (Lethin 1997, 3.5.2).\n\n",
               command);
        arguments_help(options, stdout);
        return EXIT_SUCCESS;
    }
    ServersResult result;
    const bool only_json = request.json && strcmp(request.json, "-") == 0;
    bool good = settle(&request, options, &error) &&
                net_servers_run(&request.problem, &result, &error);
    if (good && !only_json)
        print(&request.problem, &result);
    if (good && request.json)
        good =
            model_write_json(request.json, to_json(&request.problem, &result), &error);
    return good || host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
}
