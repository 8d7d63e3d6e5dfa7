/* Draws the rows of figures.def and gathers tables for the page. */
#include "tools/report/figures.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/outfile.h"
#include "tools/host/values.h"
#include "tools/report/draw/gnuplot.h"
#include "tools/report/draw/script.h"
#include "tools/report/draw/stated.h"
#include "tools/report/files/folder.h"

static const Figure figures[] = {
#define FIGURE(experiment, says) {experiment, says, IS_OF_PAPER},
#define DRAWING(...)
#define TABLE(...)
#define IS_OF_PAPER false
#include "tools/report/figures.def"
#undef IS_OF_PAPER
#define IS_OF_PAPER true
#include "tools/report/figures_adve.def"
#include "tools/report/figures_papers.def"
#undef IS_OF_PAPER
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
#include "tools/report/figures.def"
#include "tools/report/figures_adve.def"
#include "tools/report/figures_papers.def"
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
#include "tools/report/figures.def"
#include "tools/report/figures_adve.def"
#include "tools/report/figures_papers.def"
#undef FIGURE
#undef DRAWING
#undef TABLE
};
enum { TABLES = sizeof tables / sizeof tables[0] };

const Figure *figure_at(unsigned index) {
    return index < FIGURES ? &figures[index] : NULL;
}

/* Returns about[object][key], or about[key] without an object; "" if there is no such
 * text. */
static const char *member(const json_t *about, const char *object, const char *key) {
    const json_t *in = object ? json_object_get(about, object) : about;
    const char *text = json_string_value(json_object_get(in, key));
    return text ? text : "";
}

/* ---- drawings -------------------------------------------------------------------- */

/* No machine has more planes. */
enum { PLANES = 1024 };

/* Writes the settings of a drawing that the gnuplot templates use. */
static void put_settings(FILE *out, const Drawing *d, const json_t *about,
                         const Csv *csv) {
    const bool models =
        strcmp(d->template, "models") == 0 || strcmp(d->template, "planes") == 0;
    const bool curve = models || strcmp(d->template, "curve") == 0;
    const bool drawn_as_told = !d->y; /* the axes are those of experiments.json */
    const char *series = curve && !models ? member(about, NULL, "series") : "";
    const char *error = d->error ? d->error : member(about, "y", "error");
    const json_int_t plane = json_integer_value(json_object_get(about, "z"));
    fprintf(out, "data = '%s%s'\n", d->experiment, d->table);
    script_text(out, "x_column", d->x ? d->x : member(about, "x", "column"));
    script_text(out, "y_column", d->y ? d->y : member(about, "y", "column"));
    script_text(out, "error_column", drawn_as_told && curve ? error : "");
    script_text(out, "series", series);
    script_values(out, "values", csv, csv_column(csv, series));
    if (models) {
        script_values(out, "lines", csv, csv_column(csv, "line"));
        script_values(out, "marks", csv, csv_column(csv, "mark"));
    }
    script_text(out, "xlabel", d->x_label ? d->x_label : member(about, "x", "label"));
    script_text(out, "ylabel", d->y_label ? d->y_label : member(about, "y", "label"));
    script_text(out, "xrange", d->x_range);
    script_text(out, "yrange", d->y_range);
    script_text(out, "place", d->key);
    fprintf(out, "plane = %d\n", plane >= 0 && plane < PLANES ? (int)plane : 0);
    fprintf(out, "extra = \"%s%s\"\n\n", d->extra[0] ? ", " : "", d->extra);
}

/* Writes the script of a drawing and runs it. The script stays, so that anybody can
 * draw the figure again. */
static bool draw(const char *folder, const Drawing *d, const json_t *about,
                 const Csv *csv, const char *name, JmError *error) {
    JmOutFile file;
    bool good = folder_open(&file, folder, name, ".gp", error);
    if (good) {
        fprintf(file.stream, "# Draws %s.svg and %s.png: gnuplot %s.gp\n", name, name,
                name);
        put_settings(file.stream, d, about, csv);
        stated_write(file.stream, name);
        gnuplot_script(file.stream, d->template, name);
        good = jm_outfile_commit(&file, error) && gnuplot_run(folder, name, error);
    }
    return good;
}

enum { NAME_SIZE = 64 };

static void drawing_name(const Drawing *d, char name[NAME_SIZE]) {
    snprintf(name, NAME_SIZE, "%.48s%.8s", d->experiment, d->suffix);
}

/* Adds a drawing to the list, unless there is nothing to draw. */
static bool add_drawing(json_t *list, const char *folder, const Drawing *d,
                        const json_t *about, JmError *error) {
    Csv csv;
    char name[NAME_SIZE], *svg = NULL;
    drawing_name(d, name);
    bool good = folder_csv(&csv, folder, d->experiment, d->table, error);
    if (good && csv.rows) {
        good = draw(folder, d, about, &csv, name, error) &&
               (svg = gnuplot_inline(folder, name, "", error));
        if (svg)
            json_array_append_new(list,
                                  json_pack("{s:o, s:o, s:b}", "name",
                                            jvalue_text(name), "svg", jvalue_text(svg),
                                            "square", strcmp(d->template, "map") == 0));
    }
    free(svg);
    csv_free(&csv);
    return good;
}

json_t *figures_draw(const char *folder, const json_t *about, JmError *error) {
    json_t *list = json_array();
    const char *name = member(about, NULL, "name");
    for (unsigned i = 0; i < DRAWINGS; i++)
        if (strcmp(drawings[i].experiment, name) == 0 &&
            !add_drawing(list, folder, &drawings[i], about, error)) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *figures_stated(const json_t *about) {
    json_t *list = json_array();
    for (unsigned i = 0; i < DRAWINGS; i++) {
        char name[NAME_SIZE];
        drawing_name(&drawings[i], name);
        if (strcmp(drawings[i].experiment, member(about, NULL, "name")) == 0)
            stated_list(list, name);
    }
    return list;
}

/* ---- tables ---------------------------------------------------------------------- */

/* Returns a field for people: a number that is not whole has at most four digits. */
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

/* Counts the names in a list with commas. */
static unsigned name_count(const char *names) {
    unsigned count = *names ? 1 : 0;
    for (; *names; names++)
        count += *names == ',';
    return count;
}

/* Repeated rows are left out: in some experiments, as figure 4-3, the seed changes
 * nothing. */
static json_t *table_of(const Csv *csv, const Table *table) {
    json_t *head = json_array(), *rows = json_array();
    int *columns = calloc(name_count(table->columns) + 1u, sizeof *columns);
    unsigned count = 0;
    const char *name = table->columns;
    while (columns && *name) {
        char column[64];
        const size_t length = strcspn(name, ",");
        snprintf(column, sizeof column, "%.*s", (int)length, name);
        columns[count++] = csv_column(csv, column);
        json_array_append_new(head, jvalue_text(column));
        name += length + (name[length] == ',');
    }
    for (size_t i = 0; i < csv->rows; i++) {
        json_t *next = row(csv, i, columns, count);
        const size_t size = json_array_size(rows);
        if (size && json_equal(json_array_get(rows, size - 1), next))
            json_decref(next);
        else
            json_array_append_new(rows, next);
    }
    free(columns);
    return json_pack("{s:o, s:o, s:o}", "name",
                     jvalue_textf("%s%s", table->experiment, table->table), "head",
                     head, "rows", rows);
}

json_t *figures_tables(const char *folder, const json_t *about, JmError *error) {
    json_t *list = json_array();
    for (unsigned i = 0; i < TABLES; i++) {
        Csv csv;
        if (strcmp(tables[i].experiment, member(about, NULL, "name")) != 0)
            continue;
        const bool good =
            folder_csv(&csv, folder, tables[i].experiment, tables[i].table, error);
        if (good)
            json_array_append_new(list, table_of(&csv, &tables[i]));
        csv_free(&csv);
        if (!good) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
