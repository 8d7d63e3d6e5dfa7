/* Finds the settings that --set sweeps beside an experiment's axes. */
#include "tools/exp/plan/swept.h"

#include <stdio.h>
#include <string.h>

#include "tools/exp/plan/sweep.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"

/* Whether some points have different values. */
static bool has_values(const Plan *plan, const char *name) {
    const char *first = NULL;
    for (unsigned i = 0; i < plan->point_count; i++) {
        const char *text = settings_text(&plan->points[i].settings, name);
        if (first && text && strcmp(first, text) != 0)
            return true;
        first = first ? first : text;
    }
    return false;
}

/* Whether a name is a setting of some point. */
static bool is_set(const Plan *plan, const char *name) {
    for (unsigned i = 0; i < plan->point_count; i++)
        if (settings_text(&plan->points[i].settings, name))
            return true;
    return false;
}

/* Whether a setting has a column among those of a list: "other" holds all settings
 * without a column of their own. */
static bool is_in_series(const char *series, const char *name) {
    return series && (word_list_has(series, ' ', name) ||
                      (!settings_is_main(name) && word_list_has(series, ' ', "other")));
}

/* ---- settings that move points along a curve ------------------------------------- */

/* Looks for one curve on which a setting has two values. */
typedef struct {
    const Experiment *experiment;
    const char *name;
    json_t *first; /* its first value on each curve */
    bool moves;
} Search;

/* Names a curve: what solves the point, and the settings in the series. */
static void name_curve(const Search *search, const Settings *settings,
                       char name[SETTINGS_KEY_MAX]) {
    const char *model = settings_text(settings, "model");
    int length = snprintf(name, SETTINGS_KEY_MAX, "%s", model ? model : "");
    for (unsigned i = 0; i < settings->count && length < SETTINGS_KEY_MAX; i++)
        if (is_in_series(search->experiment->series, settings->item[i].name))
            length += snprintf(name + length, (size_t)(SETTINGS_KEY_MAX - length),
                               " %s", settings->item[i].value);
}

static bool look_at(void *context, const Settings *settings, unsigned runs,
                    JmError *error) {
    Search *search = context;
    const char *value = settings_text(settings, search->name);
    char curve[SETTINGS_KEY_MAX];
    (void)runs;
    (void)error;
    if (!value)
        return true;
    name_curve(search, settings, curve);
    const char *first = json_string_value(json_object_get(search->first, curve));
    if (!first)
        json_object_set_new(search->first, curve, jvalue_text(value));
    search->moves |= first && strcmp(first, value) != 0;
    return true;
}

/* Whether the experiment itself varies a setting along a curve; if x is a result or
 * derived from settings, this setting moves it. */
static bool moves_along(const Experiment *experiment, const char *sweep,
                        const char *name) {
    Search search = {experiment, name, json_object(), false};
    JmError error;
    sweep_unfold(sweep, NULL, 0, look_at, &search, &error);
    json_decref(search.first);
    return search.moves;
}

/* Whether the axes of the experiment's figure distinguish the values of a setting. Only
 * curves have such axes: other figures merge the runs of all points. */
static bool is_axis(const Plan *plan, const char *sweep, const char *name) {
    const Experiment *experiment = plan->experiment;
    const char *x = experiment->x ? experiment->x : "";
    if (experiment->kind != KIND_CURVE && experiment->kind != KIND_MODELS)
        return false;
    if (is_in_series(x, name) || is_in_series(experiment->series, name))
        return true;
    return !is_set(plan, x) && strcmp(x, "other") != 0 &&
           moves_along(experiment, sweep, name);
}

static bool is_listed(const Swept *swept, const char *name) {
    for (unsigned i = 0; i < swept->count; i++)
        if (strcmp(swept->name[i], name) == 0)
            return true;
    return false;
}

bool swept_find(Plan *plan, const char *sweep, const Variation *variation,
                JmError *error) {
    for (unsigned i = 0; i < variation->set_count; i++) {
        char name[SETTING_TEXT_MAX];
        settings_split(variation->sets[i], name);
        if (is_listed(&plan->swept, name) || !has_values(plan, name) ||
            is_axis(plan, sweep, name))
            continue;
        if (plan->swept.count == SWEPT_MAX)
            return jm_fail(error, "jm exp", "--set: more than %d lists of values",
                           SWEPT_MAX);
        strcpy(plan->swept.name[plan->swept.count++], name);
    }
    return true;
}

/* ---- families -------------------------------------------------------------------- */

bool swept_same(const Plan *plan, unsigned a, unsigned b) {
    const Settings *first = &plan->points[a].settings;
    const Settings *second = &plan->points[b].settings;
    for (unsigned i = 0; i < plan->swept.count; i++)
        if (!settings_share(first, second, plan->swept.name[i]))
            return false;
    return true;
}

bool swept_is_first(const Plan *plan, unsigned point) {
    for (unsigned i = 0; i < point; i++)
        if (swept_same(plan, i, point))
            return false;
    return true;
}
