/* Writes NAME.cells.csv, the cells of printed tables with computed values, and
 * NAME.printed.csv, with the printed values as well. For tables.c. */
#ifndef JM_TOOLS_EXP_TABLES_CELLS_H
#define JM_TOOLS_EXP_TABLES_CELLS_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment reproduces a printed table. */
bool cells_wanted(const Plan *plan);

void cells_write(const Campaign *campaign, const Plan *plan, FILE *out);
void cells_write_printed(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
