/* The commands of `jm net`. `argv[0]` is the name of the command; the functions return
 * the exit status. */
#ifndef JM_TOOLS_NET_NET_H
#define JM_TOOLS_NET_NET_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "net/traffic/window.h"

#define NET_COMMAND(name, text) int net_command_##name(int argc, char **argv);
#include "tools/net/commands.def"
#undef NET_COMMAND

/* The exit status of a run that has not settled. */
enum { NET_EXIT_UNSETTLED = 3 };

/* A run: what it was asked for, what it measures, and its files. */
typedef struct {
    const char *topology, *workload, *param, *stats, *save_at, *restore;
    unsigned cycles, warmup, seed, batches, backlog;
    bool json, quiet, help;
    NetParams params;
    Net *net;
    const NetWorkload *rows; /* the row of the workload */
    NetTraffic *traffic;
    NetWindow window;
    char *texts[2]; /* of a restored run: topology, workload */
    bool starved;   /* there was no memory in the run or for results */
    int signal;     /* that ended the run early; 0: none */
    NetVerdict verdict;
    JmInputs inputs; /* files that it has read */
    JmOutFile json_file, stats_file;
} NetRun;

enum { NET_RUN_MEASURES = 16 };

/* A mean over the measured cycles, and half the width of its 95 % confidence interval;
 * NaN where it cannot be told, as in a run that has not settled. */
typedef struct {
    double mean, half_width;
} NetEstimate;

/* Fills `latency`, `throughput` and an estimate for each measure of the workload. */
bool net_run_estimate(const NetRun *run, NetEstimate *latency, NetEstimate *throughput,
                      NetEstimate *measures, JmError *error);
/* Writes what the run has measured, as text and, if asked for, as JSON. */
bool net_run_report(NetRun *run, JmError *error);

/* Opens the files of --json and --stats; signals are held from then on. */
bool net_run_open(NetRun *run, JmError *error);
/* Whether standard output has the results as text: it has no JSON. */
bool net_run_has_text(const NetRun *run);
/* Writes `root` to the files that are open, closes them, and drops `root`. */
bool net_run_put_json(NetRun *run, json_t *root, JmError *error);

/* replay.c: runs of programs, a workload trace=FILE. The exit status; `limited`: the
 * run's cycles are a limit. */
bool net_run_is_trace(const NetRun *run);
int net_run_trace(NetRun *run, bool limited, JmError *error);

/* save.c */
bool net_run_save(NetRun *run, const char *path, JmError *error);
bool net_run_restore(NetRun *run, JmError *error);
/* Makes network and traffic from topology, workload and parameters. */
bool net_run_make(NetRun *run, JmError *error);

#endif
