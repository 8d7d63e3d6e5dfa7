/* The files of a results folder but the journal and the verdicts; ../README.md lists
 * them. */
#ifndef JM_TOOLS_EXP_TABLES_TABLES_H
#define JM_TOOLS_EXP_TABLES_TABLES_H

#include "emu/core/outfile.h"
#include "emu/core/suggest.h"
#include "tools/exp/plan/experiment.h"

/* Writes all files of a plan to `folder`. All runs of the plan must have records.
 * Returns false and fills `error` if a file cannot be written. */
bool tables_write(const Plan *plan, const char *folder, JmError *error);

/* Writes experiments.json: for each experiment its description, how it is drawn, and
 * the command that repeats it. */
bool metadata_write(const Campaign *campaign, const char *folder, const char *command,
                    JmError *error);
/* Returns the command that repeats one experiment, as a JSON string. */
json_t *metadata_command(const Campaign *campaign, const char *name);

/* Considers the statistics that points have of a column: mean, sd, ... */
void tables_suggest_statistic(JmSuggestion *suggestion);

/* Whether the table that an experiment of this kind is drawn from has a column. */
bool tables_have(ExperimentKind kind, const char *column);

#endif
