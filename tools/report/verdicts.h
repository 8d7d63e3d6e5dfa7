/* Claims and their verdicts as the page shows them. */
#ifndef JM_TOOLS_REPORT_VERDICTS_H
#define JM_TOOLS_REPORT_VERDICTS_H

#include <jansson.h>

#include "emu/core/status.h"

/* Adds to every claim of the list what page.html shows: `class` of its verdict, `link`
 * to its figure, ranges and measured value as text. */
void verdicts_prepare(json_t *claims, const json_t *experiments);

/* The claims about a figure, or of an experiment without one. */
json_t *verdicts_of_figure(const json_t *claims, const json_t *experiment);

/* Ids of the claims in part or not that an experiment has an explanation for, as text.
 */
json_t *verdicts_explained_by(const json_t *claims, const char *experiment);

/* Puts claims that no run could contradict, checks, behind the others. */
void verdicts_sort(json_t *claims);

/* {class, text, reproduced, measured, unmeasured} for a list of claims together:
 * reproduced if all are, not if none is even in part; neither if one was not measured;
 * null if none was. Checks are not looked at. */
json_t *verdicts_sum(const json_t *claims);

/* [{text, class, count}] of the claims that are no checks, by verdict. */
json_t *verdicts_count(const json_t *claims);

/* {all, consistent} of the checks; null if there are none. */
json_t *verdicts_checks(const json_t *claims);

/* {explained, doubtful, hold, all, unrun} from the totals of claims.json: of the
 * claims in part or not, how many are explained, and of the explanations how many hold.
 * Null if there is nothing to explain. */
json_t *verdicts_totals(const json_t *totals);

/* What calibration found: {effects: [...], choices: [{name, text, cells}]}; empty if it
 * was not run, NULL and a message if its table cannot be read. */
json_t *verdicts_calibration(const char *folder, const json_t *experiments,
                             JmError *error);

#endif
