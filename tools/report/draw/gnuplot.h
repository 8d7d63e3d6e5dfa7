/* Drawing by gnuplot: scripts from the templates *.gp, and what they make. */
#ifndef JM_TOOLS_REPORT_DRAW_GNUPLOT_H
#define JM_TOOLS_REPORT_DRAW_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/core/status.h"

/* The part of a script that draws, by `template`.gp, to `name`.svg and `name`.png. */
void gnuplot_script(FILE *out, const char *template, const char *name);

/* Runs `folder`/`name`.gp; both pictures appear whole or not at all. */
bool gnuplot_run(const char *folder, const char *name, JmError *error);

/* The picture as an element of a page: black is the text's colour, and identifiers are
 * its own; with another `prefix` the same picture can stand in the page once more. NULL
 * and a message on failure. */
char *gnuplot_inline(const char *folder, const char *name, const char *prefix,
                     JmError *error);

#endif
