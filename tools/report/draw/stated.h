/* Statements of the thesis about its figures (stated.def), to be shown in the drawings.
 */
#ifndef JM_TOOLS_REPORT_DRAW_STATED_H
#define JM_TOOLS_REPORT_DRAW_STATED_H

#include <jansson.h>
#include <stdio.h>

/* Writes the statements about a drawing into its script, as data, and `stated`, the
 * words that a template puts at the end of its plot. */
void stated_write(FILE *script, const char *drawing);

/* Adds {text, where} to a list for each statement about a drawing. */
void stated_list(json_t *list, const char *drawing);

#endif
