/* The command `jm model chapter3`: overflow of a closed queueing network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/queueing.h"
#include "tools/host/host.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/arguments.h"
#include "tools/model/model.h"

static const char command[] = "jm model chapter3";

/* The parsed command line. */
typedef struct {
    unsigned servers, customers, queue, slow_servers;
    double slow;
    const char *json;
    bool help;
} Request;

/* The results. */
typedef struct {
    double log10_s, log10_t, p_no_overflow, p_run_length;
    ModelRates rates;
    double mean_k1, p_ge_queue, rate_slow, threshold; /* with slow servers */
} Answer;

enum { OPTIONS = 8 };

/* Fills in the table of options, with places in the request. */
static void make_options(Request *r, Argument options[OPTIONS]) {
    const Argument table[OPTIONS] = {
#define ARGUMENT ARGUMENT_ROW
#include "tools/model/chapter3.def"
#undef ARGUMENT
    };
    memcpy(options, table, sizeof table);
}

/* Checks what single options cannot: which are needed, and which belong together. */
static bool check(const Request *r, const Argument *options, JmError *error) {
    static const char *const needed[] = {"servers", "customers", "queue"};
    for (unsigned i = 0; i < 3; i++)
        if (!arguments_given(options, needed[i]))
            return jm_fail(error, command, "--%s is missing", needed[i]);
    if (arguments_given(options, "slow-servers") && !arguments_given(options, "slow"))
        return jm_fail(error, command, "--slow-servers needs --slow");
    if (r->slow_servers > r->servers)
        return jm_fail(error, command, "--slow-servers %u: there are %u servers",
                       r->slow_servers, r->servers);
    if (r->customers > (double)r->servers * r->queue)
        return jm_fail(
            error, command, "%u customers do not fit: %u queues of %u hold %.0f",
            r->customers, r->servers, r->queue, (double)r->servers * r->queue);
    return !r->json || jm_outfile_check(r->json, NULL, error);
}

/* Solves the system with slow servers, and their threshold. */
static bool solve_slow(const Request *r, Answer *answer, JmError *error) {
    const ModelClosed system = {r->servers, r->customers, r->queue};
    ModelSlow slow;
    const bool good =
        net_model_slow_solve(&slow, system, r->slow, r->slow_servers, error);
    if (good) {
        answer->mean_k1 = net_model_slow_mean(&slow);
        answer->p_ge_queue = net_model_slow_p_ge(&slow, r->queue);
        answer->rate_slow = net_model_slow_p_equal(&slow, r->queue);
        answer->threshold =
            r->slow > 1 ? net_model_threshold_m(r->slow, r->queue, 1) : INFINITY;
    }
    net_model_slow_free(&slow);
    return good;
}

/* Solves the uniform system. */
static bool solve(const Request *r, Answer *answer, JmError *error) {
    const ModelClosed system = {r->servers, r->customers, r->queue};
    double ln_t;
    if (!net_model_ln_t(r->servers, r->customers, r->queue, &ln_t, error) ||
        !net_model_p_no_overflow(system, &answer->p_no_overflow, error) ||
        !net_model_overflow_rates(system, &answer->rates, error))
        return false;
    answer->log10_s = net_model_ln_s(r->servers, r->customers) / log(10);
    answer->log10_t = ln_t / log(10);
    answer->p_run_length =
        r->customers == 0
            ? 1
            : net_model_run_length_p(r->servers, r->customers / (double)r->servers,
                                     r->queue);
    return r->slow == 0 || solve_slow(r, answer, error);
}

static json_t *to_json(const Request *r, const Answer *a) {
    json_t *const root = json_pack(
        "{s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o,s:o}", "servers", (int)r->servers,
        "customers", (int)r->customers, "queue", (int)r->queue, "log10_s",
        jvalue_number(a->log10_s), "log10_t", jvalue_number(a->log10_t),
        "p_no_overflow", jvalue_number(a->p_no_overflow), "rate_upper",
        jvalue_number(a->rates.upper), "rate_exact", jvalue_number(a->rates.exact),
        "p_run_length", jvalue_number(a->p_run_length));
    if (root && r->slow > 0) {
        json_object_set_new(root, "mean_k1", jvalue_number(a->mean_k1));
        json_object_set_new(root, "p_ge_queue", jvalue_number(a->p_ge_queue));
        json_object_set_new(root, "rate_slow", jvalue_number(a->rate_slow));
    }
    return root;
}

static void print(const Request *r, const Answer *a) {
    printf("%u servers, %u customers (%.4g a server), queues of %u\n", r->servers,
           r->customers, r->customers / (double)r->servers, r->queue);
    printf("  states                    10^%.4f\n", a->log10_s);
    printf("  of them without overflow  10^%.4f\n", a->log10_t);
    printf("  P(no overflow)            %.9g (by run lengths %.4g)\n", a->p_no_overflow,
           a->p_run_length);
    printf("  overflows per service     %.4g (estimate from above %.4g)\n",
           a->rates.exact, a->rates.upper);
    if (r->slow == 0)
        return;
    printf("%u of them with %g times the load; the first one:\n", r->slow_servers,
           r->slow);
    printf("  mean customers            %.6g\n", a->mean_k1);
    printf("  P(queue full or over)     %.4g\n", a->p_ge_queue);
    printf("  overflows per service     %.4g\n", a->rate_slow);
    if (isfinite(a->threshold))
        printf("  threshold                 %.4g customers a server\n", a->threshold);
}

int model_chapter3(int argc, char **argv) {
    Request request = {.slow_servers = 1};
    Argument options[OPTIONS];
    JmError error;
    make_options(&request, options);
    if (!arguments_parse(command, options, argc, argv, &error))
        return host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
    if (request.help) {
        printf(
            "Usage: %s --servers N --customers K --queue Q [OPTION]...\n"
            "Counts the states of a closed queueing network, with and without\n"
            "overflow, and says how likely and how frequent overflow is: uniform\n"
            "traffic, exponential service, equilibrium (Lethin 1997, chapter 3).\n\n",
            command);
        arguments_help(options, stdout);
        return EXIT_SUCCESS;
    }
    Answer answer = {0};
    bool good = check(&request, options, &error) && solve(&request, &answer, &error);
    const bool only_json = request.json && strcmp(request.json, "-") == 0;
    if (good && !only_json)
        print(&request, &answer);
    if (good && request.json)
        good = model_write_json(request.json, to_json(&request, &answer), &error);
    return good || host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
}
