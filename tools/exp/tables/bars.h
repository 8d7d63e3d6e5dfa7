/* NAME.bars.csv: the cures of an experiment at each load point, against the bar for a
 * better cure: no overflow, no deadlock, and hardly more time than a machine with
 * unbounded queues at no cost. */
#ifndef JM_TOOLS_EXP_TABLES_BARS_H
#define JM_TOOLS_EXP_TABLES_BARS_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment has this table: one with points of that machine. */
bool bars_wanted(const Plan *plan);

/* Writes a row for each point of a cure: its settings; runs, and their seeds; overflows
 * of all of them, runs that had one, runs that deadlocked; the most words in a queue of
 * priority 0, of priority 1, the mean of the latter over the runs, the most in a ring;
 * messages at priority 1, percent; the makespan; how many runs have a counterpart with
 * unbounded queues; the ratios of measure/bars.h. `_ci95` is half the width of the 95 %
 * confidence interval. */
void bars_write(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
