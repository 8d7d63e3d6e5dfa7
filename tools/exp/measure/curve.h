/* Statistics of a curve: y over x, both columns; runs with the same x are averaged. */
#ifndef JM_TOOLS_EXP_MEASURE_CURVE_H
#define JM_TOOLS_EXP_MEASURE_CURVE_H

#include "tools/exp/measure/selection.h"

/* The statistics crossing, reached, highest, linear and longer of measure.def. */
double statistic_crossing(const Selection *s);
double statistic_reached(const Selection *s);
double statistic_highest(const Selection *s);
double statistic_linear(const Selection *s);
double statistic_longer(const Selection *s);

#endif
