/* Positions of nodes in the mesh of a run. */
#ifndef JM_TOOLS_EXP_MEASURE_NODES_H
#define JM_TOOLS_EXP_MEASURE_NODES_H

#include "tools/exp/plan/settings.h"

/* Gives the position (x, y, z) of a node and the sides of the mesh, both in nodes. */
void nodes_position(const Settings *settings, unsigned rank, unsigned at[3],
                    unsigned size[3]);
/* Whether a node lies on at least one face of the mesh. */
bool nodes_on_surface(const unsigned at[3], const unsigned size[3]);

#endif
