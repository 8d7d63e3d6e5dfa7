/* Tables as text: a row of names, then rows with the same number of fields (RFC 4180).
 */
#ifndef JM_TOOLS_REPORT_FILES_CSV_H
#define JM_TOOLS_REPORT_FILES_CSV_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "emu/core/status.h"

typedef struct {
    char *bytes; /* text of the file, into which the fields point */
    const char **field;
    size_t columns, rows; /* rows without the names */
} Csv;

/* Reads a file. Returns false and fills `error` if it cannot be read or a row has
 * another number of fields; call csv_free() in either case. */
bool csv_read(Csv *csv, const char *path, JmError *error);
void csv_free(Csv *csv);

/* Returns the index of a column by name; -1 if there is none. */
int csv_column(const Csv *csv, const char *name);

/* Returns a field; "" if `column` is -1. */
const char *csv_text(const Csv *csv, size_t row, int column);
/* Returns a field as a number; 0 if it is empty or no number. */
double csv_number(const Csv *csv, size_t row, int column);

/* ---- series ---------------------------------------------------------------------- */

/* Rows lie on one curve, or in one map, if they have the same values of some
 * columns. */

enum { SERIES_MAX = 16 };

typedef struct {
    const Csv *csv;
    int column[SERIES_MAX];
    const char *name[SERIES_MAX];
    unsigned count; /* 0: all rows are on one curve */
} Series;

/* Adds a column; not one that is there already, nor one that the table does not have.
 */
void series_add(Series *series, const char *name);

/* Adds all names of a list. */
void series_add_list(Series *series, const json_t *names);

bool series_same(const Series *series, size_t a, size_t b);

/* Finds the first row of each curve, in order, of `most` curves at most; returns their
 * number. */
unsigned series_firsts(const Series *series, size_t *rows, unsigned most);

/* Writes through `put` in words what sets the curve of a row apart: "p = 3, m = 2"; of
 * all rows on one curve, nothing. */
void series_words(FILE *out, const Series *series, size_t row,
                  void (*put)(FILE *, const char *));

/* Returns a text with these words behind it: "Mean queue; m = 2". */
json_t *series_label(const char *text, const Series *series, size_t row);

#endif
