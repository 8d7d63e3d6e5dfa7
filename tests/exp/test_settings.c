/* Settings of the machine's runs: each reaches the word or the parameter that it stands
 * for, on every node, whatever else is set and in whatever order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/word_list.h"

static void set(Settings *settings, const char *name, uint64_t value) {
    JmError error;
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    cr_assert(settings_set(settings, name, text, &error), "%s", error.text);
}

/* Models of a row, or claims of an explanation: no part of a word is one. */
Test(settings, words_of_a_list) {
    static const char two[] = "TC-086 TC-089b";
    cr_expect(word_list_has(two, ' ', "TC-086"));
    cr_expect(word_list_has(two, ' ', "TC-089b"));
    static const char *const others[] = {"TC-089", "TC-08", "C-086", "TC-0866",
                                         "",       two,     " ",     "TC-086 "};
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        cr_expect_not(word_list_has(two, ' ', others[i]), "'%s'", others[i]);
    cr_expect(word_list_has(two, '|', two));
    cr_expect(word_list_has("|a||b", '|', "b"));
    cr_expect_not(word_list_has("", '|', ""));
}

/* ---- words of programs ----------------------------------------------------------- */

/* A machine of 3x2x1 nodes with the program of these settings. */
static JmMachine *machine_with(const Settings *settings) {
    JmError error;
    JmConfig config = jm_config_default();
    const EmbeddedFile *file = made_program(settings);
    config.size_x = 3;
    config.size_y = 2;
    config.size_z = 1;
    JmMachine *machine = jm_create(&config, &error);
    cr_assert(machine && jm_load_elf(machine, file->bytes, file->size, file->name,
                                     JM_ALL_NODES, &error),
              "%s", error.text);
    return machine;
}

/* The value that the test gives the setting in row `index`: no two have the same, and
 * every other one has its top bits set unless that is too large. */
static uint64_t value_of(unsigned index) {
    if (setting_row_at(index)->high < INT32_MAX)
        return (uint64_t)setting_row_at(index)->high - index;
    return 1000 + 17 * index + (index % 2 ? INT32_MAX - 5000 : 0);
}

static bool is_word(const SettingRow *row) {
    return !row->models && (row->kind == SETTING_WORD || row->kind == SETTING_MORE);
}

/* Whether the program of these settings has the word of a row. */
static bool is_of_program(const Settings *settings, const SettingRow *row) {
    const char *program = settings_program(settings);
    return strncmp(row->word, "kernel_", 7) == 0 ||
           (strncmp(row->word, program, strlen(program)) == 0 &&
            row->word[strlen(program)] == '_');
}

/* What a row's word must be: the sum with MORE, which follows it. */
static uint32_t wanted(unsigned index) {
    const SettingRow *row = setting_row_at(index), *next = setting_row_at(index + 1);
    if (row->kind == SETTING_MORE)
        return wanted(index - 1);
    return (uint32_t)(value_of(index) +
                      (next->kind == SETTING_MORE ? value_of(index + 1) : 0));
}

/* All words together, from the last row to the first, on all nodes. */
static void expect_words(bool wire) {
    JmError error;
    Settings settings = settings_default();
    if (wire)
        set(&settings, "streams", 1);
    unsigned count = 0;
    while (setting_row_at(count))
        count++;
    for (unsigned i = count; i-- > 0;)
        if (is_word(setting_row_at(i)) && is_of_program(&settings, setting_row_at(i)))
            set(&settings, setting_row_at(i)->name, value_of(i));
    JmMachine *machine = machine_with(&settings);
    cr_assert(settings_apply(&settings, machine, &error), "%s", error.text);
    unsigned words = 0;
    for (unsigned i = 0; i < count; i++) {
        const SettingRow *row = setting_row_at(i);
        uint32_t address;
        if (!is_word(row) || !is_of_program(&settings, row))
            continue;
        cr_assert(jm_symbol_word(machine, row->word, &address), "%s", row->word);
        for (unsigned node = 0; node < jm_node_count(machine); node++)
            cr_expect_eq(jm_data(jm_read(machine, node, address)), wanted(i),
                         "%s of node %u", row->name, node);
        words++;
    }
    cr_expect_geq(words, wire ? 5 : 15);
    jm_destroy(machine);
}

Test(settings, words_of_the_snakes) {
    expect_words(false);
}

Test(settings, words_of_the_wire) {
    expect_words(true);
}

/* ---- parameters ------------------------------------------------------------------ */

/* Each parameter at both ends of its range, and no other. */
Test(settings, parameters) {
    JmError error;
    const JmConfig standard = jm_config_default();
    for (unsigned i = 0; jm_parameter(i); i++) {
        const JmParameter *p = jm_parameter(i);
        const uint64_t ends[] = {p->minimum, p->maximum};
        for (unsigned end = 0; end < 2; end++) {
            Settings settings = settings_default();
            JmConfig config = jm_config_default();
            set(&settings, p->name, ends[end]);
            settings_set(&settings, "mesh", "3x2x5", &error);
            if (!settings_configure(&settings, &config, &error))
                continue; /* not with the others' defaults */
            cr_expect(config.size_x == 3 && config.size_y == 2 && config.size_z == 5);
            for (unsigned k = 0; jm_parameter(k); k++)
                cr_expect_eq(jm_config_get(&config, k),
                             k == i ? ends[end] : jm_config_get(&standard, k),
                             "%s with %s", jm_parameter(k)->name, p->name);
        }
    }
}

/* ---- ranges ---------------------------------------------------------------------- */

static bool takes(const char *model, const char *name, double value) {
    JmError error;
    char text[64], canonical[SETTING_TEXT_MAX];
    snprintf(text, sizeof text, "%.17g", value);
    return setting_print_value(canonical, model, name, text, &error);
}

/* Numbers of every row and of every model are taken at the ends of their ranges, and
 * not beyond. */
Test(settings, ranges) {
    unsigned rows = 0;
    for (unsigned i = 0; setting_row_at(i); i++) {
        const SettingRow *row = setting_row_at(i), full = setting_row_full(row);
        char model[64] = "";
        if (row->models)
            memcpy(model, row->models, strcspn(row->models, "|"));
        const char *of = row->models ? model : NULL;
        if (full.kind == SETTING_CHOICE || full.kind == SETTING_MODEL ||
            full.kind == SETTING_MESH || full.kind == SETTING_PROGRAM ||
            setting_row_find(of, row->name) != row)
            continue;
        const double high = full.kind == SETTING_PROBE ? PROBES - 1 : full.high;
        const bool above = full.kind == SETTING_ABOVE;
        const double step = above || full.kind == SETTING_REAL ? 1e-6 : 1;
        cr_expect(takes(of, row->name, full.low) == !above &&
                      takes(of, row->name, high),
                  "%s %s", model, row->name);
        cr_expect_not(takes(of, row->name, high + step * (high > 1 ? high : 1)),
                      "%s %s", model, row->name);
        cr_expect_not(takes(of, row->name, full.low - step), "%s %s", model, row->name);
        rows++;
    }
    cr_expect_gt(rows, 60);
}

/* ---- options of networks --------------------------------------------------------- */

/* What net takes in two spellings has one in keys, that of the paper; what it takes by
 * number or word is a word, and a default is net's or the row's own. */
Test(settings, passed_options) {
    JmError error;
    static const char *const rows[][4] = {
        {"programs", "layer", "turns", "RoundRobin"},
        {"programs", "layer", "IdleRnd", "IdleRnd"},
        {"counted", "layer", NULL, "fixed"},
        {"memory", "links", NULL, "single"},
        {"memory", "tau", NULL, "25"},
        {"poisson", "lanes", NULL, "4"},
        {"poisson", "rate", NULL, "0.001"},
        {"poisson", "places", NULL, NULL},
        {"pattern", "pattern", "tornado", "tornado"},
        {"pattern", "hot", "007", "7"},
        {"abstract", "age", "2", "2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Settings settings = settings_default();
        cr_assert(settings_set(&settings, "model", rows[i][0], &error));
        cr_assert(!rows[i][2] ||
                      settings_set(&settings, rows[i][1], rows[i][2], &error),
                  "%s", error.text);
        const char *text = settings_text(&settings, rows[i][1]);
        cr_expect(text == rows[i][3] || strcmp(text, rows[i][3]) == 0, "%s of %s",
                  rows[i][1], rows[i][0]);
    }
    cr_expect_not(takes("programs", "layer", 1));
}

/* ---- keys ------------------------------------------------------------------------ */

/* Settings stand in the order of the table, then parameters by name, however they were
 * set and as often as they were. */
Test(settings, keys) {
    JmError error;
    static const char *const items[][2] = {
        {"yield", "3"}, {"cut", "900"}, {"h", "0060"},   {"dispatch", "4"},
        {"Q1", "0x40"}, {"m", "7"},     {"backoff", "2"}};
    static const char key[] = "mesh=8x8x8 m=7 L=1000 p=3 h=60 Q=512 Q1=64 return=0 "
                              "backoff=2 cut=900 dispatch=4 yield=3 seed=4294967297";
    enum { ITEMS = sizeof items / sizeof items[0] };
    for (unsigned first = 0; first < ITEMS; first++) {
        Settings settings = settings_default();
        char text[SETTINGS_KEY_MAX];
        for (unsigned i = 0; i <= ITEMS; i++)
            cr_assert(settings_set(&settings, items[(first + i) % ITEMS][0],
                                   items[(first + i) % ITEMS][1], &error),
                      "%s", error.text);
        settings_key(&settings, 4294967297u, text, sizeof text);
        cr_expect_str_eq(text, key);
        settings_print(&settings, false, text, sizeof text);
        cr_expect_str_eq(text, "Q1=64 backoff=2 cut=900 dispatch=4 yield=3");
    }
}
