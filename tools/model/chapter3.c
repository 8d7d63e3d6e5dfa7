/* The command `jm model chapter3`: overflow of a closed queueing network. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/models/problems.h"
#include "tools/host/values.h"
#include "tools/model/model.h"

/* The results, with the case they belong to. */
typedef struct {
    ModelClosed system;
    ClosedUniform uniform;
    double slow; /* 0: no slow servers */
    unsigned slow_servers;
    ClosedSlow first;
    double threshold;
} Answer;

/* Checks what single options cannot. */
static bool check(const ModelRequest *r, const Answer *a, JmError *error) {
    const ModelClosed *system = &a->system;
    const double room = (double)system->servers * system->queue;
    if (a->slow <= 0 && !model_refuse(r, "slow_servers", "--slow", error))
        return false;
    if (a->slow_servers > system->servers)
        return jm_fail(error, r->command, "--slow-servers %u: there are %u servers",
                       a->slow_servers, system->servers);
    return system->customers <= room ||
           jm_fail(error, r->command,
                   "%u customers do not fit: %u queues of %u hold %.0f",
                   system->customers, system->servers, system->queue, room);
}

static json_t *to_json(const Answer *a) {
    json_t *const root = json_pack(
        "{s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "servers", (int)a->system.servers,
        "customers", (int)a->system.customers, "queue", (int)a->system.queue, "log10_s",
        jvalue_number(a->uniform.log10_s), "log10_t", jvalue_number(a->uniform.log10_t),
        "p_no_overflow", jvalue_number(a->uniform.p_no_overflow), "rate_upper",
        jvalue_number(a->uniform.rates.upper), "rate_exact",
        jvalue_number(a->uniform.rates.exact), "p_run_length",
        jvalue_number(a->uniform.p_run_length));
    if (root && a->slow > 0) {
        json_object_set_new(root, "mean_k1", jvalue_number(a->first.mean_first));
        json_object_set_new(root, "p_ge_queue", jvalue_number(a->first.p_full));
        json_object_set_new(root, "rate_slow", jvalue_number(a->first.overflow_rate));
    }
    return root;
}

static void print(const Answer *a) {
    printf("%u servers, %u customers (%.4g a server), queues of %u\n",
           a->system.servers, a->system.customers,
           a->system.customers / (double)a->system.servers, a->system.queue);
    printf("  states                    10^%.4f\n", a->uniform.log10_s);
    printf("  of them without overflow  10^%.4f\n", a->uniform.log10_t);
    printf("  P(no overflow)            %.9g (by run lengths %.4g)\n",
           a->uniform.p_no_overflow, a->uniform.p_run_length);
    printf("  overflows per service     %.4g (estimate from above %.4g)\n",
           a->uniform.rates.exact, a->uniform.rates.upper);
    if (a->slow == 0)
        return;
    printf("%u of them with %g times the load; the first one:\n", a->slow_servers,
           a->slow);
    printf("  mean customers            %.6g\n", a->first.mean_first);
    printf("  P(queue full or over)     %.4g\n", a->first.p_full);
    printf("  overflows per service     %.4g\n", a->first.overflow_rate);
    if (isfinite(a->threshold))
        printf("  threshold                 %.4g customers a server\n", a->threshold);
}

bool model_chapter3(ModelRequest *r, JmError *error) {
    Answer answer = {.system = model_closed(&r->settings),
                     .slow = settings_number(&r->settings, "slow"),
                     .slow_servers = model_whole_or(&r->settings, "slow_servers", 1)};
    if (!check(r, &answer, error) || !model_check_json(r, error) ||
        !model_closed_uniform(answer.system, &answer.uniform, error))
        return false;
    if (answer.slow > 0 &&
        !model_closed_slow(answer.system, &r->settings, &answer.first, error))
        return false;
    answer.threshold = answer.slow > 1
                           ? net_model_threshold_m(answer.slow, answer.system.queue, 1)
                           : INFINITY;
    if (model_has_text(r, "json"))
        print(&answer);
    return model_put_json(r, to_json(&answer), error);
}
