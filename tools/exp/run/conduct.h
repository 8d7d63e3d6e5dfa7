/* Conducts sweeps: tasks that are not done are handed out to workers, the longest
 * first, and each result is journalled as soon as it arrives. */
#ifndef JM_TOOLS_EXP_RUN_CONDUCT_H
#define JM_TOOLS_EXP_RUN_CONDUCT_H

#include "tools/exp/plan/experiment.h"
#include "tools/exp/run/journal.h"
#include "tools/exp/run/pool.h"

/* The tasks of a sweep. */
typedef struct {
    const char *title; /* the command, for errors: "jm exp" */
    const char *unit;  /* what progress counts: "run" */
    size_t count;      /* tasks 0 .. count-1 */
    void *context;     /* first argument of the functions below */
    /* Estimates the work that is left of a task, in any unit; 0: it is done. */
    double (*left)(void *context, size_t task);
    /* Called in a worker (Pool.work): returns a line of the journal, malloc'ed; NULL
     * and `error` if the task failed, and with an empty text if `stop` ended it. */
    char *(*work)(void *context, size_t task, PoolStop *stop, void *stop_context,
                  JmError *error);
    /* Called in the process that writes files: journals that line and keeps what it
     * says, `record`. */
    bool (*take)(void *context, size_t task, const char *line, const json_t *record,
                 JmError *error);
} Sweep;

/* Does all tasks that are not done on the leader (ranks_leads()), which keeps the
 * results. Under MPI every rank must call it; `ranks` may be NULL. Returns false and
 * fills `error` if a task or the journal failed; false with an empty error if a signal
 * asked to end (tools/host/signals.h): finished tasks are kept. */
bool conduct(const Sweep *sweep, unsigned jobs, bool quiet, Ranks *ranks,
             JmError *error);

/* Gives a run of the campaign its record in a journal (JournalTake). */
bool campaign_take(void *campaign, const json_t *record, char why[RESULT_WHY_MAX]);

/* Does all missing runs of a campaign, as conduct(). */
bool campaign_conduct(Campaign *campaign, Journal *journal, unsigned jobs, bool quiet,
                      Ranks *ranks, JmError *error);

#endif
