/* The command `jm net sweep`: a network under a workload at one rate after another. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/printable.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/outputs.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"
#include "tools/net/sweep_runs.h"
#include "tools/report/draw/gnuplot.h"

static const char command[] = "jm net sweep";

/* Less than that of a single run: a sweep often goes far beyond saturation, where the
 * cycles of a run cost most and say least. */
enum { SWEEP_BACKLOG = 1000 };

/* What is asked, and the files of the results. */
typedef struct {
    ModelRequest line;
    NetSweep sweep;
    NetSaturation saturation;
    unsigned processors;
    const char *engine;
    char *journal_path; /* NULL: no journal */
    NetWires wires;     /* if --links or --map is given */
    JmOutFile csv, json, plot, links, map;
} Request;

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
    NetSweep *sweep = &r->sweep;
    char text[32];
    snprintf(text, sizeof text, format, rate);
    rate = strtod(text, NULL);
    if (rate < sweep->low || rate > sweep->high)
        return jm_fail(error, command, "--rates: %s is not from %g to %g", text,
                       sweep->low, sweep->high);
    net_sweep_add(sweep, rate);
    return sweep->rates.count <= RATES_MAX ||
           jm_fail(error, command, "--rates: these are more than %d", RATES_MAX);
}

/* Adds A..B/N; `dots` and `slash` are its second and third part. Below 1, N is a
 * step. */
static bool add_range(Request *r, char *text, char *dots, char *slash, JmError *error) {
    double first, last, n;
    *dots = *slash = 0;
    if (!read_number(text, &first) || !read_number(dots + 2, &last) ||
        !read_number(slash + 1, &n) || last <= first || n <= 0 ||
        (n >= 1 && (n < 2 || n != floor(n) || n > RATES_MAX)) ||
        (n < 1 && (last - first) / n > RATES_MAX))
        return jm_fail(error, command,
                       "--rates %s..%s/%s: in A..B/N, A is below B, and N is the "
                       "number of rates, or below 1 the step",
                       text, dots + 2, slash + 1);
    const double step = n < 1 ? n : (last - first) / (n - 1);
    const unsigned count = (unsigned)((last - first) / step + 1e-6) + 1;
    for (unsigned i = 0; i < count; i++)
        if (!add_rate(r, first + i * step, n < 1 ? "%.10g" : "%.6g", error))
            return false;
    return true;
}

static bool add_entry(Request *r, char *text, JmError *error) {
    char *dots = strstr(text, ".."), *slash = dots ? strchr(dots, '/') : NULL;
    double rate;
    if (slash)
        return add_range(r, text, dots, slash, error);
    if (read_number(text, &rate))
        return add_rate(r, rate, "%.10g", error);
    return jm_fail(error, command,
                   "--rates: '%s' is neither a rate nor A..B/N, such as "
                   "0.001..0.02/12",
                   text);
}

/* Adds the rates of --rates, separated by commas. */
static bool add_rates(Request *r, JmError *error) {
    for (const char *at = model_given(&r->line, "rates"); at;
         at = *at ? at + 1 : NULL) {
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
static bool find_range(NetSweep *sweep, JmError *error) {
    NetWorkloadValues values;
    const char *text = sweep->load.workload;
    const NetWorkload *rows = net_workload_read(text, &values, error);
    if (!rows)
        return false;
    const NetWorkloadOption *option = net_workload_option(rows, "rate");
    if (!option)
        return jm_fail(error, command,
                       "--workload %s: this has no rate to sweep; jm "
                       "net list tells which have one",
                       rows->name);
    if (strstr(text, ",rate="))
        return jm_fail(error, command, "--workload %s: its rate is what --rates gives",
                       text);
    sweep->low = option->low;
    sweep->high = option->high;
    return true;
}

/* Makes the network once, so that what does not fit together is refused before any
 * run. */
static bool try_load(Request *r, JmError *error) {
    NetLoad load = r->sweep.load;
    const bool good = net_load_create(&load, error);
    if (good) {
        r->processors = net_processor_count(load.net);
        r->engine = net_engine_name(load.net);
    }
    if (good && (model_given(&r->line, "links") || model_given(&r->line, "map"))) {
        net_wires_create(&r->wires, load.net);
        r->sweep.wires = &r->wires;
    }
    net_load_destroy(&load);
    return good;
}

static char *key_of(const Request *r) {
    const NetLoad *load = &r->sweep.load;
    const char *param = model_given(&r->line, "param");
    return memory_text("%s %s cycles=%" PRIu64 " warmup=%" PRIu64
                       " backlog=%u seed=%u param=%s%s",
                       load->topology, load->workload, load->window.cycles,
                       load->window.warmup, load->window.backlog, load->seed,
                       param ? param : "", r->sweep.wires ? " wires" : "");
}

/* Which options must be given, and which go together. */
static bool check_options(const Request *r, JmError *error) {
    static const char *const needed[] = {"topology", "workload", "rates"};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!model_given(&r->line, needed[i]))
            return jm_fail(error, command, "--%s is missing", needed[i]);
    const char *out = model_given(&r->line, "out");
    if (model_given(&r->line, "resume") && (!out || strcmp(out, "-") == 0))
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

static unsigned processors_here(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

static bool read_options(Request *r, JmError *error) {
    const ModelRequest *line = &r->line;
    const unsigned cycles = model_count(line, "cycles", 100000);
    NetSweep *sweep = &r->sweep;
    sweep->load =
        (NetLoad){.topology = model_given(line, "topology"),
                  .workload = model_given(line, "workload"),
                  .params = net_params_default(),
                  .seed = model_count(line, "seed", 1),
                  .window = {.warmup = model_count(line, "warmup", cycles / 5),
                             .cycles = cycles,
                             .batches = NET_WINDOW_BATCHES,
                             .backlog = model_count(line, "backlog", SWEEP_BACKLOG)}};
    sweep->jobs = model_count(line, "jobs", processors_here());
    if (!check_options(r, error) ||
        !net_parameters_set(&sweep->load, model_given(line, "param"), command, error) ||
        !find_range(sweep, error) || !add_rates(r, error) || !try_load(r, error))
        return false;
    sweep->key = key_of(r);
    return !model_given(line, "map") || net_wires_can_map(&r->wires, command, error);
}

/* ---- text ------------------------------------------------------------------------ */

static void print_row(const NetRate *row) {
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
    const NetSweep *sweep = &r->sweep;
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(sweep->load.topology),
           JM_SHOWN(sweep->load.workload), r->processors, r->engine);
    printf("%" PRIu64 " cycles, %" PRIu64 " of them to warm up, at each of %zu rates\n",
           sweep->load.window.cycles, sweep->load.window.warmup, sweep->rates.count);
    printf("  %-10s %10s %10s %-10s %6s %6s %6s\n", "rate", "accepted", "latency", "",
           "p50", "p95", "p99");
    for (size_t i = 0; i < sweep->rates.count; i++)
        print_row(&sweep->rates.row[i]);
    if (!model_given(&r->line, "saturation"))
        return;
    printf("latency at zero load: %.5g cycles\n", r->saturation.zero_load);
    print_limit("saturation, at three times that", r->saturation.triple);
    print_limit("highest rate that settles", r->saturation.settled);
}

/* ---- files ----------------------------------------------------------------------- */

static bool write_csv(const NetRates *rates, JmOutFile *file, JmError *error) {
    net_rate_csv_head(file->stream);
    for (size_t i = 0; i < rates->count; i++)
        net_rate_csv(&rates->row[i], file->stream);
    return jm_outfile_commit(file, error);
}

static json_t *to_json(const Request *r) {
    const NetLoad *load = &r->sweep.load;
    json_t *rows = json_array();
    for (size_t i = 0; i < r->sweep.rates.count; i++)
        json_array_append_new(rows, net_rate_to_json(&r->sweep.rates.row[i]));
    json_t *saturation = json_null();
    if (model_given(&r->line, "saturation"))
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

/* Whether standard output is free for text. */
static bool has_text(const Request *r) {
    static const char *const files[] = {"out", "json", "plot", "links", "map"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char *path = model_given(&r->line, files[i]);
        if (path && strcmp(path, "-") == 0)
            return false;
    }
    return true;
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
static void put_rates(const NetRates *rates, FILE *out) {
    double low = INFINITY, high = 0;
    fputs("$rates << END\n", out);
    net_rate_csv_head(out);
    for (size_t i = 0; i < rates->count; i++) {
        net_rate_csv(&rates->row[i], out);
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
    gnuplot_text(out, "title_text", title);
    if (model_given(&r->line, "saturation") && isfinite(r->saturation.triple))
        fprintf(out, "triple = %g\n", r->saturation.triple);
    fputs("xlabel = 'rate, messages a cycle and node'\nylabel = 'latency, cycles'\n"
          "xrange = '[0:*]'\n",
          out);
    gnuplot_template(out, "style");
    gnuplot_template(out, "rates");
    fclose(out);
    const bool good = gnuplot_draw(text, &r->plot, error);
    free(text);
    free(title);
    return good;
}

/* What the channels have counted at a rate. */
static NetWireCounts counts_at(const Request *r, const NetRate *row,
                               NetChannelCounts *channels) {
    const double warmup = (double)r->sweep.load.window.warmup;
    net_sweep_counts(&r->sweep, row->rate, channels);
    return (NetWireCounts){channels, fmax(row->cycles - warmup, 0)};
}

static bool write_links(Request *r, JmError *error) {
    const NetRates *rates = &r->sweep.rates;
    NetChannelCounts *channels = memory_array(r->wires.channels, sizeof *channels);
    net_wires_csv_head(true, r->links.stream);
    for (size_t i = 0; i < rates->count; i++) {
        const NetWireCounts counts = counts_at(r, &rates->row[i], channels);
        net_wires_csv(&r->wires, &counts, &rates->row[i].rate, r->links.stream);
    }
    free(channels);
    return jm_outfile_commit(&r->links, error);
}

/* The highest rate that has settled; if none has, the highest. */
static const NetRate *highest_settled(const NetRates *rates) {
    for (size_t i = rates->count; i-- > 0;)
        if (rates->row[i].state == NET_RUN_SETTLED)
            return &rates->row[i];
    return &rates->row[rates->count - 1];
}

static bool draw_map(Request *r, JmError *error) {
    const NetRate *row = highest_settled(&r->sweep.rates);
    NetChannelCounts *channels = memory_array(r->wires.channels, sizeof *channels);
    const NetWireCounts counts = counts_at(r, row, channels);
    char *what = memory_text("busy wires at rate %g: ", row->rate);
    char *title = title_of(r, what);
    const bool good = net_wires_map(&r->wires, &counts, title, &r->map, error);
    free(what);
    free(title);
    free(channels);
    return good;
}

static bool report(Request *r, JmError *error) {
    if (has_text(r))
        print(r);
    return (!r->csv.stream || write_csv(&r->sweep.rates, &r->csv, error)) &&
           (!r->json.stream || model_commit_json(&r->json, to_json(r), error)) &&
           (!r->links.stream || write_links(r, error)) &&
           (!r->plot.stream || draw_plot(r, error)) &&
           (!r->map.stream || draw_map(r, error));
}

/* Opens the results and, if the rates go to a file, the journal beside it. */
static bool open_files(Request *r, JmError *error) {
    const char *out = model_given(&r->line, "out");
    const Output outputs[] = {{&r->csv, out},
                              {&r->json, model_given(&r->line, "json")},
                              {&r->plot, model_given(&r->line, "plot")},
                              {&r->links, model_given(&r->line, "links")},
                              {&r->map, model_given(&r->line, "map")}};
    if (!outputs_open(outputs, sizeof outputs / sizeof outputs[0], NULL, error) ||
        ((r->plot.stream || r->map.stream) && !gnuplot_check(error)))
        return false;
    if (!r->csv.stream || !r->csv.path || strcmp(out, "-") == 0)
        return true;
    r->journal_path = memory_text("%s.runs.jsonl", out);
    r->sweep.journal = journal_open(r->journal_path, model_given(&r->line, "resume"),
                                    net_sweep_take, &r->sweep, error);
    return r->sweep.journal;
}

/* ---- the command ----------------------------------------------------------------- */

static void help(const ModelRequest *line) {
    printf(
        "Usage: %s --topology SPEC --workload SPEC --rates A..B/N [OPTION]...\n"
        "Runs a network under a workload at each rate, as jm net run does, and shows\n"
        "latency, what is accepted, and whether it has settled. Percentiles are "
        "exact\nup to 8191 cycles. The status is 3 if no rate has settled.\n\n",
        command);
    model_help(line);
    puts("Under mpirun the runs go to all ranks instead of --jobs processes.");
}

/* Says how a sweep that was stopped goes on. */
static void explain(const Request *r) {
    size_t done = 0;
    for (size_t i = 0; i < r->sweep.rates.count; i++)
        done += r->sweep.rates.row[i].done;
    fprintf(stderr, "%s: interrupted: %zu of %zu rates are done%s\n", command, done,
            r->sweep.rates.count,
            r->journal_path ? " and kept; the same command with --resume goes on" : "");
}

static bool sweep_all(Request *r, JmError *error) {
    return model_given(&r->line, "saturation")
               ? net_sweep_saturation(&r->sweep, &r->saturation, error)
               : net_sweep_run(&r->sweep, error);
}

static int status_of(const NetRates *rates) {
    for (size_t i = 0; i < rates->count; i++)
        if (rates->row[i].state == NET_RUN_SETTLED)
            return EXIT_SUCCESS;
    return NET_EXIT_UNSETTLED;
}

/* Under MPI every rank comes here; only the leader has files and prints. */
static int sweep(Request *r, JmError *error) {
    const bool leads = ranks_leads(r->sweep.ranks);
    bool good = read_options(r, error) && (!leads || open_files(r, error));
    ranks_share(r->sweep.ranks, &good, sizeof good);
    if (!good)
        return EXIT_USAGE;
    r->sweep.progress = progress_start(model_given(&r->line, "quiet") || !leads, 1);
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
    r->sweep.ranks = ranks_open(&error);
    int status = error.text[0] ? EXIT_USAGE : sweep(r, &error);
    if (status == EXIT_USAGE && signals_pending())
        status = 128 + signals_pending();
    else if (status == EXIT_USAGE && ranks_leads(r->sweep.ranks))
        host_report_for("jm net sweep", &error);
    jm_outfile_drop(&r->csv);
    jm_outfile_drop(&r->json);
    jm_outfile_drop(&r->plot);
    jm_outfile_drop(&r->links);
    jm_outfile_drop(&r->map);
    journal_close(r->sweep.journal);
    ranks_close(r->sweep.ranks);
    free(r->journal_path);
    net_sweep_free(&r->sweep);
    net_wires_destroy(&r->wires);
    return status;
}

/* Under mpirun, goes on in the jm that is linked with MPI. */
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
    Request request = {0};
    JmError error;
    if (!become(argc, argv, &error) ||
        !model_parse(&request.line, "sweep", command, argc, argv, &error))
        return model_end(&request.line, false, &error);
    if (model_given(&request.line, "help")) {
        help(&request.line);
        return EXIT_SUCCESS;
    }
    return run(&request);
}
