/* Writes NAME.cells.csv, the cells of printed tables with what was computed, and
 * NAME.printed.csv, with what is printed there. For tables.c. */
#ifndef JM_TOOLS_EXP_TABLES_CELLS_H
#define JM_TOOLS_EXP_TABLES_CELLS_H

#include <stdio.h>

#include "tools/exp/plan/experiment.h"

/* Whether an experiment stands for a printed table. */
bool cells_wanted(const Plan *plan);

void cells_write(const Campaign *campaign, const Plan *plan, FILE *out);
void cells_write_printed(const Campaign *campaign, const Plan *plan, FILE *out);

#endif
