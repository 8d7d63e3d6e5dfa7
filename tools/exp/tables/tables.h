/* The CSV files of an experiment; ../README.md lists their columns. */
#ifndef JM_TOOLS_EXP_TABLES_TABLES_H
#define JM_TOOLS_EXP_TABLES_TABLES_H

#include "emu/core/outfile.h"
#include "tools/exp/plan/experiment.h"

/* Writes all files of a plan to `folder`. All runs of the plan must have records.
 * Returns false and fills `error` if a file cannot be written. */
bool tables_write(const Campaign *campaign, const Plan *plan, const char *folder,
                  JmError *error);

/* Returns the names of the files that tables_write() writes, as a JSON array. */
json_t *tables_files(const Plan *plan);

/* Writes a number of a CSV field; an empty field for NaN and infinity. */
void tables_number(FILE *out, double value);

/* Ends a row of a table that has no column for each setting: writes a field for each
 * that --set sweeps (plan/swept.h), its value at a point, or its name if `settings` is
 * NULL, and a newline. */
void tables_end_row(FILE *out, const Plan *plan, const Settings *settings);

/* Opens the file `folder`/`name``suffix` for writing. */
bool tables_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error);

#endif
