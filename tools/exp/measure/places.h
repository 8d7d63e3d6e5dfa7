/* Statistics of where things happen in the machine (rows of measure.def). */
#ifndef JM_TOOLS_EXP_MEASURE_PLACES_H
#define JM_TOOLS_EXP_MEASURE_PLACES_H

#include "tools/exp/measure/selection.h"

double statistic_centre(const Selection *s);
double statistic_surface(const Selection *s);
double statistic_inner(const Selection *s);
double statistic_share_in_plane(const Selection *s);
double statistic_cut(const Selection *s);
double statistic_up(const Selection *s);
double statistic_down(const Selection *s);
double statistic_silence(const Selection *s);
double statistic_left(const Selection *s);

#endif
