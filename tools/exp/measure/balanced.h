/* The balanced closed queueing network of the thesis's chapter 3, to which its section
 * 4.5.1 compares the machine. */
#ifndef JM_TOOLS_EXP_MEASURE_BALANCED_H
#define JM_TOOLS_EXP_MEASURE_BALANCED_H

#include "tools/exp/measure/selection.h"

/* Overflows per service of one server (eq. 3.50): all placements of the customers on
 * the servers are equally likely, `each` is their mean number, and a queue takes
 * `queue`. */
double balanced_overflow_rate(unsigned servers, unsigned each, unsigned queue);

double statistic_balanced(const Selection *s);

#endif
