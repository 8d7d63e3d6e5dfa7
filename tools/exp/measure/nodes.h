/* Where a node stands in the machine that a run had. */
#ifndef JM_TOOLS_EXP_MEASURE_NODES_H
#define JM_TOOLS_EXP_MEASURE_NODES_H

#include "tools/exp/plan/settings.h"

/* Position of a node, and the machine's sides. */
void nodes_position(const Settings *settings, unsigned rank, unsigned at[3],
                    unsigned size[3]);
bool nodes_on_surface(const unsigned at[3], const unsigned size[3]);

#endif
