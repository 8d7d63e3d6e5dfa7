/* Compares the planned runs of an experiment with those of its full form. */
#include "tools/exp/plan/scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/plan/sweep.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"

/* Values of a list that is written whole. */
enum { LIST_MAX = 4 };

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

/* Writes a short list whole, a long one as "FIRST to LAST". */
static void put_values(FILE *out, json_t *values) {
    const size_t count = json_object_size(values);
    const char *value, *last = "none";
    json_t *unused;
    size_t i = 0;
    json_object_foreach (values, value, unused) {
        if (count <= LIST_MAX || i == 0)
            fprintf(out, "%s%s", i ? ", " : "", value);
        last = value;
        i++;
    }
    if (count > LIST_MAX || count == 0)
        fprintf(out, "%s%s", count ? " to " : "", last);
}

/* Returns what divides the next difference from those before it. */
static const char *separator(FILE *out) {
    return ftell(out) > 0 ? "; " : "";
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
static void put_setting(FILE *out, const char *name, json_t *here, json_t *full) {
    const size_t count = json_object_size(here);
    if (is_part_of(here, full) && count == json_object_size(full))
        return;
    fputs(separator(out), out);
    if (is_part_of(here, full) && count > 1) {
        fprintf(out, "%zu values of %s instead of %zu", count, name,
                json_object_size(full));
        return;
    }
    fprintf(out, "%s = ", name);
    put_values(out, here);
    fputs(" instead of ", out);
    put_values(out, full);
}

/* Writes the difference in the number of runs of a point. */
static void put_runs(FILE *out, const Plan *plan) {
    const unsigned each = plan_most_runs(plan);
    if (each != plan->experiment->full_runs)
        fprintf(out, "%s%u run%s%s instead of %u", separator(out), each,
                each == 1 ? "" : "s", plan->point_count > 1 ? " a point" : "",
                plan->experiment->full_runs);
}

/* Notes that makespans of shorter runs are shown scaled to 1000 hops. */
static void put_hops(FILE *out, const Plan *plan, json_t *here, json_t *full) {
    const bool same =
        json_equal(json_object_get(here, "L"), json_object_get(full, "L"));
    if (!same && strncmp(plan->experiment->y, "T_scaled", 8) == 0)
        fputs("; T scaled to 1000 hops", out);
}

/* Writes all differences of the settings `here` from those of the full form. */
static void put_all(FILE *out, const Plan *plan, json_t *here, json_t *full) {
    const char *name;
    json_t *values;
    json_object_foreach (here, name, values)
        put_setting(out, name, values, json_object_get(full, name));
    put_runs(out, plan);
    put_hops(out, plan, here, full);
}

json_t *scale_text(const Plan *plan) {
    json_t *here = json_object(), *full = json_object();
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    for (unsigned i = 0; i < plan->point_count; i++)
        collect(here, &plan->points[i].settings, 0, NULL);
    if (sweep_unfold(plan->experiment->full, NULL, 0, collect, full, NULL))
        put_all(out, plan, here, full);
    fclose(out);
    json_t *scale = jvalue_text(text);
    free(text);
    json_decref(here);
    json_decref(full);
    return scale;
}
