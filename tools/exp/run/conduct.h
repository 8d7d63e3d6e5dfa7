/* Doing a campaign's runs: what is missing is handed out, what comes back is journalled
 * at once. */
#ifndef JM_TOOLS_EXP_RUN_CONDUCT_H
#define JM_TOOLS_EXP_RUN_CONDUCT_H

#include "tools/exp/plan/experiment.h"
#include "tools/exp/run/pool.h"

/* Fills in every record of the campaign in the process that writes files (see
 * ranks_leads()). `ranks` may be NULL. */
bool conduct(Campaign *campaign, const char *folder, bool resume, unsigned jobs,
             bool quiet, Ranks *ranks, JmError *error);

#endif
