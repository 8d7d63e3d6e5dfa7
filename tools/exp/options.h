/* The command line of `jm exp run`, parsed. */
#ifndef JM_TOOLS_EXP_OPTIONS_H
#define JM_TOOLS_EXP_OPTIONS_H

#include "tools/exp/plan/experiment_file.h"

#define EXP_RUN "jm exp run" /* as errors call it */

enum { EXP_SETS_MAX = 16, EXP_JOBS_MAX = 256 };

/* Where the text of a file comes from: malloc'ed; NULL and an error if there is none.
 */
typedef struct {
    char *(*read)(void *context, const char *path, size_t *size, JmError *error);
    void *context;
} ExpSource;

/* The parsed command line. */
typedef struct {
    const Experiment **experiments; /* in the order of the table, then files */
    unsigned experiment_count;
    ExperimentFile **files; /* those that were read */
    unsigned file_count;
    const char *folder;             /* where the files go */
    const char *sets[EXP_SETS_MAX]; /* arguments of --set, of the caller's argv */
    Variation variation;            /* `sets` points to the array above */
    unsigned jobs;                  /* processes at a time */
    bool resume, quiet, help;
    char *command; /* the command as results record it */
} ExpOptions;

/* Parses the arguments behind `run`, and reads experiments' files from `source`.
 * Returns false and fills `error` for a bad one; call exp_options_free() in either
 * case. */
bool exp_options_parse(ExpOptions *options, int argc, char **argv, ExpSource source,
                       JmError *error);
/* Takes names of experiments, of groups and of files alone: false and an error. */
bool exp_options_names(ExpOptions *options, int count, char **names, ExpSource source,
                       JmError *error);
void exp_options_free(ExpOptions *options);
void exp_options_help(void);

#endif
