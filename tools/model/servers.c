/* The command `jm model servers`: a closed queueing network, simulated. */
#include <stdio.h>

#include "tools/model/model.h"

/* Most events of a simulation: some minutes. */
static const double events_max = 1e10;

static bool is_constant(const ModelRequest *r) {
    return settings_has(&r->settings, "service", "constant");
}

/* Checks what single options cannot. */
static bool check(const ModelRequest *r, JmError *error) {
    const Settings *s = &r->settings;
    const double events = (settings_number(s, "warm_up") + settings_number(s, "time")) *
                          settings_number(s, "servers");
    if (!is_constant(r) && !model_refuse(r, "spread", "--service constant", error))
        return false;
    return events <= events_max ||
           jm_fail(error, r->options->command,
                   "%.3g services are too many: at most %.0e", events, events_max);
}

static void print(const ModelRequest *r) {
    const Settings *s = &r->settings;
    const Result *result = r->part[PART_servers_ALL];
    printf("%u servers, %u customers (%.4g a server), queues of %u, %s service\n",
           model_whole(s, "servers"), model_whole(s, "customers"), result->per_node,
           model_whole(s, "overflow_above"),
           is_constant(r) ? "constant" : "exponential");
    printf("  time without overflow     %.6g\n", result->p_no_overflow);
    printf("  overflows per service     %.4g\n", result->overflow_rate);
    printf("  mean customers            %.6g at the first server\n",
           result->mean_first);
    printf("  services                  %.0f\n", result->services);
}

bool model_servers(ModelRequest *r, JmError *error) {
    return check(r, error) && model_give(r, "servers", print, error);
}

#define OPTIONS "tools/model/servers.def"
#define OPTION_FIELDS ModelRequest
#include "tools/host/option_table.def"

const OptionSet model_servers_options = MODEL_OPTIONS("jm model servers");
