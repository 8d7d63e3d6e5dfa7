/* The figures of the report: the list of them, and drawing them with gnuplot from the
 * tables of the experiments. */
#ifndef JM_TOOLS_REPORT_FIGURES_H
#define JM_TOOLS_REPORT_FIGURES_H

#include <jansson.h>

#include "emu/core/status.h"

typedef struct {
    const char *experiment, *says;
    const char *says_of; /* what `says` is, for people */
    bool of_paper;       /* of a paper, not of the thesis */
} Figure;

const Figure *figure_at(unsigned index); /* NULL behind the last */

/* Whether an experiment comes from a file of the user's, not from a row; it is drawn by
 * its kind. */
bool figures_is_own(const json_t *about);

/* Returns the logarithmic axes of the first drawing of a row: "x", "y", "x y" or "". */
const char *figures_log(const char *experiment);

/* Whether an experiment has drawings if there are numbers to draw. */
bool figures_is_drawing(const json_t *about);

/* Draws what figures.def says of an experiment, or its kind: `folder`/NAME.gp, .svg and
 * .png, unless there is no number to draw. The same tables give the same files. `about`
 * is the experiment's object in experiments.json. Returns a list of {name, svg}, where
 * the SVG may stand in a page with others; NULL and an error on failure. */
json_t *figures_draw(const char *folder, const json_t *about, JmError *error);

/* Returns what the thesis states about an experiment's drawings: a list of {text,
 * where}. */
json_t *figures_stated(const json_t *about);

/* Returns the tables shown as text: a list of {name, head: [text], rows: [{cells:
 * [text]}]}; NULL and an error on failure. */
json_t *figures_tables(const char *folder, const json_t *about, JmError *error);

#endif
