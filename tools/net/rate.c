/* One rate of a sweep: the run, and its numbers as JSON and CSV. */
#include "tools/net/rate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/net/net.h"

/* ---- the run --------------------------------------------------------------------- */

static double percentile(const NetHistogram *latencies, double fraction) {
    return latencies->count ? (double)net_histogram_percentile(latencies, fraction)
                            : NAN;
}

static bool measure(NetRate *row, const NetLoad *load, JmError *error) {
    const NetWindow *window = &load->window;
    NetEstimate estimates[NET_VALUES];
    if (!net_window_estimate(window, NET_ERROR_PARTS, estimates))
        return jm_fail_memory(error, NULL, "no memory for the results");
    const NetVerdict verdict = net_window_judge(window);
    row->state = verdict.state;
    row->offered = net_window_offered(window);
    row->accepted = estimates[NET_VALUE_THROUGHPUT].mean;
    row->latency = estimates[NET_VALUE_LATENCY].mean;
    row->half_width = net_half_width(&verdict, estimates[NET_VALUE_LATENCY]);
    row->p50 = percentile(window->latencies, 0.50);
    row->p95 = percentile(window->latencies, 0.95);
    row->p99 = percentile(window->latencies, 0.99);
    row->cycles = (double)net_now(load->net);
    row->done = true;
    return true;
}

bool net_rate_run(NetRate *row, const NetLoad *load, bool (*stop)(void *context),
                  void *context, JmError *error) {
    char *workload = memory_text("%s,rate=%.10g", load->workload, row->rate);
    NetHistogram *latencies = memory_array(1, sizeof *latencies);
    NetLoad own = *load;
    own.workload = workload;
    own.window.latencies = latencies;
    net_histogram_start(latencies);
    bool good =
        net_load_create(&own, error) && net_load_run(&own, stop, context, error);
    if (good && net_window_is_over(&own.window)) {
        net_window_count_channels(&own.window);
        good = measure(row, &own, error);
    }
    net_load_destroy(&own);
    free(latencies);
    free(workload);
    return good;
}

/* ---- JSON ------------------------------------------------------------------------ */

json_t *net_rate_to_json(const NetRate *row) {
    json_t *object = json_object();
#define NUMBER(name) json_object_set_new(object, #name, jvalue_number(row->name));
    RATE_NUMBERS
#undef NUMBER
    json_object_set_new(object, "state", jvalue_text(net_run_state_name(row->state)));
    return object;
}

/* A number that is not negative, or null. */
static bool read_number(const json_t *object, const char *name, double *number) {
    const json_t *value = json_object_get(object, name);
    *number = json_is_number(value) ? json_number_value(value) : NAN;
    return json_is_null(value) || *number >= 0;
}

static bool read_state(const json_t *object, NetRunState *state) {
    const char *name = json_string_value(json_object_get(object, "state"));
    for (*state = 0; name && *state <= NET_RUN_SETTLED; ++*state)
        if (strcmp(name, net_run_state_name(*state)) == 0)
            return true;
    return false;
}

bool net_rate_from_json(const json_t *object, NetRate *row, char *why, size_t size) {
    *row = (NetRate){.done = true};
#define NUMBER(name)                                                                   \
    if (!read_number(object, #name, &row->name)) {                                     \
        snprintf(why, size, #name " is not a number");                                 \
        return false;                                                                  \
    }
    RATE_NUMBERS
#undef NUMBER
    if (!read_state(object, &row->state)) {
        snprintf(why, size, "state is none of a run");
        return false;
    }
    if (!isnan(row->half_width) && row->state != NET_RUN_SETTLED) {
        snprintf(why, size, "half_width is that of a run that has not settled");
        return false;
    }
    return true;
}

/* ---- CSV ------------------------------------------------------------------------- */

void net_rate_csv_head(FILE *out) {
#define NUMBER(name) fputs(#name ",", out);
    RATE_NUMBERS
#undef NUMBER
    fputs("state\n", out);
}

static void put_number(double number, FILE *out) {
    if (isfinite(number))
        fprintf(out, "%.10g", number);
    putc(',', out);
}

void net_rate_csv(const NetRate *row, FILE *out) {
#define NUMBER(name) put_number(row->name, out);
    RATE_NUMBERS
#undef NUMBER
    fprintf(out, "%s\n", net_run_state_name(row->state));
}
