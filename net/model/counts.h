/* The tilt of rows of counts, shared by the queueing models. Internal to net/model. */
#ifndef JM_NET_MODEL_COUNTS_H
#define JM_NET_MODEL_COUNTS_H

#include "net/model/queueing.h"

/* Returns the p in 0..1 for which the sum of `servers` geometric variables truncated at
 * `queue` has mean `customers`, for 0 < customers <= servers queue / 2. */
double counts_tilt(unsigned servers, double customers, unsigned queue);

/* Returns g of net_model_t_row(): (1-p) / (1 - p^(q+1)). */
double counts_scale(double p, unsigned queue);

/* Whether a system is small enough to be counted; otherwise an error. */
bool counts_check(double servers, double customers, JmError *error);

#endif
