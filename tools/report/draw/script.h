/* Text from data files as values of a gnuplot script. Whatever the text is, it stays a
 * value: gnuplot reads a single-quoted string to the next single quote of the same line
 * and looks for nothing else in it, neither commands in backquotes nor macros. */
#ifndef JM_TOOLS_REPORT_DRAW_SCRIPT_H
#define JM_TOOLS_REPORT_DRAW_SCRIPT_H

#include <stdio.h>

#include "tools/report/csv.h"

/* Writes `text` in single quotes, without control characters. */
void script_quote(FILE *out, const char *text);

/* Writes NAME = 'TEXT'. */
void script_text(FILE *out, const char *name, const char *text);

/* Writes an array NAME of what a column holds, each value once and in order; more than
 * SCRIPT_VALUES_MAX are not told apart by anybody and left out. One value, "all", if
 * there is no such column. */
enum { SCRIPT_VALUES_MAX = 64 };
void script_values(FILE *out, const char *name, const Csv *csv, int column);

#endif
