/* The statistics that measures are made of (measure.def). */
#ifndef JM_TOOLS_EXP_MEASURE_SELECTION_H
#define JM_TOOLS_EXP_MEASURE_SELECTION_H

#include "tools/exp/plan/experiment.h"

enum { SELECTION_WORDS_MAX = 3 };

/* Runs that a term selects, and the words behind its statistic. */
typedef struct {
    const Run **runs;
    size_t count;
    const char *words[SELECTION_WORDS_MAX];
    unsigned word_count;
} Selection;

typedef double Statistic(const Selection *selection);

/* The function of a row of measure.def; `words` is how many it takes. NULL: no such. */
Statistic *statistic_find(const char *name, unsigned *words);

#endif
