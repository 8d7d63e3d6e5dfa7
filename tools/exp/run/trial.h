/* One run of an experiment, in a machine of its own from reset to the end. */
#ifndef JM_TOOLS_EXP_RUN_TRIAL_H
#define JM_TOOLS_EXP_RUN_TRIAL_H

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"
#include "tools/jm/embedded.h"

/* The machine of the last run, reused by the next one if that needs such a machine with
 * the same program: it is restored to its state after loading the program. Zeroed,
 * there is none. */
typedef struct {
    JmMachine *machine;
    JmCheckpoint *loaded;      /* the machine with the program just loaded */
    const EmbeddedFile *image; /* the program */
} TrialStore;

void trial_store_empty(TrialStore *store);

/* Does a run and returns its result, which does not depend on `store`. `stop` is called
 * some times a second; true ends the run early. Returns NULL and fills `error` if the
 * machine could not be made; NULL with an empty text in `error` if `stop` ended the
 * run. */
Result *trial_run(const Settings *settings, uint64_t seed, TrialStore *store,
                  bool (*stop)(void *context), void *context, JmError *error);

#endif
