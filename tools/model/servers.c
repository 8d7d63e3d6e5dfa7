/* The command `jm model servers`: a closed queueing network, simulated. */
#include "net/model/servers.h"

#include <stdio.h>

#include "tools/exp/models/problems.h"
#include "tools/host/values.h"
#include "tools/model/model.h"

/* Most events of a simulation: some minutes. */
static const double events_max = 1e10;

/* Checks what single options cannot. */
static bool check(const ModelRequest *r, const ServersProblem *problem,
                  JmError *error) {
    const double events = (problem->warm_up + problem->duration) * problem->servers;
    if (!problem->constant && !model_refuse(r, "spread", "--service constant", error))
        return false;
    return events <= events_max ||
           jm_fail(error, r->command, "%.3g services are too many: at most %.0e",
                   events, events_max);
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

bool model_servers(ModelRequest *r, JmError *error) {
    const ServersProblem problem =
        model_servers_problem(&r->settings, model_count(r, "seed", 1));
    ServersResult result;
    if (!check(r, &problem, error) || !model_check_json(r, error) ||
        !net_servers_run(&problem, &result, error))
        return false;
    if (model_has_text(r, "json"))
        print(&problem, &result);
    return model_put_json(r, to_json(&problem, &result), error);
}
