#include "tests/exp/made.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/measure.h"

static const Experiment plain_table = {.name = "made",
                                       .figure = "",
                                       .kind = KIND_TABLE,
                                       .y = "T_ms",
                                       .plane = -1,
                                       .remark = ""};

Campaign made_planned(const Variation *variation, const Experiment *experiment,
                      const char *sweep, unsigned runs) {
    Campaign campaign = campaign_open(variation);
    JmError error;
    cr_assert(campaign_add_sweep(&campaign, experiment ? experiment : &plain_table,
                                 sweep, runs, &error),
              "%s: %s", sweep, error.text);
    return campaign;
}

Campaign made_campaign(const char *sweep, unsigned runs) {
    return made_campaign_of(NULL, sweep, runs);
}

Campaign made_campaign_of(const Experiment *experiment, const char *sweep,
                          unsigned runs) {
    const Variation variation = {.full = false};
    Campaign campaign = made_planned(&variation, experiment, sweep, runs);
    for (size_t i = 0; i < campaign.run_count; i++)
        made_keep(campaign.runs[i], json_object());
    return campaign;
}

void made_undo(Run *run) {
    result_free(run->outcome);
    run->outcome = NULL;
    run->result = NULL;
}

void made_keep(Run *run, json_t *record) {
    const char *name;
    json_t *value;
    made_undo(run);
    run->outcome = result_create(run->key);
    run->outcome->status = 0;
    json_object_foreach (record, name, value)
        made_set(run, name, json_incref(value));
    json_decref(record);
    run_keep(run, run->outcome);
}

static void set_list(Result *result, const char *name, const json_t *rows) {
    ResultList *list = result_add_list(result, name);
    list->count = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        double values[4];
        for (unsigned k = 0; k < list->width; k++)
            values[k] =
                json_number_value(list->width > 1 ? json_array_get(row, k) : row);
        result_push(list, values);
    }
}

/* Whether the field of this name holds JSON. */
static bool is_tree(const char *name) {
    static const struct {
        const char *name, *shape;
    } fields[] = {
#define FIELD(name, shape, ...) {#name, #shape},
#include "tools/exp/result/results.def"
    };
    for (unsigned i = 0; i < RESULT_FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return strcmp(fields[i].shape, "TREE") == 0 ||
                   strcmp(fields[i].shape, "TEXTS") == 0;
    return false;
}

void made_set(Run *run, const char *name, json_t *value) {
    if (is_tree(name)) {
        result_add_tree(run->outcome, name, value);
        return;
    }
    if (json_is_string(value))
        result_add_text(run->outcome, name, json_string_value(value));
    else if (json_is_array(value))
        set_list(run->outcome, name, value);
    else
        result_add(run->outcome, name,
                   json_is_null(value) ? NAN : json_number_value(value));
    json_decref(value);
}

json_t *made_record(Result *result) {
    if (!result)
        return NULL;
    char *line = result_print(result);
    json_t *record = json_loads(line, 0, NULL);
    result_free(result);
    free(line);
    return record;
}

const EmbeddedFile *made_program(const Settings *settings) {
    char name[SETTING_TEXT_MAX + 4];
    const EmbeddedFile *file = embedded_files;
    snprintf(name, sizeof name, "%s.elf", settings_program(settings));
    while (file->name && strcmp(file->name, name) != 0)
        file++;
    cr_assert(file->name, "%s", name);
    return file;
}

JmMachine *made_machine(const Settings *settings, uint64_t seed) {
    const EmbeddedFile *file = made_program(settings);
    JmError error;
    JmConfig config = jm_config_default();
    config.seed = seed;
    cr_assert(settings_configure(settings, &config, &error));
    JmMachine *machine = jm_create(&config, &error);
    cr_assert(machine &&
                  jm_load_elf(machine, file->bytes, file->size, file->name,
                              JM_ALL_NODES, &error) &&
                  settings_apply(settings, machine, &error),
              "%s", error.text);
    return machine;
}

json_t *made_trial(const Settings *settings, uint64_t seed, TrialStore *store) {
    TrialStore own = {NULL};
    JmError error;
    json_t *record = made_record(
        trial_run(settings, seed, store ? store : &own, NULL, NULL, &error));
    trial_store_empty(&own);
    cr_assert(record, "%s", error.text);
    return record;
}

json_t *made_solve(const char *sweep, uint64_t seed) {
    Campaign campaign = made_campaign(sweep, 1);
    JmError error;
    ModelPoint point = {.settings = &campaign.runs[0]->settings, .seed = seed};
    json_t *record = made_record(model_solve(&point, &error));
    cr_assert(record, "%s: %s", sweep, error.text);
    campaign_close(&campaign);
    return record;
}

double made_value(const char *sweep, const char *name) {
    json_t *record = made_solve(sweep, 1);
    const double value = made_figure(record, name);
    json_decref(record);
    return value;
}

double made_figure(const json_t *record, const char *name) {
    const json_t *value = json_object_get(record, name);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

double made_measure(const Campaign *campaign, const char *text) {
    Measure found;
    JmError error;
    cr_assert(measure(campaign, NULL, text, &found, &error), "%s", error.text);
    return found.value;
}

unsigned made_number(uint64_t *state, unsigned count) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((*state >> 33) % count);
}

bool made_same(double a, double b) {
    return (isnan(a) && isnan(b)) ||
           fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}
