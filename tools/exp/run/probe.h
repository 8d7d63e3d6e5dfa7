/* Records of a run of the machine beyond its statistics, as selected by its settings:
 * `probe` selects a probe, `overflow_above` watches the length of queues, and a named
 * program is counted between its first mark and its last. */
#ifndef JM_TOOLS_EXP_RUN_PROBE_H
#define JM_TOOLS_EXP_RUN_PROBE_H

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

typedef struct ProbeState ProbeState;

/* Makes what `settings` ask for and attaches it to the machine. Call probe_close() even
 * if this fails. */
bool probe_open(ProbeState **probe, const Settings *settings, JmMachine *machine,
                JmError *error);
/* Runs the machine as jm_run() does, and samples queues on the way if they are
 * watched. */
JmStop probe_run(ProbeState *probe, uint64_t cycle);
/* Marks the start of the timed part at this cycle. */
void probe_start(ProbeState *probe, uint64_t cycle);
/* Notes the counters at a mark: the machine has just stopped there. */
void probe_mark(ProbeState *probe);
/* Called at every sample of the run. */
void probe_sample(ProbeState *probe);
/* Adds the findings to the result of the run, whose h_got is known. Of a named program
 * they are the field `timed`: {name: count}, sums over all nodes; empty without two
 * marks.
 *
 *   cycles      of all nodes             tasks       messages dispatched
 *   sending     of these, SENDs and      messages    sent
 *               waiting to send          words       of these
 *   dispatch    dispatching              overflows   of queues of both priorities
 *   idle        with nothing to do       flits       across the middle in x
 *   faults      entering other faults    instructions
 *   overflow    in the overflow handlers, with probe=1
 *
 * and `longest`, the words in the longest queue of priority 0 since the reset. */
void probe_result(ProbeState *probe, Result *result);
void probe_close(ProbeState *probe); /* NULL is fine */

#endif
