/* The command `jm net run`: loads a network with traffic and measures it, or runs
 * message-passing programs to their end. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "net/circle.h"
#include "net/programs/replay.h"
#include "tools/exp/models/solve.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"
#include "tools/host/outputs.h"
#include "tools/host/progress.h"
#include "tools/host/signals.h"
#include "tools/host/values.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"
#include "tools/net/wires.h"
#include "tools/report/draw/gnuplot.h"

static const char command[] = "jm net run";

/* The files of the results; JSON is standard output. */
enum { JSON, STATS, LINKS, MAP, FILES };

/* A run: its options, its measurements, and its files. */
typedef struct {
    FrameAsked asked;
    const char *param, *stats, *links, *map, *save_at, *restore; /* NULL: not given */
    bool json, quiet;
    NetLoad load;
    uint32_t cycles, warmup, batches, backlog;
    char *texts[2]; /* of a restored run: topology, workload */
    int signal;     /* signal that ended the run early; 0: none */
    Progress progress;
    NetVerdict verdict;
    JmInputs inputs; /* files that it has read */
    JmOutFile file[FILES];
    NetWires wires; /* if --links or --map is given */
} Run;

#define OPTIONS "tools/net/run.def"
#define OPTION_FIELDS Run
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = command, OPTION_TABLE, .alone = true},
    .column = MODEL_COLUMN,
    .head =
        "Usage: jm net run --topology SPEC --workload SPEC [OPTION]...\n"
        "Loads a network with traffic, cycle by cycle, and measures it: means behind\n"
        "a warm-up, with 95 % confidence intervals by batch means if the run has\n"
        "settled; else the status is 3.\n",
};

static bool was_given(const Run *run, const char *option) {
    return option_is_given(&frame.options, run->asked.given, option);
}

/* Whether standard output is for text. */
static bool has_text(const Run *run) {
    return !run->json && outputs_leave_text(&frame.options, run);
}

/* ---- text ------------------------------------------------------------------------ */

/* Prints nothing for a measure without a value, such as the latency of no messages. */
static void print_row(const Run *run, const char *name, NetEstimate estimate,
                      const char *unit) {
    char width[32] = "";
    if (isfinite(model_half_width(run->verdict.state, estimate)))
        snprintf(width, sizeof width, "+- %.3g",
                 model_half_width(run->verdict.state, estimate));
    if (isfinite(estimate.mean))
        printf("  %-24s %12.6g %-13s %s\n", name, estimate.mean, width, unit);
}

/* Why the run has not settled, with the numbers. */
static void print_reason(const Run *run) {
    const NetVerdict *v = &run->verdict;
    const NetWindow *window = &run->load.window;
    const unsigned batches = net_window_measured(window);
    const double processors = net_processor_count(run->load.net);
    if (window->locked)
        printf("messages wait in a circle after %" PRIu64 " cycles",
               net_now(run->load.net));
    else if (window->full)
        printf("%u messages wait for one source after %" PRIu64 " cycles",
               net_traffic_backlog(run->load.traffic), net_now(run->load.net));
    else if (v->state == NET_RUN_SATURATED)
        printf("accepted %#.3g of %#.3g offered", v->accepted / processors,
               v->offered / processors);
    else if (v->state == NET_RUN_WARMING)
        printf("latency rises by %.3g +- %.2g cycles in 1000", 1000 * v->slope,
               1000 * v->error);
    else if (v->state == NET_RUN_CORRELATED)
        printf("batches have a correlation of %.2g", v->latency.r);
    else if (batches < NET_WINDOW_BATCHES)
        printf("%u batches, it takes %d", batches, NET_WINDOW_BATCHES);
    else if (!v->latency.known)
        printf("batches without messages");
    else
        printf("a window of %" PRIu64 " cycles, %.3g are needed",
               net_window_end(window, NET_WINDOW_PARTS * batches) - window->warmup,
               v->needed);
}

static void print_state(const Run *run) {
    const NetVerdict *v = &run->verdict;
    if (v->state == NET_RUN_SETTLED) {
        printf("settled: 95 %% intervals from %u parts with a correlation of %.2g\n",
               v->latency.count, v->latency.r);
        return;
    }
    printf("not settled: ");
    print_reason(run);
    printf(" (%s)\n", net_run_state_name(v->state));
}

/* Whether messages have the flits that were asked for, or more, to be whole words. */
static void print_length(const Run *run) {
    const Net *net = run->load.net;
    const NetWorkload *rows = run->load.rows;
    NetOptionValues values;
    if (!net_workload_option(rows, "length"))
        return;
    net_workload_read(run->load.workload, &values, NULL);
    const unsigned asked = (unsigned)net_workload_value(rows, &values, "length");
    const unsigned flits = net_traffic_flits(run->load.traffic, asked);
    const unsigned word = net_flits_per_word(net), header = net_header_flits(net);
    if (flits != asked)
        printf("messages of %u flits go as %u: %u of header and %u words of %u\n",
               asked, flits, header, (flits - header) / word, word);
}

static void print(const Run *run, const NetEstimate *estimates) {
    printf("%s, %s: %u processors, %s engine\n", JM_SHOWN(run->load.topology),
           JM_SHOWN(run->load.workload), net_processor_count(run->load.net),
           net_engine_name(run->load.net));
    printf("%u cycles, %u of them to warm up; %u batches\n", run->cycles, run->warmup,
           run->batches);
    if (run->signal)
        printf("INTERRUPTED after %" PRIu64 " cycles: %u of %u batches measured\n",
               net_now(run->load.net), net_window_measured(&run->load.window),
               run->batches);
    print_length(run);
    print_state(run);
    print_row(run, "latency", estimates[NET_VALUE_LATENCY], "cycles");
    print_row(run, "throughput", estimates[NET_VALUE_THROUGHPUT],
              "messages/cycle/processor");
    estimates += NET_VALUE_OWN;
    for (const NetMeasure *m = run->load.rows->measures; m->name; m++)
        print_row(run, m->name, *estimates++, m->unit);
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *estimate_json(const Run *run, NetEstimate estimate) {
    return json_pack("{s:o,s:o}", "mean", jvalue_number(estimate.mean), "half_width",
                     jvalue_number(model_half_width(run->verdict.state, estimate)));
}

static json_t *measures_json(const Run *run, const NetEstimate *measures) {
    json_t *object = json_object();
    for (unsigned i = 0; run->load.rows->measures[i].name; i++)
        json_object_set_new(object, run->load.rows->measures[i].name,
                            estimate_json(run, measures[i]));
    return object;
}

/* Flits that have crossed the wires of each group of the topology, since cycle 0. */
static json_t *groups_json(const Net *net) {
    json_t *object = json_object();
    for (unsigned i = 0; i < net_group_count(net); i++)
        json_object_set_new(object, net_group_name(net, i),
                            json_integer((json_int_t)net_group_flits(net, i)));
    return object;
}

/* A value for each processor, in percent; an empty array if the workload has none. */
static json_t *processors_json(const Run *run) {
    json_t *array = json_array();
    const unsigned count = net_processor_count(run->load.net);
    double *values = memory_array(count, sizeof *values);
    const bool any = net_window_map(&run->load.window, values);
    for (unsigned i = 0; any && i < count; i++)
        json_array_append_new(array, jvalue_number(values[i]));
    free(values);
    return array;
}

static json_t *to_json(const Run *run, const NetEstimate *estimates) {
    const NetTrafficCounts counts = net_traffic_counts(run->load.traffic);
    return json_pack(
        "{s:o,s:o,s:b,s:o,s:I,s:I,s:i,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->load.topology), "workload_text",
        jvalue_text(run->load.workload), "complete",
        net_now(run->load.net) == run->cycles, "state",
        jvalue_text(net_run_state_name(run->verdict.state)), "cycles",
        (json_int_t)net_now(run->load.net), "warmup", (json_int_t)run->warmup,
        "batches", (int)net_window_measured(&run->load.window), "seed",
        (json_int_t)run->load.seed, "messages", (json_int_t)counts.arrived, "latency",
        estimate_json(run, estimates[NET_VALUE_LATENCY]), "throughput",
        estimate_json(run, estimates[NET_VALUE_THROUGHPUT]), "workload",
        measures_json(run, estimates + NET_VALUE_OWN), "processors",
        processors_json(run), "groups", groups_json(run->load.net));
}

/* ---- files ----------------------------------------------------------------------- */

static bool open_files(Run *run, JmError *error) {
    const char *json = run->json ? "-" : NULL, *stats = run->stats;
    const Output outputs[FILES] = {
        [JSON] = {&run->file[JSON], json},
        [STATS] = {&run->file[STATS],
                   json && stats && strcmp(stats, "-") == 0 ? NULL : stats},
        [LINKS] = {&run->file[LINKS], run->links},
        [MAP] = {&run->file[MAP], run->map}};
    return outputs_open(outputs, FILES, &run->inputs, error);
}

static bool put_json(Run *run, json_t *root, JmError *error) {
    bool good = true;
    for (unsigned i = JSON; i <= STATS; i++)
        if (good && run->file[i].stream)
            good = model_commit_json(&run->file[i], json_incref(root), error);
    json_decref(root);
    return good;
}

static bool put_wires(Run *run, JmError *error) {
    NetWindow *window = &run->load.window;
    net_window_count_channels(window);
    const NetWireCounts counts = {window->channels, (double)net_window_done(window)};
    if (run->file[LINKS].stream) {
        net_wires_csv_head(false, run->file[LINKS].stream);
        net_wires_csv(&run->wires, &counts, NULL, run->file[LINKS].stream);
        if (!jm_outfile_commit(&run->file[LINKS], error))
            return false;
    }
    if (!run->file[MAP].stream)
        return true;
    char *title = memory_text("busy wires: %s, %s", JM_SHOWN(run->load.topology),
                              JM_SHOWN(run->load.workload));
    const bool good =
        net_wires_map(&run->wires, &counts, title, &run->file[MAP], error);
    free(title);
    return good;
}

static bool report(Run *run, JmError *error) {
    NetEstimate estimates[NET_VALUES];
    net_window_estimate(&run->load.window, NET_ERROR_PARTS, estimates);
    if (has_text(run))
        print(run, estimates);
    return put_wires(run, error) && put_json(run, to_json(run, estimates), error);
}

/* ---- programs: trace=FILE[,OPTION=VALUE]... -------------------------------------- */

enum { FILE_NAME, SETUP, ACCEPT, PACKET, REORDER, ENGINE };

#define TIME(name, standard, text)                                                     \
    {                                                                                  \
        name, standard, 0, NET_PROGRAMS_MAX_CYCLES, NET_OPTION_WHOLE, text, "choice",  \
            NULL                                                                       \
    }

static const NetOption trace_options[] = {
    {"trace", 0, 0, 0, NET_OPTION_TEXT, "programs (jm net trace --help)", "choice",
     "FILE"},
    TIME("setup", NET_SETUP_CYCLES, "cycles before a message is sent"),
    TIME("accept", NET_ACCEPT_CYCLES, "cycles before one is acknowledged"),
    TIME("packet", NET_PACKET_CYCLES, "cycles between packets of a message"),
    TIME("reorder", NET_REORDER_CYCLES,
         "cycles with each message where packets may overtake"),
    {"engine", NET_REPLAY_AUTO, 0, NET_REPLAY_WORMS, NET_OPTION_WORD,
     "what moves the packets: flits one by one, or whole worms", "choice",
     "auto|flits|worms"},
    {0},
};

const NetWorkload net_trace_workload = {
    .name = "trace",
    .text = "message-passing programs, to their end; of jm net run: trace=FILE",
    .options = trace_options,
};

static bool is_trace(const Run *run) {
    return run->load.workload && strncmp(run->load.workload, "trace=", 6) == 0;
}

/* Takes the name of the file, malloc'ed, and the options behind it. */
static bool read_trace(const char *text, char **path, NetReplay *replay,
                       JmError *error) {
    NetOptionValues values;
    if (!net_workload_values(&net_trace_workload, text, &values, error))
        return false;
    const char *name = values.text[FILE_NAME];
    const double *number = values.number;
    if (*name == '\0' || *name == ',')
        return jm_fail(error, command, "--workload trace=FILE: the file is missing");
    *path = memory_text("%.*s", (int)strcspn(name, ","), name);
    replay->times = (NetNodeTimes){(uint32_t)number[SETUP], (uint32_t)number[ACCEPT],
                                   (uint32_t)number[PACKET], (uint32_t)number[REORDER]};
    replay->engine = (NetReplayEngine)number[ENGINE];
    return true;
}

/* Only the engine `worms` measures blocking; NaN from the other. */
static void print_replay(const Run *run, const NetReplay *replay,
                         const NetReplayFigures *f) {
    printf("%s, %s: engine %s\n", JM_SHOWN(run->load.topology),
           JM_SHOWN(run->load.workload), f->engine);
    if (f->complete)
        printf("  run_time            %" PRIu64 " cycles\n", f->cycles);
    else
        printf("  not ended in %" PRIu64 " cycles\n", replay->most_cycles);
    printf("  messages            %" PRIu64 "\n", f->messages);
    printf("  packets             %" PRIu64 "\n", f->packets);
    printf("  send_away           %.6g cycles\n", f->send_away);
    printf("  receive_idle        %.6g cycles\n", f->receive_idle);
    if (f->blocking_total == f->blocking_total) {
        printf("  total_blocking      %.6g cycles\n", f->blocking_total);
        printf("  effective_blocking  %.6g cycles\n", f->blocking_effective);
    }
}

static json_t *channels_json(const NetReplayChannels *channels) {
    json_t *array = json_array();
    for (uint32_t i = 0; i < channels->count; i++) {
        const NetReplayChannel *c = &channels->items[i];
        json_array_append_new(
            array,
            json_pack("{s:I,s:b,s:I,s:I,s:I}", "node", (json_int_t)c->node, "wire",
                      c->has_wire, "packets", (json_int_t)c->packets, "effective_wait",
                      (json_int_t)c->effective, "total_wait", (json_int_t)c->total));
    }
    return array;
}

static json_t *replay_to_json(const Run *run, const NetReplay *replay,
                              const NetReplayFigures *f,
                              const NetReplayChannels *channels) {
    return json_pack(
        "{s:o,s:o,s:o,s:b,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o}", "topology",
        jvalue_text(run->load.topology), "workload_text",
        jvalue_text(run->load.workload), "engine", jvalue_text(f->engine), "complete",
        f->complete, "seed", (json_int_t)run->load.seed, "run_time",
        f->complete ? (json_int_t)f->cycles : (json_int_t)replay->most_cycles,
        "messages", (json_int_t)f->messages, "packets", (json_int_t)f->packets,
        "send_away", jvalue_number(f->send_away), "receive_idle",
        jvalue_number(f->receive_idle), "total_blocking",
        jvalue_number(f->blocking_total), "effective_blocking",
        jvalue_number(f->blocking_effective), "channels", channels_json(channels));
}

static bool report_replay(Run *run, const NetReplay *replay,
                          const NetReplayFigures *figures,
                          const NetReplayChannels *channels, JmError *error) {
    if (!open_files(run, error))
        return false;
    if (has_text(run))
        print_replay(run, replay, figures);
    return put_json(run, replay_to_json(run, replay, figures, channels), error);
}

static int run_trace(Run *run, JmError *error) {
    char *path = NULL;
    NetReplayFigures figures;
    NetReplayChannels channels = {0};
    NetReplay replay = {.topology = run->load.topology,
                        .params = &run->load.params,
                        .seed = run->load.seed,
                        .most_cycles =
                            was_given(run, "cycles") ? run->cycles : UINT64_C(1) << 38};
    if (!read_trace(run->load.workload, &path, &replay, error))
        return EXIT_USAGE;
    size_t size;
    const char *stats = run->stats;
    unsigned char *bytes = asm_bytes_read(path, &size, error);
    jm_inputs_add(&run->inputs, path);
    NetPrograms *programs =
        bytes ? net_programs_read(path, (const char *)bytes, size, error) : NULL;
    replay.programs = programs;
    const bool good = programs &&
                      (!stats || jm_outfile_check(stats, &run->inputs, error)) &&
                      net_replay(&replay, &figures, &channels, error) &&
                      report_replay(run, &replay, &figures, &channels, error);
    net_programs_destroy(programs);
    free(channels.items);
    free(bytes);
    free(path);
    return good ? EXIT_SUCCESS : EXIT_USAGE;
}

/* ---- saved runs ------------------------------------------------------------------ */

/* A saved run begins with this, then come the options, the network, its traffic and the
 * sums so far. Increment the version whenever any saved state changes. */
static const char magic[8] = {'J', 'M', 'N', 'E', 'T', 0, 0, 10};

/* Saves or loads the options of the run, with the texts of topology and workload. */
static void archive_request(Archive *a, Run *run, char *texts[2]) {
    jm_archive_text(a, &texts[0]);
    jm_archive_text(a, &texts[1]);
    jm_archive_u32(a, &run->cycles, UINT32_MAX);
    jm_archive_u32(a, &run->warmup, run->cycles);
    jm_archive_u32(a, &run->batches, 1000);
    jm_archive_u32(a, &run->load.seed, UINT32_MAX);
    jm_archive_u32(a, &run->backlog, UINT32_MAX);
    archive_demand(a, run->batches >= 2 && run->cycles - run->warmup >= run->batches);
#define NET_PARAM(name, ...) jm_archive_u32(a, &run->load.params.name, UINT32_MAX);
#include "net/params.def"
#undef NET_PARAM
}

/* Saves or loads the ends that lie before the current cycle. The network, which knows
 * that cycle, must be archived first. */
static void archive_state(Archive *a, Run *run) {
    NetWindow *window = &run->load.window;
    const unsigned parts = NET_WINDOW_PARTS * window->batches;
    archive_demand(a, net_traffic_archive(run->load.traffic, a));
    jm_archive_u32(a, &window->done, parts + 1);
    for (size_t i = 0; i < (size_t)window->sums * window->done && archive_good(a); i++)
        net_traffic_archive_real(a, &window->ends[i]);
    jm_archive_u64(a, &window->busiest.busy_cycles, net_now(run->load.net));
    jm_archive_u64(a, &window->busiest.messages, UINT32_MAX);
    const uint64_t now = net_now(run->load.net);
    archive_demand(
        a, now <= window->cycles &&
               (window->done == 0 || net_window_end(window, window->done - 1) <= now) &&
               (window->done > parts || now <= net_window_end(window, window->done)));
}

static bool save_run(Run *run, const char *path, JmError *error) {
    char *texts[2] = {(char *)run->load.topology, (char *)run->load.workload};
    JmOutFile file;
    Archive archive = jm_archive_save();
    archive_request(&archive, run, texts);
    archive_state(&archive, run);
    bool good =
        archive_good(&archive) || jm_fail(error, path, "no memory to save the run");
    if (good && (good = jm_outfile_open(&file, path, &run->inputs, error))) {
        fwrite(magic, sizeof magic, 1, file.stream);
        fwrite(archive.bytes, archive.size, 1, file.stream);
        good = jm_outfile_commit(&file, error);
    }
    jm_archive_free(&archive);
    return good;
}

/* Whether the workload is a table, `table=FILE`. */
static bool is_table(const Run *run) {
    return strncmp(run->load.workload, "table=", strlen("table=")) == 0;
}

/* Remembers that a table is read, so that no output replaces it. */
static void note_table(Run *run) {
    char path[1024];
    if (!is_table(run))
        return;
    const char *start = strchr(run->load.workload, '=') + 1;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(start, ","), start);
    jm_inputs_add(&run->inputs, path);
}

/* Makes network, traffic and window from the options. */
static bool make_run(Run *run, JmError *error) {
    note_table(run);
    run->load.window = (NetWindow){.warmup = run->warmup,
                                   .cycles = run->cycles,
                                   .batches = run->batches,
                                   .backlog = run->backlog};
    return net_load_create(&run->load, error);
}

/* Makes the network that the file describes and loads its state. The file is not
 * trusted: its contents are checked. */
static bool restore_from(Run *run, Archive *archive, JmError *error) {
    const char *path = run->restore;
    archive_request(archive, run, run->texts);
    if (!archive_good(archive))
        return jm_fail(error, path, "the saved run is damaged");
    run->load.topology = run->texts[0];
    run->load.workload = run->texts[1];
    if (!net_params_check(&run->load.params, error) || !make_run(run, error))
        return false;
    archive_state(archive, run);
    if (archive->starved)
        return jm_fail(error, path, "no memory for the saved run");
    return (archive_good(archive) && archive->at == archive->end) ||
           jm_fail(error, path, "the saved run is damaged");
}

static bool restore_run(Run *run, JmError *error) {
    size_t size;
    const char *path = run->restore;
    uint8_t *bytes = asm_bytes_read(path, &size, error);
    jm_inputs_add(&run->inputs, path);
    if (!bytes)
        return false;
    bool good = size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
    if (good) {
        Archive archive = jm_archive_load(bytes + sizeof magic, size - sizeof magic);
        good = restore_from(run, &archive, error);
    } else {
        jm_fail(error, path, "no saved run of jm net, or of another version");
    }
    free(bytes);
    return good;
}

/* ---- options --------------------------------------------------------------------- */

/* Refuses options of the command line. */
static bool refuse(const Run *run, const char *options, const char *why,
                   JmError *error) {
    return option_refuse(&frame.options, run->asked.given, options, why, error);
}

/* Checks combinations of options, and fills in derived ones: the warm-up is a fifth of
 * the cycles. A restored run has its own settings; programs run once, from start to
 * end. */
static bool check(Run *run, JmError *error) {
    if (run->restore)
        return refuse(run,
                      "topology|workload|cycles|warm-up|batches|backlog|seed|param",
                      "is that of the saved run", error) &&
               refuse(run, "links|map",
                      "is not for --restore: a saved run has no figures by wire",
                      error);
    if (!option_need(&frame.options, run->asked.given, "topology|workload", error))
        return false;
    if (is_trace(run))
        return refuse(run, "warm-up|batches|backlog|save-at|links|map",
                      "is not for programs, trace=FILE", error) &&
               net_parameters_set(&run->load, run->param, command, error);
    if (!was_given(run, "warm-up"))
        run->warmup = run->cycles / 5;
    if (run->warmup >= run->cycles || run->cycles - run->warmup < run->batches)
        return jm_fail(error, command,
                       "%u cycles with a warm-up of %u are too few for %u batches",
                       run->cycles, run->warmup, run->batches);
    return net_parameters_set(&run->load, run->param, command, error);
}

/* The cycle of --save-at, and its file. */
static bool read_save(const Run *run, uint64_t *cycle, const char **path,
                      JmError *error) {
    const char *save_at = run->save_at;
    *cycle = UINT64_MAX;
    if (!save_at)
        return true;
    *path = save_at;
    if (!number_take(path, ':', UINT64_MAX, cycle) || !**path)
        return jm_fail(error, command, "--save-at %s: expected CYCLE:FILE", save_at);
    if (*cycle < net_now(run->load.net) || *cycle > run->cycles)
        return jm_fail(error, command,
                       "--save-at %s: the run goes from cycle %" PRIu64 " to %u",
                       save_at, net_now(run->load.net), run->cycles);
    const char *others[] = {run->stats, run->links, run->map};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] && !jm_outfile_spares(*path, others[i], error))
            return false;
    return jm_outfile_check(*path, &run->inputs, error);
}

/* ---- running --------------------------------------------------------------------- */

/* Shows progress; true if a signal asks to end. */
static bool glance(void *context) {
    Run *run = context;
    if (progress_due(&run->progress))
        fprintf(stderr, "\r%" PRIu64 " of %u cycles, %" PRIu64 " messages\033[K",
                net_now(run->load.net), run->cycles,
                net_traffic_counts(run->load.traffic).arrived);
    run->signal = signals_pending();
    return run->signal != 0;
}

/* Runs to the end, a backlog, a deadlock or a signal, and saves at `save_cycle` to
 * `path`. */
static bool go(Run *run, uint64_t save_cycle, const char *path, JmError *error) {
    run->progress = progress_start(run->quiet, 1);
    bool good = net_load_run(&run->load, save_cycle, glance, run, error);
    if (good && net_now(run->load.net) == save_cycle)
        good = save_run(run, path, error) &&
               net_load_run(&run->load, UINT64_MAX, glance, run, error);
    progress_clear(&run->progress);
    return good;
}

/* ---- the command ----------------------------------------------------------------- */

static void end(Run *run) {
    for (unsigned i = 0; i < FILES; i++)
        jm_outfile_drop(&run->file[i]);
    free(run->load.window.channels);
    net_load_destroy(&run->load);
    net_wires_destroy(&run->wires);
    free(run->texts[0]);
    free(run->texts[1]);
    jm_inputs_free(&run->inputs);
}

/* Reports that a signal has ended the run, and what is lost. */
static void explain(const Run *run, uint64_t save_cycle, const char *path) {
    const uint64_t now = net_now(run->load.net);
    if (path && now < save_cycle && !run->quiet)
        fprintf(stderr,
                "%s: warning: the run ended before cycle %" PRIu64
                "; %s was not saved\n",
                command, save_cycle, JM_SHOWN(path));
    fprintf(stderr,
            "%s: interrupted after %" PRIu64 " cycles: %u of %u batches measured\n",
            command, now, net_window_measured(&run->load.window), run->batches);
}

/* Prepares for the figures by wire. */
static bool watch_wires(Run *run, JmError *error) {
    if (!run->links && !run->map)
        return true;
    net_wires_create(&run->wires, run->load.net);
    run->load.window.channels =
        memory_array(run->wires.channels, sizeof *run->load.window.channels);
    return !run->map ||
           (net_wires_can_map(&run->wires, command, error) && gnuplot_check(error));
}

static void write_row(void *context, const char *row) {
    fprintf(context, "  %s\n", row);
}

/* Reports the circle in which messages wait. */
static void explain_circle(const Run *run) {
    uint32_t count;
    if (!net_find_circle(run->load.net, &count, NULL, NULL))
        host_no_memory();
    fprintf(stderr,
            "%s: deadlock, found after %" PRIu64
            " cycles: %u messages wait in a circle, each for the next\n",
            command, net_now(run->load.net), count);
    if (!net_find_circle(run->load.net, &count, write_row, stderr))
        host_no_memory();
    if (!run->load.params.circles)
        fprintf(stderr, "%s: with --param atomic=1 they could not\n", command);
}

/* Warns of a table that is longer than the run. */
static void explain_unborn(const Run *run) {
    const NetLoad *load = &run->load;
    const size_t unborn = load->rows->unborn
                              ? load->rows->unborn(net_traffic_workload(load->traffic))
                              : 0;
    if (unborn > 0 && !run->quiet)
        fprintf(stderr,
                "%s: warning: messages of %s due after the end of the run: %zu\n",
                command, JM_SHOWN(load->workload), unborn);
}

/* Runs traffic and reports the measurements. Returns the exit status. Result files are
 * opened first, so that an unwritable file does not waste the run. */
static int run_traffic(Run *run, JmError *error) {
    uint64_t save_cycle;
    const char *path = NULL;
    if (!(run->restore ? restore_run(run, error) : make_run(run, error)) ||
        !read_save(run, &save_cycle, &path, error) || !watch_wires(run, error) ||
        !open_files(run, error))
        return EXIT_USAGE;
    host_run_begins();
    bool good = go(run, save_cycle, path, error);
    run->verdict = net_window_judge(&run->load.window);
    if (good && run->signal)
        explain(run, save_cycle, path);
    if (good && run->load.window.locked)
        explain_circle(run);
    if (good)
        explain_unborn(run);
    good = good && report(run, error);
    if (!good)
        return error->memory ? HOST_MEMORY_IN_RUN : EXIT_USAGE;
    if (run->signal)
        return 128 + run->signal;
    return run->verdict.state == NET_RUN_SETTLED ? EXIT_SUCCESS : NET_EXIT_UNSETTLED;
}

int net_command_run(int argc, char **argv) {
    Run run = {.load = {.params = net_params_default(), .seed = 1},
               .cycles = 300000,
               .batches = NET_WINDOW_BATCHES,
               .backlog = NET_WINDOW_BACKLOG};
    JmError error = {.offset = -1};
    int status = frame_options(&frame, argc, argv, &run);
    if (status != FRAME_GO_ON)
        return status;
    status = EXIT_USAGE;
    if (check(&run, &error))
        status = is_trace(&run) ? run_trace(&run, &error) : run_traffic(&run, &error);
    if (status == EXIT_USAGE || status == HOST_MEMORY_IN_RUN)
        host_report_for(command, &error);
    if (status == EXIT_USAGE && run.load.workload && is_table(&run))
        host_show_line(&error);
    end(&run);
    return status;
}
