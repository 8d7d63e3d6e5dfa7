/* Confidence intervals of means. */
#ifndef JM_NET_MODEL_INTERVAL_H
#define JM_NET_MODEL_INTERVAL_H

/* Returns Student's t: half of the interval that holds the mean of `count` values with
 * probability `confidence` is t times the standard error of that mean. */
double net_student(unsigned count, double confidence);

/* Returns half of that interval for values with the standard deviation `sd`. */
double net_half_width(double sd, unsigned count, double confidence);

#endif
