/* Sweeps: text that unfolds to settings. "m=5 L=10; p=3 h=45,50; p=7 h=60" holds two
 * groups; what stands before the first semicolon is common to all (and is the only
 * group if there is no semicolon). A list of values, with commas, makes a point of
 * each; the last name of a group changes fastest. */
#ifndef JM_TOOLS_EXP_PLAN_SWEEP_H
#define JM_TOOLS_EXP_PLAN_SWEEP_H

#include "tools/exp/plan/settings.h"

typedef bool SweepPoint(void *context, const Settings *settings, JmError *error);

/* Calls `add` for each point; `sets` (NAME=VALUES) replace what the text says in all
 * groups. False and a message for bad settings, or if `add` fails. */
bool sweep_unfold(const char *text, const char *const *sets, unsigned set_count,
                  SweepPoint *add, void *context, JmError *error);

#endif
