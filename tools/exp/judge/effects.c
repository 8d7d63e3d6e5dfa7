/* Measures the rows of effects.def for every choice of the calibration. */
#include "tools/exp/judge/effects.h"

#include <math.h>

#include "tools/exp/measure/row.h"
#include "tools/exp/plan/product.h"
#include "tools/exp/tables/fields.h"

typedef enum { CALIBRATE, TEST } Role;

static const char *const role_name[] = {"calibrates", "tests"};

/* A row of effects.def. */
typedef struct {
    const char *name, *claim;
    Role role;
    const char *column;
    LoadId load;
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
static double value_of(const Campaign *campaign, const Plan *plan, unsigned choice,
                       const Effect *effect) {
    const Point *point =
        product_point(plan, product_at(PRODUCT_calibration), choice, effect->load);
    double sum = 0;
    for (unsigned i = 0; point && i < point->run_count; i++)
        sum += row_number(&campaign->runs[point->runs[i]], effect->column);
    return point ? sum / point->run_count : NAN;
}

/* Choice 0 is all defaults (choices.def). */
static void put_effect(FILE *out, const Campaign *campaign, const Plan *plan,
                       unsigned index, const Effect *effect) {
    const Choice *choice = &product_at(PRODUCT_calibration)->choices[index];
    const double value = value_of(campaign, plan, index, effect);
    const char *verdict = isnan(value)                    ? "not measured"
                          : campaign->variation.set_count ? "not judged"
                          : value >= effect->low && value <= effect->high ? "within"
                                                                          : "outside";
    const double numbers[] = {value, value_of(campaign, plan, 0, effect), effect->low,
                              effect->high};
    fprintf(out, "%s,%s,%s,\"%s\",%s,", choice->name, choice->settings, effect->claim,
            effect->name, role_name[effect->role]);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fields_number(out, numbers[i]);
        putc(',', out);
    }
    fprintf(out, "%s,\"%s\",\"%s\"\n", verdict, effect->text, choice->text);
}

bool effects_write(const Campaign *campaign, const char *folder, JmError *error) {
    const Product *product = product_at(PRODUCT_calibration);
    const Plan *plan = campaign_plan(campaign, product->experiment.name);
    JmOutFile file;
    if (!plan)
        return true;
    if (!fields_open(&file, folder, "calibration-effects", ".csv", error))
        return false;
    fputs("choice,option,claim,effect,role,measured,default_measured,low,high,verdict,"
          "effect_text,choice_text\n",
          file.stream);
    for (unsigned i = 0; i < product->choice_count; i++)
        for (unsigned k = 0; k < EFFECTS; k++)
            put_effect(file.stream, campaign, plan, i, &effects[k]);
    return jm_outfile_commit(&file, error);
}
