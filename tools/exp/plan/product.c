/* Plans the products of choices and load points. */
#include "tools/exp/plan/product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Choice calibration_choices[] = {
#define CHOICE(name, settings, text) {name, settings, text},
#include "tools/exp/plan/choices.def"
#undef CHOICE
};

static const Choice readings_choices[] = {
#define READING(settings, text) {settings, settings, text},
#include "tools/exp/plan/readings.def"
#undef READING
};

#define LOAD(name, settings, quick, full) {settings, quick, full},
static const Load calibration_loads[LOADS] = {
#include "tools/exp/plan/loads.def"
};

static const Load readings_loads[READING_LOADS] = {
#include "tools/exp/plan/reading_loads.def"
};
#undef LOAD

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const Product products[PRODUCTS] = {
#define PRODUCT(id, title_, caption_, y_, error_, y_label_, full, quick, remark_)      \
    {.experiment = {.name = #id,                                                       \
                    .figure = "",                                                      \
                    .kind = KIND_TABLE,                                                \
                    .title = title_,                                                   \
                    .caption = caption_,                                               \
                    .x = "h",                                                          \
                    .x_label = "Handler duration h, cycles",                           \
                    .y = y_,                                                           \
                    .error = error_,                                                   \
                    .y_label = y_label_,                                               \
                    .series = "other",                                                 \
                    .plane = -1,                                                       \
                    .full_runs = full,                                                 \
                    .quick_runs = quick,                                               \
                    .remark = remark_},                                                \
     .choices = id##_choices,                                                          \
     .choice_count = COUNT(id##_choices),                                              \
     .loads = id##_loads,                                                              \
     .load_count = COUNT(id##_loads)},
#include "tools/exp/plan/products.def"
#undef PRODUCT
};

const Product *product_at(unsigned id) {
    return id < PRODUCTS ? &products[id] : NULL;
}

const Product *product_find(const char *name) {
    unsigned i = 0;
    while (product_at(i) && strcmp(product_at(i)->experiment.name, name) != 0)
        i++;
    return product_at(i);
}

/* Returns one sweep with a group for each choice and load, to be freed; NULL without
 * memory. The text before the first semicolon is common to all groups and must not be
 * empty (sweep.h). */
static char *write_sweep(const Product *product, bool full) {
    char *sweep = NULL;
    size_t size;
    FILE *out = open_memstream(&sweep, &size);
    if (!out)
        return NULL;
    fputs("m=5 p=3", out);
    for (unsigned i = 0; i < product->choice_count; i++)
        for (unsigned k = 0; k < product->load_count; k++) {
            const Load *load = &product->loads[k];
            fprintf(out, "; L=%u %s %s", full ? load->full : load->quick,
                    load->settings, product->choices[i].settings);
        }
    if (fclose(out) == 0)
        return sweep;
    free(sweep);
    return NULL;
}

bool product_add(Campaign *campaign, const Product *product, JmError *error) {
    const Variation *variation = &campaign->variation;
    const Experiment *experiment = &product->experiment;
    const unsigned standard =
        variation->full ? experiment->full_runs : experiment->quick_runs;
    char *sweep = write_sweep(product, variation->full);
    char *full = write_sweep(product, true);
    const bool good =
        sweep && full ? campaign_add_sweep(campaign, experiment, sweep,
                                           variation->runs ? variation->runs : standard,
                                           full, experiment->full_runs, error)
                      : jm_fail(error, "jm exp", "no memory for a sweep");
    free(sweep);
    free(full);
    return good;
}

/* Points are in the order of write_sweep(), one for each choice and load; more where
 * --set sweeps a setting, and then none of them is the choice's. */
const Point *product_point(const Plan *plan, const Product *product, unsigned choice,
                           unsigned load) {
    const unsigned each =
        plan->point_count / (product->choice_count * product->load_count);
    return each == 1 ? &plan->points[choice * product->load_count + load] : NULL;
}
