/* The command `jm model chapter3`: overflow of a closed queueing network. */
#include <math.h>
#include <stdio.h>

#include "net/model/queueing.h"
#include "tools/model/model.h"

/* Checks what single options cannot. */
static bool check(const ModelRequest *r, JmError *error) {
    const Settings *s = &r->settings;
    const unsigned servers = model_whole(s, "servers");
    const unsigned slow = model_whole_or(s, "slow_servers", 1);
    const unsigned customers = model_whole(s, "customers");
    const unsigned queue = model_whole(s, "overflow_above");
    const double room = (double)servers * queue;
    if (!model_given(r, "slow") && !model_refuse(r, "slow-servers", "--slow", error))
        return false;
    if (slow > servers)
        return jm_fail(error, r->options->command,
                       "--slow-servers %u: there are %u servers", slow, servers);
    return customers <= room ||
           jm_fail(error, r->options->command,
                   "%u customers do not fit: %u queues of %u hold %.0f", customers,
                   servers, queue, room);
}

static void print_slow(const Settings *s, const Result *slow) {
    const double load = settings_number(s, "slow");
    printf("%u of them with %g times the load; the first one:\n",
           model_whole_or(s, "slow_servers", 1), load);
    printf("  mean customers            %.6g\n", slow->mean_first);
    printf("  P(queue full or over)     %.4g\n", slow->p_full);
    printf("  overflows per service     %.4g\n", slow->overflow_rate);
    const double threshold =
        load > 1 ? net_model_threshold_m(load, model_whole(s, "overflow_above"), 1)
                 : INFINITY;
    if (isfinite(threshold))
        printf("  threshold                 %.4g customers a server\n", threshold);
}

static void print(const ModelRequest *r) {
    const Settings *s = &r->settings;
    const Result *uniform = r->part[PART_chapter3_UNIFORM];
    const Result *slow = r->part[PART_chapter3_SLOW];
    printf("%u servers, %u customers (%.4g a server), queues of %u\n",
           model_whole(s, "servers"), model_whole(s, "customers"), uniform->per_node,
           model_whole(s, "overflow_above"));
    printf("  states                    10^%.4f\n", uniform->log10_s);
    printf("  of them without overflow  10^%.4f\n", uniform->log10_t);
    printf("  P(no overflow)            %.9g (by run lengths %.4g)\n",
           uniform->p_no_overflow, uniform->p_run_length);
    printf("  overflows per service     %.4g (estimate from above %.4g)\n",
           uniform->rate_exact, uniform->overflow_rate);
    if (slow)
        print_slow(s, slow);
}

bool model_chapter3(ModelRequest *r, JmError *error) {
    return check(r, error) && model_give(r, "chapter3", print, error);
}

#define OPTIONS "tools/model/chapter3.def"
#define OPTION_FIELDS ModelRequest
#include "tools/host/option_table.def"

const OptionSet model_chapter3_options = MODEL_OPTIONS("jm model chapter3");
