/* Watches how often queues are longer than so many messages (`overflow_above`), while
 * nothing happens to those that are: what chapter 3 of the thesis counts. Every
 * function accepts a NULL Watch, for none. */
#ifndef JM_TOOLS_EXP_RUN_WATCH_H
#define JM_TOOLS_EXP_RUN_WATCH_H

#include <jansson.h>

#include "tools/exp/plan/settings.h"

typedef struct Watch Watch;

/* Makes the watch that `settings` ask for; NULL for none. Call watch_close() even if
 * this fails. */
bool watch_open(Watch **watch, const Settings *settings, JmError *error);
/* Says that the timed part began at this cycle. */
void watch_start(Watch *watch, uint64_t cycle);
/* Runs the machine as jm_run() does, and looks at all queues on the way. */
JmStop watch_run(Watch *watch, JmMachine *machine, uint64_t cycle);
/* Adds the findings to the record of the run:
 *
 *   p_no_overflow   share of the looks at which no queue was longer
 *   overflow_rate   how frequently that ended, in the time of a service
 *
 * They are of the middle half of the time that the processors need at least, so that
 * neither the balanced start nor the end is in them. */
void watch_result(const Watch *watch, json_t *record);
void watch_close(Watch *watch);

#endif
