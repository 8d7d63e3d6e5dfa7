/* Measures the rows of criteria.def for every setting of the readings. */
#include "tools/exp/judge/criteria.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/selection.h"
#include "tools/exp/plan/product.h"
#include "tools/exp/tables/fields.h"

/* A row of criteria.def. */
typedef struct {
    const char *column, *claim;
    ReadingLoadId load;
    const char *statistic; /* its name and words */
    double factor, low, high, thesis_low, thesis_high, scale;
    const char *text;
} Criterion;

static const Criterion criteria[] = {
#define CRITERION(column, claim, load, ...)                                            \
    {#column, claim, READING_LOAD_##load, __VA_ARGS__},
#include "tools/exp/judge/criteria.def"
#undef CRITERION
};
enum { CRITERIA = sizeof criteria / sizeof criteria[0], STATISTIC_TEXT_MAX = 64 };

/* Distances beyond this are not worse. */
static const double farthest = 3;

double criteria_distance(double value, double low, double high, double scale) {
    if (isnan(value))
        return farthest;
    const double away = fmax(fmax(low - value, value - high), 0) / scale;
    return fmin(away, farthest);
}

/* ---- figures --------------------------------------------------------------------- */

/* Cuts the text of a statistic into the words of `selection` and returns its function.
 */
static Statistic *read_statistic(char *text, Selection *selection) {
    char *rest = NULL;
    unsigned wanted;
    const char *name = strtok_r(text, " ", &rest);
    Statistic *statistic = statistic_find(name, &wanted);
    for (char *word; (word = strtok_r(NULL, " ", &rest));)
        selection->words[selection->word_count++] = word;
    assert(statistic && selection->word_count == wanted);
    return statistic;
}

/* Returns a criterion's figure for a setting; NaN if no run was of its kind, or if some
 * run has no figures: the others might be the better ones. */
static double figure_of(const Campaign *campaign, const Plan *plan, unsigned reading,
                        const Criterion *criterion) {
    const Point *point =
        product_point(plan, product_at(PRODUCT_readings), reading, criterion->load);
    const Run **runs = point ? calloc(point->run_count + 1u, sizeof *runs) : NULL;
    if (!runs)
        return NAN;
    bool whole = true;
    for (unsigned i = 0; i < point->run_count; i++) {
        runs[i] = &campaign->runs[point->runs[i]];
        whole = whole && runs[i]->result;
    }
    char text[STATISTIC_TEXT_MAX];
    Selection selection = {.runs = runs, .count = point->run_count};
    snprintf(text, sizeof text, "%s", criterion->statistic);
    Statistic *const statistic = read_statistic(text, &selection);
    const double value = whole ? statistic(&selection) * criterion->factor : NAN;
    free(runs);
    return value;
}

/* ---- the table ------------------------------------------------------------------- */

/* Writes the header of the table: a column for each criterion. */
static void put_head(FILE *out) {
    fputs("reading,runs,L", out);
    for (unsigned i = 0; i < CRITERIA; i++)
        fprintf(out, ",%s", criteria[i].column);
    fputs(",met,of,distance,text\n", out);
}

/* Writes the thesis's row, ranges as "LOW to HIGH". */
static void put_thesis(FILE *out) {
    fputs("thesis,,", out);
    for (unsigned i = 0; i < CRITERIA; i++) {
        putc(',', out);
        fields_number(out, criteria[i].thesis_low);
        if (criteria[i].thesis_high == criteria[i].thesis_low)
            continue;
        fputs(" to ", out);
        fields_number(out, criteria[i].thesis_high);
    }
    fprintf(out, ",%d,%d,0,\"what the thesis has\"\n", CRITERIA, CRITERIA);
}

/* The number of runs and their length are those of the load point at which overflows
 * are counted. The first reading has no settings: it is the default. */
static void put_reading(FILE *out, const Campaign *campaign, const Plan *plan,
                        unsigned index) {
    const Choice *reading = &product_at(PRODUCT_readings)->choices[index];
    const Point *point =
        product_point(plan, product_at(PRODUCT_readings), index, READING_LOAD_overflow);
    fprintf(out, "%s,%u,%s", reading->name[0] ? reading->name : "default",
            point ? point->run_count : 0,
            point ? settings_text(&point->settings, "L") : "");
    unsigned met = 0;
    double squares = 0;
    for (unsigned i = 0; i < CRITERIA; i++) {
        const Criterion *c = &criteria[i];
        const double value = figure_of(campaign, plan, index, c);
        const double away =
            criteria_distance(value, c->thesis_low, c->thesis_high, c->scale);
        putc(',', out);
        fields_number(out, value);
        met += value >= c->low && value <= c->high;
        squares += away * away;
    }
    fprintf(out, ",%u,%d,%.3f,\"%s\"\n", met, CRITERIA, sqrt(squares / CRITERIA),
            reading->text);
}

bool criteria_write(const Campaign *campaign, const char *folder, JmError *error) {
    const Product *product = product_at(PRODUCT_readings);
    const Plan *plan = campaign_plan(campaign, product->experiment.name);
    JmOutFile file;
    if (!plan)
        return true;
    if (!fields_open(&file, folder, "readings-criteria", ".csv", error))
        return false;
    put_head(file.stream);
    put_thesis(file.stream);
    for (unsigned i = 0; i < product->choice_count; i++)
        put_reading(file.stream, campaign, plan, i);
    return jm_outfile_commit(&file, error);
}
