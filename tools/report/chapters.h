/* The chapters of the page: figures under a heading, and the text about a model. */
#ifndef JM_TOOLS_REPORT_CHAPTERS_H
#define JM_TOOLS_REPORT_CHAPTERS_H

#include <jansson.h>

/* Returns the chapters that have figures in the list `figures`: [{chapter,
 * chapter_name, heading, introductions: [{parts: [{text, claim}]}], figures, about:
 * [{term, parts}], failing: [claim], slips}].
 * `claims` are prepared (verdicts.h); a claim that is not among them has an id alone.
 * `failing`: claims of the figures reproduced in part or not, if the chapter describes
 * a model. `slips`: [{where, printed, used, why}], what the source has wrong. */
json_t *chapters_of(const json_t *figures, const json_t *claims);

/* Chapters are numbered from 0; the last has the figures that belong to no other. */
unsigned chapters_count(void);

/* Returns the number of the chapter that has an experiment. */
unsigned chapters_with(const char *experiment);

/* Returns the name of a chapter and sets its heading. The last one has none: NULL. */
const char *chapters_name(unsigned chapter, const char **heading);

#endif
