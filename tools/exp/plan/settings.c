/* The settings of a run: checking names and values, and applying them to a machine. */
#include "tools/exp/plan/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "emu/core/suggest.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/numbers.h"
#include "tools/host/word_list.h"
#include "tools/jm/embedded.h"

/* The model that solves a point; NULL if the machine runs. */
static const char *model_of(const Settings *settings) {
    return settings_text(settings, "model");
}

const char *settings_taker(const Settings *settings) {
    const char *model = model_of(settings);
    return model                                ? model
           : settings_text(settings, "program") ? SETTING_TAKER_PROGRAM
                                                : NULL;
}

/* Orders names: rows of the tables first, in their order, then parameters by name. */
static int compare_names(const char *taker, const char *a, const char *b) {
    const SettingRow *first = setting_row_find(taker, a);
    const SettingRow *second = setting_row_find(taker, b);
    if (first && second)
        return (first > second) - (first < second);
    return first ? -1 : second ? 1 : strcmp(a, b);
}

/* ---- names ----------------------------------------------------------------------- */

bool settings_takes(const char *taker, const char *name) {
    const bool program = taker && strcmp(taker, SETTING_TAKER_PROGRAM) == 0;
    return setting_row_find(taker, name) || (program && setting_word(name)) ||
           ((program || !taker) && setting_parameter(name));
}

bool settings_is_solved(const Settings *settings) {
    const char *model = model_of(settings);
#define MODEL(name, kind, work, text)                                                  \
    if (model && strcmp(model, #name) == 0)                                            \
        return strcmp(kind, "model") == 0;
#include "tools/exp/plan/models.def"
#undef MODEL
    return false;
}

bool settings_known(const char *name) {
    if (setting_word(name))
        return true;
    for (unsigned i = 0; setting_row_at(i); i++)
        if (strcmp(setting_row_at(i)->name, name) == 0)
            return true;
    return setting_parameter(name) != NULL;
}

const char *settings_takers(const char *name) {
    if (setting_word(name))
        return "points that set this word";
    for (unsigned i = 0; setting_row_at(i); i++)
        if (setting_row_at(i)->models && strcmp(setting_row_at(i)->name, name) == 0 &&
            !settings_takes(NULL, name))
            return setting_row_at(i)->models;
    return "the machine";
}

/* Considers a row's name, and its word in the program with and without the prefix. */
static void consider_row(JmSuggestion *suggestion, const SettingRow *row) {
    const unsigned before = suggestion->distance;
    jm_suggest_consider(suggestion, row->name);
    if (row->word && (row->kind == SETTING_WORD || row->kind == SETTING_MORE)) {
        jm_suggest_consider(suggestion, row->word);
        jm_suggest_consider(suggestion, strchr(row->word, '_') + 1);
    }
    if (suggestion->distance < before)
        suggestion->best = row->name;
}

/* Considers the settings that `taker` accepts; with `any`, those of all. */
static void consider(JmSuggestion *suggestion, const char *taker, bool any) {
    for (unsigned i = 0; setting_row_at(i); i++)
        if (any || settings_takes(taker, setting_row_at(i)->name))
            consider_row(suggestion, setting_row_at(i));
    for (unsigned i = 0; jm_parameter(i); i++)
        if (settings_takes(taker, jm_parameter(i)->name))
            jm_suggest_consider(suggestion, jm_parameter(i)->name);
}

void settings_suggest(JmSuggestion *suggestion) {
    consider(suggestion, NULL, true);
}

/* Reports an unknown setting and suggests the nearest one. Returns false. */
static bool unknown_name(const Settings *settings, const char *name, JmError *error) {
    const char *taker = settings_taker(settings);
    JmSuggestion near = jm_suggest_start(name);
    consider(&near, taker, false);
    return jm_fail(error, NULL, "no setting '%s'%s%s%s", name,
                   model_of(settings) ? " of the model "
                   : taker            ? " of the program "
                                      : "",
                   taker ? settings_program(settings) : "",
                   jm_suggest_text(&near, "", "; jm exp settings has all"));
}

bool settings_unknown(const char *name, JmError *error) {
    JmSuggestion near = jm_suggest_start(name);
    settings_suggest(&near);
    return jm_fail(error, NULL, "no setting '%s'%s", name,
                   jm_suggest_text(&near, "", "; jm exp settings has all"));
}

bool settings_equal(const Settings *a, const Settings *b) {
    for (unsigned i = 0; a->count == b->count && i < a->count; i++)
        if (strcmp(a->item[i].name, b->item[i].name) != 0 ||
            strcmp(a->item[i].value, b->item[i].value) != 0)
            return false;
    return a->count == b->count;
}

bool settings_share(const Settings *a, const Settings *b, const char *name) {
    const char *value = settings_text(b, name);
    return value ? settings_has(a, name, value) : !settings_text(a, name);
}

bool settings_has(const Settings *settings, const char *name, const char *value) {
    const char *own = settings_text(settings, name);
    return own && strcmp(own, value) == 0;
}

const char *settings_split(const char *text, char name[SETTING_TEXT_MAX]) {
    const size_t length = strcspn(text, "=");
    snprintf(name, SETTING_TEXT_MAX, "%.*s",
             length < SETTING_TEXT_MAX ? (int)length : 0, text);
    return text[length] ? text + length + 1 : NULL;
}

/* ---- the list -------------------------------------------------------------------- */

static void put(Settings *settings, unsigned at, const char *name, const char *text) {
    snprintf(settings->item[at].name, SETTING_TEXT_MAX, "%s", name);
    snprintf(settings->item[at].value, SETTING_TEXT_MAX, "%s", text);
}

/* Returns the defaults of what a setting names, a model or a program; NULL: of the
 * machine with the Snakes. `value` has been checked. */
static Settings defaults_of(const char *name, const char *value) {
    Settings settings = {.count = 0};
    if (name)
        put(&settings, settings.count++, name, value);
    const char *taker = settings_taker(&settings);
    for (unsigned i = 0; setting_row_at(i); i++) {
        const SettingRow *row = setting_row_at(i);
        char standard[SETTING_TEXT_MAX];
        if (row->standard && setting_row_find(taker, row->name) == row &&
            setting_standard(row, standard))
            settings_set(&settings, row->name, standard, NULL);
    }
    return settings;
}

Settings settings_default(void) {
    return defaults_of(NULL, NULL);
}

/* ---- programs -------------------------------------------------------------------- */

/* Whether the name of a program is that of a file: no application has a dot. */
static bool is_file(const char *program) {
    return strpbrk(program, "./") != NULL;
}

bool settings_runs_file(const Settings *settings) {
    const char *program = settings_text(settings, "program");
    return program && is_file(program);
}

/* Checks that a program is a file, which may be missing for now, or comes with jm. */
static bool check_program(const char *program, JmError *error) {
    JmSuggestion near = jm_suggest_start(program);
    char name[SETTING_TEXT_MAX], best[SETTING_TEXT_MAX];
    for (const EmbeddedFile *file = embedded_files; file->name; file++) {
        const size_t length = strcspn(file->name, ".");
        if (strcmp(file->name + length, ".elf") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length, file->name);
        if (strcmp(name, program) == 0)
            return true;
        jm_suggest_consider(&near, name);
        if (near.best == name) { /* which the next round overwrites */
            snprintf(best, sizeof best, "%s", name);
            near.best = best;
        }
    }
    return is_file(program) ||
           jm_fail(error, NULL, "no program '%s' comes with jm%s", program,
                   jm_suggest_text(&near, "", "; a file has a dot in its name"));
}

/* Inserts in the order of compare_names(), so that the order of calls does not matter.
 */
bool settings_set(Settings *settings, const char *name, const char *value,
                  JmError *error) {
    const char *taker = settings_taker(settings);
    const bool program = strcmp(name, "program") == 0;
    char text[SETTING_TEXT_MAX];
    if (!settings_takes(taker, name))
        return unknown_name(settings, name, error);
    if (!setting_print_value(text, taker, name, value, error) ||
        (program && !check_program(text, error)))
        return false;
    if (program || strcmp(name, "model") == 0) {
        *settings = defaults_of(name, text);
        return true;
    }
    unsigned at = 0;
    while (at < settings->count &&
           compare_names(taker, settings->item[at].name, name) < 0)
        at++;
    const bool there =
        at < settings->count && strcmp(settings->item[at].name, name) == 0;
    if (!there) {
        if (settings->count == SETTINGS_MAX)
            return jm_fail(error, NULL, "more than %d settings", SETTINGS_MAX);
        memmove(&settings->item[at + 1], &settings->item[at],
                (settings->count - at) * sizeof settings->item[0]);
        settings->count++;
    }
    put(settings, at, name, text);
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

bool settings_mesh(const Settings *settings, unsigned size[3]) {
    const char *text = settings_text(settings, "mesh");
    return text && number_parse_mesh(text, SETTING_MESH_MAX, size);
}

bool settings_is_main(const char *name) {
    const SettingRow *row = setting_row_find(NULL, name);
    return row && row->standard;
}

char *settings_print(const Settings *settings, bool main, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < settings->count && length < size; i++) {
        const Setting *item = &settings->item[i];
        if (!main && settings_is_main(item->name))
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s%s=%s",
                                   length ? " " : "", item->name, item->value);
    }
    return text;
}

/* ---- use ------------------------------------------------------------------------- */

char *settings_key(const Settings *settings, uint64_t seed, char *text, size_t size) {
    settings_print(settings, true, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, " seed=%" PRIu64, seed);
    return text;
}

/* Connects the nodes by another network if the settings ask for one. It brings
 * parameters of its own, so this comes before those of the settings. */
static bool connect(const Settings *settings, JmConfig *config, JmError *error) {
    const char *topology = settings_text(settings, "topology");
    const char *places = settings_text(settings, "places");
    char text[JM_TOPOLOGY_TEXT];
    if (!topology)
        return true;
    snprintf(text, sizeof text, "torus=%s,ends=%d,lanes=%.0f,places=%s",
             settings_text(settings, "mesh"), strcmp(topology, "mesh") != 0,
             settings_number(settings, "lanes"), places ? places : "1");
    return jm_config_topology(config, text, error);
}

bool settings_configure(const Settings *settings, JmConfig *config, JmError *error) {
    if (!connect(settings, config, error))
        return false;
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *item = &settings->item[i];
        const SettingRow *row = setting_row_find(NULL, item->name);
        unsigned size[3];
        if (!row && !setting_word(item->name) &&
            !jm_config_set(config, item->name, strtoull(item->value, NULL, 10), error))
            return false;
        if (row && row->kind == SETTING_MESH &&
            number_parse_mesh(item->value, SETTING_MESH_MAX, size)) {
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
    if (model_of(settings))
        return model_of(settings);
    const char *program = settings_text(settings, "program");
    return program ? program : is_wire(settings) ? "wire" : "snakes";
}

/* Sets a word of the program on all nodes. */
static bool apply_word(JmMachine *machine, const char *word, uint64_t value,
                       JmError *error) {
    uint32_t address;
    if (!jm_symbol_word(machine, word, &address))
        return jm_fail(error, NULL, "the program has no word %s", word);
    jm_write_all(machine, address, jm_int((int32_t)value));
    return true;
}

bool settings_apply(const Settings *settings, JmMachine *machine, JmError *error) {
    for (unsigned i = 0; i < settings->count; i++) {
        const Setting *item = &settings->item[i];
        const SettingRow *row = setting_row_find(NULL, item->name);
        uint64_t value = strtoul(item->value, NULL, 10);
        const char *word = setting_word(item->name);
        if (word && !apply_word(machine, word, value, error))
            return false;
        if (!row || (row->kind != SETTING_WORD && row->kind != SETTING_MORE))
            continue;
        /* Every run has m, L and so on, but only the Snakes have words for them. */
        if (is_wire(settings) && row->standard && strncmp(row->word, "snakes_", 7) == 0)
            continue;
        /* The row above a MORE row has the same word. */
        if (row->kind == SETTING_MORE)
            value += strtoul(settings_text(settings, row[-1].name), NULL, 10);
        if (!apply_word(machine, row->word, value, error))
            return false;
    }
    return true;
}

static void help_row(const SettingRow *row) {
    const SettingRow full = setting_row_full(row);
    const bool above = full.kind == SETTING_ABOVE;
    char standard[SETTING_TEXT_MAX];
    printf("  %-15s %s", row->name, full.text);
    if (full.kind == SETTING_CHOICE)
        printf(": %s", full.word);
    else if (above || full.kind == SETTING_REAL || full.kind == SETTING_COUNT)
        printf(" (%s%.10g..%.10g)", above ? "above " : "", full.low, full.high);
    if (setting_standard(row, standard))
        printf(row->standard ? "; default %s" : "; %s if not set", standard);
    putchar('\n');
}

void settings_help(void) {
    for (unsigned i = 0; setting_row_at(i); i++)
        if (!setting_row_at(i)->models)
            help_row(setting_row_at(i));
    puts("  and every name that jm run --param takes (jm run --help=parameters)");
    puts("  set.NAME        a word of the program that `program` names");
#define MODEL(name, kind, work, text)                                                  \
    printf("model=" #name ", " text ":\n");                                            \
    for (unsigned i = 0; setting_row_at(i); i++)                                       \
        if (setting_row_at(i)->models &&                                               \
            word_list_has(setting_row_at(i)->models, '|', #name))                      \
            help_row(setting_row_at(i));
#include "tools/exp/plan/models.def"
#undef MODEL
}
