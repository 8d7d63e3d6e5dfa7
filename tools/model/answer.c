/* The answers of `jm model` and `jm net model`: results of the parts of models.def, and
 * their JSON. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tools/exp/plan/setting_rows.h"
#include "tools/host/outputs.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"
#include "tools/model/model.h"

/* A PART of models.def. */
typedef struct {
    const char *command, *model, *change, *option, *keys;
} Part;

static const Part parts[PARTS] = {
#define PART(name, id, ...) {#name, __VA_ARGS__},
#include "tools/model/models.def"
};

/* ---- solving --------------------------------------------------------------------- */

/* Returns the settings of a part: those of the request that its model has. */
static Settings settings_of(const Part *part, const Settings *given) {
    Settings settings = {.count = 0};
    char name[SETTING_TEXT_MAX];
    const char *value = settings_split(part->change, name);
    settings_set(&settings, "model", part->model, NULL);
    for (unsigned i = 0; i < given->count; i++) {
        const Setting *item = &given->item[i];
        if (strcmp(item->name, "model") != 0 && strcmp(item->name, name) != 0 &&
            settings_takes(part->model, item->name))
            settings_set(&settings, item->name, item->value, NULL);
    }
    if (value && *value)
        settings_set(&settings, name, value, NULL);
    return settings;
}

bool model_answer(ModelRequest *r, const char *command, ModelProgress *progress,
                  void *context, JmError *error) {
    for (unsigned i = 0; i < PARTS; i++) {
        if (strcmp(parts[i].command, command) != 0 ||
            (parts[i].option && !model_given(r, parts[i].option)))
            continue;
        const Settings settings = settings_of(&parts[i], &r->settings);
        ModelPoint point = {.settings = &settings,
                            .seed = r->seed,
                            .progress = progress,
                            .context = context};
        r->part[i] = model_solve(&point, error);
        if (!r->part[i])
            return false;
    }
    return true;
}

/* ---- output ---------------------------------------------------------------------- */

/* A key of a part: "key=figure#:unit". */
typedef struct {
    char text[3 * SETTING_TEXT_MAX], name[SETTING_TEXT_MAX];
    const char *figure;
    bool whole;
    char *unit; /* NULL: none */
} Key;

/* Cuts a text before a character; returns what is behind it, NULL if it has none. */
static char *cut(char *text, char separator) {
    char *at = strchr(text, separator);
    if (at)
        *at++ = '\0';
    return at;
}

static bool next_key(const char **keys, Key *key) {
    if (!word_list_next(keys, ' ', key->text, sizeof key->text))
        return false;
    key->unit = cut(key->text, ':');
    key->whole = cut(key->text, '#');
    key->figure = settings_split(key->text, key->name);
    if (!key->figure) {
        const char *dot = strrchr(key->name, '.');
        key->figure = dot ? dot + 1 : key->name;
    }
    return true;
}

static json_t *setting_json(const Settings *settings, const char *name) {
    const SettingRow *row = setting_row_find(settings_taker(settings), name);
    const double number = settings_number(settings, name);
    assert(row);
    const SettingKind kind = setting_row_full(row).kind;
    return kind == SETTING_COUNT  ? json_integer((json_int_t)number)
           : kind == SETTING_REAL ? jvalue_number(number)
                                  : jvalue_text(settings_text(settings, name));
}

/* Sets "a.b" in an object. */
static void put(json_t *object, const char *key, json_t *value) {
    const char *dot = strchr(key, '.');
    if (!dot) {
        json_object_set_new(object, key, value);
        return;
    }
    char name[SETTING_TEXT_MAX];
    snprintf(name, sizeof name, "%.*s", (int)(dot - key), key);
    if (!json_object_get(object, name))
        json_object_set_new(object, name, json_object());
    put(json_object_get(object, name), dot + 1, value);
}

json_t *model_json(const ModelRequest *r, json_t *root) {
    for (unsigned i = 0; i < PARTS; i++) {
        Key key;
        const char *keys = parts[i].keys;
        while (r->part[i] && next_key(&keys, &key)) {
            json_t *figure = result_json(r->part[i], key.figure, key.whole);
            put(root, key.name,
                figure ? figure : setting_json(&r->settings, key.figure));
        }
    }
    return root;
}

void model_print_measures(const Result *result, ModelPart part) {
    Key key;
    const char *keys = parts[part].keys;
    while (next_key(&keys, &key))
        if (key.unit)
            printf("  %-24s %12.6g %s\n", strchr(key.name, '.') + 1,
                   result_number(result, key.figure), key.unit);
}

bool model_give(ModelRequest *r, const char *command,
                void (*print)(const ModelRequest *request), JmError *error) {
    if (!outputs_check(r->options, r, NULL, error) ||
        !model_answer(r, command, NULL, NULL, error))
        return false;
    if (outputs_leave_text(r->options, r))
        print(r);
    return model_put_json(r, model_json(r, json_object()), error);
}
