/* Tables as text: a row of names, then rows with the same number of fields (RFC 4180).
 */
#ifndef JM_TOOLS_REPORT_FILES_CSV_H
#define JM_TOOLS_REPORT_FILES_CSV_H

#include <stddef.h>

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

#endif
