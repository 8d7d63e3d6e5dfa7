/* The order in which solution methods are tried. Internal to net/model. */
#ifndef JM_NET_MODEL_SCHEDULES_H
#define JM_NET_MODEL_SCHEDULES_H

#include "net/model/iteration.h"

/* Solves the layout's problem if it can, and reports in `result` the state, the number
 * of tries and the name of the last one. False and `error` if a value is not finite.
 * The layout is unchanged on return. */
bool schedules_try(Iteration *iteration, AmvaLayout *layout, AmvaResult *result,
                   JmError *error);

#endif
