/* Counts what a named program does in its timed part: between its first mark and its
 * last. Every function but timed_open() accepts NULL, for no count. */
#ifndef JM_TOOLS_EXP_RUN_TIMED_H
#define JM_TOOLS_EXP_RUN_TIMED_H

#include "tools/exp/run/probe.h"

typedef struct Timed Timed;

/* Makes the counts of a machine that stops at marks; its probe may know more. */
Timed *timed_open(JmMachine *machine, const ProbeState *probe);
/* Notes the counters at a mark: the machine has just stopped there. */
void timed_mark(Timed *timed);
/* Adds the field `timed` to the result of the run: {name: count}, sums over all nodes;
 * empty without two marks.
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
void timed_result(const Timed *timed, Result *result);
void timed_close(Timed *timed);

#endif
