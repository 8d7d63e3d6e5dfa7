/* Runs a campaign: missing runs are handed out to workers, and each result is
 * journalled as soon as it arrives. */
#ifndef JM_TOOLS_EXP_RUN_CONDUCT_H
#define JM_TOOLS_EXP_RUN_CONDUCT_H

#include "tools/exp/plan/experiment.h"
#include "tools/exp/run/journal.h"
#include "tools/exp/run/pool.h"

/* Gives a run of the campaign its record in a journal (JournalTake). */
bool conduct_take(void *campaign, const json_t *record, char why[RESULT_WHY_MAX]);

/* Does all missing runs. On return the process that writes files (ranks_leads()) has
 * every record of the campaign; other ranks have none. `journal` is that process's;
 * NULL there means that it could not be opened, as `error` says. `ranks` may be NULL.
 * Returns false and fills `error` if a run or the journal failed; false with an empty
 * error if a signal asked to end (tools/host/signals.h): finished runs are kept. */
bool conduct(Campaign *campaign, Journal *journal, unsigned jobs, bool quiet,
             Ranks *ranks, JmError *error);

#endif
