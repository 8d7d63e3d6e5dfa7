/* Finds the model of a point, and makes the part of the record common to all models. */
#include "tools/exp/models/solve.h"

#include <math.h>
#include <string.h>

#include "tools/exp/models/parts.h"
#include "tools/exp/plan/setting_rows.h"

/* A model, from models.def. */
typedef struct {
    const char *name;
    bool (*solve)(ModelPoint *point, Result *record, JmError *error);
} Model;

static const Model models[] = {
#define MODEL(name, kind, work, text) {#name, solve_##name},
#include "tools/exp/plan/models.def"
#undef MODEL
};
enum { MODELS = sizeof models / sizeof models[0] };

bool model_solves(const Settings *settings) {
    return settings_text(settings, "model") != NULL;
}

/* Returns the model that the settings name, or NULL. */
static const Model *find(const Settings *settings) {
    const char *name = settings_text(settings, "model");
    unsigned i = 0;
    while (i < MODELS && strcmp(models[i].name, name) != 0)
        i++;
    return i < MODELS ? &models[i] : NULL;
}

Result *model_record(const Settings *settings, uint64_t seed) {
    char key[SETTINGS_KEY_MAX];
    Result *record = result_create(settings_key(settings, seed, key, sizeof key));
    result_add_text(record, "stop", "solved");
    result_add(record, "status", 0);
    return record;
}

Result *model_solve(ModelPoint *point, JmError *error) {
    *error = (JmError){.offset = -1};
    Result *record = model_record(point->settings, point->seed);
    if (!model_is_stopped(point) &&
        find(point->settings)->solve(point, record, error) && !point->stopped)
        return record;
    result_free(record);
    return NULL;
}

static double nodes_of(const Settings *settings) {
    unsigned size[3];
    return settings_mesh(settings, size) ? (double)size[0] * size[1] * size[2] : 0;
}

double model_work(const Settings *s) {
    const char *wanted = settings_text(s, "model");
#define N(setting) settings_number(s, #setting)
#define MODEL(name, kind, work, text)                                                  \
    if (strcmp(wanted, #name) == 0)                                                    \
        return work;
#include "tools/exp/plan/models.def"
#undef MODEL
#undef N
    return 1;
}
