/* Statistics of a run as JSON; the keys are the rows of stats.def. */
#ifndef JM_TOOLS_JM_STATS_STATS_H
#define JM_TOOLS_JM_STATS_STATS_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/jm.h"

/* A run that has ended. */
typedef struct {
    const JmMachine *machine;
    const char *program;
    JmStop stop;
    int status;              /* exit status of jm run */
    JmNodeStatistics totals; /* jm_statistics() */
} StatsRun;

/* Whether the end of a run needs an explanation: nodes stopped or wait for each other,
 * or may have stopped unseen because the run was to keep going. */
bool stats_explained(const JmMachine *machine, JmStop stop);

/* Exit statuses of `jm run` beside those of programs, 0 to 125: 126 at a limit of
 * cycles, 127 if nodes stopped. */
enum { EXIT_LIMIT = 126, EXIT_STOPPED = 127 };
/* Returns that of a run that no signal ended; the manual page lists them. */
int stats_exit_status(const JmMachine *machine, JmStop stop, bool expect_exit);

/* Writes the statistics, one node a line; `run->totals` is filled in. */
void stats_write(StatsRun *run, FILE *out);

/* Sets the values of a row NODE_STAT for each node, by rank; NaN where it has no
 * number. False if there is no such row. */
bool stats_node_values(const JmMachine *machine, const char *key, double *values);

#endif
