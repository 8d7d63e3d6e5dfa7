/* The figures of the report: which there are, drawn by gnuplot from the experiments'
 * tables. */
#ifndef JM_TOOLS_REPORT_FIGURES_H
#define JM_TOOLS_REPORT_FIGURES_H

#include <jansson.h>

#include "emu/core/status.h"

typedef struct {
    const char *experiment, *says;
} Figure;

const Figure *figure_at(unsigned index); /* NULL behind the last */

/* Draws what figures.def says of an experiment: `folder`/NAME.gp, .svg and .png; the
 * same tables as before give the same files. `about` is its object in experiments.json.
 * A list of {name, svg}, the SVG fit to stand in a page with others; NULL and a message
 * on failure. */
json_t *figures_draw(const char *folder, const json_t *about, JmError *error);

/* What the thesis states about an experiment's drawings: a list of {text, where}. */
json_t *figures_stated(const json_t *about);

/* What stands as text: a list of {name, head: [text], rows: [{cells: [text]}]}; NULL
 * and a message on failure. */
json_t *figures_tables(const char *folder, const json_t *about, JmError *error);

#endif
