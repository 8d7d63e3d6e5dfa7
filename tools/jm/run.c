/* `jm run`: a program, a machine, a run, and what is left of it. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/jm.h"
#include "tools/jm/commands.h"
#include "tools/jm/options.h"
#include "tools/jm/progress.h"
#include "tools/jm/sample.h"
#include "tools/jm/setup.h"
#include "tools/jm/stats.h"
#include "tools/jm/trace.h"

typedef struct {
    RunOptions options;
    JmMachine *machine;
    OutFile stats;
    Trace trace;
    Sample sample;
    Progress progress;
    JmStop stop;
    unsigned saved;   /* of options.saves, how many have been done */
    bool save_failed; /* the next of them could not be */
    JmError error;    /* why */
    int signal;       /* that ended the run; 0: none */
    int output_error; /* errno of the first failed write to standard output */
} Run;

/* ---- before the run -------------------------------------------------------------- */

static bool check_dumps(const Run *run, JmError *error) {
    for (unsigned i = 0; i < run->options.dump_count; i++)
        if (run->options.dumps[i].node >= jm_node_count(run->machine))
            return jm_fail(error, "jm run",
                           "--dump: there is no node %" PRIu32 "; the machine has %u",
                           run->options.dumps[i].node, jm_node_count(run->machine));
    return true;
}

/* Files are opened before the run, so that one that cannot be written costs no run. */
static bool open_files(Run *run, JmError *error) {
    const RunOptions *o = &run->options;
    return (!o->stats || outfile_open(&run->stats, o->stats, error)) &&
           (!o->trace ||
            trace_open(&run->trace, run->machine, o->trace, &o->trace_filter, error)) &&
           (!o->sample ||
            sample_open(&run->sample, run->machine, o->sample, o->sample_every, error));
}

/* Whether the machine still gets to what is to be saved, and the files can be written:
 * better to know before the run than after it. */
static bool check_saves(const Run *run, JmError *error) {
    for (unsigned i = 0; i < run->options.save_count; i++) {
        const SaveRequest *save = &run->options.saves[i];
        OutFile file;
        if (save->cycle < jm_now(run->machine))
            return jm_fail(error, "jm run",
                           "--save-at %" PRIu64 ":%s: the machine is at cycle %" PRIu64,
                           save->cycle, save->path, jm_now(run->machine));
        if (!outfile_open(&file, save->path, error))
            return false;
        outfile_drop(&file);
    }
    return true;
}

static bool prepare(Run *run, JmError *error) {
    run->sample.next = UINT64_MAX;
    run->machine = setup_machine(&run->options, error);
    return run->machine && check_dumps(run, error) && check_saves(run, error) &&
           open_files(run, error);
}

/* ---- the run --------------------------------------------------------------------- */

static void write_guest_output(void *context, const char *bytes, size_t count) {
    Run *run = context;
    progress_clear(&run->progress);
    if (fwrite(bytes, 1, count, stdout) != count && !run->output_error)
        run->output_error = errno;
}

/* Sends standard output on its way; false if it is lost. */
static bool flush_output(Run *run) {
    if (fflush(stdout) != 0 && !run->output_error)
        run->output_error = errno;
    return run->output_error == 0;
}

/* Interrupts stay blocked during a run and are looked for between slices: no handler,
 * no state outside the run. */
static void block_interrupts(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* A signal that the parent had ignored, as of a background job, stays ignored. */
static bool is_pending(int signal_number) {
    sigset_t set;
    struct sigaction action;
    sigpending(&set);
    sigaction(signal_number, NULL, &action);
    return sigismember(&set, signal_number) && action.sa_handler != SIG_IGN;
}

static int pending_interrupt(void) {
    return is_pending(SIGINT) ? SIGINT : is_pending(SIGTERM) ? SIGTERM : 0;
}

/* Whether the run has to end although the machine has not. */
static bool cut_short(Run *run) {
    const bool output_lost = !flush_output(run);
    const bool trace_lost = run->trace.file.stream && ferror(run->trace.file.stream);
    run->signal = pending_interrupt();
    return output_lost || trace_lost || run->signal != 0;
}

/* A slice should take about a twentieth of a second, so that output, progress and
 * Ctrl-C are prompt; how a run is cut into slices does not change it. */
static uint64_t next_slice(uint64_t slice, double seconds) {
    if (seconds < 0.025 && slice < UINT64_C(1) << 40)
        return slice * 2;
    return seconds > 0.1 && slice > 1 ? slice / 2 : slice;
}

static uint64_t earliest(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t next_save(const Run *run) {
    return run->saved < run->options.save_count ? run->options.saves[run->saved].cycle
                                                : UINT64_MAX;
}

/* Saves what is to be saved at this cycle; false if it cannot be written. */
static bool save_due(Run *run) {
    for (; next_save(run) == jm_now(run->machine); run->saved++) {
        const char *path = run->options.saves[run->saved].path;
        run->save_failed = !jm_save(run->machine, path, &run->error);
        if (run->save_failed)
            return false;
    }
    return true;
}

/* Runs up to a cycle; JM_STOP_LIMIT also if the run cannot go on for other reasons. */
static JmStop run_to(Run *run, uint64_t target) {
    target = earliest(earliest(target, run->sample.next), next_save(run));
    const JmStop stop = jm_run(run->machine, target);
    if (!save_due(run))
        return JM_STOP_LIMIT;
    return stop == JM_STOP_BREAK || stop == JM_STOP_LIMIT ? JM_STOP_NONE : stop;
}

static JmStop run_slices(Run *run) {
    const uint64_t limit = run->options.cycle_limit;
    uint64_t slice = 1024;
    if (!save_due(run))
        return JM_STOP_LIMIT;
    for (;;) {
        const uint64_t target = earliest(jm_now(run->machine) + slice, limit);
        const double started = progress_clock();
        const JmStop stop = run_to(run, target);
        if (stop != JM_STOP_NONE)
            return stop;
        if (cut_short(run) || jm_now(run->machine) >= limit)
            return JM_STOP_LIMIT;
        if (jm_now(run->machine) >= run->sample.next)
            sample_row(&run->sample);
        progress_update(&run->progress, run->machine);
        slice = next_slice(slice, progress_clock() - started);
    }
}

/* ---- after the run --------------------------------------------------------------- */

static int exit_status(const Run *run) {
    if (run->signal)
        return 128 + run->signal;
    switch (run->stop) {
    case JM_STOP_EXIT:
        return jm_exit_value(run->machine);
    case JM_STOP_IDLE:
        return EXIT_SUCCESS;
    case JM_STOP_STOPPED:
    case JM_STOP_DEADLOCK:
        return EXIT_STOPPED;
    default:
        return EXIT_LIMIT;
    }
}

static void print_row(void *context, const char *row) {
    (void)context;
    fprintf(stderr, "  %s\n", row);
}

/* What the program has printed comes before what is said of its end. */
static void explain(Run *run) {
    const uint64_t now = jm_now(run->machine);
    if (!flush_output(run) || run->save_failed)
        return;
    for (unsigned i = run->saved; i < run->options.save_count && !run->options.quiet;
         i++)
        fprintf(stderr,
                "jm run: warning: the run ended before cycle %" PRIu64
                "; %s was not saved\n",
                run->options.saves[i].cycle, run->options.saves[i].path);
    if (run->signal)
        fprintf(stderr, "jm run: interrupted after %" PRIu64 " cycles\n", now);
    else if (run->stop == JM_STOP_LIMIT)
        fprintf(stderr, "jm run: cycle limit reached after %" PRIu64 " cycles\n", now);
    if (!stats_explained(run->machine, run->stop) ||
        (run->stop == JM_STOP_IDLE && run->options.quiet))
        return;
    fprintf(stderr, "jm run: %s after %" PRIu64 " cycles:\n", jm_stop_name(run->stop),
            now);
    jm_explain(run->machine, print_row, NULL);
}

static void print_dump(const JmMachine *machine, const DumpRequest *dump) {
    for (uint32_t address = dump->address; address < dump->address + dump->count;
         address++)
        printf("%" PRIu32 " %05" PRIX32 " %09" PRIX64 "\n", dump->node, address,
               jm_read(machine, dump->node, address).bits);
}

static bool write_results(Run *run, JmError *error) {
    for (unsigned i = 0; i < run->options.dump_count; i++)
        print_dump(run->machine, &run->options.dumps[i]);
    StatsRun stats = {.machine = run->machine,
                      .program = jm_program_name(run->machine),
                      .stop = run->stop,
                      .status = exit_status(run)};
    if (run->stats.stream)
        stats_write(&stats, run->stats.stream);
    sample_row(&run->sample);
    if (run->trace.file.stream)
        trace_finish(&run->trace);
    bool good =
        flush_output(run) || jm_fail(error, "standard output", "cannot write: %s",
                                     strerror(run->output_error));
    good = good && (!run->stats.stream || outfile_commit(&run->stats, error));
    good = good && (!run->trace.file.stream || outfile_commit(&run->trace.file, error));
    return good &&
           (!run->sample.file.stream || outfile_commit(&run->sample.file, error));
}

static void close_run(Run *run) {
    trace_close(&run->trace);
    outfile_drop(&run->stats);
    outfile_drop(&run->trace.file);
    outfile_drop(&run->sample.file);
    jm_destroy(run->machine);
    options_free(&run->options);
}

static int fail(Run *run, const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    fprintf(stderr, "%s\n", jm_error_format(error, text, sizeof text));
    close_run(run);
    return EXIT_USAGE;
}

/* A reader that went away is no error of this program: it ends as pipes end programs.
 */
static int end_of_pipe(Run *run) {
    close_run(run);
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return EXIT_USAGE;
}

int command_run(int argc, char **argv) {
    Run run = {0};
    JmError error;
    if (!options_parse(&run.options, argc, argv, &error))
        return fail(&run, &error);
    if (run.options.help) {
        options_print_help();
        close_run(&run);
        return EXIT_SUCCESS;
    }
    if (!prepare(&run, &error))
        return fail(&run, &error);
    run.progress = progress_start(run.options.quiet);
    jm_set_output(run.machine, write_guest_output, &run);
    block_interrupts();
    run.stop = run_slices(&run);
    jm_end_output(run.machine);
    progress_clear(&run.progress);
    explain(&run);
    if (run.save_failed)
        return fail(&run, &run.error);
    if (!write_results(&run, &error))
        return run.output_error == EPIPE ? end_of_pipe(&run) : fail(&run, &error);
    const int status = exit_status(&run);
    close_run(&run);
    return status;
}
