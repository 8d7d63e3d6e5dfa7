/* One run of an experiment, in a machine of its own from reset to the end. */
#ifndef JM_TOOLS_EXP_RUN_TRIAL_H
#define JM_TOOLS_EXP_RUN_TRIAL_H

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

/* Called some times a second; true ends the run early. */
typedef bool TrialStop(void *context);

/* The machine of the last run, reused by the next one if that needs such a machine with
 * the same program: it is restored to its state after loading the program. */
typedef struct TrialStore TrialStore;

/* NULL: no memory; each run then makes its own machine */
TrialStore *trial_store_create(void);
void trial_store_destroy(TrialStore *store); /* NULL is ignored */

/* Does a run and returns its result, which does not depend on `store`, NULL if there is
 * none. Returns NULL and fills `error` if the machine could not be made; NULL with an
 * empty text in `error` if `stop` ended the run. */
Result *trial_run(const Settings *settings, uint64_t seed, TrialStore *store,
                  TrialStop *stop, void *context, JmError *error);

#endif
