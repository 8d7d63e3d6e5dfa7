/* Efficiencies of the processors of a square network by position: columns of
 * results.def. NaN if a run has no list of them. */
#ifndef JM_TOOLS_EXP_MEASURE_EFFICIENCY_H
#define JM_TOOLS_EXP_MEASURE_EFFICIENCY_H

#include "tools/exp/plan/experiment.h"

/* Number of processors whose efficiency is known; 0: none. */
unsigned efficiency_count(const Run *run);
/* Number of rows, equal to that of columns. */
unsigned efficiency_side(const Run *run);
/* Percent; processor = row * side + column. */
double efficiency_at(const Run *run, unsigned processor);

/* Means over the inner half of the rows, the first and last row, the corners, and the
 * one or four processors in the middle. */
double efficiency_middle(const Run *run);
double efficiency_edge(const Run *run);
double efficiency_corners(const Run *run);
double efficiency_centre(const Run *run);

/* Mean percent difference of efficiencies from the printed cells of a map of 8x8: table
 * V-A one way, V-B two ways (Adve and Vernon 1994). NaN for another side, or other
 * requests out or services than the map's. */
double efficiency_map_off(const Run *run);

#endif
