/* The command line of `jm exp run`, parsed. */
#ifndef JM_TOOLS_EXP_OPTIONS_H
#define JM_TOOLS_EXP_OPTIONS_H

#include "tools/exp/plan/experiment.h"

enum { EXP_SETS_MAX = 16, EXP_JOBS_MAX = 256 };

typedef struct {
    const Experiment **experiments; /* in the order of the table */
    unsigned experiment_count;
    bool calibration; /* asked for, by name or by `all` */
    const char *folder;
    const char *sets[EXP_SETS_MAX];
    Variation variation;
    unsigned jobs;
    bool resume, quiet, help;
    char *command; /* all of it, to be written into results */
} ExpOptions;

/* Parses what stands behind `run`; `options` is to be freed in any case. */
bool exp_options_parse(ExpOptions *options, int argc, char **argv, JmError *error);
void exp_options_free(ExpOptions *options);
void exp_options_help(void);

#endif
