/* NAME.nodes.csv: queues by node of models, simulations and the machine, for maps on
 * the same axes. */
#ifndef JM_TOOLS_EXP_TABLES_NODES_H
#define JM_TOOLS_EXP_TABLES_NODES_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment has this table: some of its points have nodes and come from a
 * model. */
bool nodes_wanted(const Plan *plan);

/* Writes a row for each point and node: what solved it and how that ended, the curve as
 * in NAME.curves.csv, the place, and means over the runs of the point:
 *
 *   queue      messages; of a model only those that wait for the network
 *   queue_all  messages at the node: those and the ones at the processor
 *   queue_all_flits  the same in flits
 *   accepted   flits a cycle that the network takes from the node
 *
 * Without a solution the four are empty. */
void nodes_write(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
