/* Cells of printed tables (cells.def) and their printed values (printed_*.def). */
#ifndef JM_TOOLS_EXP_MEASURE_CELLS_H
#define JM_TOOLS_EXP_MEASURE_CELLS_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment reproduces a printed table. */
bool cells_wanted(const Plan *plan);
/* Writes the computed values of a plan's cells as NAME.cells.csv; beside those that are
 * printed, as NAME.printed.csv. */
void cells_write(const Plan *plan, FILE *out);
void cells_write_printed(const Plan *plan, FILE *out);

#endif
