/* The figures of one run by the names of the columns of NAME.csv; claims use the same
 * names. */
#ifndef JM_TOOLS_EXP_MEASURE_ROW_H
#define JM_TOOLS_EXP_MEASURE_ROW_H

#include "tools/exp/plan/experiment.h"

/* The figure of a column (row.def), or of a setting; NaN if the run has none. */
double row_number(const Run *run, const char *column);

/* Whether there is such a column or setting. */
bool row_has(const char *column);

/* Walks the columns of row.def: index 0.. until NULL. */
const char *row_column(unsigned index);

#endif
