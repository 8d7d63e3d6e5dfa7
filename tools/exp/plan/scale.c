/* Compares the planned runs of an experiment with those of its full form. */
#include "tools/exp/plan/scale.h"

#include <stdio.h>
#include <string.h>

#include "tools/exp/plan/sweep.h"
#include "tools/host/values.h"

enum { TEXT_SIZE = 1024, LIST_MAX = 4 };

/* Collects the values of each setting as {name: {value: true}}, in the order of the
 * sweep. */
static bool collect(void *context, const Settings *settings, unsigned runs,
                    JmError *error) {
    json_t *names = context;
    (void)runs;
    (void)error;
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *setting = &settings->item[i];
        if (!json_object_get(names, setting->name))
            json_object_set_new(names, setting->name, json_object());
        json_object_set_new(json_object_get(names, setting->name), setting->value,
                            json_true());
    }
    return true;
}

/* A text of limited length. */
typedef struct {
    char text[TEXT_SIZE];
    size_t length;
} Text;

static void add(Text *text, const char *piece) {
    const size_t left = sizeof text->text - text->length;
    const int length = snprintf(text->text + text->length, left, "%s", piece);
    text->length += (size_t)length < left ? (size_t)length : left - 1;
}

static void add_number(Text *text, size_t number) {
    char piece[32];
    snprintf(piece, sizeof piece, "%zu", number);
    add(text, piece);
}

/* Writes a short list whole, a long one as "FIRST to LAST". */
static void add_values(Text *text, json_t *values) {
    const size_t count = json_object_size(values);
    const char *value, *last = "none";
    json_t *unused;
    size_t i = 0;
    json_object_foreach (values, value, unused) {
        if (count <= LIST_MAX || i == 0) {
            add(text, i ? ", " : "");
            add(text, value);
        }
        last = value;
        i++;
    }
    if (count > LIST_MAX)
        add(text, " to ");
    if (count > LIST_MAX || count == 0)
        add(text, last);
}

static bool is_part_of(json_t *values, const json_t *all) {
    const char *value;
    json_t *unused;
    json_object_foreach (values, value, unused) {
        if (!json_object_get(all, value))
            return false;
    }
    return true;
}

/* If the planned values are a subset of the full form's, their number is enough. */
static void add_setting(Text *text, const char *name, json_t *here, json_t *full) {
    const size_t count = json_object_size(here);
    if (is_part_of(here, full) && count == json_object_size(full))
        return;
    add(text, text->length ? "; " : "");
    if (is_part_of(here, full) && count > 1) {
        add_number(text, count);
        add(text, " values of ");
        add(text, name);
        add(text, " instead of ");
        add_number(text, json_object_size(full));
        return;
    }
    add(text, name);
    add(text, " = ");
    add_values(text, here);
    add(text, " instead of ");
    add_values(text, full);
}

static void add_settings(Text *text, json_t *here, json_t *full) {
    const char *name;
    json_t *values;
    json_object_foreach (here, name, values)
        add_setting(text, name, values, json_object_get(full, name));
}

/* Adds the difference in the number of runs of a point. */
static void add_runs(Text *text, const Plan *plan) {
    const unsigned each = plan_most_runs(plan);
    if (each == plan->full_runs)
        return;
    add(text, text->length ? "; " : "");
    add_number(text, each);
    add(text, each == 1 ? " run" : " runs");
    add(text, plan->point_count > 1 ? " a point instead of " : " instead of ");
    add_number(text, plan->full_runs);
}

/* Notes that makespans of shorter runs are shown scaled to 1000 hops. */
static void add_hops(Text *text, const Plan *plan, json_t *here, json_t *full) {
    const bool same =
        json_equal(json_object_get(here, "L"), json_object_get(full, "L"));
    if (!same && strncmp(plan->experiment->y, "T_scaled", 8) == 0)
        add(text, "; T scaled to 1000 hops");
}

json_t *scale_text(const Plan *plan) {
    json_t *here = json_object(), *full = json_object();
    Text text = {.length = 0};
    for (unsigned i = 0; i < plan->point_count; i++)
        collect(here, &plan->points[i].settings, 0, NULL);
    const bool good =
        here && full && sweep_unfold(plan->full, NULL, 0, collect, full, NULL);
    if (good) {
        add_settings(&text, here, full);
        add_runs(&text, plan);
        add_hops(&text, plan, here, full);
    }
    json_decref(here);
    json_decref(full);
    return good ? jvalue_text(text.text) : NULL;
}
