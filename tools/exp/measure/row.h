/* The figures of one run, named as the columns of NAME.csv. Claims use these names. */
#ifndef JM_TOOLS_EXP_MEASURE_ROW_H
#define JM_TOOLS_EXP_MEASURE_ROW_H

#include "tools/exp/plan/experiment.h"

/* Returns the figure of a column (row.def, model_row.def) or the value of a setting;
 * NaN if the run has none. */
double row_number(const Run *run, const char *column);

/* Whether a column or setting of this name exists. */
bool row_has(const char *column);

/* Returns the name of column `index` of row.def, from 0; NULL after the last. */
const char *row_column(unsigned index);
/* Returns the name of column `index` of model_row.def, from 0; NULL after the last. */
const char *row_model_column(unsigned index);

#endif
