/* The commands of `jm net`. `argv[0]` is the name of the command; the functions return
 * the exit status. */
#ifndef JM_TOOLS_NET_NET_H
#define JM_TOOLS_NET_NET_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "net/traffic/load.h"
#include "tools/net/wires.h"

#define NET_COMMAND(name, text) int net_command_##name(int argc, char **argv);
#include "tools/net/commands.def"
#undef NET_COMMAND

/* The exit status of a run that did not settle. */
enum { NET_EXIT_UNSETTLED = 3 };

/* A run: its options, its measurements, and its files. */
typedef struct {
    NetLoad load;
    const char *param, *stats, *links, *map, *save_at, *restore;
    unsigned cycles, warmup, batches, backlog;
    bool json, quiet;
    char *texts[2]; /* of a restored run: topology, workload */
    bool starved;   /* memory ran out in the run or for results */
    int signal;     /* signal that ended the run early; 0: none */
    NetVerdict verdict;
    JmInputs inputs; /* files that it has read */
    JmOutFile json_file, stats_file, links_file, map_file;
    NetWires wires; /* if --links or --map is given */
} NetRun;

/* Half of the 95 % interval of an estimate; NaN unless the run has settled. */
double net_half_width(const NetVerdict *verdict, NetEstimate estimate);

/* Writes the measurements as text and, if requested, as JSON. */
bool net_run_report(NetRun *run, JmError *error);

/* Opens the files of --json and --stats; signals are held from then on. */
bool net_run_open(NetRun *run, JmError *error);
/* Whether standard output gets the results as text, not JSON. */
bool net_run_has_text(const NetRun *run);
/* Writes `root` to the open files, closes them, and drops `root`. */
bool net_run_put_json(NetRun *run, json_t *root, JmError *error);

/* Sets the parameters that the topology asks for, then those of --param, separated by
 * commas, if `text` is not NULL. */
bool net_parameters_set(NetLoad *load, const char *text, const char *command,
                        JmError *error);

/* replay.c: runs of programs, a workload trace=FILE. Returns the exit status;
 * `limited`: the run's cycles are a limit. */
bool net_run_is_trace(const NetRun *run);
int net_run_trace(NetRun *run, bool limited, JmError *error);

#endif
