/* Sweeps: texts that expand to points, each a list of settings.
 *
 *     m=5 L=10; p=3 h=45,50; p=7 h=60
 *
 * has two groups and three points. The settings before the first semicolon are common
 * to all groups; without a semicolon they are the only group. Each value of a list
 * makes a point, and the last name of a group changes fastest. In a list 1..3 stands
 * for 1,2,3 and 1..3/0.5 for 1,1.5,2,2.5,3. A group with model=NAME is solved by that
 * model. runs=N is not a setting: each point of the group gets N runs. */
#ifndef JM_TOOLS_EXP_PLAN_SWEEP_H
#define JM_TOOLS_EXP_PLAN_SWEEP_H

#include "tools/exp/plan/settings.h"

/* Runs of a point, and of a campaign. */
enum { RUNS_MAX = 1000000 };

/* Receives a point; false and an error end the sweep. `runs` is the number in its
 * group; 0: not given. */
typedef bool SweepPoint(void *context, const Settings *settings, unsigned runs,
                        JmError *error);

/* Calls `add`, which may be NULL, for each point. `sets` (NAME=VALUES, from --set)
 * replace settings of the text in all groups that accept them. Returns false and fills
 * `error` for bad settings, or if `add` fails; its column is the place in `text`, 0 if
 * a set is wrong. */
bool sweep_unfold(const char *text, const char *const *sets, unsigned set_count,
                  SweepPoint *add, void *context, JmError *error);

#endif
