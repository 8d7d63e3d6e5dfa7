/* Experiments (experiments.def), and the campaign that a command plans from them.
 *
 *     Campaign -> Plan, one for each experiment -> Point -> Run
 *
 * The campaign owns all runs; points refer to them, since points of several experiments
 * may share a run. */
#ifndef JM_TOOLS_EXP_PLAN_EXPERIMENT_H
#define JM_TOOLS_EXP_PLAN_EXPERIMENT_H

#include <jansson.h>
#include <stdio.h>

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

typedef enum {
    KIND_CURVE,   /* figure: y over x, a curve for each value of `series` */
    KIND_SCATTER, /* figure: a mark for each run */
    KIND_TIMES,   /* figure: a quantity over the time of the runs */
    KIND_MAP,     /* figure: a quantity by node, in a plane of the mesh */
    KIND_VIEW,    /* figure: all queues of the machine over time */
    KIND_MODELS,  /* figure: y over x, models as lines, the machine and simulations as
                     marks, one for each value of the columns in `series` */
    KIND_TABLE    /* no figure */
} ExperimentKind;

/* An expectation about an experiment: a row of claims.def, or of an experiment's
 * file. */
typedef struct {
    bool check; /* a CHECK: no run could contradict it */
    const char *id, *where, *figure, *experiment, *statement, *thesis, *unit;
    const char *measure;        /* NULL: no experiment can measure it */
    double low, high;           /* reproduced if the figure lies in low..high */
    double part_low, part_high; /* in part if it lies in part_low..part_high */
    const char *tolerance;      /* rule by which the ranges were set */
    const char *why;            /* remark; without a measure, the test that covers it */
} Claim;

/* A row of experiments.def or experiments_papers.def, or a file (experiment_file.h). */
typedef struct {
    const char *name;
    const char *figure; /* number of the figure in the thesis, "" if none */
    ExperimentKind kind;
    const char *title, *caption;
    const char *x, *x_label, *y, *error, *y_label; /* columns and labels */
    const char *series; /* a column; MODELS: columns, separated by blanks */
    int plane;          /* MAP: z of the plane, from 0; else -1 */
    const char *full;   /* sweep of the full form: the thesis's runs */
    unsigned full_runs;
    const char *quick; /* sweep of the short form */
    unsigned quick_runs;
    const char *remark; /* differences from the thesis that no number shows; "": none */
    const char *paper;  /* the source paper; NULL: the thesis */
    const char *log;    /* file: logarithmic axes, "x", "y" or "x y"; "": none */
    const char *file;   /* its path; NULL: a row of the tables */
    const Claim *claims; /* file: its claims; those of rows are in claims.def */
    unsigned claim_count;
} Experiment;

unsigned experiment_count(void);
const Experiment *experiment_at(unsigned index);
const Experiment *experiment_find(const char *name); /* NULL: none */
const char *experiment_kind_name(ExperimentKind kind);

/* The options of the command line that change all experiments. */
typedef struct {
    bool full;               /* the full form, not the short one */
    unsigned runs;           /* runs of each point; 0: as in the table */
    const char *const *sets; /* texts NAME=VALUE,VALUE... of --set */
    unsigned set_count;
} Variation;

/* Writes these options, as they follow the names of experiments in a command. */
void variation_print(const Variation *variation, FILE *out);

/* One run of a program in a machine of its own. */
typedef struct {
    Settings settings;
    unsigned seed;
    char *key;            /* identity of the run: settings and seed (settings_key) */
    Result *outcome;      /* NULL: not done */
    const Result *result; /* the outcome of a run that ended as planned; NULL: it has no
                             figures */
} Run;

/* Sets the outcome of a run. Status 0 means that it ended as planned. */
void run_keep(Run *run, Result *outcome);

/* A load point of an experiment: runs that differ only in their seeds. */
typedef struct {
    const Settings *settings; /* of these runs */
    const Run **runs;         /* in the order of seeds */
    unsigned run_count;
} Point;

/* Settings that --set sweeps in addition to the experiment's axes: those with several
 * values that neither its x nor its series distinguishes. Each combination of their
 * values is a family of points, with its own curves and maps. */
enum { SWEPT_MAX = 8 };
typedef struct {
    char name[SWEPT_MAX][SETTING_TEXT_MAX];
    unsigned count;
} Swept;

/* The points of one experiment. */
typedef struct {
    const Experiment *experiment;
    Variation variation; /* of the campaign */
    Point *points;       /* in the order of the sweep */
    unsigned point_count;
    Swept swept;
} Plan;

/* The file of records in a results folder, which `jm exp run` reads. */
#define JOURNAL_NAME "runs.jsonl"

/* All plans and runs of one command. */
typedef struct {
    Plan *plans;
    unsigned plan_count;
    Run **runs; /* each run once */
    size_t run_count;
    json_t *by_key; /* index in `runs` by key */
    Variation variation;
} Campaign;

/* Makes an empty campaign. */
Campaign campaign_open(const Variation *variation);
void campaign_close(Campaign *campaign);

/* Adds an experiment's points and runs. Returns false and fills `error` if the
 * variation does not fit. */
bool campaign_add(Campaign *campaign, const Experiment *experiment, JmError *error);

/* Adds the points of `sweep`, with `runs` runs each, as the plan of `experiment`. */
bool campaign_add_sweep(Campaign *campaign, const Experiment *experiment,
                        const char *sweep, unsigned runs, JmError *error);

const Plan *campaign_plan(const Campaign *campaign, const char *name); /* NULL: none */
Run *campaign_run(const Campaign *campaign, const char *key);          /* NULL: none */

/* Returns how many of the campaign's runs are done, whether or not they ended as
 * planned. */
size_t campaign_done(const Campaign *campaign);

/* Returns the runs of a plan, point by point; malloc'ed. */
const Run **plan_runs(const Plan *plan);

/* Returns the number of runs of a point; some points of models have only one. */
unsigned plan_most_runs(const Plan *plan);

/* Returns the number of runs of a plan, summed over its points. */
size_t plan_run_count(const Plan *plan);

/* Whether two points are of one family; whether no earlier point is of this one's. */
bool plan_same_family(const Plan *plan, unsigned a, unsigned b);
bool plan_begins_family(const Plan *plan, unsigned point);

/* Describes how the planned runs differ from those of the full form, which are the
 * thesis's: a JSON string such as "L = 300 instead of 1000; 4 runs a point instead of
 * 150"; "" if nothing differs. */
json_t *plan_scale(const Plan *plan);

#endif
