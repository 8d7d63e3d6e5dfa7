/* The statistics available to measures (measure.def). */
#ifndef JM_TOOLS_EXP_MEASURE_SELECTION_H
#define JM_TOOLS_EXP_MEASURE_SELECTION_H

#include "emu/core/suggest.h"
#include "tools/exp/plan/experiment.h"

enum { SELECTION_WORDS_MAX = 4 };

/* The runs that a term selects, and the words after the name of its statistic. */
typedef struct {
    const Run **runs;
    size_t count;
    const char *words[SELECTION_WORDS_MAX];
    unsigned word_count;
} Selection;

/* Computes a figure of the selected runs; NaN if there is none. */
typedef double Statistic(const Selection *selection);

/* The functions of the rows. */
#define STATISTIC(name, words, text) Statistic statistic_##name;
#include "tools/exp/measure/measure.def"
#undef STATISTIC

/* Returns the function of a row of measure.def; `*words` gets what stands for the words
 * that it takes. NULL if there is no such row. */
Statistic *statistic_find(const char *name, const char **words);

/* Considers all names of statistics. */
void statistic_suggest(JmSuggestion *suggestion);

#endif
