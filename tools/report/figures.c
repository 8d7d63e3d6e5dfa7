/* Draws the rows of figures.def and gathers tables for the page. */
#include "tools/report/figures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/host/word_list.h"
#include "tools/report/draw/gnuplot.h"
#include "tools/report/draw/script.h"
#include "tools/report/files/folder.h"

static const Figure figures[] = {
#define FIGURE(experiment, says) {experiment, says, SAYS_OF, IS_OF_PAPER},
#define DRAWING(...)
#define TABLE(...)
#include "tools/report/figures_all.def"
#undef FIGURE
#undef DRAWING
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

typedef struct {
    const char *experiment, *suffix, *template, *table, *x, *x_label, *y, *y_label,
        *error, *x_range, *y_range, *key, *extra;
} Drawing;

static const Drawing drawings[] = {
#define FIGURE(...)
/* "" before what must be a text: a NULL there does not compile. */
#define DRAWING(experiment, suffix, template, table, x, x_label, y, y_label, error,    \
                x_range, y_range, key, extra)                                          \
    {"" experiment, "" suffix, "" template, "" table,   x,      x_label, y,            \
     y_label,       error,     "" x_range,  "" y_range, "" key, "" extra},
#include "tools/report/figures_all.def"
#undef DRAWING
#undef TABLE
};
enum { DRAWINGS = sizeof drawings / sizeof drawings[0] };

typedef struct {
    const char *experiment, *table, *columns;
} Table;

static const Table tables[] = {
#define DRAWING(...)
#define TABLE(...) {__VA_ARGS__},
#include "tools/report/figures_all.def"
#undef FIGURE
#undef DRAWING
#undef TABLE
};
enum { TABLES = sizeof tables / sizeof tables[0] };

const Figure *figure_at(unsigned index) {
    return index < FIGURES ? &figures[index] : NULL;
}

/* How an experiment of a file is drawn, by its kind (NULL: not at all), and the first
 * columns of its table. */
static const struct {
    const char *kind, *template, *table, *x, *columns;
} by_kind[] = {
    {"curve", "curve", ".points.csv", NULL, "point"},
    {"models", "models", ".curves.csv", NULL, "program state"},
    {"scatter", "scatter", ".csv", NULL, "point seed stop"},
    {"times", "curve", ".times.csv", NULL, "point"},
    {"map", "map", ".map.csv", "x", "x y z"},
    {"table", NULL, ".points.csv", NULL,
     "mesh m L p h Q return other T_ms_mean u_mean"},
};
enum { KINDS = sizeof by_kind / sizeof by_kind[0], OWN_NAME_MAX = 32 };

/* Returns about[object][key]; "" if there is no such text. */
static const char *member(const json_t *about, const char *object, const char *key) {
    return folder_member(json_object_get(about, object), key);
}

/* The name becomes part of names of files, and this folder is not trusted. */
bool figures_is_own(const json_t *about) {
    const char *name = folder_member(about, "name");
    const size_t length = strlen(name);
    return *folder_member(about, "file") && length && length <= OWN_NAME_MAX &&
           !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                              "0123456789-_")];
}

/* Returns the row of by_kind for an experiment of a file; -1: it is not drawn. */
static int kind_of(const json_t *about) {
    for (int i = 0; figures_is_own(about) && i < KINDS; i++)
        if (strcmp(by_kind[i].kind, folder_member(about, "kind")) == 0)
            return i;
    return -1;
}

/* ---- drawings -------------------------------------------------------------------- */

/* No machine has more planes. */
enum { PLANES = 1024 };

/* Whether a template draws a curve, or a map, for each value of the series. `models`
 * and `planes` have curves by name instead. */
static bool has_series(const Drawing *d) {
    return strcmp(d->template, "models") != 0 && strcmp(d->template, "planes") != 0;
}

/* Returns the room that a drawing takes with curves of these names. The key may also
 * have a stated value and a formula. It has one column if two would be too wide. */
static Room room_of(const Drawing *d, Names lines, Names marks) {
    const bool models = !has_series(d);
    const size_t wide = models ? 28 : 24, least = models ? 6 : 3;
    const size_t longest =
        lines.longest > marks.longest ? lines.longest : marks.longest;
    const unsigned entries = lines.count + marks.count + 2;
    const size_t rows = longest > wide ? entries : (entries + 1) / 2;
    return (Room){.maps = (models ? 2 : 1) * lines.count + marks.count,
                  .key_rows = (unsigned)(rows > least ? rows : least)};
}

/* Adds the columns of a list separated by blanks, which it cuts up. */
static void add_words(Series *series, char *list) {
    char *rest = NULL;
    for (char *word = strtok_r(list, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        series_add(series, word);
}

/* Writes the groups of a drawing of the template `groups`: the columns in its x. */
static void put_groups(FILE *out, const Drawing *d, const json_t *about,
                       const Csv *csv) {
    Series groups = {.csv = csv};
    char *list = memory_text("%s", d->x);
    add_words(&groups, list);
    series_add_list(&groups, json_object_get(about, "swept"));
    script_groups(out, &groups);
    free(list);
}

/* Writes the curves of a drawing: one for each value of the swept settings and, for
 * some templates, of the experiment's series; `models` and `planes` name their own. */
static Room put_curves(FILE *out, const Drawing *d, const json_t *about,
                       const Csv *csv) {
    Series series = {.csv = csv};
    Names lines, marks = {.count = 0};
    char *list = memory_text("%s", folder_member(about, "series"));
    if (has_series(d)) {
        if (word_list_has("curve scatter groups", ' ', d->template))
            add_words(&series, list);
        series_add_list(&series, json_object_get(about, "swept"));
        lines = script_series(out, &series);
    } else {
        lines = script_values(out, "lines", csv, csv_column(csv, "line"));
        marks = script_values(out, "marks", csv, csv_column(csv, "mark"));
    }
    free(list);
    const Room room = room_of(d, lines, marks);
    fprintf(out, "key_rows = %u\n", room.key_rows);
    fprintf(out, "rest = \"%s\"\n",
            lines.cut || marks.cut ? ", keyentry title 'and more, not drawn'" : "");
    return room;
}

static double number_of(const char *text) {
    char *end;
    const double value = strtod(text, &end);
    return *text && !*end ? value : NAN;
}

/* Returns the side of a mesh that is a cube, which is the cube root of its nodes. */
static double side_of(const char *mesh) {
    unsigned x, y, z;
    char more;
    return sscanf(mesh, "%5ux%5ux%5u%c", &x, &y, &z, &more) == 3 && x == y && y == z
               ? (double)x
               : NAN;
}

/* Writes the values of the settings on which drawn formulas depend. */
static void put_parameters(FILE *out, const json_t *about) {
    static const char *const names[] = {"m", "L", "p", "Q", "servers", "slow"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        script_numbers(out, names[i], member(about, "parameters", names[i]), number_of);
    script_numbers(out, "side", member(about, "parameters", "mesh"), side_of);
}

/* Whether a column has a number outside a range. */
static bool leaves(const Csv *csv, int column, double low, double high) {
    for (size_t i = 0; i < csv->rows; i++) {
        const double value = number_of(csv_text(csv, i, column));
        if (value < low || value > high)
            return true;
    }
    return false;
}

/* Writes the range of an axis. With changed settings a curve may leave it; then it is
 * the least range. */
static void put_range(FILE *out, const char *name, const char *range, const Drawing *d,
                      const Csv *csv, const char *column) {
    double low, high;
    char more;
    if (strcmp(d->template, "curve") == 0 &&
        sscanf(range, "[%lf:%lf]%c", &low, &high, &more) == 2 &&
        leaves(csv, csv_column(csv, column), low, high))
        fprintf(out, "%s = '[*<%g:%g<*]'\n", name, low, high);
    else
        script_text(out, name, range);
}

/* Writes the settings of a drawing that the gnuplot templates use. */
static Room put_settings(FILE *out, const Drawing *d, const json_t *about,
                         const Csv *csv) {
    const bool curve = !has_series(d) || strcmp(d->template, "curve") == 0;
    const bool drawn_as_planned = !d->y; /* the axes are those of experiments.json */
    const char *error = d->error ? d->error : member(about, "y", "error");
    const json_int_t plane = json_integer_value(json_object_get(about, "z"));
    const char *x = d->x ? d->x : member(about, "x", "column");
    const char *y = d->y ? d->y : member(about, "y", "column");
    fprintf(out, "data = '%s%s'\n", d->experiment, d->table);
    script_text(out, "x_column", x);
    script_text(out, "y_column", y);
    script_text(out, "error_column", drawn_as_planned && curve ? error : "");
    if (strcmp(d->template, "groups") == 0)
        put_groups(out, d, about, csv);
    const Room room = put_curves(out, d, about, csv);
    put_parameters(out, about);
    script_text(out, "xlabel", d->x_label ? d->x_label : member(about, "x", "label"));
    script_text(out, "ylabel", d->y_label ? d->y_label : member(about, "y", "label"));
    put_range(out, "xrange", d->x_range, d, csv, x);
    put_range(out, "yrange", d->y_range, d, csv, y);
    script_text(out, "place", d->key);
    fprintf(out, "plane = %d\n", plane >= 0 && plane < PLANES ? (int)plane : 0);
    fprintf(out, "extra = \"%s%s\".rest\n\n", d->extra[0] ? ", " : "", d->extra);
    return room;
}

/* Writes the script of a drawing and runs it. The script is kept, so that anybody can
 * redraw the figure. */
static bool draw(const char *folder, const Drawing *d, const json_t *about,
                 const Csv *csv, const char *name, Room *room, JmError *error) {
    JmOutFile file;
    bool good = folder_open(&file, folder, name, ".gp", error);
    if (good) {
        fprintf(file.stream, "# Draws %s.svg and %s.png: gnuplot %s.gp\n", name, name,
                name);
        *room = put_settings(file.stream, d, about, csv);
        stated_write(file.stream, name);
        gnuplot_script(file.stream, d->template, name, *room);
        good = jm_outfile_commit(&file, error) && gnuplot_run(folder, name, error);
    }
    return good;
}

enum { NAME_SIZE = 64 };

static void drawing_name(const Drawing *d, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%.48s%.8s", d->experiment, d->suffix);
}

/* Whether a row has both numbers: gnuplot fails if none has. Groups have texts along x
 * and a list of columns, which are filled together, along y. */
static bool has_points(const Csv *csv, const Drawing *d, const json_t *about) {
    const bool groups = strcmp(d->template, "groups") == 0;
    const int x = csv_column(csv, d->x ? d->x : member(about, "x", "column"));
    const char *list = d->y ? d->y : member(about, "y", "column");
    char *first = memory_text("%.*s", (int)strcspn(list, " "), list);
    const int y = csv_column(csv, first);
    free(first);
    for (size_t i = 0; i < csv->rows; i++)
        if ((groups || !isnan(number_of(csv_text(csv, i, x)))) &&
            !isnan(number_of(csv_text(csv, i, y))))
            return true;
    return false;
}

/* Adds a drawing to the list, unless there is nothing to draw. */
static bool add_drawing(json_t *list, const char *folder, const Drawing *d,
                        const json_t *about, JmError *error) {
    Csv csv;
    char name[NAME_SIZE], *svg = NULL;
    drawing_name(d, name);
    bool good = folder_csv(&csv, folder, d->experiment, d->table, error);
    if (good && has_points(&csv, d, about)) {
        Room room = {.maps = 1};
        good = draw(folder, d, about, &csv, name, &room, error) &&
               (svg = gnuplot_inline(folder, name, "", error));
        if (svg)
            json_array_append_new(
                list, json_pack("{s:o, s:o, s:b}", "name", jvalue_text(name), "svg",
                                jvalue_text(svg), "square",
                                room.maps <= 1 && strcmp(d->template, "map") == 0));
    }
    free(svg);
    csv_free(&csv);
    return good;
}

/* Returns the range of an axis that nothing limits. */
static const char *free_range(const json_t *about, const char *axis) {
    static const char *const log[] = {"[*:*]; set logscale x", "[*:*]; set logscale y"};
    const json_t *object = json_object_get(about, axis);
    return json_is_true(json_object_get(object, "log")) ? log[*axis - 'x'] : "[*:*]";
}

/* Returns the drawing of an experiment of a file: row `kind` of by_kind. */
static Drawing own_drawing(const json_t *about, int kind) {
    return (Drawing){.experiment = folder_member(about, "name"),
                     .suffix = "",
                     .template = by_kind[kind].template,
                     .table = by_kind[kind].table,
                     .x = by_kind[kind].x,
                     .x_range = free_range(about, "x"),
                     .y_range = free_range(about, "y"),
                     .key = by_kind[kind].x ? "off" : "outside top center",
                     .extra = ""};
}

bool figures_is_drawing(const json_t *about) {
    const int kind = kind_of(about);
    const char *name = folder_member(about, "name");
    for (unsigned i = 0; kind < 0 && i < DRAWINGS; i++)
        if (strcmp(drawings[i].experiment, name) == 0)
            return true;
    return kind >= 0 && by_kind[kind].template;
}

json_t *figures_draw(const char *folder, const json_t *about, JmError *error) {
    json_t *list = json_array();
    const char *name = folder_member(about, "name");
    const int kind = kind_of(about);
    bool good = true;
    if (kind >= 0 && by_kind[kind].template) {
        const Drawing own = own_drawing(about, kind);
        good = add_drawing(list, folder, &own, about, error);
    }
    for (unsigned i = 0; good && kind < 0 && i < DRAWINGS; i++)
        if (strcmp(drawings[i].experiment, name) == 0)
            good = add_drawing(list, folder, &drawings[i], about, error);
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

const char *figures_log(const char *experiment) {
    static const char *const axes[] = {"", "x", "y", "x y"};
    unsigned i = 0;
    while (i < DRAWINGS && strcmp(drawings[i].experiment, experiment) != 0)
        i++;
    if (i == DRAWINGS)
        return "";
    const bool x = strstr(drawings[i].x_range, "logscale") != NULL;
    const bool y = strstr(drawings[i].y_range, "logscale") != NULL;
    return axes[x + 2 * y];
}

json_t *figures_stated(const json_t *about) {
    json_t *list = json_array();
    for (unsigned i = 0; i < DRAWINGS; i++) {
        char name[NAME_SIZE];
        drawing_name(&drawings[i], name);
        if (strcmp(drawings[i].experiment, folder_member(about, "name")) == 0)
            stated_list(list, name);
    }
    return list;
}

/* ---- tables ---------------------------------------------------------------------- */

/* Returns a field in readable form: a fraction is rounded to four digits. */
static json_t *cell(const char *text) {
    char *end;
    const double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || value == floor(value))
        return jvalue_text(text);
    return jvalue_textf("%.4g", value);
}

/* Returns a row of a table; columns that the file does not have are empty. */
static json_t *row(const Csv *csv, size_t index, const int *columns, unsigned count) {
    json_t *cells = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(cells, cell(csv_text(csv, index, columns[i])));
    return json_pack("{s:o}", "cells", cells);
}

/* The columns of a table, by their places in the file; -1 is empty. */
enum { COLUMNS_MAX = 320 };
typedef struct {
    int place[COLUMNS_MAX];
    unsigned count;
    json_t *head;
} Columns;

static void add_column(Columns *columns, const Csv *csv, const char *name) {
    assert(columns->count < COLUMNS_MAX);
    columns->place[columns->count++] = csv_column(csv, name);
    json_array_append_new(columns->head, jvalue_text(name));
}

/* Adds the columns of settings that were swept, unless the table has them anyway. */
static void add_swept(Columns *columns, const Csv *csv, const json_t *swept,
                      const Table *table) {
    Series series = {.csv = csv};
    series_add_list(&series, swept);
    for (unsigned i = 0; i < series.count; i++)
        if (!word_list_has(table->columns, ',', series.name[i]))
            add_column(columns, csv, series.name[i]);
}

static void add_columns(Columns *columns, const Csv *csv, const char *names) {
    char name[64];
    while (word_list_next(&names, ',', name, sizeof name))
        add_column(columns, csv, name);
}

/* Repeated rows are left out: in some experiments, as figure 4-3, the seed changes
 * nothing. */
static json_t *table_of(const Csv *csv, const Table *table, const json_t *swept) {
    json_t *rows = json_array();
    Columns columns = {.head = json_array()};
    add_swept(&columns, csv, swept, table);
    add_columns(&columns, csv, table->columns);
    for (size_t i = 0; i < csv->rows; i++) {
        json_t *next = row(csv, i, columns.place, columns.count);
        const size_t size = json_array_size(rows);
        if (size && json_equal(json_array_get(rows, size - 1), next))
            json_decref(next);
        else
            json_array_append_new(rows, next);
    }
    return json_pack("{s:o, s:o, s:o}", "name",
                     jvalue_textf("%s%s", table->experiment, table->table), "head",
                     columns.head, "rows", rows);
}

/* Adds the table of a row to the list. */
static bool add_table(json_t *list, const char *folder, const Table *table,
                      const json_t *about, JmError *error) {
    Csv csv;
    const bool good = folder_csv(&csv, folder, table->experiment, table->table, error);
    if (good)
        json_array_append_new(list,
                              table_of(&csv, table, json_object_get(about, "swept")));
    csv_free(&csv);
    return good;
}

/* Returns the columns of the table of an experiment of a file: the first ones, and what
 * is drawn. */
static char *own_columns(const json_t *about, int kind) {
    const char *const parts[] = {
        by_kind[kind].columns,        folder_member(about, "series"),
        member(about, "x", "column"), "n",
        member(about, "y", "column"), member(about, "y", "error")};
    char *text = memory_text("%s", "");
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char *longer =
            memory_text("%s%s%.96s", text, *text && *parts[i] ? "," : "", parts[i]);
        free(text);
        text = longer;
    }
    for (char *at = text; *at; at++)
        *at = *at == ' ' ? ',' : *at;
    return text;
}

static bool add_own_table(json_t *list, const char *folder, const json_t *about,
                          int kind, JmError *error) {
    char *columns = own_columns(about, kind);
    const Table table = {folder_member(about, "name"), by_kind[kind].table, columns};
    const bool good = add_table(list, folder, &table, about, error);
    free(columns);
    return good;
}

json_t *figures_tables(const char *folder, const json_t *about, JmError *error) {
    json_t *list = json_array();
    const int kind = kind_of(about);
    bool good = kind < 0 || add_own_table(list, folder, about, kind, error);
    for (unsigned i = 0; good && kind < 0 && i < TABLES; i++)
        if (strcmp(tables[i].experiment, folder_member(about, "name")) == 0)
            good = add_table(list, folder, &tables[i], about, error);
    if (good)
        return list;
    json_decref(list);
    return NULL;
}
