/* Measures how often queues exceed a number of messages (`overflow_above`) without
 * treating them differently: the count of chapter 3 of the thesis. Every function
 * accepts a NULL Watch, for none. */
#ifndef JM_TOOLS_EXP_RUN_WATCH_H
#define JM_TOOLS_EXP_RUN_WATCH_H

#include "tools/exp/plan/settings.h"
#include "tools/exp/result/result.h"

typedef struct Watch Watch;

/* Makes the watch that `settings` select; NULL for none. */
Watch *watch_open(const Settings *settings);
/* Marks the start of the timed part at this cycle. */
void watch_start(Watch *watch, uint64_t cycle);
/* Runs the machine as jm_run() does, and samples all queues on the way. */
JmStop watch_run(Watch *watch, JmMachine *machine, uint64_t cycle);
/* Adds the findings to the result of the run, whose h_got is known:
 *
 *   p_no_overflow   share of the samples at which no queue was longer
 *   overflow_rate   how often that ended, per service time
 *
 * They cover the middle half of the processors' minimum time, which excludes the
 * balanced start and the end. */
void watch_result(const Watch *watch, Result *result);
void watch_close(Watch *watch);

#endif
