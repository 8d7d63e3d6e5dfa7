/* Cells of printed tables (cells.def) and their printed values (printed_*.def). */
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
    double value, margin; /* tolerance of a figure; negative: it is not judged */
    const char *origin;   /* NULL: the table has only one cell of each kind */
} PrintedCell;

/* Returns row `index` of cells.def, from 0; NULL after the last. */
const CellRow *cell_row_at(unsigned index);

/* Number of cells that a run has in a row: one, or one for each processor. */
unsigned cell_count(const CellRow *row, const Run *run);

/* Writes the params of a run's cell, "key=value;...", and returns `text`. */
char *cell_params(const CellRow *row, const Run *run, unsigned index,
                  char text[CELL_PARAMS_MAX]);

/* The figure of the cell, NaN if the run has none; for an error, the figure whose error
 * it is. */
double cell_figure(const CellRow *row, const Run *run, unsigned index);

/* Returns the printed value of a cell; NULL if it is not known. */
const PrintedCell *cell_printed(const CellRow *row, const char *params);

/* Whether a figure agrees with the printed one, to its digits or within its margin. */
bool cell_agrees(const PrintedCell *printed, double value);

/* Whether an experiment reproduces a printed table. */
bool cells_wanted(const Plan *plan);
/* Writes the computed values of a plan's cells as NAME.cells.csv; beside those that are
 * printed, as NAME.printed.csv. */
void cells_write(const Plan *plan, FILE *out);
void cells_write_printed(const Plan *plan, FILE *out);

#endif
