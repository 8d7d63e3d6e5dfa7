/* experiments.json: what each experiment is, how it is drawn, and how it is redone. */
#ifndef JM_TOOLS_EXP_TABLES_METADATA_H
#define JM_TOOLS_EXP_TABLES_METADATA_H

#include "tools/exp/plan/experiment.h"

bool metadata_write(const Campaign *campaign, const char *folder, const char *command,
                    JmError *error);

/* The command that does one experiment again. */
json_t *metadata_command(const Campaign *campaign, const char *name);

#endif
