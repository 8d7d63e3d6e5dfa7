/* The tables of settings, and checking values by their rows. */
#include "tools/exp/plan/setting_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/numbers.h"

static const SettingRow rows[] = {
#define SETTING(name, kind, standard, word, text)                                      \
    {NULL, name, SETTING_##kind, standard, word, text, 0, INT32_MAX},
#include "tools/exp/plan/settings.def"
#undef SETTING
#define SETTING_OF(models, name, kind, standard, low, high, words, text)               \
    {models, name, SETTING_##kind, standard, words, text, low, high},
#define SHARED_OF SETTING_OF
#include "tools/exp/plan/model_settings.def"
#undef SETTING_OF
#undef SHARED_OF
};
enum { ROWS = sizeof rows / sizeof rows[0] };

const SettingRow *setting_row_at(unsigned index) {
    return index < ROWS ? &rows[index] : NULL;
}

bool setting_is_among(const char *list, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list; *at && length;) {
        const size_t own = strcspn(at, "|");
        if (own == length && strncmp(at, word, own) == 0)
            return true;
        at += own + (at[own] == '|');
    }
    return false;
}

/* The row `model` belongs to the machine's table and to every model. */
static bool is_taken(const SettingRow *row, const char *model) {
    if (row->kind == SETTING_MODEL)
        return true;
    if (!row->models || !model)
        return !row->models && !model;
    return setting_is_among(row->models, model);
}

const SettingRow *setting_row_find(const char *model, const char *name) {
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0 && is_taken(&rows[i], model))
            return &rows[i];
    return NULL;
}

const JmParameter *setting_parameter(const char *name) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (strcmp(jm_parameter(i)->name, name) == 0)
            return jm_parameter(i);
    return NULL;
}

/* ---- values ---------------------------------------------------------------------- */

bool setting_parse_mesh(const char *text, unsigned size[3]) {
    static const unsigned most[3] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    char copy[SETTING_TEXT_MAX];
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    char *rest = copy;
    for (unsigned d = 0; d < 3; d++) {
        const char *part = rest;
        uint64_t value;
        rest += strcspn(rest, "x");
        const bool more = *rest == 'x';
        *rest++ = '\0';
        if (more != (d < 2) || !number_parse(part, 1, most[d], &value))
            return false;
        size[d] = (unsigned)value;
    }
    return true;
}

/* Writes the size of a machine in its canonical form. */
static bool print_mesh(char *text, const char *value, JmError *error) {
    unsigned size[3];
    if (!setting_parse_mesh(value, size))
        return jm_fail(error, "jm exp", "'%s' is not a machine size such as 8x8x8",
                       value);
    snprintf(text, SETTING_TEXT_MAX, "%ux%ux%u", size[0], size[1], size[2]);
    return true;
}

/* Writes a whole number in decimal, without leading zeros. */
static bool print_whole(char *text, const char *name, const char *value, uint64_t low,
                        uint64_t high, JmError *error) {
    uint64_t number;
    if (!number_parse(value, low, high, &number))
        return jm_fail(error, "jm exp",
                       "%s=%s: expected a number from %" PRIu64 " to %" PRIu64, name,
                       value, low, high);
    snprintf(text, SETTING_TEXT_MAX, "%" PRIu64, number);
    return true;
}

/* Writes a real, so that 0.5 and .50 are the same run. */
static bool print_real(char *text, const SettingRow *row, const char *value,
                       JmError *error) {
    char *end;
    const double number = strtod(value, &end);
    if (!*value || *end || !(number >= row->low && number <= row->high))
        return jm_fail(error, "jm exp", "%s=%s: expected a number from %g to %g",
                       row->name, value, row->low, row->high);
    snprintf(text, SETTING_TEXT_MAX, "%.10g", number);
    return true;
}

/* Writes a word if it is among `words`. */
static bool print_word(char *text, const char *name, const char *value,
                       const char *words, JmError *error) {
    if (!setting_is_among(words, value))
        return jm_fail(error, "jm exp", "%s=%s: expected one of %s", name, value,
                       words);
    snprintf(text, SETTING_TEXT_MAX, "%s", value);
    return true;
}

static const char *const model_names =
#define MODEL(name, kind, text) "|" #name
#include "tools/exp/plan/models.def"
#undef MODEL
    ;

bool setting_print_value(char text[SETTING_TEXT_MAX], const char *model,
                         const char *name, const char *value, JmError *error) {
    const SettingRow *row = setting_row_find(model, name);
    const JmParameter *parameter = row ? NULL : setting_parameter(name);
    if (parameter)
        return print_whole(text, name, value, parameter->minimum, parameter->maximum,
                           error);
    switch (row->kind) {
    case SETTING_MODEL:
        return print_word(text, name, value, model_names + 1, error);
    case SETTING_MESH:
        return print_mesh(text, value, error);
    case SETTING_REAL:
        return print_real(text, row, value, error);
    case SETTING_CHOICE:
        return print_word(text, name, value, row->word, error);
    case SETTING_PROBE:
        return print_whole(text, name, value, 0, PROBES - 1, error);
    default:
        return print_whole(text, name, value, (uint64_t)row->low, (uint64_t)row->high,
                           error);
    }
}
