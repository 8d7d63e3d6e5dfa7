/* Writes NAME.cells.csv, the cells of printed tables with computed values, and
 * NAME.printed.csv, with the printed values as well. */
#include "tools/exp/tables/writers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/cells.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/measure/statistics.h"
#include "tools/host/memory.h"

bool cells_wanted(const Plan *plan) {
    for (unsigned i = 0; cell_row_at(i); i++)
        if (strcmp(cell_row_at(i)->experiment, plan->experiment->name) == 0)
            return true;
    return false;
}

/* A cell that has a figure. */
typedef struct {
    const CellRow *row;
    char params[CELL_PARAMS_MAX];
    double value;
    bool changed; /* by --set: it is of a different system than the printed one */
} Cell;

/* The table being written. */
typedef struct {
    const Campaign *campaign;
    const Plan *plan;
    FILE *out;
    json_t *seen; /* names of cells already written: a parameter appears once */
} Writer;

typedef void PutCell(FILE *out, const Cell *cell);

/* Returns the median over the runs of a point; NaN if some run has no figure. */
static double median_of(const Campaign *campaign, const Point *point,
                        const CellRow *row, unsigned index) {
    double *values = memory_array(point->run_count, sizeof *values);
    bool good = true;
    for (unsigned i = 0; i < point->run_count; i++) {
        values[i] = cell_figure(row, &campaign->runs[point->runs[i]], index);
        good = good && !isnan(values[i]);
    }
    const double median = good ? statistics_of(values, point->run_count).p50 : NAN;
    free(values);
    return median;
}

/* Returns the mean over the runs of a point, or their median if the row selects that;
 * NaN if some run has no figure. */
static double figure_of(const Campaign *campaign, const Point *point,
                        const CellRow *row, unsigned index) {
    if (cell_is_median(row))
        return median_of(campaign, point, row, index);
    double sum = 0;
    for (unsigned i = 0; i < point->run_count; i++)
        sum += cell_figure(row, &campaign->runs[point->runs[i]], index);
    return sum / point->run_count;
}

static bool same_table(const CellRow *a, const CellRow *b) {
    return b && strcmp(a->experiment, b->experiment) == 0 &&
           strcmp(a->table, b->table) == 0 && strcmp(a->conditions, b->conditions) == 0;
}

/* Whether the figures of a row are simulated, for the table and quantity of another
 * row. */
static bool is_simulation_of(const CellRow *other, const CellRow *row) {
    return strcmp(other->origin, "simulation") == 0 &&
           strcmp(other->quantity, row->quantity) == 0 &&
           strcmp(other->table, row->table) == 0 &&
           strcmp(other->experiment, row->experiment) == 0;
}

/* The figure of a simulation row at the place of `cell`; NaN: none. */
static double simulated_by(const Writer *writer, const CellRow *row, const Cell *cell,
                           unsigned index) {
    for (unsigned i = 0; i < writer->plan->point_count; i++) {
        const Point *point = &writer->plan->points[i];
        const Run *run =
            point->run_count ? &writer->campaign->runs[point->runs[0]] : NULL;
        char params[CELL_PARAMS_MAX];
        if (run && cell_is_of(row, run) && index < cell_count(row, run) &&
            strcmp(cell_params(row, run, index, params), cell->params) == 0)
            return figure_of(writer->campaign, point, row, index);
    }
    return NAN;
}

/* The simulated figure for the place of `cell`; NaN if there is none. */
static double simulated(const Writer *writer, const Cell *cell, unsigned index) {
    double value = NAN;
    for (unsigned i = 0; isnan(value) && cell_row_at(i); i++)
        if (is_simulation_of(cell_row_at(i), cell->row))
            value = simulated_by(writer, cell_row_at(i), cell, index);
    return value;
}

/* Whether the cell has not been written before. */
static bool is_new(Writer *writer, const Cell *cell) {
    char name[2 * CELL_PARAMS_MAX];
    snprintf(name, sizeof name, "%s,%s,%s,%s", cell->row->table, cell->params,
             cell->row->quantity, cell->row->origin);
    if (json_object_get(writer->seen, name))
        return false;
    json_object_set_new(writer->seen, name, json_true());
    return true;
}

/* Whether --set gives a value to a setting of the point, or of one that an error is
 * computed from. */
static bool is_changed(const Writer *writer, const Point *point, const CellRow *row) {
    const Variation *variation = &writer->campaign->variation;
    for (unsigned i = 0; i < variation->set_count; i++) {
        char name[SETTING_TEXT_MAX];
        settings_split(variation->sets[i], name);
        if (cell_is_error(row) || settings_text(&point->settings, name))
            return true;
    }
    return false;
}

static void visit_cells(Writer *writer, const Point *point, const CellRow *row,
                        PutCell *put) {
    const Run *run = &writer->campaign->runs[point->runs[0]];
    for (unsigned i = 0; i < cell_count(row, run); i++) {
        Cell cell = {.row = row, .changed = is_changed(writer, point, row)};
        cell_params(row, run, i, cell.params);
        cell.value = figure_of(writer->campaign, point, row, i);
        if (cell_is_error(row))
            cell.value = 100 * (cell.value / simulated(writer, &cell, i) - 1);
        if (isfinite(cell.value) && is_new(writer, &cell))
            put(writer->out, &cell);
    }
}

/* Visits the cells of a point in the rows [first, last). */
static void visit_point(Writer *writer, const Point *point, unsigned first,
                        unsigned last, PutCell *put) {
    const Run *run = &writer->campaign->runs[point->runs[0]];
    for (unsigned i = first; i < last && cell_is_of(cell_row_at(first), run); i++)
        visit_cells(writer, point, cell_row_at(i), put);
}

/* Visits all cells, by table and then by point. If --set sweeps a setting there are
 * several points for a cell, and none is the printed one. */
static void visit(const Campaign *campaign, const Plan *plan, FILE *out, PutCell *put) {
    if (plan->swept.count)
        return;
    Writer writer = {campaign, plan, out, json_object()};
    for (unsigned first = 0, last; cell_row_at(first); first = last) {
        last = first + 1;
        while (same_table(cell_row_at(first), cell_row_at(last)))
            last++;
        if (strcmp(cell_row_at(first)->experiment, plan->experiment->name) != 0)
            continue;
        for (unsigned i = 0; i < plan->point_count; i++)
            if (plan->points[i].run_count)
                visit_point(&writer, &plan->points[i], first, last, put);
    }
    json_decref(writer.seen);
}

/* Writes a plain decimal number of 12 significant digits, or a whole number with
 * exactly its digits. */
static void put_decimal(FILE *out, double value) {
    if (value == floor(value) && fabs(value) < 1e15) {
        fprintf(out, "%.0f", value);
        return;
    }
    const int before = (int)floor(log10(fabs(value))) + 1;
    fprintf(out, "%.*f", before < 12 ? 12 - before : 0, value);
}

static void put_cell(FILE *out, const Cell *cell) {
    fprintf(out, "%s,%s,%s,%s,", cell->row->table, cell->params, cell->row->quantity,
            cell->row->origin);
    put_decimal(out, cell->value);
    fprintf(out, ",%s\n", cell->row->unit);
}

void cells_write(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("table,params,quantity,origin,value,unit\n", out);
    visit(campaign, plan, out, put_cell);
}

/* Cells without a known printed value are left out. */
static void put_printed(FILE *out, const Cell *cell) {
    const PrintedCell *printed = cell_printed(cell->row, cell->params);
    if (!printed)
        return;
    fprintf(out, "%s,%s,%s,%s,%s,", printed->id, cell->row->table, cell->params,
            cell->row->quantity, cell->row->origin);
    put_decimal(out, printed->value);
    putc(',', out);
    put_decimal(out, cell->value);
    fprintf(out, ",%.3g,%s\n", cell->value - printed->value,
            cell->changed                       ? "not judged"
            : printed->margin < 0               ? "reported"
            : cell_agrees(printed, cell->value) ? "reproduced"
                                                : "not");
}

void cells_write_printed(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("id,table,params,quantity,origin,printed,computed,difference,verdict\n", out);
    visit(campaign, plan, out, put_printed);
}
