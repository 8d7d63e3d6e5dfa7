/* Which rows of a table lie on one curve, or in one map: those with the same values of
 * some columns. */
#ifndef JM_TOOLS_REPORT_FILES_SERIES_H
#define JM_TOOLS_REPORT_FILES_SERIES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/report/files/csv.h"

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
