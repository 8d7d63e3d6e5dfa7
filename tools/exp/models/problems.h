/* What solvers take, made from the settings of a model. For the points of `jm exp` and
 * for the commands that solve one. */
#ifndef JM_TOOLS_EXP_MODELS_PROBLEMS_H
#define JM_TOOLS_EXP_MODELS_PROBLEMS_H

#include "net/graph/graph.h"
#include "net/model/adaptive/adaptive.h"
#include "net/model/amva.h"
#include "net/model/pipelined/node.h"
#include "net/model/queueing.h"
#include "net/model/servers.h"
#include "net/model/shared/shared.h"
#include "net/traffic/load.h"
#include "tools/exp/plan/settings.h"

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

/* ---- closed, servers ------------------------------------------------------------- */

/* Returns the servers, the customers (those of `m` made whole) and the size of a queue.
 */
ModelClosed model_closed(const Settings *settings);
ServersProblem model_servers_problem(const Settings *settings, uint64_t seed);

/* The figures of `closed`: with identical servers, and of the first slow server. */
typedef struct {
    double log10_s, log10_t, p_no_overflow, p_run_length;
    ModelRates rates;
} ClosedUniform;

typedef struct {
    double mean_first, p_full, overflow_rate;
} ClosedSlow;

bool model_closed_uniform(ModelClosed system, ClosedUniform *figures, JmError *error);
bool model_closed_slow(ModelClosed system, const Settings *settings,
                       ClosedSlow *figures, JmError *error);

/* ---- amva ------------------------------------------------------------------------ */

AmvaProblem model_amva_problem(const Settings *settings);
/* Returns the mesh that the problem is solved on; NULL and `error`. */
NetGraph *model_amva_graph(const Settings *settings, JmError *error);

/* ---- cube, optimum, cube_node ---------------------------------------------------- */

/* Returns the number of wires that the setting `constraint` holds constant. */
double model_cube_wires(const Settings *settings);
/* Returns the problem for the usual message, an address packet and a data packet. */
PipelinedContinuum model_continuum(const Settings *settings);
/* Returns the simulation of a node of a cube, which net_pipelined_check() must still
 * check: its links may be narrower than a bit. */
PipelinedLoad model_cube_load(const Settings *settings, uint64_t seed);

/* ---- shared, adaptive ------------------------------------------------------------ */

/* Solves shared memory on a network for a workload, both as `jm net run` takes them,
 * with the settings that say how. Errors name `tool`. `stop` may be NULL; true from it
 * ends the work. */
bool model_solve_shared(const char *tool, const char *topology, const char *workload,
                        const Settings *settings, bool (*stop)(void *context),
                        void *context, SharedResult *result, JmError *error);

/* Returns the problem of messages at random times on a torus; the setting `reading`
 * says which equations are the printed ones. */
AdaptiveProblem model_adaptive(const Settings *settings, unsigned side, double rate,
                               double length);

#endif
