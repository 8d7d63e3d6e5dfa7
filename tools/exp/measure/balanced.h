/* The balanced closed queueing network of the thesis's chapter 3, to which its section
 * 4.5.1 compares the machine. */
#ifndef JM_TOOLS_EXP_MEASURE_BALANCED_H
#define JM_TOOLS_EXP_MEASURE_BALANCED_H

#include "tools/exp/measure/selection.h"

/* Returns the overflows per service of one server (eq. 3.50). All placements of the
 * customers on the servers are equally likely; `each` is the mean number of customers
 * at a server, and a queue holds `queue`. */
double balanced_overflow_rate(unsigned servers, unsigned each, unsigned queue);

/* The row `balanced` of measure.def: a machine of 512 nodes. */
double statistic_balanced(const Selection *s);

#endif
