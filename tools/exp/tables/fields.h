/* Fields and rows of CSV files. */
#ifndef JM_TOOLS_EXP_TABLES_FIELDS_H
#define JM_TOOLS_EXP_TABLES_FIELDS_H

#include "emu/core/outfile.h"
#include "tools/exp/plan/experiment.h"

/* Writes a number of a CSV field; an empty field for NaN and infinity. fields_put()
 * writes a comma before it. */
void fields_number(FILE *out, double value);
void fields_put(FILE *out, double value);

/* Ends a row: writes a field for each setting that --set sweeps (experiment.h), its
 * value at a point, or its name if `settings` is NULL, and a newline. `has_main`: the
 * table has a column for each main setting, so those are left out. */
void fields_end_row(FILE *out, const Plan *plan, const Settings *settings,
                    bool has_main);

/* Opens the file `folder`/`name``suffix` for writing. */
bool fields_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error);

/* Writes `root` to `folder`/`name`.json, and drops it. */
bool fields_json(json_t *root, size_t flags, const char *folder, const char *name,
                 JmError *error);

#endif
