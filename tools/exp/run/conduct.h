/* Runs a campaign: missing runs are handed out to workers, and each result is
 * journalled as soon as it arrives. */
#ifndef JM_TOOLS_EXP_RUN_CONDUCT_H
#define JM_TOOLS_EXP_RUN_CONDUCT_H

#include "tools/exp/plan/experiment.h"
#include "tools/exp/run/pool.h"

/* Does all missing runs. On return the process that writes files (ranks_leads()) has
 * every record of the campaign; other ranks have none. `ranks` may be NULL. Returns
 * false and fills `error` if a run or the journal failed. */
bool conduct(Campaign *campaign, const char *folder, bool resume, unsigned jobs,
             bool quiet, Ranks *ranks, JmError *error);

#endif
