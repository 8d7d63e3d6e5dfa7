/* The CSV files of an experiment; ../README.md lists their columns. */
#ifndef JM_TOOLS_EXP_TABLES_TABLES_H
#define JM_TOOLS_EXP_TABLES_TABLES_H

#include "emu/core/outfile.h"
#include "emu/core/suggest.h"
#include "tools/exp/plan/experiment.h"

/* Writes all files of a plan to `folder`. All runs of the plan must have records.
 * Returns false and fills `error` if a file cannot be written. */
bool tables_write(const Campaign *campaign, const Plan *plan, const char *folder,
                  JmError *error);

/* Returns the names of the files that tables_write() writes, as a JSON array. */
json_t *tables_files(const Plan *plan);

/* Considers the statistics that points have of a column: mean, sd, ... */
void tables_suggest_statistic(JmSuggestion *suggestion);

/* Whether the table that an experiment of this kind is drawn from has a column. */
bool tables_have(ExperimentKind kind, const char *column);

#endif
