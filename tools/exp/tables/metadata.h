/* experiments.json: for each experiment its description, how it is drawn, and the
 * command that repeats it. */
#ifndef JM_TOOLS_EXP_TABLES_METADATA_H
#define JM_TOOLS_EXP_TABLES_METADATA_H

#include "tools/exp/plan/experiment.h"

bool metadata_write(const Campaign *campaign, const char *folder, const char *command,
                    JmError *error);

/* Returns the command that repeats one experiment, as a JSON string. */
json_t *metadata_command(const Campaign *campaign, const char *name);

#endif
