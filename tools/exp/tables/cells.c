#include "tools/exp/tables/cells.h"

#include <math.h>
#include <string.h>

#include "tools/exp/measure/cells.h"
#include "tools/exp/measure/row.h"

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
} Cell;

typedef void PutCell(FILE *out, const Cell *cell);

/* Returns the mean over the runs of a point; NaN if some has no figure. */
static double mean_of(const Campaign *campaign, const Point *point,
                      const char *column) {
    double sum = 0;
    for (unsigned i = 0; i < point->run_count; i++)
        sum += row_number(&campaign->runs[point->runs[i]], column);
    return sum / point->run_count;
}

static bool same_table(const CellRow *a, const CellRow *b) {
    return b && strcmp(a->experiment, b->experiment) == 0 &&
           strcmp(a->table, b->table) == 0 && strcmp(a->conditions, b->conditions) == 0;
}

/* Visits the cells of a point in the rows from `first` to before `last`. */
static void visit_point(const Campaign *campaign, const Point *point, unsigned first,
                        unsigned last, FILE *out, PutCell *put) {
    const Run *run = &campaign->runs[point->runs[0]];
    for (unsigned i = first; i < last && cell_is_of(cell_row_at(first), run); i++) {
        Cell cell = {.row = cell_row_at(i)};
        cell_params(cell.row, run, cell.params);
        cell.value = mean_of(campaign, point, cell.row->column);
        if (isfinite(cell.value))
            put(out, &cell);
    }
}

/* Visits all cells, table by table, a point of it after the other. */
static void visit(const Campaign *campaign, const Plan *plan, FILE *out, PutCell *put) {
    for (unsigned first = 0, last; cell_row_at(first); first = last) {
        last = first + 1;
        while (same_table(cell_row_at(first), cell_row_at(last)))
            last++;
        if (strcmp(cell_row_at(first)->experiment, plan->experiment->name) != 0)
            continue;
        for (unsigned i = 0; i < plan->point_count; i++)
            if (plan->points[i].run_count)
                visit_point(campaign, &plan->points[i], first, last, out, put);
    }
}

/* Writes a plain decimal number of 12 significant digits, a whole one with all of its
 * digits and no others. */
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

/* What is not known to be printed is left out. */
static void put_printed(FILE *out, const Cell *cell) {
    const PrintedCell *printed = cell_printed(cell->row, cell->params);
    if (!printed)
        return;
    fprintf(out, "%s,%s,%s,%s,", printed->id, cell->row->table, cell->params,
            cell->row->quantity);
    put_decimal(out, printed->value);
    putc(',', out);
    put_decimal(out, cell->value);
    fprintf(out, ",%.3g,%s\n", cell->value - printed->value,
            cell_agrees(printed, cell->value) ? "reproduced" : "not");
}

void cells_write_printed(const Campaign *campaign, const Plan *plan, FILE *out) {
    fputs("id,table,params,quantity,printed,computed,difference,verdict\n", out);
    visit(campaign, plan, out, put_printed);
}
