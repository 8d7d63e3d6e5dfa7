/* Gathers the data that page.js draws in three dimensions. */
#include "tools/report/space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/host/values.h"
#include "tools/report/files/csv.h"
#include "tools/report/files/folder.h"

/* Below this bound a double without a fraction is an exact integer. */
static const double WHOLE_MAX = 9e15;

static const struct {
    const char *column, *label, *unit;
} maps[] = {
    {"overflows", "Overflows, all runs", "overflows"},
    {"first_overflows", "First overflow of a run", "runs"},
    {"send_faults", "SEND faults, all runs", "faults"},
    {"queue_mean_words", "Mean queue", "words"},
    {"queue_max_words", "Longest queue", "words"},
};
enum { MAPS = sizeof maps / sizeof maps[0], FAMILIES_MAX = 16 };

/* Returns a number as JSON. Whole numbers are written without a fraction, which makes
 * the data a third smaller; NaN and infinity become null. */
static json_t *number(double value) {
    if (!isfinite(value))
        return json_null();
    return fabs(value) < WHOLE_MAX && value == floor(value)
               ? json_integer((json_int_t)value)
               : jvalue_number(value);
}

/* Parses one side of a mesh at the start of `*text`, and moves `*text` behind it and
 * the x; 0 if it is not 1..`most`. */
static json_int_t side(const char **text, json_int_t most) {
    char *end;
    const long value = strtol(*text, &end, 10);
    *text = end + (*end == 'x');
    return value > 0 && value <= most ? value : 0;
}

/* Returns the mesh of an experiment, the first of several, "8x8x8" as three numbers;
 * zeros if it was not run or the mesh is malformed. */
static json_t *mesh_of(const json_t *experiment) {
    const char *text = folder_member(json_object_get(experiment, "parameters"), "mesh");
    const json_int_t x = side(&text, JM_MAX_X), y = side(&text, JM_MAX_Y);
    const json_int_t z = side(&text, JM_MAX_Z);
    const bool good = x * y * z > 0 && (!*text || *text == ',') && text[-1] != 'x';
    return json_pack("[I, I, I]", good ? x : 0, good ? y : 0, good ? z : 0);
}

/* Returns a column of the rows that are of one family with row `first`. */
static json_t *values_of(const Series *series, size_t first, const char *name) {
    const int column = csv_column(series->csv, name);
    json_t *values = json_array();
    for (size_t i = first; i < series->csv->rows; i++)
        if (series_same(series, first, i))
            json_array_append_new(values, number(csv_number(series->csv, i, column)));
    return values;
}

static void add_maps(json_t *space, const Series *series) {
    json_t *list = json_object_get(space, "maps");
    size_t firsts[FAMILIES_MAX];
    const unsigned families = series_firsts(series, firsts, FAMILIES_MAX);
    for (unsigned i = 0; i < MAPS; i++)
        for (unsigned k = 0; k < families; k++)
            json_array_append_new(
                list,
                json_pack("{s:o, s:o, s:o, s:o}", "name", jvalue_text(maps[i].column),
                          "label", series_label(maps[i].label, series, firsts[k]),
                          "unit", jvalue_text(maps[i].unit), "values",
                          values_of(series, firsts[k], maps[i].column)));
}

/* Rows of one frame are neighbours in the file. */
static void add_frames(json_t *space, const Series *series) {
    const Csv *csv = series->csv;
    json_t *list = json_object_get(space, "frames"), *nodes = NULL;
    const int time = csv_column(csv, "time_ms");
    const int columns[3] = {csv_column(csv, "node"), csv_column(csv, "queue_words"),
                            csv_column(csv, "overflow_buffer_words")};
    for (size_t i = 0; i < csv->rows && series_same(series, 0, i); i++) {
        const char *now = csv_text(csv, i, time);
        if (i == 0 || strcmp(now, csv_text(csv, i - 1, time)) != 0) {
            nodes = json_array();
            json_array_append_new(
                list, json_pack("[o, o]", number(csv_number(csv, i, time)), nodes));
        }
        for (unsigned k = 0; k < 3; k++)
            json_array_append_new(nodes, number(csv_number(csv, i, columns[k])));
    }
    if (csv->rows)
        json_object_set_new(space, "frames_of", series_label("", series, 0));
}

/* Adds nothing, and succeeds, if the experiment was not run. */
static bool add(json_t *space, const char *folder, const json_t *experiment,
                const char *suffix, void (*put)(json_t *, const Series *),
                JmError *error) {
    Csv csv;
    if (!experiment)
        return true;
    const char *name = json_string_value(json_object_get(experiment, "name"));
    const bool good = folder_csv(&csv, folder, name, suffix, error);
    Series series = {.csv = &csv};
    if (good) {
        series_add_list(&series, json_object_get(experiment, "swept"));
        put(space, &series);
    }
    csv_free(&csv);
    return good;
}

json_t *space_of(const char *folder, const json_t *experiments, JmError *error) {
    const json_t *map = folder_named(experiments, "fig4-11");
    const json_t *view = folder_named(experiments, "view");
    json_t *space =
        json_pack("{s:o, s:[], s:[], s:o}", "mesh", mesh_of(map ? map : view), "maps",
                  "frames", "frames_of", jvalue_text(""));
    if (add(space, folder, map, ".map.csv", add_maps, error) &&
        add(space, folder, view, ".frames.csv", add_frames, error))
        return space;
    json_decref(space);
    return NULL;
}

bool space_is_there(const json_t *space) {
    return json_array_size(json_object_get(space, "maps")) ||
           json_array_size(json_object_get(space, "frames"));
}
