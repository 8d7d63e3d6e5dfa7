/* The experiments (experiments.def) and what their sweeps unfold to: points, and runs
 * that points of several experiments may share. */
#ifndef JM_TOOLS_EXP_PLAN_EXPERIMENT_H
#define JM_TOOLS_EXP_PLAN_EXPERIMENT_H

#include <jansson.h>

#include "tools/exp/plan/settings.h"

typedef enum {
    KIND_CURVE,   /* y over x, a curve for each value of `series` */
    KIND_SCATTER, /* a mark for each run */
    KIND_TIMES,   /* something over the time of the runs */
    KIND_MAP,     /* something by node, in a plane */
    KIND_VIEW,    /* the whole machine over time */
    KIND_TABLE
} ExperimentKind;

typedef struct {
    const char *name, *figure; /* figure: as the thesis numbers it, "" if none */
    ExperimentKind kind;
    const char *title, *caption;
    const char *x, *x_label, *y, *error, *y_label, *series;
    int plane; /* z of a map, from 0; -1: none */
    const char *full;
    unsigned full_runs;
    const char *quick;
    unsigned quick_runs;
    const char *remark; /* more about how it is done here; "": nothing */
} Experiment;

unsigned experiment_count(void);
const Experiment *experiment_at(unsigned index);
const Experiment *experiment_find(const char *name); /* NULL: none */
const char *experiment_kind_name(ExperimentKind kind);

/* What the command line changes in all experiments. */
typedef struct {
    bool full;
    unsigned runs;           /* for each point; 0: as the table has it */
    const char *const *sets; /* NAME=VALUE,VALUE... */
    unsigned set_count;
} Variation;

/* One run to be done; its record is NULL until it is. */
typedef struct {
    Settings settings;
    unsigned seed;
    char *key;
    json_t *record;
} Run;

typedef struct {
    Settings settings;
    size_t *runs; /* places in the list of all runs, by seed */
    unsigned run_count;
} Point;

typedef struct {
    const Experiment *experiment;
    Point *points;
    unsigned point_count;
    char *full; /* the sweep of its full form, and the runs of a point there */
    unsigned full_runs;
} Plan;

/* Everything one command does. */
typedef struct {
    Plan *plans;
    unsigned plan_count;
    Run *runs;
    size_t run_count;
    json_t *by_key; /* place of each run */
    Variation variation;
} Campaign;

/* An empty campaign; to be freed in any case. */
bool campaign_open(Campaign *campaign, const Variation *variation, JmError *error);
void campaign_close(Campaign *campaign);

/* Adds an experiment's points and runs; false and a message for a bad variation. */
bool campaign_add(Campaign *campaign, const Experiment *experiment, JmError *error);

/* Adds points that no experiment of the table has: `sweep` as in the table, `full` and
 * `full_runs` what the full form has. */
bool campaign_add_sweep(Campaign *campaign, const Experiment *experiment,
                        const char *sweep, unsigned runs, const char *full,
                        unsigned full_runs, JmError *error);

const Plan *campaign_plan(const Campaign *campaign, const char *name); /* NULL: none */
Run *campaign_run(const Campaign *campaign, const char *key);          /* NULL: none */

/* All runs of a plan, over its points. */
size_t plan_run_count(const Plan *plan);

#endif
