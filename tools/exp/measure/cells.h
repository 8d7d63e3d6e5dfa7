/* Cells of printed tables (cells.def) and what is printed there (printed_*.def). */
#ifndef JM_TOOLS_EXP_MEASURE_CELLS_H
#define JM_TOOLS_EXP_MEASURE_CELLS_H

#include "tools/exp/measure/selection.h"

enum { CELL_PARAMS_MAX = 256 };

/* A row of cells.def. */
typedef struct {
    const char *experiment, *table, *conditions, *params, *origin, *quantity, *column,
        *unit;
} CellRow;

/* A printed cell. */
typedef struct {
    const char *id, *table, *params, *quantity;
    double value, margin; /* what a figure may differ by; negative: it is not judged */
    const char *origin;   /* NULL: the table has one of each cell */
} PrintedCell;

/* Returns row `index` of cells.def, from 0; NULL behind the last. */
const CellRow *cell_row_at(unsigned index);

/* Whether a run is of the kind that a row speaks of. */
bool cell_is_of(const CellRow *row, const Run *run);

/* Cells that a run has in a row: one, or one for each processor. */
unsigned cell_count(const CellRow *row, const Run *run);

/* Writes the params of a run's cell, "key=value;...", and returns `text`. */
char *cell_params(const CellRow *row, const Run *run, unsigned index,
                  char text[CELL_PARAMS_MAX]);

/* The figure in it, NaN if the run has none; of an error, the one that errs. */
double cell_figure(const CellRow *row, const Run *run, unsigned index);

/* Whether a point's figure is the median of those of its runs, not their mean. */
bool cell_is_median(const CellRow *row);

/* Whether the row's figures are errors of others against a simulation, in percent. */
bool cell_is_error(const CellRow *row);

/* Returns what is printed in a cell; NULL if that is not known. */
const PrintedCell *cell_printed(const CellRow *row, const char *params);

/* Whether a figure is the printed one, to its digits or as near as it has to be. */
bool cell_agrees(const PrintedCell *printed, double value);

/* Statistics (measure.def). */
double statistic_cells(const Selection *s);
double statistic_cells_within(const Selection *s);
double statistic_cells_off(const Selection *s);
double statistic_error_cells(const Selection *s);
double statistic_error_slips(const Selection *s);

#endif
