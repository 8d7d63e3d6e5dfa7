/* The CSV files of an experiment; README.md has their columns. */
#ifndef JM_TOOLS_EXP_TABLES_TABLES_H
#define JM_TOOLS_EXP_TABLES_TABLES_H

#include "emu/core/outfile.h"
#include "tools/exp/plan/experiment.h"

/* Writes all files of a plan into `folder`; false and a message if one cannot be
 * written. All runs of the plan must have their records. */
bool tables_write(const Campaign *campaign, const Plan *plan, const char *folder,
                  JmError *error);

/* The names of the files that tables_write() leaves, as a JSON array. */
json_t *tables_files(const Plan *plan);

/* A number as CSV has it: empty if it is none. */
void tables_number(FILE *out, double value);

/* Opens DIR/NAME + suffix. */
bool tables_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error);

#endif
