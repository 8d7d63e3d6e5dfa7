/* The command `jm net run`: loads a network with traffic and measures it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "net/circle.h"
#include "net/graph/graph.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/progress.h"
#include "tools/host/signals.h"
#include "tools/jm/commands.h"
#include "tools/model/request.h"
#include "tools/net/net.h"
#include "tools/report/draw/gnuplot.h"

static const char command[] = "jm net run";

/* ---- saved runs ------------------------------------------------------------------ */

/* A saved run begins with this, then come the options, the network, its traffic and the
 * sums so far. Increment the version whenever any saved state changes. */
static const char magic[8] = {'J', 'M', 'N', 'E', 'T', 0, 0, 10};

/* Saves or loads the options of the run. When loaded, the run owns the texts. */
static void archive_request(Archive *a, NetRun *run) {
    jm_archive_text(a, &run->texts[0]);
    jm_archive_text(a, &run->texts[1]);
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
static void archive_run(Archive *a, NetRun *run) {
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

static bool net_run_save(NetRun *run, const char *path, JmError *error) {
    NetRun copy = *run;
    JmOutFile file;
    Archive archive = jm_archive_save();
    copy.texts[0] = (char *)run->load.topology;
    copy.texts[1] = (char *)run->load.workload;
    archive_request(&archive, &copy);
    archive_run(&archive, &copy);
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
static bool is_table(const NetRun *run) {
    return strncmp(run->load.workload, "table=", strlen("table=")) == 0;
}

/* Remembers that a table is read, so that no output replaces it. */
static void note_table(NetRun *run) {
    char path[1024];
    if (!is_table(run))
        return;
    const char *start = strchr(run->load.workload, '=') + 1;
    snprintf(path, sizeof path, "%.*s", (int)strcspn(start, ","), start);
    jm_inputs_add(&run->inputs, path);
}

/* Makes network, traffic and window from the options. */
static bool net_run_make(NetRun *run, JmError *error) {
    note_table(run);
    run->load.window = (NetWindow){.warmup = run->warmup,
                                   .cycles = run->cycles,
                                   .batches = run->batches,
                                   .backlog = run->backlog};
    return net_load_create(&run->load, error);
}

/* Makes the network that the file describes and loads its state. The file is not
 * trusted: its contents are checked. */
static bool restore_from(NetRun *run, Archive *archive, JmError *error) {
    const char *path = run->restore;
    archive_request(archive, run);
    if (!archive_good(archive))
        return jm_fail(error, path, "the saved run is damaged");
    run->load.topology = run->texts[0];
    run->load.workload = run->texts[1];
    if (!net_params_check(&run->load.params, error) || !net_run_make(run, error))
        return false;
    archive_run(archive, run);
    if (archive->starved)
        return jm_fail(error, path, "no memory for the saved run");
    return (archive_good(archive) && archive->at == archive->end) ||
           jm_fail(error, path, "the saved run is damaged");
}

static bool net_run_restore(NetRun *run, JmError *error) {
    size_t size;
    uint8_t *bytes = asm_bytes_read(run->restore, &size, error);
    jm_inputs_add(&run->inputs, run->restore);
    if (!bytes)
        return false;
    bool good = size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
    if (good) {
        Archive archive = jm_archive_load(bytes + sizeof magic, size - sizeof magic);
        good = restore_from(run, &archive, error);
    } else {
        jm_fail(error, run->restore, "no saved run of jm net, or of another version");
    }
    free(bytes);
    return good;
}

/* ---- options --------------------------------------------------------------------- */

/* Programs run once, from start to end. */
static bool check_trace(const ModelRequest *line, JmError *error) {
    static const char *const others[] = {"warmup",  "batches", "backlog",
                                         "save-at", "links",   "map"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (model_given(line, others[i]))
            return jm_fail(error, command, "--%s is not for programs, trace=FILE",
                           others[i]);
    return true;
}

/* Checks combinations of options, and fills in derived ones: the warm-up is a fifth of
 * the cycles. A restored run has its own settings. */
static bool check(NetRun *run, const ModelRequest *line, JmError *error) {
    static const char *const own[] = {"topology", "workload", "cycles", "warmup",
                                      "batches",  "backlog",  "seed",   "param"};
    for (size_t i = 0; run->restore && i < sizeof own / sizeof own[0]; i++)
        if (model_given(line, own[i]))
            return jm_fail(error, command, "--%s is that of the saved run", own[i]);
    if (run->restore && (run->links || run->map))
        return jm_fail(error, command,
                       "--%s is not for --restore: a saved run has no figures by wire",
                       run->links ? "links" : "map");
    if (run->restore)
        return true;
    if (!run->load.topology || !run->load.workload)
        return jm_fail(error, command, "--%s is missing",
                       run->load.topology ? "workload" : "topology");
    if (net_run_is_trace(run))
        return check_trace(line, error) &&
               net_parameters_set(&run->load, run->param, command, error);
    if (!model_given(line, "warmup"))
        run->warmup = run->cycles / 5;
    if (run->warmup >= run->cycles || run->cycles - run->warmup < run->batches)
        return jm_fail(error, command,
                       "%u cycles with a warm-up of %u are too few for %u batches",
                       run->cycles, run->warmup, run->batches);
    return net_parameters_set(&run->load, run->param, command, error);
}

/* The cycle of --save-at, and its file. */
static bool read_save(const NetRun *run, uint64_t *cycle, const char **path,
                      JmError *error) {
    char *end;
    *cycle = UINT64_MAX;
    if (!run->save_at)
        return true;
    *cycle = strtoull(run->save_at, &end, 10);
    *path = end + 1;
    if (run->save_at[0] < '0' || run->save_at[0] > '9' || *end != ':' || !end[1])
        return jm_fail(error, command, "--save-at %s: CYCLE:FILE is expected",
                       run->save_at);
    if (*cycle < net_now(run->load.net) || *cycle > run->cycles)
        return jm_fail(error, command,
                       "--save-at %s: the run goes from cycle %" PRIu64 " to %u",
                       run->save_at, net_now(run->load.net), run->cycles);
    const char *others[] = {run->stats, run->links, run->map};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] && jm_outfile_replaces(others[i], *path))
            return jm_fail(error, command, "--save-at %s: another output has this file",
                           run->save_at);
    return jm_outfile_check(*path, &run->inputs, error);
}

/* ---- running --------------------------------------------------------------------- */

static void show_progress(const NetRun *run) {
    fprintf(stderr, "\r%" PRIu64 " of %u cycles, %" PRIu64 " messages\033[K",
            net_now(run->load.net), run->cycles,
            net_traffic_counts(run->load.traffic).arrived);
}

/* Runs to the end, a backlog, a deadlock or a signal, and saves at `save_cycle` to
 * `path`. */
static bool go(NetRun *run, uint64_t save_cycle, const char *path, JmError *error) {
    Progress progress = progress_start(run->quiet, 1);
    const unsigned often = net_load_glance(&run->load);
    bool good = true;
    while (good) {
        const uint64_t now = net_now(run->load.net);
        const bool goes_on = net_window_note(&run->load.window);
        if (now == save_cycle)
            good = net_run_save(run, path, error);
        if (good && (now % often == 0 || !goes_on) &&
            !net_load_look(&run->load, !goes_on, error)) {
            run->starved = true;
            good = false;
        }
        if (!goes_on || !good || run->load.window.locked)
            break;
        if (now % often == 0)
            run->signal = signals_pending();
        if (run->signal)
            break;
        if (!net_traffic_step(run->load.traffic)) {
            run->starved = true;
            good = jm_fail(error, command, "no memory for a message");
        }
        if (now % often == 0 && progress_due(&progress))
            show_progress(run);
    }
    progress_clear(&progress);
    return good;
}

/* ---- the command ----------------------------------------------------------------- */

static void help(const ModelRequest *line) {
    printf(
        "Usage: %s --topology SPEC --workload SPEC [OPTION]...\n"
        "Loads a network with traffic, cycle by cycle, and measures it: means behind\n"
        "a warm-up, with 95 %% confidence intervals by batch means if the run has\n"
        "settled; else the status is 3.\n\n",
        command);
    model_help(line);
}

static void end(NetRun *run) {
    jm_outfile_drop(&run->json_file);
    jm_outfile_drop(&run->stats_file);
    jm_outfile_drop(&run->links_file);
    jm_outfile_drop(&run->map_file);
    free(run->load.window.channels);
    net_load_destroy(&run->load);
    net_wires_destroy(&run->wires);
    free(run->texts[0]);
    free(run->texts[1]);
    jm_inputs_free(&run->inputs);
}

/* Reports that a signal has ended the run, and what is lost. */
static void explain(const NetRun *run, uint64_t save_cycle, const char *path) {
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
static bool watch_wires(NetRun *run, JmError *error) {
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
static void explain_circle(const NetRun *run) {
    uint32_t count;
    net_find_circle(run->load.net, &count, NULL, NULL);
    fprintf(stderr,
            "%s: deadlock, found after %" PRIu64
            " cycles: %u messages wait in a circle, each for the next\n",
            command, net_now(run->load.net), count);
    net_find_circle(run->load.net, &count, write_row, stderr);
    if (!run->load.params.circles)
        fprintf(stderr, "%s: with --param atomic=1 they could not\n", command);
}

/* Warns of a table that is longer than the run. */
static void explain_unborn(const NetRun *run) {
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
static int run_traffic(NetRun *run, JmError *error) {
    uint64_t save_cycle;
    const char *path = NULL;
    if (!(run->restore ? net_run_restore(run, error) : net_run_make(run, error)) ||
        !read_save(run, &save_cycle, &path, error) || !watch_wires(run, error) ||
        !net_run_open(run, error))
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
    good = good && net_run_report(run, error);
    if (run->starved)
        return HOST_MEMORY_IN_RUN;
    if (!good || run->signal)
        return good ? 128 + run->signal : EXIT_USAGE;
    return run->verdict.state == NET_RUN_SETTLED ? EXIT_SUCCESS : NET_EXIT_UNSETTLED;
}

int net_command_run(int argc, char **argv) {
    ModelRequest line;
    JmError error;
    if (!model_parse(&line, "run", command, argc, argv, &error))
        return model_end(&line, false, &error);
    if (model_given(&line, "help")) {
        help(&line);
        return EXIT_SUCCESS;
    }
    NetRun run = {.load = {.topology = model_given(&line, "topology"),
                           .workload = model_given(&line, "workload"),
                           .params = net_params_default(),
                           .seed = model_count(&line, "seed", 1)},
                  .param = model_given(&line, "param"),
                  .stats = model_given(&line, "stats"),
                  .links = model_given(&line, "links"),
                  .map = model_given(&line, "map"),
                  .save_at = model_given(&line, "save-at"),
                  .restore = model_given(&line, "restore"),
                  .cycles = model_count(&line, "cycles", 300000),
                  .warmup = model_count(&line, "warmup", 0),
                  .batches = model_count(&line, "batches", NET_WINDOW_BATCHES),
                  .backlog = model_count(&line, "backlog", NET_WINDOW_BACKLOG),
                  .json = model_given(&line, "json"),
                  .quiet = model_given(&line, "quiet")};
    int status = EXIT_USAGE;
    if (check(&run, &line, &error))
        status = net_run_is_trace(&run)
                     ? net_run_trace(&run, model_given(&line, "cycles"), &error)
                     : run_traffic(&run, &error);
    if (status == EXIT_USAGE || status == HOST_MEMORY_IN_RUN)
        host_report_for("jm net run", &error);
    if (status == EXIT_USAGE && run.load.workload && is_table(&run))
        host_show_line(&error);
    end(&run);
    return status;
}
