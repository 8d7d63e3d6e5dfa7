/* One run of an experiment, in a machine of its own from reset to the end. Its record
 * is a JSON object:
 *
 *   key, version, stop, status, cycles, instructions
 *   why        [text...]                   only of a failed run, whose status is not 0:
 *              what `jm run` would print of its end
 *   T          cycles between the two marks; null if the run did not get there
 *   hops, h_got, h_min                     what the program counted and measured
 *   overflows, first_overflow              of priority 0; cycles since the first mark
 *   overflows1                             of priority 1
 *   longest, longest1                      most words in a queue of each priority
 *   faults     {name: count}
 *   wire_x     share of the timed part's cycles that the wires across the middle in x
 *              were busy
 *   transit    {min, mean, max}            cycles
 *   places     [[rank, overflows, cycle of the first]...]      only where there are any
 *   cuts       data flits over each cut in x, headers too, over the data flits of all
 *              hops
 *   send       SEND faults by node
 *   depth      mean words in the queue by node, times 100; deepest: the most
 *   series     [[cycle since the first mark, words in the fullest queue, words in all,
 *              nodes with messages in the overflow buffer]...]
 *   frames, costs, jam                     only with that probe
 *   p_no_overflow, overflow_rate           only with `overflow_above` (run/watch.h)
 */
#ifndef JM_TOOLS_EXP_RUN_TRIAL_H
#define JM_TOOLS_EXP_RUN_TRIAL_H

#include <jansson.h>

#include "tools/exp/plan/settings.h"

/* Called some times a second; true ends the run early. */
typedef bool TrialStop(void *context);

/* The machine of the last run, reused by the next one if that needs such a machine with
 * the same program: it is restored to its state after loading the program. */
typedef struct TrialStore TrialStore;

/* NULL: no memory; each run then makes its own machine */
TrialStore *trial_store_create(void);
void trial_store_destroy(TrialStore *store); /* NULL is ignored */

/* Does a run and returns its record, which does not depend on `store`, NULL if there is
 * none. Returns NULL and fills `error` if the machine could not be made; NULL with an
 * empty text in `error` if `stop` ended the run. */
json_t *trial_run(const Settings *settings, uint64_t seed, TrialStore *store,
                  TrialStop *stop, void *context, JmError *error);

#endif
