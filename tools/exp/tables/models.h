/* The tables of an experiment of the kind `models`, and which experiments have them. */
#ifndef JM_TOOLS_EXP_TABLES_MODELS_H
#define JM_TOOLS_EXP_TABLES_MODELS_H

#include "tools/exp/plan/experiment.h"

/* Whether an experiment is of this kind: NAME.csv then has the columns of models,
 * too. */
bool models_wanted(const Plan *plan);

/* Writes a row for each point, curve by curve. `line` and `mark` say which curve the
 * point is on; the one that does not apply is empty. */
void models_curves(const Plan *plan, FILE *out);

/* Whether some points have nodes and come from a model. */
bool models_have_nodes(const Plan *plan);
/* Writes a row for each node with means over the runs of a point: `queue`,
 * messages, of a model only those that wait for the network; `queue_all`, those and the
 * ones at the processor; `accepted`, flits a cycle that the network takes. */
void models_put_nodes(const Plan *plan, unsigned point, FILE *out);
extern const char models_nodes_head[];

/* Whether some points have unbounded queues at no cost. */
bool models_have_bars(const Plan *plan);
/* Writes a row for each point of a cure: counts over its runs, and the ratios of
 * bars.h. */
void models_bars(const Plan *plan, FILE *out);

/* Whether some points name a program. */
bool models_have_scaling(const Plan *plan);
/* Writes a row for each point. The speedup says how often its makespan goes into that
 * of the point on the fewest nodes, `base_count`, times these nodes. */
void models_scaling(const Plan *plan, FILE *out);

#endif
