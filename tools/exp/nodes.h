/* Tables by node and by heading, and what claims ask of them. */
#ifndef JM_TOOLS_EXP_NODES_H
#define JM_TOOLS_EXP_NODES_H

#include <stdio.h>

#include "tools/exp/experiment.h"

/* NAME.map.csv: sums over all runs of the plan, by node. */
void nodes_write(const Campaign *campaign, const Plan *plan, FILE *out);
/* NAME.jam.csv: flits by kind of wire around the first overflow. */
void nodes_write_jam(const Campaign *campaign, const Plan *plan, FILE *out);
/* NAME.costs.csv: table 2.1 by payload. */
void nodes_write_costs(const Campaign *campaign, const Plan *plan, FILE *out);

/* Position of a node of the machine that a run had. */
void nodes_position(const Settings *settings, unsigned rank, unsigned at[3],
                    unsigned size[3]);
bool nodes_on_surface(const unsigned at[3], const unsigned size[3]);

#endif
