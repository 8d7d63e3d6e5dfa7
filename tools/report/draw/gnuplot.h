/* Draws with gnuplot: writes scripts from the templates *.gp and runs them. */
#ifndef JM_TOOLS_REPORT_DRAW_GNUPLOT_H
#define JM_TOOLS_REPORT_DRAW_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/core/outfile.h"

/* Extras that need space in a picture: maps side by side, rows of its key. */
typedef struct {
    unsigned maps, key_rows;
} Room;

/* Writes the part of a script that draws, by `template`.gp, to `name`.svg and
 * `name`.png. */
void gnuplot_script(FILE *out, const char *template, const char *name, Room room);

/* Runs `folder`/`name`.gp; both pictures appear whole or not at all. Returns false and
 * fills `error` on failure, or if a signal that is held came (tools/host/signals.h). */
bool gnuplot_run(const char *folder, const char *name, JmError *error);

/* For a script that gnuplot_draw() runs: sets the title, a text of any characters but
 * newlines, and writes the template `name`.gp. */
void gnuplot_title(FILE *out, const char *text);
void gnuplot_template(FILE *out, const char *name);
/* Whether gnuplot can be run. Signals are held. */
bool gnuplot_check(JmError *error);
/* Runs a script that draws SVG to its standard output, and writes that to an open file,
 * which it closes. False and `error` as gnuplot_run(). */
bool gnuplot_draw(const char *script, JmOutFile *file, JmError *error);

/* Returns the picture as an element of a page: black becomes the colour of the text,
 * and its ids begin with `prefix`, so that the same picture can stand in a page twice.
 * NULL and an error on failure. */
char *gnuplot_inline(const char *folder, const char *name, const char *prefix,
                     JmError *error);

#endif
