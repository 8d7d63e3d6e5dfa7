/* Writes the rows of stated.def into drawings. */
#include "tools/report/draw/stated.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "tools/host/values.h"
#include "tools/host/word_list.h"

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
