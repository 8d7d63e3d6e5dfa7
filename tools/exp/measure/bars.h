/* Load points of cures for overflow, compared with the bar for a better cure: hardly
 * more time than a machine with unbounded queues at no cost, which is one with
 * spill_cycles=0. Points with the same load are compared. */
#ifndef JM_TOOLS_EXP_MEASURE_BARS_H
#define JM_TOOLS_EXP_MEASURE_BARS_H

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/selection.h"

/* Whether a point has unbounded queues at no cost. */
bool bars_is_endless(const Settings *settings);

/* References for the makespans of a point; NaN if missing:
 * ratio      run by run, those of endless queues, with the same seeds
 * ref_ratio  the same of the machine as built
 * hot_ratio  with a hot spot: the longer of two times, the mean of endless queues with
 *            uniform traffic and what the hot node has to work, which is
 *            B / (N + B - 1) N m L h */
Summary bars_ratio(const LoadPoints *bars, const Point *point);
Summary bars_ref_ratio(const LoadPoints *bars, const Point *point);
Summary bars_hot_ratio(const LoadPoints *bars, const Point *point);

#endif
