/* Solves a point of an experiment by a model instead of running the machine. The result
 * has `stop`, "solved", "clipped", "saturated" or "not converged", status 0, as a point
 * without a solution is no failure, and the figures of the model; results.def says what
 * they are. Without a solution they are NaN. */
#ifndef JM_TOOLS_EXP_MODELS_SOLVE_H
#define JM_TOOLS_EXP_MODELS_SOLVE_H

#include "net/traffic/load.h"
#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

/* Whether a model solves the point. */
bool model_solves(const Settings *settings);

typedef void ModelProgress(void *context, unsigned sweep, double change);

/* A point to solve. */
typedef struct {
    const Settings *settings;
    uint64_t seed;
    /* Called some times a second; may be NULL. True: the result is no longer wanted. */
    bool (*stop)(void *context);
    void *context;
    bool stopped;            /* `stop` ended the work */
    ModelProgress *progress; /* called by `amva` after every sweep; may be NULL */
} ModelPoint;

/* Solves a point and returns its result. Returns NULL and fills `error` for settings
 * that do not fit together or without memory; NULL with an empty text in `error` if
 * `stop` ended the work. */
Result *model_solve(ModelPoint *point, JmError *error);
/* Returns a result without figures, of a point that is solved. */
Result *model_record(const Settings *settings, uint64_t seed);

/* Estimates the time of a point, as the machine cycles of a run that takes as long. */
double model_work(const Settings *settings);

/* ---- for the commands of `jm model` and `jm net` too ----------------------------- */

/* Returns a setting as a whole number, rounded; 0 if it is not set. */
unsigned model_whole(const Settings *settings, const char *name);
/* Return a setting as a whole number, rounded, or as a number; `standard` if it is not
 * set. */
unsigned model_whole_or(const Settings *settings, const char *name, unsigned standard);
double model_number_or(const Settings *settings, const char *name, double standard);

/* Half of the 95 % interval of an estimate; NaN unless the run has settled. */
double model_half_width(NetRunState state, NetEstimate estimate);

/* ---- a network at one rate ------------------------------------------------------- */

/* NUMBER(name): the numbers of a run, in the order of columns. */
#define MODEL_RATE_NUMBERS                                                             \
    NUMBER(rate)       /* asked for, in messages a cycle and processor */              \
    NUMBER(offered)    /* sent in the measured cycles */                               \
    NUMBER(accepted)   /* arrived in them */                                           \
    NUMBER(latency)    /* mean from birth to arrival, in cycles */                     \
    NUMBER(half_width) /* half of its 95 % interval, if the run has settled */         \
    NUMBER(p50)        /* percentiles of the latency */                                \
    NUMBER(p95)                                                                        \
    NUMBER(p99)                                                                        \
    NUMBER(cycles) /* of the run; fewer than asked for if a backlog has ended it */

/* Plain data, which MPI ranks copy. A number is NaN if it is unknown. */
typedef struct {
#define NUMBER(name) double name;
    MODEL_RATE_NUMBERS
#undef NUMBER
    NetRunState state;
    bool done;
} ModelRate;

/* Runs `load`, whose workload lacks the rate, at `row->rate`; `channels` of its window
 * get their counts in it. True and `row` unchanged if `stop` ended the run; false and
 * `error` as net_load_create(). */
bool model_run_rate(ModelRate *row, const NetLoad *load, bool (*stop)(void *context),
                    void *context, JmError *error);

/* ---- shared, adaptive ------------------------------------------------------------ */

/* Solve shared memory on a network for a workload, both as `jm net run` takes them, or
 * messages at random times on a torus of `side` columns and rows, with the settings of
 * the point that say how, and add the figures to the record. Errors name `tool`. */
bool model_solve_shared(ModelPoint *point, const char *tool, const char *topology,
                        const char *workload, Result *record, JmError *error);
bool model_solve_adaptive(const ModelPoint *point, unsigned side, double rate,
                          double length, Result *record, JmError *error);

#endif
