/* Claims and verdicts in the form that the page shows. */
#ifndef JM_TOOLS_REPORT_VERDICTS_H
#define JM_TOOLS_REPORT_VERDICTS_H

#include <jansson.h>

#include "emu/core/status.h"

/* Adds to every claim of the list the members that page.html shows: `class` of its
 * verdict, `link` to its figure, ranges and measured value as text. */
void verdicts_prepare(json_t *claims, const json_t *experiments);

/* Returns the claims about a figure, or of an experiment without one. */
json_t *verdicts_of_figure(const json_t *claims, const json_t *experiment);

/* Returns, as text, the ids of the claims in part or not that an experiment explains.
 */
json_t *verdicts_explained_by(const json_t *claims, const char *experiment);

/* Sorts claims: those that are not reproduced first, then those in part, not measured
 * and not judged; checks, which no run could contradict, last. */
void verdicts_sort(json_t *claims);

/* Returns {class, text, reproduced, measured, unmeasured} for a list of claims:
 * reproduced if all are, not if none is even in part, neither if one was not measured;
 * null if none was measured. Checks do not count. */
json_t *verdicts_sum(const json_t *claims);

/* Returns [{text, class, count}]: the claims of the thesis or a paper that are no
 * checks, by verdict. */
json_t *verdicts_count(const json_t *claims);

/* Returns {all, consistent}: counts of the checks; null if there are none. */
json_t *verdicts_checks(const json_t *claims);
/* Returns {all, cleared}: counts of the project's own bars that are no checks; null
 * if there are none. */
json_t *verdicts_bars(const json_t *claims);

/* Returns {explained, doubtful, hold, all, unrun} from the totals of claims.json: how
 * many of the claims in part or not are explained, and how many of the explanations
 * hold. Null if there is nothing to explain. */
json_t *verdicts_totals(const json_t *totals);

/* Returns the results of the calibration: {effects: [...], choices: [{name, text,
 * cells}]}; empty if it was not run; NULL and an error if its table cannot be read. */
json_t *verdicts_calibration(const char *folder, const json_t *experiments,
                             JmError *error);

#endif
