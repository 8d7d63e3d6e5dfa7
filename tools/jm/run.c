/* The command `jm run`: loads a program, runs the machine in slices, and writes the
 * results. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "emu/jm.h"
#include "tools/host/host.h"
#include "tools/host/progress.h"
#include "tools/host/signals.h"
#include "tools/jm/commands.h"
#include "tools/jm/options/options.h"
#include "tools/jm/setup.h"
#include "tools/jm/stats/sample.h"
#include "tools/jm/stats/stats.h"
#include "tools/jm/trace/trace.h"
#include "tools/jm/version.h"

/* A run of `jm run`. */
typedef struct {
    RunOptions options;
    JmMachine *machine;
    JmOutFile stats;
    Trace trace;
    Sample sample;
    Progress progress;
    uint64_t shown_cycles; /* when progress was shown last */
    JmStop stop;
    unsigned saved;   /* number of options.saves that are done */
    bool save_failed; /* the next save could not be written */
    JmError error;    /* why the save failed */
    int signal;       /* signal that ended the run; 0: none */
} Run;

/* ---- before the run -------------------------------------------------------------- */

/* Opens the files whose opening may wait for another process (`waiting`), or all
 * others. */
static bool open_some(Run *run, bool waiting, JmError *error) {
    const RunOptions *o = &run->options;
    return (!o->stats || jm_outfile_may_wait(o->stats) != waiting ||
            jm_outfile_open(&run->stats, o->stats, jm_inputs(run->machine), error)) &&
           (!o->trace || jm_outfile_may_wait(o->trace) != waiting ||
            trace_open(&run->trace, run->machine, o->trace, &o->trace_filter,
                       o->trace_highest, error)) &&
           (!o->sample || jm_outfile_may_wait(o->sample) != waiting ||
            sample_open(&run->sample, run->machine, o->sample, o->sample_every, error));
}

/* Whether two output files have the same final name, so that one would be lost. */
static bool collide(const JmOutFile *a, const JmOutFile *b) {
    return (a->nameless || a->temporary) && (b->nameless || b->temporary) &&
           strcmp(a->path, b->path) == 0;
}

/* Opens the result files before the run, so that one that cannot be written costs no
 * run. Files that may wait for the reader of a pipe come first, while a signal still
 * ends the program at once; when all are open, signals end the run and results are
 * kept. */
static bool open_files(Run *run, JmError *error) {
    if (!open_some(run, true, error))
        return false;
    signals_hold();
    if (!open_some(run, false, error))
        return false;
    const JmOutFile *stats = &run->stats, *trace = &run->trace.file,
                    *sample = &run->sample.file;
    if (!collide(stats, trace) && !collide(stats, sample) && !collide(trace, sample))
        return true;
    return jm_fail(error, "jm run",
                   "--stats, --trace and --sample need files of their own: %s",
                   collide(trace, sample) ? trace->path : stats->path);
}

/* Whether a save would not overwrite another output. Several saves to one file are
 * allowed: the last remains. */
static bool spares_save(const RunOptions *o, const SaveRequest *save, JmError *error) {
    const char *others[] = {o->stats, o->trace, o->sample};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i] && !jm_outfile_spares(save->path, others[i], error))
            return false;
    return true;
}

/* Checks before the run that every save lies ahead of the machine, and that its file is
 * writable and has no other use. */
static bool check_saves(const Run *run, JmError *error) {
    for (unsigned i = 0; i < run->options.save_count; i++) {
        const SaveRequest *save = &run->options.saves[i];
        if (save->cycle < jm_now(run->machine))
            return jm_fail(error, "jm run",
                           "--save-at %" PRIu64 ":%s: the machine is at cycle %" PRIu64,
                           save->cycle, save->path, jm_now(run->machine));
        if (!spares_save(&run->options, save, error) ||
            !jm_outfile_check(save->path, jm_inputs(run->machine), error))
            return false;
    }
    return true;
}

static bool prepare(Run *run, JmError *error) {
    run->sample.next = UINT64_MAX;
    run->machine = setup_machine(&run->options, error);
    return run->machine && setup_dumps(run->machine, &run->options, error) &&
           check_saves(run, error) && open_files(run, error);
}

/* ---- the run --------------------------------------------------------------------- */

static void write_guest_output(void *context, const char *bytes, size_t count) {
    Run *run = context;
    progress_clear(&run->progress);
    fwrite(bytes, 1, count, stdout);
}

/* Flushes standard output; false if it failed, which host_end() reports. */
static bool flush_output(void) {
    return fflush(stdout) == 0 && !ferror(stdout);
}

static bool trace_lost(const Run *run) {
    return run->trace.file.stream && ferror(run->trace.file.stream);
}

/* Whether the run must end although the machine could go on: a signal came, or output
 * was lost. */
static bool cut_short(Run *run) {
    const bool output_lost = !flush_output();
    run->signal = signals_pending();
    return output_lost || trace_lost(run) || run->signal != 0;
}

/* Returns the length of a slice in cycles: about a twentieth of a second on busy
 * machines, so that output, progress and Ctrl-C are prompt. Nodes that ran ahead
 * synchronise at the end of a slice; its length follows from the machine, so the host
 * does the same work in every run. Slices do not affect results. */
static uint64_t slice_length(const JmMachine *machine) {
    enum { NODE_CYCLES = 1 << 22, SHORTEST = 256 };
    const uint64_t cycles = NODE_CYCLES / jm_node_count(machine);
    return cycles > SHORTEST ? cycles : SHORTEST;
}

static uint64_t earliest(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t next_save(const Run *run) {
    return run->saved < run->options.save_count ? run->options.saves[run->saved].cycle
                                                : UINT64_MAX;
}

/* Does the saves that are due at this cycle; false if one cannot be written. */
static bool save_due(Run *run) {
    for (; next_save(run) == jm_now(run->machine); run->saved++) {
        const char *path = run->options.saves[run->saved].path;
        run->save_failed = !jm_save(run->machine, path, &run->error);
        if (run->save_failed)
            return false;
    }
    return true;
}

/* Runs up to a cycle. Returns JM_STOP_LIMIT also if the run is cut short for another
 * reason. */
static JmStop run_to(Run *run, uint64_t target) {
    trace_turn(&run->trace);
    target = earliest(target, trace_next_turn(&run->trace));
    target = earliest(earliest(target, run->sample.next), next_save(run));
    const JmStop stop = jm_run(run->machine, target);
    if (!save_due(run))
        return JM_STOP_LIMIT;
    return stop == JM_STOP_BREAK || stop == JM_STOP_LIMIT ? JM_STOP_NONE : stop;
}

static void show_progress(Run *run) {
    const uint64_t cycles = jm_now(run->machine);
    const JmNodeStatistics totals = jm_statistics(run->machine);
    fprintf(stderr, "\r%" PRIu64 " cycles, %.0f a second, %" PRIu64 " messages\033[K",
            cycles, (double)(cycles - run->shown_cycles) / run->progress.since,
            totals.messages_in[0] + totals.messages_in[1]);
    run->shown_cycles = cycles;
}

/* Runs slice after slice until the machine stops, a limit, or a signal. */
static JmStop run_slices(Run *run) {
    const uint64_t limit = run->options.cycle_limit;
    const uint64_t slice = slice_length(run->machine);
    if (!save_due(run))
        return JM_STOP_LIMIT;
    for (;;) {
        const uint64_t target = earliest(jm_now(run->machine) + slice, limit);
        const JmStop stop = run_to(run, target);
        if (stop != JM_STOP_NONE)
            return stop;
        if (cut_short(run) || jm_now(run->machine) >= limit)
            return JM_STOP_LIMIT;
        if (jm_now(run->machine) >= run->sample.next)
            sample_row(&run->sample);
        if (progress_due(&run->progress))
            show_progress(run);
    }
}

/* ---- after the run --------------------------------------------------------------- */

static int exit_status(const Run *run) {
    return run->signal
               ? 128 + run->signal
               : stats_exit_status(run->machine, run->stop, run->options.expect_exit);
}

static void print_row(void *context, const char *row) {
    (void)context;
    fprintf(stderr, "  %s\n", row);
}

/* Warns that a run went idle without HOST_EXIT; with --expect-exit this is an error. A
 * program that waits forever looks like one that has finished. */
static void say_no_exit(const Run *run) {
    if (run->stop != JM_STOP_IDLE || !jm_config(run->machine)->host_page)
        return;
    if (run->options.expect_exit)
        fprintf(stderr,
                "jm run: error: idle after %" PRIu64
                " cycles, and no node has written HOST_EXIT\n",
                jm_now(run->machine));
    else if (!run->options.quiet)
        fprintf(stderr,
                "jm run: warning: idle after %" PRIu64
                " cycles, and no node has written HOST_EXIT (--quiet drops this, "
                "--expect-exit makes it an error)\n",
                jm_now(run->machine));
}

/* Warns that a network does not keep messages of a pair of nodes in order, as the mesh
 * does. */
static void say_overtaking(const Run *run) {
    const char *topology = jm_config(run->machine)->topology;
    if (*topology && !run->options.quiet && jm_messages_overtake(run->machine))
        fprintf(stderr,
                "jm run: warning: on %s messages between two nodes may overtake each "
                "other; with two lanes, or one for ends=0, and with tie=wrap or odd "
                "sizes they stay in order\n",
                topology);
}

/* Warns, at the sender, of messages whose header gives a different length than was
 * sent. */
static void say_wrong_length(const Run *run) {
    char handler[256], place[256], source[256] = "";
    const char *file;
    int line;
    const JmWrongLength wrong = jm_wrong_length(run->machine);
    if (!wrong.count || run->options.quiet)
        return;
    jm_symbol_at(run->machine, wrong.address, place, sizeof place);
    if (jm_instruction_line(run->machine, wrong.address, wrong.low, &file, &line))
        snprintf(source, sizeof source, " (%s:%d)", JM_SHOWN(file), line);
    jm_symbol_at(run->machine, wrong.handler, handler, sizeof handler);
    fprintf(
        stderr,
        "jm run: warning: node %" PRIu32 " sent %" PRIu32 " words in cycle %" PRIu64
        " to %05" PRIX32 "%s%s at priority %" PRIu32 ", and the header says %" PRIu32
        " (%" PRIu64 " such message%s); it ends at "
        "%05" PRIX32 "%s%s%s\n",
        wrong.node, wrong.sent_words, wrong.cycle, wrong.handler, *handler ? " " : "",
        handler, wrong.priority, wrong.header_words, wrong.count,
        wrong.count == 1 ? "" : "s", wrong.address, *place ? " " : "", place, source);
}

/* Explains the end of a run. The program's output is flushed first, so that it stands
 * before the explanation. */
static void explain(Run *run) {
    const uint64_t now = jm_now(run->machine);
    if (!flush_output() || run->save_failed)
        return;
    for (unsigned i = run->saved; i < run->options.save_count && !run->options.quiet;
         i++)
        fprintf(stderr,
                "jm run: warning: the run ended before cycle %" PRIu64
                "; %s was not saved\n",
                run->options.saves[i].cycle, JM_SHOWN(run->options.saves[i].path));
    if (run->signal)
        fprintf(stderr, "jm run: interrupted after %" PRIu64 " cycles\n", now);
    else if (trace_lost(run)) /* the reason is reported when the file is closed */
        fprintf(stderr,
                "jm run: ended after %" PRIu64
                " cycles, because the trace cannot be written\n",
                now);
    else if (run->stop == JM_STOP_LIMIT)
        fprintf(stderr, "jm run: cycle limit reached after %" PRIu64 " cycles\n", now);
    if (run->stop == JM_STOP_LIMIT && !run->options.quiet)
        jm_explain(run->machine, print_row, NULL);
    say_overtaking(run);
    say_wrong_length(run);
    say_no_exit(run);
    if (!stats_explained(run->machine, run->stop) ||
        (run->stop == JM_STOP_IDLE && run->options.quiet))
        return;
    fprintf(stderr, "jm run: %s after %" PRIu64 " cycles:\n", jm_stop_name(run->stop),
            now);
    if (run->options.fault_chain)
        jm_explain_chain(run->machine, print_row, NULL);
    else
        jm_explain(run->machine, print_row, NULL);
}

static void print_dump(const JmMachine *machine, const DumpRequest *dump) {
    for (uint32_t address = dump->address; address < dump->address + dump->count;
         address++)
        printf("%" PRIu32 " %05" PRIX32 " %09" PRIX64 "\n", dump->node, address,
               jm_read(machine, dump->node, address).bits);
}

/* Closes a file of results if it is open. */
static bool commit(JmOutFile *file) {
    JmError error;
    return !file->stream || jm_outfile_commit(file, &error) || host_report(&error);
}

/* Writes all results that can be written; false if one failed, which has been reported
 * (host_end() reports a failure of standard output). If standard output failed, no
 * files are written. */
static bool write_results(Run *run) {
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
    if (!flush_output())
        return false;
    const bool stats_good = commit(&run->stats);
    const bool trace_good = commit(&run->trace.file);
    const bool sample_good = commit(&run->sample.file);
    return stats_good && trace_good && sample_good;
}

static void close_run(Run *run) {
    trace_close(&run->trace);
    jm_outfile_drop(&run->stats);
    jm_outfile_drop(&run->trace.file);
    jm_outfile_drop(&run->sample.file);
    jm_destroy(run->machine);
    options_free(&run->options);
}

static int fail(Run *run, const JmError *error) {
    host_report(error);
    close_run(run);
    return EXIT_USAGE;
}

/* Ends after memory ran out. The machine's last state is not reliable, so no results
 * are written. */
static int end_starved(Run *run) {
    flush_output();
    fprintf(stderr, "jm run: error: out of memory after %" PRIu64 " cycles\n",
            jm_now(run->machine));
    close_run(run);
    return HOST_MEMORY_IN_RUN;
}

/* Ends without running; dumps show memory as loaded. */
static int end_unstarted(Run *run) {
    fprintf(stderr, "jm run: error: " SETUP_NO_START "; nothing was run\n");
    for (unsigned i = 0; i < run->options.dump_count; i++)
        print_dump(run->machine, &run->options.dumps[i]);
    close_run(run);
    return EXIT_USAGE;
}

int command_run(int argc, char **argv) {
    Run run = {0};
    JmError error;
    if (!options_parse(&run.options, NULL, NULL, argc, argv, &error))
        return fail(&run, &error);
    if (run.options.help || run.options.version) {
        if (!options_tell(&run.options, NULL, options_print_help, version_lines,
                          &error))
            return fail(&run, &error);
        close_run(&run);
        return EXIT_SUCCESS;
    }
    if (!prepare(&run, &error))
        return fail(&run, &error);
    if (!setup_can_start(run.machine, &run.options))
        return end_unstarted(&run);
    run.progress = progress_start(run.options.quiet, 1);
    jm_set_output(run.machine, write_guest_output, &run);
    host_run_begins();
    run.stop = run_slices(&run);
    jm_end_output(run.machine);
    progress_clear(&run.progress);
    if (run.stop == JM_STOP_MEMORY)
        return end_starved(&run);
    explain(&run);
    if (run.save_failed)
        host_report(&run.error);
    const bool good = write_results(&run) && !run.save_failed;
    if (!good) /* a signal may have ended the wait for the reader of a pipe */
        run.signal = signals_pending();
    const int status = good || run.signal ? exit_status(&run) : EXIT_USAGE;
    close_run(&run);
    return status;
}
