/* Tables as text: a row of names, then rows of as many fields (RFC 4180). */
#ifndef JM_TOOLS_REPORT_CSV_H
#define JM_TOOLS_REPORT_CSV_H

#include <stddef.h>

#include "emu/core/status.h"

typedef struct {
    char *bytes; /* what the fields point into */
    const char **field;
    size_t columns, rows; /* rows without the names */
} Csv;

/* False and a message if the file cannot be read or a row has another number of fields;
 * csv_free() in any case. */
bool csv_read(Csv *csv, const char *path, JmError *error);
void csv_free(Csv *csv);

/* Place of a name; -1: there is none. */
int csv_column(const Csv *csv, const char *name);

/* A field; "" if `column` is -1. */
const char *csv_text(const Csv *csv, size_t row, int column);
/* The field as a number; 0 if it is empty or none. */
double csv_number(const Csv *csv, size_t row, int column);

#endif
