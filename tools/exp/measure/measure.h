/* Measures: figures computed from the runs of experiments, written as text, so that
 * claims are data.
 *
 *   measure = product { (+|-) product }
 *   product = term { (*|/) term }
 *   term    = number | ( measure )
 *           | STATISTIC [WORD]... of EXPERIMENT [where CONDITION...]
 *           | STATISTIC [WORD]... of this [where CONDITION...]
 *   condition = NAME(=|<|>|<=|>=)VALUE | NAME=
 *
 * There is a blank between any two words, including brackets and operators. The
 * condition NAME= means that NAME is not set. Statistics are the rows of measure.def;
 * names are the columns of results.def and the settings. */
#ifndef JM_TOOLS_EXP_MEASURE_MEASURE_H
#define JM_TOOLS_EXP_MEASURE_MEASURE_H

#include "tools/exp/plan/experiment.h"

enum { MEASURE_DETAIL_MAX = 1024, MEASURE_WHY_MAX = 256 };

typedef struct {
    double value;  /* NaN: not measured, or no run was of the kind */
    bool measured; /* the campaign holds the required runs */
    bool swept;    /* --set sweeps a setting beside the axes: runs of all its values are
                      no figure of one kind, and `value` is NaN */
    char why[MEASURE_WHY_MAX];       /* why there is no value; "" if there is one */
    char detail[MEASURE_DETAIL_MAX]; /* each term with its value and number of runs */
} Measure;

/* Evaluates a measure; `self` is the experiment that "this" stands for, NULL: none.
 * Returns false and fills `error`, whose column is the place in `text`, if that does
 * not follow the grammar. */
bool measure(const Campaign *campaign, const char *self, const char *text,
             Measure *result, JmError *error);

#endif
