/* The fixed-point iteration of the unknowns. Internal to this folder. */
#ifndef JM_NET_MODEL_SHARED_ITERATE_H
#define JM_NET_MODEL_SHARED_ITERATE_H

#include "net/model/shared/parts.h"

/* Iterates to convergence, trying one schedule after the other; fills in state, sweeps
 * and change. Network residence and memory times are those of the last sweep. */
bool shared_iterate(Shared *s, SharedResult *result, JmError *error);

#endif
