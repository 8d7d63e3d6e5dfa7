/* Tables by node, by window of time and by heading of table 2.1. */
#ifndef JM_TOOLS_EXP_TABLES_BY_NODE_H
#define JM_TOOLS_EXP_TABLES_BY_NODE_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Writes NAME.map.csv: sums over all runs of the plan, by node. */
void by_node_map(const Campaign *campaign, const Plan *plan, FILE *out);
/* Writes NAME.jam.csv: flits by class of wire around the first overflow. */
void by_node_jam(const Campaign *campaign, const Plan *plan, FILE *out);
/* Writes NAME.costs.csv: table 2.1 for each length of messages. */
void by_node_costs(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
