/* The settings of a run: checking names and values, and applying them to a machine. */
#include "tools/exp/plan/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/host/numbers.h"

/* A row of settings.def. */
typedef struct {
    const char *name;
    SettingKind kind;
    const char *standard, *word, *text;
} Row;

static const Row rows[] = {
#define SETTING(name, kind, standard, word, text)                                      \
    {name, SETTING_##kind, standard, word, text},
#include "tools/exp/plan/settings.def"
#undef SETTING
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const Row *find_row(const char *name) {
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

static const JmParameter *find_parameter(const char *name) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (strcmp(jm_parameter(i)->name, name) == 0)
            return jm_parameter(i);
    return NULL;
}

/* Orders names: rows of the table first, in its order, then parameters by name. */
static int compare_names(const char *a, const char *b) {
    const Row *first = find_row(a), *second = find_row(b);
    if (first && second)
        return (first > second) - (first < second);
    return first ? -1 : second ? 1 : strcmp(a, b);
}

/* ---- values ---------------------------------------------------------------------- */

/* Parses "XxYxZ", decimal, within the limits of the machine. */
static bool parse_mesh(const char *text, unsigned size[3]) {
    static const unsigned most[3] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    char copy[SETTING_TEXT_MAX];
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    char *rest = NULL, *part = strtok_r(copy, "x", &rest);
    for (unsigned d = 0; d < 3; d++, part = strtok_r(NULL, "x", &rest)) {
        uint64_t value;
        if (!part || !number_parse(part, 1, most[d], &value))
            return false;
        size[d] = (unsigned)value;
    }
    return !part;
}

/* Writes a value in its canonical form, without leading zeros and in decimal, so that
 * equal runs have equal keys. Returns false and fills `error` if it is out of range. */
static bool print_value(char *text, const char *name, const char *value,
                        JmError *error) {
    const Row *row = find_row(name);
    const JmParameter *parameter = row ? NULL : find_parameter(name);
    uint64_t number, low = 0, high = INT32_MAX;
    unsigned size[3];
    if (row && row->kind == SETTING_MESH) {
        if (!parse_mesh(value, size))
            return jm_fail(error, "jm exp", "'%s' is no size of a machine", value);
        snprintf(text, SETTING_TEXT_MAX, "%ux%ux%u", size[0], size[1], size[2]);
        return true;
    }
    if (row && row->kind == SETTING_PROBE)
        high = PROBES - 1;
    if (parameter) {
        low = parameter->minimum;
        high = parameter->maximum;
    }
    if (!number_parse(value, low, high, &number))
        return jm_fail(error, "jm exp",
                       "%s=%s: expected a number from %" PRIu64 " to %" PRIu64, name,
                       value, low, high);
    snprintf(text, SETTING_TEXT_MAX, "%" PRIu64, number);
    return true;
}

static bool unknown_name(const char *name, JmError *error) {
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; i < ROWS; i++)
        jm_suggest_consider(&suggestion, rows[i].name);
    for (unsigned i = 0; jm_parameter(i); i++)
        jm_suggest_consider(&suggestion, jm_parameter(i)->name);
    return jm_fail(error, "jm exp", "no setting '%s'%s%s%s", name,
                   suggestion.best ? "; did you mean '" : "",
                   suggestion.best ? suggestion.best : "", suggestion.best ? "'?" : "");
}

bool settings_equal(const Settings *a, const Settings *b) {
    for (unsigned i = 0; a->count == b->count && i < a->count; i++)
        if (strcmp(a->item[i].name, b->item[i].name) != 0 ||
            strcmp(a->item[i].value, b->item[i].value) != 0)
            return false;
    return a->count == b->count;
}

/* ---- the list -------------------------------------------------------------------- */

Settings settings_default(void) {
    Settings settings = {.count = 0};
    for (unsigned i = 0; i < ROWS; i++)
        if (rows[i].standard)
            settings_set(&settings, rows[i].name, rows[i].standard, NULL);
    return settings;
}

/* Inserts in the order of compare_names(), so that the order of calls does not matter.
 */
bool settings_set(Settings *settings, const char *name, const char *value,
                  JmError *error) {
    if (!find_row(name) && !find_parameter(name))
        return unknown_name(name, error);
    char text[SETTING_TEXT_MAX];
    if (!print_value(text, name, value, error))
        return false;
    unsigned at = 0;
    while (at < settings->count && compare_names(settings->item[at].name, name) < 0)
        at++;
    const bool there =
        at < settings->count && strcmp(settings->item[at].name, name) == 0;
    if (!there) {
        if (settings->count == SETTINGS_MAX)
            return jm_fail(error, "jm exp", "more than %d settings", SETTINGS_MAX);
        memmove(&settings->item[at + 1], &settings->item[at],
                (settings->count - at) * sizeof settings->item[0]);
        settings->count++;
    }
    snprintf(settings->item[at].name, SETTING_TEXT_MAX, "%s", name);
    snprintf(settings->item[at].value, SETTING_TEXT_MAX, "%s", text);
    return true;
}

const char *settings_text(const Settings *settings, const char *name) {
    for (unsigned i = 0; i < settings->count; i++)
        if (strcmp(settings->item[i].name, name) == 0)
            return settings->item[i].value;
    return NULL;
}

double settings_number(const Settings *settings, const char *name) {
    const char *text = settings_text(settings, name);
    return text ? strtod(text, NULL) : 0;
}

bool settings_is_main(const char *name) {
    const Row *row = find_row(name);
    return row && row->standard;
}

char *settings_print(const Settings *settings, bool main, bool other, char *text,
                     size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < settings->count && length < size; i++) {
        const Setting *item = &settings->item[i];
        if (!(settings_is_main(item->name) ? main : other))
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s=%s",
                                   length ? " " : "", item->name, item->value);
    }
    return text;
}

/* ---- use ------------------------------------------------------------------------- */

char *settings_key(const Settings *settings, uint64_t seed, char *text, size_t size) {
    settings_print(settings, true, true, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, " seed=%" PRIu64, seed);
    return text;
}

bool settings_configure(const Settings *settings, JmConfig *config, JmError *error) {
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *item = &settings->item[i];
        const Row *row = find_row(item->name);
        unsigned size[3];
        if (!row &&
            !jm_config_set(config, item->name, strtoull(item->value, NULL, 10), error))
            return false;
        if (row && row->kind == SETTING_MESH && parse_mesh(item->value, size)) {
            config->size_x = size[0];
            config->size_y = size[1];
            config->size_z = size[2];
        }
    }
    return true;
}

static bool is_wire(const Settings *settings) {
    return settings_text(settings, "streams") != NULL;
}

const char *settings_program(const Settings *settings) {
    return is_wire(settings) ? "wire" : "snakes";
}

bool settings_apply(const Settings *settings, JmMachine *machine, JmError *error) {
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *item = &settings->item[i];
        const Row *row = find_row(item->name);
        uint32_t address;
        if (!row || (row->kind != SETTING_WORD && row->kind != SETTING_MORE))
            continue;
        /* Every run has m, L and so on, but only the Snakes have words for them. */
        if (is_wire(settings) && row->standard && strncmp(row->word, "snakes_", 7) == 0)
            continue;
        if (!jm_symbol_word(machine, row->word, &address))
            return jm_fail(error, "jm exp", "the program has no word %s", row->word);
        uint64_t value = strtoul(item->value, NULL, 10);
        /* The row above a MORE row has the same word. */
        if (row->kind == SETTING_MORE)
            value += strtoul(settings_text(settings, row[-1].name), NULL, 10);
        jm_write_all(machine, address, jm_int((int32_t)value));
    }
    return true;
}

void settings_help(void) {
    for (unsigned i = 0; i < ROWS; i++)
        printf("  %-15s %s%s%s\n", rows[i].name, rows[i].text,
               rows[i].standard ? "; default " : "",
               rows[i].standard ? rows[i].standard : "");
    puts("  and every name that jm run --param takes (jm run --help)");
}
