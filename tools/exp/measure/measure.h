/* Measures: figures computed from the runs of experiments, written as text, so that
 * claims are data.
 *
 *   measure = product { (+|-) product }
 *   product = term { (*|/) term }
 *   term    = number | ( measure )
 *           | STATISTIC [WORD]... of EXPERIMENT [where CONDITION...]
 *   condition = NAME(=|<|>|<=|>=)VALUE | NAME=        the last: NAME is not set
 *
 * with a blank between any two words, brackets and operators among them.
 * Statistics are the rows of measure.def, names those of row.def and the settings. */
#ifndef JM_TOOLS_EXP_MEASURE_MEASURE_H
#define JM_TOOLS_EXP_MEASURE_MEASURE_H

#include "tools/exp/plan/experiment.h"

enum { MEASURE_DETAIL_MAX = 1024 };

typedef struct {
    double value;                    /* NaN: there is none */
    bool measured;                   /* the experiments are in the campaign */
    char detail[MEASURE_DETAIL_MAX]; /* the terms, their values, and of how many runs */
} Measure;

/* False and a message if the text is none of the grammar. */
bool measure(const Campaign *campaign, const char *text, Measure *result,
             JmError *error);

#endif
