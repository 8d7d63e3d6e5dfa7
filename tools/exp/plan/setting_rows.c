/* The tables of settings, and checking values by their rows. */
#include "tools/exp/plan/setting_rows.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/topology.h"
#include "net/traffic/traffic.h"
#include "tools/host/numbers.h"
#include "tools/host/word_list.h"

#define OWN NULL, NULL, 0
static const SettingRow rows[] = {
#define OPTION_OF(models, name, owner, standard, unset)                                \
    {models, name, SETTING_COUNT, standard, NULL, NULL, 0, 0, owner, unset, 0},
#define SETTING(name, kind, standard, word, text)                                      \
    {NULL, name, SETTING_##kind, standard, word, text, 0, INT32_MAX, OWN},
#define QUEUE(name, standard, word, text)                                              \
    {NULL, name, SETTING_WORD, standard, word, text, 8, 1024, OWN}, /* as --queue */
#include "tools/exp/plan/settings.def"
#undef SETTING
#undef QUEUE
#define SETTING_OF(models, name, kind, standard, low, high, words, text)               \
    {models, name, SETTING_##kind, standard, words, text, low, high, OWN},
#include "tools/exp/plan/model_settings.def"
#undef SETTING_OF
#undef OPTION_OF
};
enum { ROWS = sizeof rows / sizeof rows[0] };

const SettingRow *setting_row_at(unsigned index) {
    return index < ROWS ? &rows[index] : NULL;
}

static bool is_program(const char *taker) {
    return taker && strcmp(taker, SETTING_TAKER_PROGRAM) == 0;
}

/* Whether a row of the machine needs no word that only the Snakes or the wire have. */
static bool is_of_any_program(const SettingRow *row) {
    return row->kind == SETTING_CHOICE || !row->word ||
           strncmp(row->word, "kernel_", 7) == 0;
}

/* The row `model` belongs to the machine's table and to every model. */
static bool is_taken(const SettingRow *row, const char *taker) {
    if (row->kind == SETTING_MODEL)
        return true;
    if (is_program(taker))
        return !row->models && is_of_any_program(row);
    if (!row->models || !taker)
        return !row->models && !taker;
    return word_list_has(row->models, '|', taker);
}

/* Plans of all experiments ask a million times; most names differ in the first letter.
 */
const SettingRow *setting_row_find(const char *taker, const char *name) {
    for (unsigned i = 0; i < ROWS; i++)
        if (*rows[i].name == *name && strcmp(rows[i].name, name) == 0 &&
            is_taken(&rows[i], taker))
            return &rows[i];
    return NULL;
}

const char *setting_word(const char *name) {
    static const char prefix[] = "set.";
    const size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 && name[length] ? name + length : NULL;
}

const JmParameter *setting_parameter(const char *name) {
    for (unsigned i = 0; jm_parameter(i); i++)
        if (strcmp(jm_parameter(i)->name, name) == 0)
            return jm_parameter(i);
    return NULL;
}

/* ---- options of networks --------------------------------------------------------- */

/* The options of a workload or a topology, whose names differ. */
static const NetOption *options_of(const char *owner) {
    const NetTopology *topology;
    const NetWorkload *workload;
    for (unsigned i = 0; (topology = net_topology_row(i)); i++)
        if (strcmp(topology->name, owner) == 0)
            return topology->options;
    for (unsigned i = 0; (workload = net_workload_row(i)); i++)
        if (strcmp(workload->name, owner) == 0)
            return workload->options;
    return NULL;
}

/* Numbers that have words are given by these, a list by one of its numbers. */
static SettingKind kind_of(const NetOption *option) {
    return option->kind == NET_OPTION_REAL                     ? SETTING_REAL
           : option->kind == NET_OPTION_TEXT || !option->words ? SETTING_COUNT
                                                               : SETTING_CHOICE;
}

static bool is_parameter(const SettingRow *row) {
    return row->owner && strcmp(row->owner, "parameter") == 0;
}

SettingRow setting_row_full(const SettingRow *row) {
    SettingRow full = *row;
    if (is_parameter(row)) {
        const JmParameter *parameter = setting_parameter(row->name);
        full.text = parameter->text;
        full.low = (double)parameter->minimum;
        full.high = (double)parameter->maximum;
    } else if (row->owner) {
        const NetOption *option = net_option_find(options_of(row->owner), row->name);
        assert(option);
        full.kind = kind_of(option);
        full.word = option->words;
        full.text = option->text;
        full.low = option->low;
        full.high = option->high;
        full.preset = option->standard;
    }
    return full;
}

bool setting_standard(const SettingRow *row, char text[SETTING_TEXT_MAX]) {
    const SettingRow full = setting_row_full(row);
    const char *own = row->standard ? row->standard : row->unset;
    if (own && *own)
        snprintf(text, SETTING_TEXT_MAX, "%s", own);
    else if (!row->owner || is_parameter(row))
        return false;
    else if (full.kind == SETTING_CHOICE)
        net_word_of(full.word, (unsigned)full.preset, text);
    else
        snprintf(text, SETTING_TEXT_MAX, "%.10g", full.preset);
    return true;
}

/* ---- values of models ------------------------------------------------------------ */

/* Reads a decimal real; strtod() alone would take hexadecimal, nan and blanks. */
static bool read_real(const SettingRow *row, const char *text, double *value) {
    char *end;
    if (!strchr("+-.0123456789", *text) || strpbrk(text, "xX"))
        return false;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value) && *value <= row->high &&
           (row->kind == SETTING_ABOVE ? *value > row->low : *value >= row->low);
}

/* Writes the size of a machine, or of a model that says how large it may be. */
static bool read_mesh(const SettingRow *row, const char *value, char *text) {
    static const unsigned machine[3] = {JM_MAX_X, JM_MAX_Y, JM_MAX_Z};
    unsigned size[3];
    if (!number_parse_mesh(value, SETTING_MESH_MAX, size))
        return false;
    for (unsigned d = 0; d < 3; d++)
        if (!size[d] ||
            size[d] > (row->models && row->high > 0 ? row->high : machine[d]))
            return false;
    snprintf(text, SETTING_TEXT_MAX, "%ux%ux%u", size[0], size[1], size[2]);
    return true;
}

bool setting_read(const SettingRow *row, const char *words, const char *value,
                  char text[SETTING_TEXT_MAX]) {
    const SettingRow full = setting_row_full(row);
    double number;
    uint64_t whole;
    int place;
    switch (full.kind) {
    case SETTING_MESH:
        return read_mesh(row, value, text);
    case SETTING_PROGRAM:
        snprintf(text, SETTING_TEXT_MAX, "%s", value);
        return *value != '\0';
    case SETTING_MODEL:
    case SETTING_CHOICE:
        place = net_word_value(words, value);
        return place >= 0 && net_word_of(words, (unsigned)place, text);
    case SETTING_COUNT:
        if (!number_parse(value, (uint64_t)full.low, (uint64_t)full.high, &whole))
            return false;
        snprintf(text, SETTING_TEXT_MAX, "%" PRIu64, whole);
        return true;
    default:
        if (!read_real(&full, value, &number))
            return false;
        snprintf(text, SETTING_TEXT_MAX, "%.10g", number); /* 0.5 and .50 are equal */
        return true;
    }
}

void setting_expect(const SettingRow *row, const char *words, const char *wrong,
                    char *text, size_t size) {
    const SettingRow full = setting_row_full(row);
    if (full.kind == SETTING_COUNT)
        snprintf(text, size, "a whole number from %.0f to %.0f", full.low, full.high);
    else if (full.kind == SETTING_MESH)
        snprintf(text, size, "XxYxZ, each from %.0f to %.0f", full.low, full.high);
    else if (full.kind == SETTING_REAL || full.kind == SETTING_ABOVE)
        snprintf(text, size, "a number %s %g, at most %g",
                 full.kind == SETTING_ABOVE ? "above" : "from", full.low, full.high);
    else if (full.kind == SETTING_MODEL || full.kind == SETTING_CHOICE)
        jm_suggest_one_of(words, wrong, text, size);
    else
        snprintf(text, size, "%s", words);
}

/* ---- all values ------------------------------------------------------------------ */

/* Writes a whole number in decimal, without leading zeros. */
static bool print_whole(char *text, const char *name, const char *value, uint64_t low,
                        uint64_t high, JmError *error) {
    uint64_t number;
    if (!number_parse(value, low, high, &number))
        return jm_fail(error, NULL,
                       "%s=%s: expected a whole number from %" PRIu64 " to %" PRIu64,
                       name, value, low, high);
    snprintf(text, SETTING_TEXT_MAX, "%" PRIu64, number);
    return true;
}

static const char *const model_names =
#define MODEL(name, kind, work, text) "|" #name
#include "tools/exp/plan/models.def"
#undef MODEL
    ;

/* Writes a model's name or a value of a model. */
static bool print_read(char *text, const SettingRow *row, const char *value,
                       JmError *error) {
    const char *words =
        row->kind == SETTING_MODEL ? model_names + 1 : setting_row_full(row).word;
    char what[512];
    if (setting_read(row, words, value, text))
        return true;
    if (row->kind == SETTING_MESH)
        return jm_fail(error, NULL, "'%s' is not a machine size such as 8x8x8", value);
    setting_expect(row, words, value, what, sizeof what);
    return jm_fail(error, NULL, "%s=%s: expected %s", row->name, value, what);
}

bool setting_print_value(char text[SETTING_TEXT_MAX], const char *taker,
                         const char *name, const char *value, JmError *error) {
    const SettingRow *row = setting_row_find(taker, name);
    const JmParameter *parameter = row ? NULL : setting_parameter(name);
    if (setting_word(name))
        return print_whole(text, name, value, 0, INT32_MAX, error);
    if (parameter)
        return print_whole(text, name, value, parameter->minimum, parameter->maximum,
                           error);
    switch (row->kind) {
    case SETTING_WORD:
    case SETTING_MORE:
    case SETTING_WATCH:
        return print_whole(text, name, value, (uint64_t)row->low, (uint64_t)row->high,
                           error);
    case SETTING_PROBE:
        return print_whole(text, name, value, 0, PROBES - 1, error);
    default:
        return print_read(text, row, value, error);
    }
}
