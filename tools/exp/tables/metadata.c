/* Writes experiments.json. */
#include "tools/exp/tables/metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/plan/experiment_file.h"
#include "tools/exp/tables/fields.h"
#include "tools/exp/tables/tables.h"
#include "tools/host/memory.h"
#include "tools/host/shell.h"
#include "tools/host/values.h"
#include "tools/jm/version.h"

json_t *metadata_command(const Campaign *campaign, const char *name) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    const Plan *plan = campaign_plan(campaign, name);
    fputs("jm exp run ", out);
    shell_put(out, plan && plan->experiment->file ? plan->experiment->file : name);
    variation_print(&campaign->variation, out);
    fclose(out);
    json_t *command = jvalue_text(text);
    free(text);
    return command;
}

/* Returns the values that a setting has at the points, each once, in their order, with
 * commas between them. */
static json_t *values_of(const Plan *plan, const char *name) {
    json_t *seen = json_object();
    char *list = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&list, &size));
    for (unsigned i = 0; i < plan->point_count; i++) {
        const char *value = settings_text(&plan->points[i].settings, name);
        if (!value || json_object_get(seen, value))
            continue;
        fprintf(out, "%s%s", json_object_size(seen) ? "," : "", value);
        json_object_set_new(seen, value, json_true());
    }
    fclose(out);
    json_decref(seen);
    json_t *values = jvalue_text(list);
    free(list);
    return values;
}

/* Returns {setting: values} over all points. */
static json_t *parameters(const Plan *plan) {
    json_t *object = json_object();
    for (unsigned i = 0; i < plan->point_count; i++) {
        const Settings *settings = &plan->points[i].settings;
        for (unsigned k = 0; k < settings->count; k++)
            if (!json_object_get(object, settings->item[k].name))
                json_object_set_new(object, settings->item[k].name,
                                    values_of(plan, settings->item[k].name));
    }
    return object;
}

static json_t *swept_names(const Plan *plan) {
    json_t *names = json_array();
    for (unsigned i = 0; i < plan->swept.count; i++)
        json_array_append_new(names, jvalue_text(plan->swept.name[i]));
    return names;
}

/* Adds what only an experiment's file has: its text, from which an unfinished sweep is
 * planned again, and logarithmic axes. */
static void add_file(json_t *about, const Experiment *experiment) {
    static const char *const axes[] = {"x", "y"};
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    experiment_print(experiment, out);
    fclose(out);
    json_object_set_new(about, "file", jvalue_text(experiment->file));
    json_object_set_new(about, "text", jvalue_text(text));
    for (unsigned i = 0; i < sizeof axes / sizeof axes[0]; i++)
        json_object_set_new(json_object_get(about, axes[i]), "log",
                            json_boolean(strstr(experiment->log, axes[i]) != NULL));
    free(text);
}

static json_t *describe(const Campaign *campaign, const Plan *plan) {
    const Experiment *e = plan->experiment;
    const size_t runs = plan_run_count(plan);
    const unsigned each = plan_most_runs(plan);
    const char *program =
        plan->point_count ? settings_program(&plan->points[0].settings) : "";
    json_t *about = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o, s:o}, "
        "s:o, s:o, s:o, s:o, s:i, s:i, s:I, s:o, s:o, s:o, s:o}",
        "name", jvalue_text(e->name), "figure", jvalue_text(e->figure), "kind",
        jvalue_text(experiment_kind_name(e->kind)), "title", jvalue_text(e->title),
        "caption", jvalue_text(e->caption), "program", jvalue_text(program), "x",
        "column", jvalue_text(e->x), "label", jvalue_text(e->x_label), "y", "column",
        jvalue_text(e->y), "error", jvalue_text(e->error), "label",
        jvalue_text(e->y_label), "series", jvalue_text(e->series), "swept",
        swept_names(plan), "z", e->plane < 0 ? json_null() : json_integer(e->plane),
        "parameters", parameters(plan), "runs_per_point", (int)each, "points",
        (int)plan->point_count, "runs", (json_int_t)runs, "scale", plan_scale(plan),
        "remark", jvalue_text(e->remark), "command",
        metadata_command(campaign, e->name), "files", tables_files(plan));
    if (e->file)
        add_file(about, e);
    return about;
}

bool metadata_write(const Campaign *campaign, const char *folder, const char *command,
                    JmError *error) {
    json_t *list = json_array();
    for (unsigned i = 0; i < campaign->plan_count; i++)
        json_array_append_new(list, describe(campaign, &campaign->plans[i]));
    json_t *changed = json_array();
    for (unsigned i = 0; i < campaign->variation.set_count; i++)
        json_array_append_new(changed, jvalue_text(campaign->variation.sets[i]));
    json_t *root = json_pack(
        "{s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "version", jvalue_text(version_text),
        "mode", jvalue_text(campaign->variation.full ? "full" : "quick"), "command",
        jvalue_text(command), "runs", (json_int_t)campaign->run_count, "done",
        (json_int_t)campaign_done(campaign), "changed_settings", changed, "experiments",
        list);
    return fields_json(root, 0, folder, "experiments", error);
}
