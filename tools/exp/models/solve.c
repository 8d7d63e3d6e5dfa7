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
#define MODEL(name, kind, text) {#name, solve_##name},
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

Result *model_solve(const Settings *settings, uint64_t seed, ModelStop *stop,
                    void *context, JmError *error) {
    char key[SETTINGS_KEY_MAX];
    *error = (JmError){.offset = -1};
    ModelPoint point = {settings, seed, stop, context, stop && stop(context)};
    Result *record = result_create(settings_key(settings, seed, key, sizeof key));
    result_add_text(record, "stop", "solved");
    result_add(record, "status", 0);
    const bool good = !point.stopped && find(settings)->solve(&point, record, error);
    if (good && !point.stopped)
        return record;
    result_free(record);
    return NULL;
}

/* Slowdown of a cycle on the graph engine. */
enum { GRAPH_WORK = 10 };
/* Solving shared memory on 64 nodes takes some tenths of a second. */
enum { SHARED_WORK = 100000 };
/* Number of nodes on the flow engine that take as long as a machine. */
enum { FLOW_NODES = 64 };

static bool uses_graph_engine(const Settings *settings) {
    return settings_number(settings, "age") > 0 ||
           settings_number(settings, "virtual_channels") > 1;
}

/* A search for saturation takes some ten runs. */
static double pattern_work(const Settings *settings) {
    enum { SEARCH_RUNS = 10 };
    unsigned size[3];
    settings_mesh(settings, size);
    return settings_number(settings, "cycles") * size[0] * size[1] * size[2] /
           FLOW_NODES *
           (settings_has(settings, "model", "saturation") ? SEARCH_RUNS : 1);
}

/* Estimates the cost of a point. The constants are rough fits to the models' times on
 * one processor, which runs some 300,000 machine cycles a second. */
double model_work(const Settings *settings) {
    const char *name = settings_text(settings, "model");
    const double m = settings_number(settings, "m");
    if (strcmp(name, "amva") == 0)
        return 300000 * m;
    if (strcmp(name, "network") == 0 || strcmp(name, "confluence") == 0)
        return settings_number(settings, "cycles");
    if (strcmp(name, "abstract") == 0)
        return settings_number(settings, "L") * 400 *
               (uses_graph_engine(settings) ? GRAPH_WORK : 1);
    if (strcmp(name, "cube_node") == 0)
        return 0.1 * settings_number(settings, "cycles") *
               settings_number(settings, "dimensions");
    if (strcmp(name, "shared") == 0)
        return pow(settings_number(settings, "k") / 8, 4) * SHARED_WORK;
    if (strcmp(name, "memory") == 0 || strcmp(name, "poisson") == 0)
        return settings_number(settings, "cycles") *
               pow(settings_number(settings, "k"), 2) / FLOW_NODES;
    if (strcmp(name, "pattern") == 0 || strcmp(name, "saturation") == 0)
        return pattern_work(settings);
    if (strcmp(name, "open") == 0)
        return settings_number(settings, "cycles");
    if (strcmp(name, "open_solved") == 0)
        return SHARED_WORK;
    const double customers = m * settings_number(settings, "servers");
    const double time =
        settings_number(settings, "warm_up") + settings_number(settings, "time");
    if (strcmp(name, "servers") == 0)
        return 0.03 * time * settings_number(settings, "servers");
    return 1 + 3e-4 * customers * settings_number(settings, "servers");
}
