/* Text from data files as values of a gnuplot script. Whatever the text is, it stays a
 * value: gnuplot reads a single-quoted string to the next single quote of the same line
 * and looks for nothing else in it, neither commands in backquotes nor macros. */
#ifndef JM_TOOLS_REPORT_DRAW_SCRIPT_H
#define JM_TOOLS_REPORT_DRAW_SCRIPT_H

#include <stdio.h>

#include "tools/report/files/csv.h"

/* Writes `text` in single quotes, without control characters. */
void script_quote(FILE *out, const char *text);

/* Writes NAME = 'TEXT'. */
void script_text(FILE *out, const char *name, const char *text);

/* Writes an array NAME of the values of a column, each once and in order; the first
 * SCRIPT_VALUES_MAX only, because nobody can tell more curves apart. Without such a
 * column the array has one value, "all". */
enum { SCRIPT_VALUES_MAX = 64 };
void script_values(FILE *out, const char *name, const Csv *csv, int column);

#endif
