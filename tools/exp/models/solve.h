/* Solves a point of an experiment by a model instead of running the machine. The result
 * has `stop`, "solved", "clipped", "saturated" or "not converged", status 0, as a point
 * without a solution is no failure, and the figures of the model; results.def says what
 * they are. Without a solution they are NaN. */
#ifndef JM_TOOLS_EXP_MODELS_SOLVE_H
#define JM_TOOLS_EXP_MODELS_SOLVE_H

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

#endif
