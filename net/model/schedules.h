/* The order in which ways to solve a problem are tried. Internal to net/model. */
#ifndef JM_NET_MODEL_SCHEDULES_H
#define JM_NET_MODEL_SCHEDULES_H

#include "net/model/iteration.h"

/* Solves the layout's problem if it can, and says in `result` the state, how many ways
 * were tried and what the last one was. False without memory or if a value is not
 * finite. The layout is as before at the end. */
bool schedules_try(Iteration *iteration, AmvaLayout *layout, AmvaResult *result,
                   JmError *error);

#endif
