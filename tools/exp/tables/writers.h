/* The writers of the files NAME.SUFFIX.csv, for tables.c: what rows there are, their
 * columns, and which experiments have the file. */
#ifndef JM_TOOLS_EXP_TABLES_WRITERS_H
#define JM_TOOLS_EXP_TABLES_WRITERS_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* ---- bars.c: cures against the bar for a better one ------------------------------ */

/* Whether an experiment has this table: one with points of unbounded queues at no
 * cost. The bar is no overflow, no deadlock, and hardly more time than those. */
bool bars_wanted(const Plan *plan);

/* Writes a row for each point of a cure: its settings; runs, and their seeds; overflows
 * of all of them, runs that had one, runs that deadlocked; the most words in a queue of
 * priority 0, of priority 1, the mean of the latter over the runs, the most in a ring;
 * messages at priority 1, percent; the makespan; how many runs have a counterpart with
 * unbounded queues; the ratios of measure/bars.h. `_ci95` is half the width of the 95 %
 * confidence interval. */
void bars_write(const Campaign *campaign, const Plan *plan, FILE *out);

/* ---- by_node.c ------------------------------------------------------------------- */

/* The columns of NAME.map.csv. */
extern const char by_node_map_head[];
/* Writes NAME.map.csv: sums over all runs of the plan, by node. */
void by_node_map(const Campaign *campaign, const Plan *plan, FILE *out);
/* Writes NAME.jam.csv: flits by class of wire around the first overflow. */
void by_node_jam(const Campaign *campaign, const Plan *plan, FILE *out);
/* Writes NAME.costs.csv: table 2.1 for each length of messages. */
void by_node_costs(const Campaign *campaign, const Plan *plan, FILE *out);

/* ---- cells.c: the cells of printed tables ---------------------------------------- */

/* Whether an experiment reproduces a printed table. */
bool cells_wanted(const Plan *plan);

/* Writes the computed values; `printed`: beside those that are printed. */
void cells_write(const Campaign *campaign, const Plan *plan, FILE *out);
void cells_write_printed(const Campaign *campaign, const Plan *plan, FILE *out);

/* ---- curves.c: models, simulations and the machine on the same axes -------------- */

/* Whether an experiment has this table, and columns of models in NAME.csv. */
bool curves_wanted(const Plan *plan);

/* Returns how a point ended: the state of the first run without a solution; else that
 * of the last. */
const char *curves_state(const Campaign *campaign, const Point *point);

/* Names the curve of point `index`: what solved it, and the values of the columns in
 * `series` and of settings that --set sweeps; those without a value are left out. */
enum { CURVE_NAME_MAX = 256 };
void curves_name(const Campaign *campaign, const Plan *plan, unsigned index,
                 char name[CURVE_NAME_MAX]);

/* Returns the names of all settings of the plan's points but `model`, as {name: true}.
 */
json_t *curves_setting_names(const Plan *plan);

/* Writes a field for each of these names, with a comma before each: the values of the
 * settings, empty where one is not set; the names themselves if `settings` is NULL. */
void curves_put_settings(FILE *out, const Settings *settings, json_t *names);

/* Writes a row for each point: what solved it and how that ended, how it is drawn, the
 * settings that any point has, all figures of results.def as means over its runs, then
 * half the width of the 95 % confidence interval of each COLUMN, and its standard
 * deviation.
 *
 * Rows go curve by curve, along each by x. `line` and `mark` say which curve the point
 * is on; the one that does not apply is empty. `state` is "solved" only if all runs of
 * the point are. */
void curves_write(const Campaign *campaign, const Plan *plan, FILE *out);

/* ---- nodes.c: queues by node, for maps on the same axes -------------------------- */

/* Whether an experiment has this table: some of its points have nodes and come from a
 * model. */
bool nodes_wanted(const Plan *plan);

/* Writes a row for each point and node: what solved it and how that ended, the curve as
 * in NAME.curves.csv, the place, and means over the runs of the point:
 *
 *   queue      messages; of a model only those that wait for the network
 *   queue_all  messages at the node: those and the ones at the processor
 *   queue_all_flits  the same in flits
 *   accepted   flits a cycle that the network takes from the node
 *
 * Without a solution the four are empty. */
void nodes_write(const Campaign *campaign, const Plan *plan, FILE *out);

/* ---- scaling.c: a named program on machines of several sizes --------------------- */

/* Whether an experiment has this table: some of its points name a program. */
bool scaling_wanted(const Plan *plan);

/* Writes a row for each point: its settings, its nodes, and beside the point on the
 * fewest nodes, whose number is `base_count`, the speedup: how often the makespan goes
 * into that one's, times these nodes. The efficiency is that over the nodes. */
void scaling_write(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
