/* Text from data files as values of a gnuplot script. Whatever the text is, it stays a
 * value: gnuplot reads a single-quoted string to the next single quote of the same line
 * and looks for nothing else in it, neither commands in backquotes nor macros. */
#ifndef JM_TOOLS_REPORT_DRAW_SCRIPT_H
#define JM_TOOLS_REPORT_DRAW_SCRIPT_H

#include <stdio.h>

#include "tools/report/files/csv.h"

/* Writes NAME = 'TEXT', without control characters. */
void script_text(FILE *out, const char *name, const char *text);

/* Names that were written: how many, and the bytes of the longest. */
typedef struct {
    unsigned count;
    size_t longest;
    bool cut; /* there are more, which were not written */
} Names;

/* Writes `series`, its columns; `values`, an array with the text of these columns for
 * each curve, ", " between two; and `names`, what each curve is called. Without columns
 * there is one curve without a name. Only the first CURVES_MAX are written, because
 * nobody can tell more curves apart. */
enum { CURVES_MAX = 64 };
Names script_series(FILE *out, const Series *series);

/* Writes `group`, the columns of a list by which rows stand side by side; `groups` as
 * `values` of script_series(); and `labels`, the same texts for people. */
void script_groups(FILE *out, const Series *groups);

/* Writes an array NAME of the values of a column, each once and in order, CURVES_MAX at
 * most; "none" for an empty one, which is not counted. Without such a column the array
 * has one value, "all". */
Names script_values(FILE *out, const char *name, const Csv *csv, int column);

/* Writes an array NAME of numbers, one for each entry of a list with commas. */
void script_numbers(FILE *out, const char *name, const char *list,
                    double (*number_of)(const char *entry));

/* ---- statements of the thesis about its figures (stated.def) --------------------- */

/* Writes the statements about a drawing into its script, as data, and `stated`, the
 * words that a template puts at the end of its plot. */
void stated_write(FILE *script, const char *drawing);

/* Adds {text, where} to a list for each statement about a drawing. */
void stated_list(json_t *list, const char *drawing);

#endif
