/* The figures of one run, named as the columns of NAME.csv. Claims use these names. */
#ifndef JM_TOOLS_EXP_MEASURE_ROW_H
#define JM_TOOLS_EXP_MEASURE_ROW_H

#include "emu/core/suggest.h"
#include "tools/exp/measure/statistics.h"
#include "tools/exp/plan/experiment.h"

/* Returns the figure of a column (results.def) or the value of a setting; NaN if the
 * run has none. */
double row_number(const Run *run, const char *column);

/* Summarises a column over some runs, or over the runs of a point. */
Summary row_summary_of(const Run **runs, size_t count, const char *column);
Summary row_summary(const Point *point, const char *column);

/* Returns a field (SAMPLE_...) of the sample with this number; NaN if the run ended
 * earlier, and summarises it over some runs. */
double row_sample(const Run *run, size_t sample, size_t field);
Summary row_samples(const Run **runs, size_t count, size_t sample, size_t field);

/* Some runs as points. */
typedef struct {
    Point *points;
    size_t count;
} LoadPoints;

/* Groups runs, which are ordered by point, into points; they must outlive these. */
LoadPoints load_points_open(const Run **runs, size_t count);
void load_points_close(LoadPoints *all);

/* Whether there is a figure of this name; whether there is a figure or a setting. */
bool row_is_figure(const char *column);
bool row_has(const char *column);

/* Considers all their names. */
void row_suggest(JmSuggestion *suggestion);

/* Returns the number of columns: those of a run of the machine, or all. */
unsigned row_count(bool with_models);
/* Returns the name of a column, from 0: those of a run of the machine come first. */
const char *row_column(unsigned index);

#endif
