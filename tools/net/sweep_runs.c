/* The runs of a sweep, on a pool of processes or MPI ranks, and the search for
 * saturation. */
#include "tools/net/sweep_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/version.h"

/* ---- rates ----------------------------------------------------------------------- */

/* Makes room for a row at `place`. */
static NetRate *insert(NetRates *rates, size_t place) {
    rates->row =
        memory_checked(realloc(rates->row, (rates->count + 1) * sizeof *rates->row));
    memmove(&rates->row[place + 1], &rates->row[place],
            (rates->count++ - place) * sizeof *rates->row);
    return &rates->row[place];
}

void net_sweep_add(NetSweep *sweep, double rate) {
    NetRates *rates = &sweep->rates;
    size_t place = 0;
    while (place < rates->count && rates->row[place].rate < rate)
        place++;
    if (place == rates->count || rates->row[place].rate != rate)
        *insert(rates, place) = (NetRate){.rate = rate};
}

void net_sweep_free(NetSweep *sweep) {
    for (size_t i = 0; i < sweep->counted_count; i++)
        json_decref(sweep->counted[i].counts);
    free(sweep->counted);
    free(sweep->rates.row);
    free(sweep->kept.row);
    free(sweep->missing);
    free(sweep->key);
}

/* ---- counts of channels ---------------------------------------------------------- */

/* Keeps the counts of a record. False: they are damaged. */
static bool keep_counts(NetSweep *sweep, double rate, const json_t *record) {
    if (!sweep->wires)
        return true;
    json_t *counts = json_object_get(record, "wires");
    NetChannelCounts *channels = memory_array(sweep->wires->channels, sizeof *channels);
    const bool good = net_wires_from_json(sweep->wires, counts, channels);
    free(channels);
    if (!good)
        return false;
    const size_t size = (sweep->counted_count + 1) * sizeof *sweep->counted;
    sweep->counted = memory_checked(realloc(sweep->counted, size));
    sweep->counted[sweep->counted_count++] = (NetRateWires){rate, json_incref(counts)};
    return true;
}

void net_sweep_counts(const NetSweep *sweep, double rate, NetChannelCounts *channels) {
    size_t i = 0;
    while (sweep->counted[i].rate != rate)
        i++;
    net_wires_from_json(sweep->wires, sweep->counted[i].counts, channels);
}

/* ---- records --------------------------------------------------------------------- */

bool net_sweep_take(void *context, const json_t *record, char why[RESULT_WHY_MAX]) {
    NetSweep *sweep = context;
    NetRate row;
    if (strcmp(json_string_value(json_object_get(record, "key")), sweep->key) != 0)
        return true;
    if (!net_rate_from_json(record, &row, why, RESULT_WHY_MAX))
        return false;
    if (!keep_counts(sweep, row.rate, record)) {
        snprintf(why, RESULT_WHY_MAX, "wires is damaged");
        return false;
    }
    *insert(&sweep->kept, sweep->kept.count) = row;
    return true;
}

/* Fills in the rates that the journal has. */
static void recall(NetSweep *sweep) {
    for (size_t i = 0; i < sweep->rates.count; i++)
        for (size_t k = 0; k < sweep->kept.count; k++)
            if (sweep->kept.row[k].rate == sweep->rates.row[i].rate)
                sweep->rates.row[i] = sweep->kept.row[k];
}

/* ---- tasks of the pool ----------------------------------------------------------- */

static NetRate *row_of(const NetSweep *sweep, size_t task) {
    return &sweep->rates.row[sweep->missing[task]];
}

/* Runs in a worker: a line of JSON with the result, or with an error. */
static char *work(void *context, size_t task, bool (*stop)(void *),
                  void *stop_context) {
    const NetSweep *sweep = context;
    NetRate row = *row_of(sweep, task);
    NetLoad load = sweep->load;
    JmError error;
    if (sweep->wires)
        load.window.channels =
            memory_array(sweep->wires->channels, sizeof *load.window.channels);
    const bool good = net_rate_run(&row, &load, stop, stop_context, &error);
    json_t *record = good ? net_rate_to_json(&row)
                          : json_pack("{s:o}", "error", jvalue_text(error.text));
    if (sweep->wires)
        json_object_set_new(record, "wires",
                            net_wires_to_json(sweep->wires, load.window.channels));
    free(load.window.channels);
    json_object_set_new(record, "key", jvalue_text(sweep->key));
    json_object_set_new(record, "version", jvalue_text(version_text));
    char *text = good && !row.done
                     ? NULL
                     : json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(record);
    return text;
}

/* Reads what a worker returned. */
static bool read_back(NetSweep *sweep, const json_t *record, NetRate *row,
                      JmError *error) {
    const char *failure = json_string_value(json_object_get(record, "error"));
    char why[RESULT_WHY_MAX] = "wires";
    if (failure)
        return jm_fail(error, NULL, "%s", failure);
    return (net_rate_from_json(record, row, why, sizeof why) &&
            keep_counts(sweep, row->rate, record)) ||
           jm_fail(error, NULL, "a result is damaged: %s", why);
}

static bool take(void *context, size_t task, const char *text, JmError *error) {
    NetSweep *sweep = context;
    json_t *record = json_loads(text, 0, NULL);
    const bool good = read_back(sweep, record, row_of(sweep, task), error) &&
                      (!sweep->journal || journal_add(sweep->journal, text, error));
    json_decref(record);
    return good;
}

/* Shows progress; true if a signal asks this program to end. */
static bool tick(void *context) {
    NetSweep *sweep = context;
    size_t done = 0;
    for (size_t i = 0; i < sweep->missing_count; i++)
        done += row_of(sweep, i)->done;
    if (progress_due(&sweep->progress))
        fprintf(stderr, "\r%zu of %zu rates\033[K", done, sweep->missing_count);
    return signals_pending() != 0;
}

/* ---- running --------------------------------------------------------------------- */

/* Lists what is missing, the highest rates first: they take longest. */
static void list_missing(NetSweep *sweep) {
    free(sweep->missing);
    sweep->missing = memory_array(sweep->rates.count + 1, sizeof *sweep->missing);
    sweep->missing_count = 0;
    for (size_t i = sweep->rates.count; i-- > 0;)
        if (!sweep->rates.row[i].done)
            sweep->missing[sweep->missing_count++] = i;
}

/* Gives all ranks the leader's rates: only the leader has results and the journal. */
static void share(NetSweep *sweep) {
    ranks_share(sweep->ranks, sweep->rates.row,
                sweep->rates.count * sizeof *sweep->rates.row);
}

bool net_sweep_run(NetSweep *sweep, JmError *error) {
    recall(sweep);
    share(sweep);
    list_missing(sweep);
    const Pool pool = {.title = "jm net sweep",
                       .count = sweep->missing_count,
                       .jobs = sweep->jobs,
                       .context = sweep,
                       .work = work,
                       .take = take,
                       .tick = tick};
    bool good =
        sweep->missing_count == 0 ||
        (sweep->ranks ? ranks_run(sweep->ranks, &pool, error) : pool_run(&pool, error));
    progress_clear(&sweep->progress);
    ranks_share(sweep->ranks, &good, sizeof good);
    share(sweep);
    return good;
}

/* ---- saturation ------------------------------------------------------------------ */

/* Whether a rate is below the limit that is searched for. */
typedef bool IsBelow(const NetRate *row, double zero_load);

static bool is_prompt(const NetRate *row, double zero_load) {
    return row->latency <= 3 * zero_load;
}

static bool is_settled(const NetRate *row, double zero_load) {
    (void)zero_load;
    return row->state == NET_RUN_SETTLED;
}

/* The highest rate below the limit; NULL: none. */
static const NetRate *highest(const NetRates *rates, IsBelow *is_below,
                              double zero_load) {
    for (size_t i = rates->count; i-- > 0;)
        if (is_below(&rates->row[i], zero_load))
            return &rates->row[i];
    return NULL;
}

/* A rate of four digits, which a specification holds exactly. */
static double rounded(double rate) {
    char text[32];
    snprintf(text, sizeof text, "%.4g", rate);
    return strtod(text, NULL);
}

/* The rate to run next to find a limit; 0: it is known, or there is none. */
static double next_rate(const NetSweep *sweep, const NetRate *below) {
    const NetRates *rates = &sweep->rates;
    if (!below)
        return 0;
    if (below == &rates->row[rates->count - 1])
        return below->rate < sweep->high ? fmin(rounded(2 * below->rate), sweep->high)
                                         : 0;
    const double above = below[1].rate;
    return above > 1.01 * below->rate ? rounded(sqrt(below->rate * above)) : 0;
}

bool net_sweep_saturation(NetSweep *sweep, NetSaturation *found, JmError *error) {
    const NetRates *rates = &sweep->rates;
    const double zero =
        fmax(rounded(rates->row[rates->count - 1].rate / 100), sweep->low);
    net_sweep_add(sweep, zero);
    for (;;) {
        if (!net_sweep_run(sweep, error))
            return false;
        size_t first = 0;
        while (rates->row[first].rate < zero)
            first++;
        found->zero_load = rates->row[first].latency;
        const NetRate *prompt = highest(rates, is_prompt, found->zero_load);
        const NetRate *settled = highest(rates, is_settled, found->zero_load);
        found->triple = prompt ? prompt->rate : NAN;
        found->settled = settled ? settled->rate : NAN;
        const double next[] = {next_rate(sweep, prompt), next_rate(sweep, settled)};
        if (next[0] == 0 && next[1] == 0)
            return true;
        for (unsigned i = 0; i < 2; i++)
            if (next[i] > 0)
                net_sweep_add(sweep, next[i]);
    }
}
