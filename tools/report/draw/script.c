/* Writes texts from data files, and statements of the thesis, into gnuplot scripts. */
#include "tools/report/draw/script.h"

#include <math.h>
#include <string.h>

#include "tools/host/values.h"
#include "tools/host/word_list.h"

enum { ENTRY_SIZE = 64 };

/* Returns the bytes of a character at `text` that may not stand in a script or an SVG,
 * 0 if there is none: C0, DEL and, in UTF-8, C1, U+FFFE and U+FFFF. A newline would end
 * the line of the script. */
static size_t control_length(const char *text) {
    const unsigned char c = (unsigned char)text[0], next = (unsigned char)text[1];
    if (c < 0x20 || c == 0x7f)
        return 1;
    if (strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0)
        return 3;
    return c == 0xc2 && next >= 0x80 && next < 0xa0 ? 2 : 0;
}

/* Writes the inside of a quoted string. Replaces a quote by an apostrophe: gnuplot 5.4
 * accepts a doubled quote, as its manual says, but not at the start of a string. Also
 * breaks "]]>", which gnuplot would copy into the SVG, where it must not stand. */
static void put_text(FILE *out, const char *text) {
    unsigned brackets = 0;
    while (*text) {
        const size_t control = control_length(text);
        text += control;
        if (control)
            continue;
        if (*text == '>' && brackets >= 2)
            putc(' ', out);
        brackets = *text == ']' ? brackets + 1 : 0;
        if (*text == '\'')
            fputs("\u2019", out);
        else
            putc(*text, out);
        text++;
    }
}

void script_text(FILE *out, const char *name, const char *text) {
    fprintf(out, "%s = '", name);
    put_text(out, text);
    fputs("'\n", out);
}

/* ---- arrays ---------------------------------------------------------------------- */

/* Begins an array. gnuplot has none without elements. */
static void open_array(FILE *out, const char *name, unsigned count) {
    fprintf(out, "array %s[%u] = [%s", name, count ? count : 1, count ? "" : "'all'");
}

/* Writes a text about the curve of a row; returns whether it is a name. */
typedef bool PutText(FILE *out, const Series *series, size_t row);

static bool put_values(FILE *out, const Series *series, size_t row) {
    for (unsigned i = 0; i < series->count; i++) {
        fputs(i ? ", " : "", out);
        put_text(out, csv_text(series->csv, row, series->column[i]));
    }
    return true;
}

static bool put_words(FILE *out, const Series *series, size_t row) {
    series_words(out, series, row, put_text);
    return true;
}

/* Only the values, with a blank between two. */
static bool put_label(FILE *out, const Series *series, size_t row) {
    bool any = false;
    for (unsigned i = 0; i < series->count; i++) {
        const char *value = csv_text(series->csv, row, series->column[i]);
        fputs(any && *value ? " " : "", out);
        put_text(out, value);
        any |= *value;
    }
    return true;
}

static bool put_or_none(FILE *out, const Series *series, size_t row) {
    const char *text = csv_text(series->csv, row, series->column[0]);
    put_text(out, *text ? text : "none");
    return *text;
}

/* Writes a list of columns. */
static void put_columns(FILE *out, const char *name, const Series *series) {
    fprintf(out, "%s = '", name);
    for (unsigned i = 0; i < series->count; i++) {
        fputs(i ? " " : "", out);
        put_text(out, series->name[i]);
    }
    fputs("'\n", out);
}

/* Writes an array with a text for each curve. */
static Names put_curves(FILE *out, const char *name, const Series *series,
                        PutText *put) {
    size_t rows[CURVES_MAX + 1];
    const unsigned all =
        series->count ? series_firsts(series, rows, CURVES_MAX + 1) : 0;
    const unsigned count = all < CURVES_MAX ? all : CURVES_MAX;
    Names names = {.cut = all > count};
    open_array(out, name, count);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ", '" : "'", out);
        const long start = ftell(out);
        names.count += put(out, series, rows[i]);
        const size_t length = (size_t)(ftell(out) - start);
        names.longest = length > names.longest ? length : names.longest;
        fputs("'", out);
    }
    fputs("]\n", out);
    return names;
}

void script_groups(FILE *out, const Series *groups) {
    put_columns(out, "group", groups);
    put_curves(out, "groups", groups, put_values);
    put_curves(out, "labels", groups, put_label);
}

Names script_series(FILE *out, const Series *series) {
    put_columns(out, "series", series);
    put_curves(out, "values", series, put_values);
    return put_curves(out, "names", series, put_words);
}

Names script_values(FILE *out, const char *name, const Csv *csv, int column) {
    const Series series = {.csv = csv, .column = {column}, .count = column >= 0};
    return put_curves(out, name, &series, put_or_none);
}

/* Returns the number of entries of a list with commas; an empty one has one. */
static unsigned entries(const char *list) {
    unsigned count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* An entry that is too long for a number is empty. */
void script_numbers(FILE *out, const char *name, const char *list,
                    double (*number_of)(const char *entry)) {
    open_array(out, name, entries(list));
    for (const char *at = list, *end; at; at = *end ? end + 1 : NULL) {
        char entry[ENTRY_SIZE] = "";
        end = at + strcspn(at, ",");
        if (end - at < ENTRY_SIZE)
            memcpy(entry, at, (size_t)(end - at));
        const double number = number_of(entry);
        fprintf(out, isfinite(number) ? "%s%.10g" : "%sNaN", at > list ? ", " : "",
                number);
    }
    fputs("]\n", out);
}

/* ---- statements of the thesis (stated.def) --------------------------------------- */

typedef struct {
    bool is_span;
    const char *drawings;   /* names of drawings, a blank between two */
    double x, y, low, high; /* value and bar; a span lies from low to high */
    const char *text, *where;
} Stated;

static const Stated stated[] = {
#define STATED(drawings, x, y, low, high, text, where)                                 \
    {false, drawings, x, y, low, high, text, where},
#define SPAN(drawings, from, to, text, where)                                          \
    {true, drawings, NAN, NAN, from, to, text, where},
#include "tools/report/draw/stated.def"
#undef STATED
#undef SPAN
};
enum { STATED_ROWS = sizeof stated / sizeof stated[0] };

/* Returns the next row about a drawing from `*index` on; NULL behind the last. */
static const Stated *next_row(const char *drawing, unsigned *index) {
    while (*index < STATED_ROWS &&
           !word_list_has(stated[*index].drawings, ' ', drawing))
        ++*index;
    return *index < STATED_ROWS ? &stated[(*index)++] : NULL;
}

/* Shades a range of x over the whole height of the drawing, behind everything else. */
static void write_span(FILE *script, const Stated *row) {
    fprintf(script,
            "set object rectangle from %g, graph 0 to %g, graph 1 behind "
            "fillcolor rgb '#407a7f87' fillstyle solid border lc rgb '#7a7f87'\n",
            row->low, row->high);
}

/* Writes a mark; a missing value is "?", which gnuplot leaves out. */
static void write_mark(FILE *script, const Stated *row) {
    fprintf(script, "%g,", row->x);
    fprintf(script, isnan(row->y) ? "?," : "%g,", row->y);
    fprintf(script, "%g,%g\n", row->low, row->high);
}

void stated_write(FILE *script, const char *drawing) {
    unsigned marks = 0, spans = 0;
    const Stated *row;
    fputs("$thesis << END\nx,y,low,high\n", script);
    for (unsigned i = 0; (row = next_row(drawing, &i));) {
        if (!row->is_span)
            write_mark(script, row);
        marks += !row->is_span;
        spans += row->is_span;
    }
    fputs("END\n", script);
    for (unsigned i = 0; (row = next_row(drawing, &i));)
        if (row->is_span)
            write_span(script, row);
    fprintf(script, "stated = \"%s%s\"\n",
            marks ? ", $thesis @stated_marks, $thesis @stated_bars" : "",
            spans ? ", @stated_spans" : "");
}

void stated_list(json_t *list, const char *drawing) {
    const Stated *row;
    for (unsigned i = 0; (row = next_row(drawing, &i));)
        json_array_append_new(list,
                              json_pack("{s:o, s:o}", "text", jvalue_text(row->text),
                                        "where", jvalue_text(row->where)));
}
