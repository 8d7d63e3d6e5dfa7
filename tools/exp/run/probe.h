/* Probes record more of a run than its statistics; the setting `probe` selects one.
 * Every function accepts a NULL ProbeState, for no probe. */
#ifndef JM_TOOLS_EXP_RUN_PROBE_H
#define JM_TOOLS_EXP_RUN_PROBE_H

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

typedef struct ProbeState ProbeState;

/* Makes the probe that `settings` select and attaches it to the machine; NULL for none.
 * Call probe_close() even if this fails. */
bool probe_open(ProbeState **probe, const Settings *settings, JmMachine *machine,
                JmError *error);
/* Marks the start of the timed part at this cycle. */
void probe_start(ProbeState *probe, uint64_t cycle);
/* Called at every sample of the run. */
void probe_sample(ProbeState *probe);
/* Returns the cycles in the overflow handlers so far, on all nodes; NaN if the probe
 * does not measure them. */
double probe_overflow_cycles(const ProbeState *probe);
/* Adds the findings to the result of the run. */
void probe_result(ProbeState *probe, Result *result);
void probe_close(ProbeState *probe);

/* ---- jam.c: how wires stop after the first overflow ------------------------------ */

typedef struct Jam Jam;
Jam *jam_open(JmMachine *machine);
json_t *jam_result(const Jam *jam); /* null if there was no overflow */
void jam_close(Jam *jam);

#endif
