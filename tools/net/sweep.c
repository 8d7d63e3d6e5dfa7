/* The command `jm net sweep`: a network under a workload at one rate after another, on
 * the pool of `jm exp`, and the search for saturation. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/printable.h"
#include "tools/exp/models/solve.h"
#include "tools/exp/run/conduct.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/host/outputs.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/jm/version.h"
#include "tools/model/request.h"
#include "tools/net/net.h"
#include "tools/net/wires.h"
#include "tools/report/draw/gnuplot.h"

static const char command[] = "jm net sweep";

/* ---- JSON ------------------------------------------------------------------------ */

/* Returns an object of all numbers and the state. */
static json_t *rate_to_json(const ModelRate *row) {
    json_t *object = json_object();
#define NUMBER(name) json_object_set_new(object, #name, jvalue_number(row->name));
    MODEL_RATE_NUMBERS
#undef NUMBER
    json_object_set_new(object, "state", jvalue_text(net_run_state_name(row->state)));
    return object;
}

/* A number that is not negative, or null. */
static bool read_json(const json_t *object, const char *name, double *number) {
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

/* The reverse. False and `why` if no run can have had this result. */
static bool rate_from_json(const json_t *object, ModelRate *row, char *why,
                           size_t size) {
    *row = (ModelRate){.done = true};
#define NUMBER(name)                                                                   \
    if (!read_json(object, #name, &row->name)) {                                       \
        snprintf(why, size, #name " is not a number");                                 \
        return false;                                                                  \
    }
    MODEL_RATE_NUMBERS
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

static void put_csv_head(FILE *out) {
#define NUMBER(name) fputs(#name ",", out);
    MODEL_RATE_NUMBERS
#undef NUMBER
    fputs("state\n", out);
}

static void put_number(double number, FILE *out) {
    if (isfinite(number))
        fprintf(out, "%.10g", number);
    putc(',', out);
}

static void put_csv(const ModelRate *row, FILE *out) {
#define NUMBER(name) put_number(row->name, out);
    MODEL_RATE_NUMBERS
#undef NUMBER
    fprintf(out, "%s\n", net_run_state_name(row->state));
}

typedef struct {
    ModelRate *row;
    size_t count;
} Rates;

typedef struct {
    NetLoad load;          /* of all runs: specifications, parameters, seed, window */
    char *key;             /* the same as text: the key of records in the journal */
    double low, high;      /* rates that the workload takes */
    Rates rates;           /* in ascending order */
    json_t *records;       /* of finished rates, by rate */
    const NetWires *wires; /* whose counts are wanted; NULL: they are not */
    uint32_t jobs;
    bool quiet;
    Ranks *ranks;
    Journal *journal; /* NULL: none is kept */
} RateSweep;

/* ---- rates ----------------------------------------------------------------------- */

/* Adds a rate, unless it is there. */
static void add_row(RateSweep *sweep, double rate) {
    Rates *rates = &sweep->rates;
    size_t place = 0;
    while (place < rates->count && rates->row[place].rate < rate)
        place++;
    if (place < rates->count && rates->row[place].rate == rate)
        return;
    rates->row = memory_more(rates->row, rates->count, sizeof *rates->row);
    memmove(&rates->row[place + 1], &rates->row[place],
            (rates->count++ - place) * sizeof *rates->row);
    rates->row[place] = (ModelRate){.rate = rate};
}

static void free_sweep(RateSweep *sweep) {
    json_decref(sweep->records);
    free(sweep->rates.row);
    free(sweep->key);
}

/* ---- records --------------------------------------------------------------------- */

enum { RATE_NAME_MAX = 32 };

/* Names the record of a rate. */
static const char *name_of(double rate, char name[RATE_NAME_MAX]) {
    snprintf(name, RATE_NAME_MAX, "%.10g", rate);
    return name;
}

/* Returns the record of a rate; NULL: there is none. */
static json_t *record_of(const RateSweep *sweep, double rate) {
    char name[RATE_NAME_MAX];
    return json_object_get(sweep->records, name_of(rate, name));
}

/* Reads the channels' counts of a record. False: they are damaged. */
static bool read_counts(const RateSweep *sweep, const json_t *record,
                        NetChannelCounts *channels) {
    return net_wires_from_json(sweep->wires, json_object_get(record, "wires"),
                               channels);
}

/* Reads a record and keeps it. False and `why`: it is damaged. */
static bool keep_record(RateSweep *sweep, json_t *record, ModelRate *row,
                        char why[RESULT_WHY_MAX]) {
    if (!rate_from_json(record, row, why, RESULT_WHY_MAX))
        return false;
    NetChannelCounts *channels =
        memory_array(sweep->wires ? sweep->wires->channels : 0, sizeof *channels);
    const bool good = !sweep->wires || read_counts(sweep, record, channels);
    free(channels);
    char name[RATE_NAME_MAX];
    if (good)
        json_object_set(sweep->records, name_of(row->rate, name), record);
    else
        snprintf(why, RESULT_WHY_MAX, "wires is damaged");
    return good;
}

/* Takes a record of the journal (JournalTake); those of other sweeps are skipped. */
static bool take_record(void *context, const json_t *record, char why[RESULT_WHY_MAX]) {
    RateSweep *sweep = context;
    ModelRate row;
    return strcmp(json_string_value(json_object_get(record, "key")), sweep->key) != 0 ||
           keep_record(sweep, (json_t *)record, &row, why);
}

/* Fills in the rates that the journal has. */
static void recall(RateSweep *sweep) {
    char why[RESULT_WHY_MAX];
    for (size_t i = 0; i < sweep->rates.count; i++) {
        ModelRate *row = &sweep->rates.row[i];
        if (record_of(sweep, row->rate))
            rate_from_json(record_of(sweep, row->rate), row, why, sizeof why);
    }
}

/* ---- tasks of the sweep ---------------------------------------------------------- */

static ModelRate *row_of(void *context, size_t task) {
    const RateSweep *sweep = context;
    return &sweep->rates.row[task];
}

/* The highest rates take longest. */
static double work_left(void *context, size_t task) {
    const ModelRate *row = row_of(context, task);
    return row->done ? 0 : row->rate;
}

/* Runs in a worker. */
static char *work(void *context, size_t task, PoolStop *stop, void *stop_context,
                  JmError *error) {
    const RateSweep *sweep = context;
    ModelRate row = *row_of(context, task);
    NetLoad load = sweep->load;
    if (sweep->wires)
        load.window.channels =
            memory_array(sweep->wires->channels, sizeof *load.window.channels);
    const bool good = model_run_rate(&row, &load, stop, stop_context, error);
    char *line = NULL;
    if (good && row.done) {
        json_t *record = rate_to_json(&row);
        if (sweep->wires)
            json_object_set_new(record, "wires",
                                net_wires_to_json(sweep->wires, load.window.channels));
        json_object_set_new(record, "key", jvalue_text(sweep->key));
        json_object_set_new(record, "version", jvalue_text(version_text));
        line = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(17));
        json_decref(record);
    }
    free(load.window.channels);
    return line;
}

static bool take(void *context, size_t task, const char *line, const json_t *record,
                 JmError *error) {
    RateSweep *sweep = context;
    char why[RESULT_WHY_MAX];
    return (keep_record(sweep, (json_t *)record, row_of(context, task), why) ||
            jm_fail(error, NULL, "a result is damaged: %s", why)) &&
           (!sweep->journal || journal_add(sweep->journal, line, error));
}

/* Runs all rates that are not done. Under MPI every rank must call it. False and
 * `error`; with an empty text if a signal ended it. */
static bool run_missing(RateSweep *sweep, JmError *error) {
    recall(sweep);
    const Sweep tasks = {.title = command,
                         .unit = "rate",
                         .count = sweep->rates.count,
                         .context = sweep,
                         .left = work_left,
                         .work = work,
                         .take = take};
    bool good = conduct(&tasks, sweep->jobs, sweep->quiet, sweep->ranks, error);
    /* Only the leader has results. */
    ranks_share(sweep->ranks, &good, sizeof good);
    ranks_share(sweep->ranks, sweep->rates.row,
                sweep->rates.count * sizeof *sweep->rates.row);
    return good;
}

/* ---- saturation ------------------------------------------------------------------ */

/* The saturation of a network. */
typedef struct {
    double zero_load; /* latency at a hundredth of the highest rate asked for */
    double triple;    /* highest rate with a latency of at most three times that */
    double settled;   /* highest rate at which a run settles */
} Saturation;

/* Whether a rate is below the limit that is searched for. */
typedef bool IsBelow(const ModelRate *row, double zero_load);

static bool is_prompt(const ModelRate *row, double zero_load) {
    return row->latency <= 3 * zero_load;
}

static bool is_settled(const ModelRate *row, double zero_load) {
    (void)zero_load;
    return row->state == NET_RUN_SETTLED;
}

/* The highest rate below the limit; NULL: none. */
static const ModelRate *highest(const Rates *rates, IsBelow *is_below,
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

/* Whether the sources can send at a rate. */
static bool can_send(const RateSweep *sweep, double rate) {
    char *workload = memory_text("%s,rate=%.10g", sweep->load.workload, rate);
    NetLoad load = sweep->load;
    JmError error;
    load.workload = workload;
    const bool good = net_load_create(&load, &error);
    net_load_destroy(&load);
    free(workload);
    return good;
}

/* Lowers the highest rate of a search from `low` on to one at which the sources can
 * send. */
static void find_highest(RateSweep *sweep, double low) {
    double high = sweep->high, next;
    if (can_send(sweep, high) || !can_send(sweep, low))
        return;
    while ((next = rounded((low + high) / 2)) > low && next < high) {
        if (can_send(sweep, next))
            low = next;
        else
            high = next;
    }
    sweep->high = low;
}

/* The rate to run next to find a limit; 0: it is known, or there is none. */
static double next_rate(const RateSweep *sweep, const ModelRate *below) {
    const Rates *rates = &sweep->rates;
    if (!below)
        return 0;
    if (below == &rates->row[rates->count - 1])
        return below->rate < sweep->high ? fmin(rounded(2 * below->rate), sweep->high)
                                         : 0;
    const double above = below[1].rate;
    return above > 1.01 * below->rate ? rounded(sqrt(below->rate * above)) : 0;
}

/* Adds rates and runs them until both limits are known to 1 %; NaN: there is none.
 * False as run_missing(). Each round runs the next rate of both limits side by side, on
 * all processors, and rates are rounded since they stand in the output: the search of
 * `jm exp` (models/traffic.c), one point of many, runs a rate at a time. */
static bool find_saturation(RateSweep *sweep, Saturation *found, JmError *error) {
    const Rates *rates = &sweep->rates;
    find_highest(sweep, rates->row[rates->count - 1].rate);
    const double zero =
        fmax(rounded(rates->row[rates->count - 1].rate / 100), sweep->low);
    add_row(sweep, zero);
    for (;;) {
        if (!run_missing(sweep, error))
            return false;
        size_t first = 0;
        while (rates->row[first].rate < zero)
            first++;
        found->zero_load = rates->row[first].latency;
        const ModelRate *prompt = highest(rates, is_prompt, found->zero_load);
        const ModelRate *settled = highest(rates, is_settled, found->zero_load);
        found->triple = prompt ? prompt->rate : NAN;
        found->settled = settled ? settled->rate : NAN;
        const double next[] = {next_rate(sweep, prompt), next_rate(sweep, settled)};
        if (next[0] == 0 && next[1] == 0)
            return true;
        for (unsigned i = 0; i < 2; i++)
            if (next[i] > 0)
                add_row(sweep, next[i]);
    }
}

/* Less than that of a single run: a sweep often goes far beyond saturation, where the
 * cycles of a run cost most and say least. */
enum { SWEEP_BACKLOG = 1000 };

/* The files of the results. */
enum { CSV, JSON, PLOT, LINKS, MAP, FILES };

/* The request, and the files of the results. */
typedef struct {
    FrameAsked asked;
    const char *rates, *param, *path[FILES]; /* as given */
    bool saturates, resumes;
    RateSweep sweep;
    Saturation saturation;
    unsigned processors;
    const char *engine;
    char *journal_path; /* NULL: no journal */
    NetWires wires;     /* if --links or --map is given */
    JmOutFile file[FILES];
} Request;

enum { JOBS_MAX = 256 };

#define OPTIONS "tools/net/sweep.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = MODEL_COLUMN,
    .head =
        "Usage: jm net sweep --topology SPEC --workload SPEC --rates A..B/N "
        "[OPTION]...\n"
        "Runs a network under a workload at each rate, as jm net run does, and shows\n"
        "latency, what is accepted, and whether it has settled. Percentiles are exact\n"
        "up to 8191 cycles. The status is 3 if no rate has settled.\n",
    .foot = "Under mpirun the runs go to all ranks instead of --jobs processes.",
};

/* ---- rates ----------------------------------------------------------------------- */

enum { RATES_MAX = 10000, ENTRY_MAX = 64 };

/* A number and nothing else. */
static bool read_number(const char *text, double *number) {
    char *end;
    if (!strchr("0123456789.", text[0]) || !text[0])
        return false;
    *number = strtod(text, &end);
    return *end == 0 && isfinite(*number);
}

/* Adds a rate as it will stand in a specification. */
static bool add_rate(Request *r, double rate, const char *format, JmError *error) {
    RateSweep *sweep = &r->sweep;
    char text[32];
    snprintf(text, sizeof text, format, rate);
    rate = strtod(text, NULL);
    if (rate < sweep->low || rate > sweep->high)
        return jm_fail(error, command, "--rates: %s is not from %g to %g", text,
                       sweep->low, sweep->high);
    add_row(sweep, rate);
    return sweep->rates.count <= RATES_MAX ||
           jm_fail(error, command, "--rates: these are more than %d", RATES_MAX);
}

/* Adds A..B/N; below 1, N is a step. */
static bool add_range(Request *r, const char *text, double first, double last, double n,
                      JmError *error) {
    if (!(last > first) || !(n > 0) || !isfinite(last) || !isfinite(n) ||
        (n >= 1 && (n < 2 || n != floor(n) || n > RATES_MAX)) ||
        (n < 1 && (last - first) / n > RATES_MAX))
        return jm_fail(error, command,
                       "--rates %s: in A..B/N, A is below B, and N is the number of "
                       "rates, or below 1 the step",
                       text);
    const double step = n < 1 ? n : (last - first) / (n - 1);
    const unsigned count = (unsigned)((last - first) / step + 1e-6) + 1;
    for (unsigned i = 0; i < count; i++)
        if (!add_rate(r, first + i * step, n < 1 ? "%.10g" : "%.6g", error))
            return false;
    return true;
}

static bool add_entry(Request *r, const char *text, JmError *error) {
    double rate, last, n;
    if (strchr(text, '/') && number_parse_range(text, &rate, &last, &n))
        return add_range(r, text, rate, last, n, error);
    if (read_number(text, &rate))
        return add_rate(r, rate, "%.10g", error);
    return jm_fail(error, command,
                   "--rates: '%s' is neither a rate nor A..B/N, such as "
                   "0.001..0.02/12",
                   text);
}

/* Adds the rates of --rates, separated by commas. */
static bool add_rates(Request *r, JmError *error) {
    for (const char *at = r->rates; at; at = *at ? at + 1 : NULL) {
        char text[ENTRY_MAX];
        const size_t length = strcspn(at, ",");
        if (length >= sizeof text)
            return jm_fail(error, command, "--rates: '%.40s...' is too long", at);
        memcpy(text, at, length);
        text[length] = 0;
        if (!add_entry(r, text, error))
            return false;
        at += length;
    }
    return true;
}

/* ---- options --------------------------------------------------------------------- */

/* Finds the range of the workload's rate. */
static bool find_range(RateSweep *sweep, JmError *error) {
    NetOptionValues values;
    const char *text = sweep->load.workload;
    const NetWorkload *rows = net_workload_read(text, &values, error);
    if (!rows)
        return false;
    const NetOption *option = net_workload_option(rows, "rate");
    if (!option)
        return jm_fail(error, command,
                       "--workload %s: this has no rate to sweep; jm "
                       "net list shows which have one",
                       rows->name);
    if (strstr(text, ",rate="))
        return jm_fail(error, command, "--workload %s: its rate is what --rates gives",
                       text);
    sweep->low = option->low;
    sweep->high = option->high;
    return true;
}

/* Makes the network once, so that a contradictory request is refused before any
 * run. */
static bool try_load(Request *r, JmError *error) {
    NetLoad load = r->sweep.load;
    const bool good = net_load_create(&load, error);
    if (good) {
        r->processors = net_processor_count(load.net);
        r->engine = net_engine_name(load.net);
    }
    if (good && (r->path[LINKS] || r->path[MAP])) {
        net_wires_create(&r->wires, load.net);
        r->sweep.wires = &r->wires;
    }
    net_load_destroy(&load);
    return good;
}

static char *key_of(const Request *r) {
    const NetLoad *load = &r->sweep.load;
    return memory_text("%s %s cycles=%" PRIu64 " warmup=%" PRIu64
                       " backlog=%u seed=%u param=%s%s",
                       load->topology, load->workload, load->window.cycles,
                       load->window.warmup, load->window.backlog, load->seed,
                       r->param ? r->param : "", r->sweep.wires ? " wires" : "");
}

/* Checks that options agree with each other. */
static bool check_options(const Request *r, JmError *error) {
    const char *out = r->path[CSV];
    if (r->resumes && (!out || strcmp(out, "-") == 0))
        return jm_fail(error, command,
                       "--resume needs the --out FILE of the sweep that it continues");
    const NetWindow *window = &r->sweep.load.window;
    return (window->cycles > window->warmup &&
            window->cycles - window->warmup >= window->batches) ||
           jm_fail(error, command,
                   "%" PRIu64 " cycles with a warm-up of %" PRIu64
                   " are too few for %u batches",
                   window->cycles, window->warmup, window->batches);
}

static bool check_request(Request *r, JmError *error) {
    RateSweep *sweep = &r->sweep;
    NetWindow *window = &sweep->load.window;
    if (!option_is_given(&frame.options, r->asked.given, "warm-up"))
        window->warmup = window->cycles / 5;
    if (!check_options(r, error) ||
        !net_parameters_set(&sweep->load, r->param, command, error) ||
        !find_range(sweep, error) || !add_rates(r, error) || !try_load(r, error))
        return false;
    sweep->key = key_of(r);
    return !r->path[MAP] || net_wires_can_map(&r->wires, command, error);
}

/* ---- text ------------------------------------------------------------------------ */

static void print_row(const ModelRate *row) {
    char width[32] = "";
    if (isfinite(row->half_width))
        snprintf(width, sizeof width, "+- %.3g", row->half_width);
    printf("  %-10.6g %10.5g %10.5g %-10s %6.0f %6.0f %6.0f  %s\n", row->rate,
           row->accepted, row->latency, width, row->p50, row->p95, row->p99,
           net_run_state_name(row->state));
}

static void print_limit(const char *what, double rate) {
    if (isfinite(rate))
        printf("%s: rate %.4g\n", what, rate);
    else
        printf("%s: none found\n", what);
}

static void print(const Request *r) {
    const RateSweep *sweep = &r->sweep;
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(sweep->load.topology),
           JM_SHOWN(sweep->load.workload), r->processors, r->engine);
    printf("%" PRIu64 " cycles, %" PRIu64 " of them to warm up, at each of %zu rates\n",
           sweep->load.window.cycles, sweep->load.window.warmup, sweep->rates.count);
    printf("  %-10s %10s %10s %-10s %6s %6s %6s\n", "rate", "accepted", "latency", "",
           "p50", "p95", "p99");
    for (size_t i = 0; i < sweep->rates.count; i++)
        print_row(&sweep->rates.row[i]);
    if (!r->saturates)
        return;
    printf("latency at zero load: %.5g cycles\n", r->saturation.zero_load);
    print_limit("saturation, at three times that", r->saturation.triple);
    print_limit("highest rate that settles", r->saturation.settled);
}

/* ---- files ----------------------------------------------------------------------- */

static bool write_csv(const Rates *rates, JmOutFile *file, JmError *error) {
    put_csv_head(file->stream);
    for (size_t i = 0; i < rates->count; i++)
        put_csv(&rates->row[i], file->stream);
    return jm_outfile_commit(file, error);
}

static json_t *to_json(const Request *r) {
    const NetLoad *load = &r->sweep.load;
    json_t *rows = json_array();
    for (size_t i = 0; i < r->sweep.rates.count; i++)
        json_array_append_new(rows, rate_to_json(&r->sweep.rates.row[i]));
    json_t *saturation = json_null();
    if (r->saturates)
        saturation = json_pack("{s:o,s:o,s:o}", "zero_load_latency",
                               jvalue_number(r->saturation.zero_load), "triple_rate",
                               jvalue_number(r->saturation.triple), "settled_rate",
                               jvalue_number(r->saturation.settled));
    return json_pack(
        "{s:o,s:o,s:I,s:I,s:I,s:o,s:o}", "topology", jvalue_text(load->topology),
        "workload_text", jvalue_text(load->workload), "cycles",
        (json_int_t)load->window.cycles, "warmup", (json_int_t)load->window.warmup,
        "seed", (json_int_t)load->seed, "rates", rows, "saturation", saturation);
}

/* ---- pictures and wires ---------------------------------------------------------- */

/* The title of a picture. */
static char *title_of(const Request *r, const char *what) {
    return memory_text("%s%s, %s", what, JM_SHOWN(r->sweep.load.topology),
                       JM_SHOWN(r->sweep.load.workload));
}

/* Latencies above this many times the lowest are off the plot. */
enum { PLOT_HEIGHT = 8 };

/* Writes the rates as data of a script, and the range of latencies to show. */
static void put_rates(const Rates *rates, FILE *out) {
    double low = INFINITY, high = 0;
    fputs("$rates << END\n", out);
    put_csv_head(out);
    for (size_t i = 0; i < rates->count; i++) {
        put_csv(&rates->row[i], out);
        low = fmin(low, rates->row[i].latency);
        high = fmax(high, rates->row[i].p99);
    }
    fputs("END\n", out);
    if (high > PLOT_HEIGHT * low)
        fprintf(out, "yrange = '[0:%g]'\n", PLOT_HEIGHT * low);
    else
        fputs("yrange = '[0:*]'\n", out);
}

static bool draw_plot(Request *r, JmError *error) {
    char *text = NULL, *title = title_of(r, "");
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    put_rates(&r->sweep.rates, out);
    gnuplot_title(out, title);
    if (r->saturates && isfinite(r->saturation.triple))
        fprintf(out, "triple = %g\n", r->saturation.triple);
    fputs("xlabel = 'rate, messages a cycle and node'\nylabel = 'latency, cycles'\n"
          "xrange = '[0:*]'\n",
          out);
    gnuplot_template(out, "style");
    gnuplot_template(out, "rates");
    fclose(out);
    const bool good = gnuplot_draw(text, &r->file[PLOT], error);
    free(text);
    free(title);
    return good;
}

/* Returns the channels' counts at a rate. */
static NetWireCounts counts_at(const Request *r, const ModelRate *row,
                               NetChannelCounts *channels) {
    const double warmup = (double)r->sweep.load.window.warmup;
    read_counts(&r->sweep, record_of(&r->sweep, row->rate), channels);
    return (NetWireCounts){channels, fmax(row->cycles - warmup, 0)};
}

static bool write_links(Request *r, JmError *error) {
    const Rates *rates = &r->sweep.rates;
    NetChannelCounts *channels = memory_array(r->wires.channels, sizeof *channels);
    net_wires_csv_head(true, r->file[LINKS].stream);
    for (size_t i = 0; i < rates->count; i++) {
        const NetWireCounts counts = counts_at(r, &rates->row[i], channels);
        net_wires_csv(&r->wires, &counts, &rates->row[i].rate, r->file[LINKS].stream);
    }
    free(channels);
    return jm_outfile_commit(&r->file[LINKS], error);
}

/* The highest rate that has settled; if none has, the highest. */
static const ModelRate *highest_settled(const Rates *rates) {
    for (size_t i = rates->count; i-- > 0;)
        if (rates->row[i].state == NET_RUN_SETTLED)
            return &rates->row[i];
    return &rates->row[rates->count - 1];
}

static bool draw_map(Request *r, JmError *error) {
    const ModelRate *row = highest_settled(&r->sweep.rates);
    NetChannelCounts *channels = memory_array(r->wires.channels, sizeof *channels);
    const NetWireCounts counts = counts_at(r, row, channels);
    char *what = memory_text("busy wires at rate %g: ", row->rate);
    char *title = title_of(r, what);
    const bool good = net_wires_map(&r->wires, &counts, title, &r->file[MAP], error);
    free(what);
    free(title);
    free(channels);
    return good;
}

static bool report(Request *r, JmError *error) {
    if (outputs_leave_text(&frame.options, r))
        print(r);
    return (!r->file[CSV].stream || write_csv(&r->sweep.rates, &r->file[CSV], error)) &&
           (!r->file[JSON].stream ||
            model_commit_json(&r->file[JSON], to_json(r), error)) &&
           (!r->file[LINKS].stream || write_links(r, error)) &&
           (!r->file[PLOT].stream || draw_plot(r, error)) &&
           (!r->file[MAP].stream || draw_map(r, error));
}

/* Opens the results and, if the rates go to a file, the journal beside it. */
static bool open_files(Request *r, JmError *error) {
    const char *out = r->path[CSV];
    Output outputs[FILES];
    for (unsigned i = 0; i < FILES; i++)
        outputs[i] = (Output){&r->file[i], r->path[i]};
    if (!outputs_open(outputs, FILES, NULL, error) ||
        ((r->file[PLOT].stream || r->file[MAP].stream) && !gnuplot_check(error)))
        return false;
    if (!r->file[CSV].stream || !r->file[CSV].path || strcmp(out, "-") == 0)
        return true;
    r->journal_path = memory_text("%s.runs.jsonl", out);
    r->sweep.journal =
        journal_open(r->journal_path, r->resumes, take_record, &r->sweep, error);
    return r->sweep.journal;
}

/* ---- the command ----------------------------------------------------------------- */

/* Prints how to continue a sweep that was stopped. */
static void explain(const Request *r) {
    size_t done = 0;
    for (size_t i = 0; i < r->sweep.rates.count; i++)
        done += r->sweep.rates.row[i].done;
    fprintf(stderr, "%s: interrupted: %zu of %zu rates are done%s\n", command, done,
            r->sweep.rates.count,
            r->journal_path ? " and kept; the same command with --resume goes on" : "");
}

static bool sweep_all(Request *r, JmError *error) {
    return r->saturates ? find_saturation(&r->sweep, &r->saturation, error)
                        : run_missing(&r->sweep, error);
}

static int status_of(const Rates *rates) {
    for (size_t i = 0; i < rates->count; i++)
        if (rates->row[i].state == NET_RUN_SETTLED)
            return EXIT_SUCCESS;
    return NET_EXIT_UNSETTLED;
}

/* Under MPI every rank comes here; only the leader has files and prints. */
static int sweep(Request *r, JmError *error) {
    const bool leads = ranks_leads(r->sweep.ranks);
    bool good =
        option_need(&frame.options, r->asked.given, "topology|workload|rates", error) &&
        check_request(r, error) && (!leads || open_files(r, error));
    ranks_share(r->sweep.ranks, &good, sizeof good);
    if (!good)
        return EXIT_USAGE;
    r->sweep.quiet |= !leads;
    good = sweep_all(r, error);
    if (!leads)
        return good ? EXIT_SUCCESS : EXIT_USAGE;
    if (!good && signals_pending())
        explain(r);
    else if (good)
        good = report(r, error);
    if (!good)
        return EXIT_USAGE;
    if (r->journal_path)
        unlink(r->journal_path);
    return status_of(&r->sweep.rates);
}

static int run(Request *r) {
    JmError error = {.offset = -1};
    r->sweep.records = json_object();
    r->sweep.ranks = ranks_open();
    int status = sweep(r, &error);
    if (status == EXIT_USAGE && signals_pending())
        status = 128 + signals_pending();
    else if (status == EXIT_USAGE && ranks_leads(r->sweep.ranks))
        host_report_for(command, &error);
    for (unsigned i = 0; i < FILES; i++)
        jm_outfile_drop(&r->file[i]);
    journal_close(r->sweep.journal);
    ranks_close(r->sweep.ranks);
    free(r->journal_path);
    free_sweep(&r->sweep);
    net_wires_destroy(&r->wires);
    return status;
}

/* Under mpirun, replaces a jm without MPI by jm-mpi: ranks_become(). */
static bool become(int argc, char **argv, JmError *error) {
    char **whole = memory_array((size_t)argc + 1, sizeof *whole);
    char net[] = "net";
    whole[0] = net;
    memcpy(whole + 1, argv, (size_t)argc * sizeof *argv);
    const bool good = ranks_become(argc + 1, whole, error);
    free(whole);
    return good;
}

int net_command_sweep(int argc, char **argv) {
    Request request = {.sweep = {.load = {.params = net_params_default(),
                                          .seed = 1,
                                          .window = {.cycles = 100000,
                                                     .batches = NET_WINDOW_BATCHES,
                                                     .backlog = SWEEP_BACKLOG}},
                                 .jobs = host_processors(JOBS_MAX)}};
    JmError error;
    if (!become(argc, argv, &error)) {
        host_report_for(command, &error);
        return EXIT_USAGE;
    }
    const int status = frame_options(&frame, argc, argv, &request);
    return status == FRAME_GO_ON ? run(&request) : status;
}
