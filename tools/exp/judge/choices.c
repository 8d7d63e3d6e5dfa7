/* Measures effects and criteria of what no source settles; see choices.h. */
#include "tools/exp/judge/choices.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/measure/selection.h"
#include "tools/exp/measure/verdicts.h"
#include "tools/exp/plan/loads.def"
#include "tools/exp/tables/fields.h"

/* Returns the point of a choice at the `load`-th of its `loads` load points, both from
 * 0, in a plan of `choices` choices. NULL if --set sweeps a setting: then there are
 * several, and none is the choice's. */
static const Point *point_of(const Plan *plan, unsigned choice, unsigned choices,
                             unsigned load, unsigned loads) {
    return plan->point_count == choices * loads ? &plan->points[choice * loads + load]
                                                : NULL;
}

/* ---- effects --------------------------------------------------------------------- */

/* A row of choices.def. */
static const struct {
    const char *name, *settings, *text;
} choices[] = {
#define CHOICE(...) {__VA_ARGS__},
#include "tools/exp/plan/choices.def"
#undef CHOICE
};
enum { CHOICES = sizeof choices / sizeof choices[0] };

typedef enum {
#define LOAD(choice, name, ...) LOAD_##name,
    CALIBRATION_LOADS(LOAD, ) LOADS
#undef LOAD
} Load;

typedef enum { CALIBRATE, TEST } Role;

static const char *const role_name[] = {"calibrates", "tests"};

/* A row of effects.def. */
typedef struct {
    const char *name, *claim;
    Role role;
    const char *column;
    Load load;
    double low, high;
    const char *text;
} Effect;

static const Effect effects[] = {
#define NONE INFINITY
#define EFFECT(name, claim, role, column, load, low, high, text)                       \
    {name, claim, role, column, LOAD_##load, low, high, text},
#include "tools/exp/judge/effects.def"
#undef EFFECT
#undef NONE
};
enum { EFFECTS = sizeof effects / sizeof effects[0] };

/* Returns the mean of the effect's column over the runs of a choice at the effect's
 * load; NaN if that point was not planned. */
static double value_of(const Plan *plan, unsigned choice, const Effect *effect) {
    const Point *point = point_of(plan, choice, CHOICES, effect->load, LOADS);
    double sum = 0;
    for (unsigned i = 0; point && i < point->run_count; i++)
        sum += row_number(point->runs[i], effect->column);
    return point ? sum / point->run_count : NAN;
}

/* Choice 0 is all defaults (choices.def). */
static void put_effect(FILE *out, const Plan *plan, unsigned choice,
                       const Effect *effect) {
    const double value = value_of(plan, choice, effect);
    const Verdict verdict =
        verdict_judge(!isnan(value), plan->variation.set_count,
                      value >= effect->low && value <= effect->high);
    const double numbers[] = {value, value_of(plan, 0, effect), effect->low,
                              effect->high};
    fprintf(out, "%s,%s,%s,\"%s\",%s,", choices[choice].name, choices[choice].settings,
            effect->claim, effect->name, role_name[effect->role]);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fields_number(out, numbers[i]);
        putc(',', out);
    }
    fprintf(out, "%s,\"%s\",\"%s\"\n", verdicts[verdict].effect, effect->text,
            choices[choice].text);
}

static void put_effects(FILE *out, const Plan *plan) {
    fputs("choice,option,claim,effect,role,measured,default_measured,low,high,verdict,"
          "effect_text,choice_text\n",
          out);
    for (unsigned i = 0; i < CHOICES; i++)
        for (unsigned k = 0; k < EFFECTS; k++)
            put_effect(out, plan, i, &effects[k]);
}

/* ---- criteria -------------------------------------------------------------------- */

/* A row of readings.def. */
static const struct {
    const char *settings, *text;
} readings[] = {
#define READING(...) {__VA_ARGS__},
#include "tools/exp/plan/readings.def"
#undef READING
};
enum { READINGS = sizeof readings / sizeof readings[0] };

typedef enum {
#define LOAD(choice, name, ...) READING_LOAD_##name,
    READINGS_LOADS(LOAD, ) READING_LOADS
#undef LOAD
} ReadingLoad;

/* A row of criteria.def. */
typedef struct {
    const char *column, *claim;
    ReadingLoad load;
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

/* Returns the distance of a figure from the thesis's range: 0 inside, at most 3, and 3
 * for NaN, a figure that no run gave. */
static double distance(double value, const Criterion *c) {
    const double farthest = 3;
    if (isnan(value))
        return farthest;
    const double away = fmax(fmax(c->thesis_low - value, value - c->thesis_high), 0);
    return fmin(away / c->scale, farthest);
}

static const Point *reading_point(const Plan *plan, unsigned reading,
                                  ReadingLoad load) {
    return point_of(plan, reading, READINGS, load, READING_LOADS);
}

/* Cuts the text of a statistic into the words of `selection` and returns its function.
 */
static Statistic *read_statistic(char *text, Selection *selection) {
    char *rest = NULL;
    const char *wanted, *name = strtok_r(text, " ", &rest);
    Statistic *statistic = statistic_find(name, &wanted);
    for (char *word; (word = strtok_r(NULL, " ", &rest));)
        selection->words[selection->word_count++] = word;
    assert(statistic && !*wanted == !selection->word_count);
    return statistic;
}

/* Returns a criterion's figure for a setting; NaN if no run was of its kind, or if some
 * run has no figures: the others might be the better ones. */
static double figure_of(const Plan *plan, unsigned reading,
                        const Criterion *criterion) {
    const Point *point = reading_point(plan, reading, criterion->load);
    if (!point)
        return NAN;
    bool whole = true;
    for (unsigned i = 0; i < point->run_count; i++)
        whole = whole && point->runs[i]->result;
    char text[STATISTIC_TEXT_MAX];
    Selection selection = {.runs = point->runs, .count = point->run_count};
    snprintf(text, sizeof text, "%s", criterion->statistic);
    Statistic *const statistic = read_statistic(text, &selection);
    return whole ? statistic(&selection) * criterion->factor : NAN;
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
static void put_reading(FILE *out, const Plan *plan, unsigned reading) {
    const char *name = readings[reading].settings;
    const Point *point = reading_point(plan, reading, READING_LOAD_overflow);
    fprintf(out, "%s,%u,%s", *name ? name : "default", point ? point->run_count : 0,
            point ? settings_text(point->settings, "L") : "");
    unsigned met = 0;
    double squares = 0;
    for (unsigned i = 0; i < CRITERIA; i++) {
        const Criterion *c = &criteria[i];
        const double value = figure_of(plan, reading, c);
        const double away = distance(value, c);
        putc(',', out);
        fields_number(out, value);
        met += value >= c->low && value <= c->high;
        squares += away * away;
    }
    fprintf(out, ",%u,%d,%.3f,\"%s\"\n", met, CRITERIA, sqrt(squares / CRITERIA),
            readings[reading].text);
}

static void put_readings(FILE *out, const Plan *plan) {
    fputs("reading,runs,L", out);
    for (unsigned i = 0; i < CRITERIA; i++)
        fprintf(out, ",%s", criteria[i].column);
    fputs(",met,of,distance,text\n", out);
    put_thesis(out);
    for (unsigned i = 0; i < READINGS; i++)
        put_reading(out, plan, i);
}

/* ---- files ----------------------------------------------------------------------- */

typedef void PutTable(FILE *out, const Plan *plan);

static bool write_table(const Campaign *campaign, const char *experiment,
                        const char *suffix, PutTable *put, const char *folder,
                        JmError *error) {
    const Plan *plan = campaign_plan(campaign, experiment);
    JmOutFile file;
    if (!plan)
        return true;
    if (!fields_open(&file, folder, experiment, suffix, error))
        return false;
    put(file.stream, plan);
    return jm_outfile_commit(&file, error);
}

bool choices_write(const Campaign *campaign, const char *folder, JmError *error) {
    return write_table(campaign, "calibration", "-effects.csv", put_effects, folder,
                       error) &&
           write_table(campaign, "readings", "-criteria.csv", put_readings, folder,
                       error);
}
