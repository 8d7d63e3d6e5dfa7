/* Cells of printed tables; see cells.h. */
#include "tools/exp/measure/cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/places.h"
#include "tools/exp/measure/printed.h"
#include "tools/exp/measure/row.h"
#include "tools/exp/measure/selection.h"
#include "tools/exp/measure/statistics.h"
#include "tools/exp/measure/verdicts.h"
#include "tools/host/memory.h"

enum { CELL_PARAMS_MAX = 256 };

/* A row of cells.def. */
typedef struct {
    const char *experiment, *table, *conditions, *params, *origin, *quantity, *column,
        *unit;
} CellRow;

static const CellRow rows[] = {
#define CELL(...) {__VA_ARGS__},
#include "tools/exp/measure/cells.def"
#undef CELL
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Splits "NAME=VALUE" off a list; false at its end. */
static bool next_pair(const char **list, char separator, Setting *pair) {
    *pair = (Setting){0};
    const char *at = *list;
    if (!*at)
        return false;
    const char stops[] = {separator, '\0'};
    const size_t length = strcspn(at, stops), name = strcspn(at, "=");
    if (name < length && name < SETTING_TEXT_MAX && length - name <= SETTING_TEXT_MAX) {
        memcpy(pair->name, at, name);
        memcpy(pair->value, at + name + 1, length - name - 1);
    }
    *list = at + length + (at[length] == separator);
    return true;
}

/* Whether a row applies to a run. */
static bool is_of(const CellRow *row, const Run *run) {
    Setting pair;
    for (const char *at = row->conditions; next_pair(&at, ' ', &pair);) {
        const char *text = settings_text(&run->settings, pair.name);
        if (!text || strcmp(text, pair.value) != 0)
            return false;
    }
    return true;
}

/* Writes the value of a key: 'TEXT', COLUMN, or COLUMN/DIGITS for that many
 * decimals. */
static int put_value(const Run *run, const char *what, char *text, size_t size) {
    const size_t quoted = strlen(what);
    const char *slash = strchr(what, '/');
    if (what[0] == '\'')
        return snprintf(text, size, "%.*s", quoted > 2 ? (int)quoted - 2 : 0, what + 1);
    if (slash) {
        char column[SETTING_TEXT_MAX] = "";
        memcpy(column, what, (size_t)(slash - what));
        return snprintf(text, size, "%.*f", atoi(slash + 1), row_number(run, column));
    }
    const char *value = settings_text(&run->settings, what);
    return value ? snprintf(text, size, "%s", value)
                 : snprintf(text, size, "%.10g", row_number(run, what));
}

/* Figures by processor. */
static bool is_map(const CellRow *row) {
    return strcmp(row->column, "by_processor") == 0;
}

/* Number of cells that a run has in a row: one, or one for each processor. */
static unsigned count_of(const CellRow *row, const Run *run) {
    return is_map(row) ? efficiency_count(run) : 1;
}

/* Writes the params of a run's cell, "key=value;...", and returns `text`. */
static char *put_params(const CellRow *row, const Run *run, unsigned index,
                        char text[CELL_PARAMS_MAX]) {
    Setting pair;
    size_t length = 0;
    text[0] = '\0';
    for (const char *at = row->params; next_pair(&at, ';', &pair);) {
        char value[SETTING_TEXT_MAX] = "";
        put_value(run, pair.value, value, sizeof value);
        const int wrote = snprintf(text + length, CELL_PARAMS_MAX - length, "%s%s=%s",
                                   length ? ";" : "", pair.name, value);
        if (wrote < 0 || (length += (size_t)wrote) >= CELL_PARAMS_MAX)
            return text;
    }
    const unsigned side = is_map(row) ? efficiency_side(run) : 0;
    if (side)
        snprintf(text + length, CELL_PARAMS_MAX - length, ";row=%u;col=%u",
                 index / side, index % side);
    return text;
}

static const char median[] = "median ";

/* Whether a point's figure is the median over its runs, not their mean. */
static bool is_median(const CellRow *row) {
    return strncmp(row->column, median, sizeof median - 1) == 0;
}

/* The figure of the cell, NaN if the run has none; for an error, the figure whose error
 * it is. */
static double figure_in(const CellRow *row, const Run *run, unsigned index) {
    const char *column = row->column + (is_median(row) ? sizeof median - 1 : 0);
    return is_map(row) ? efficiency_at(run, index) : row_number(run, column);
}

/* Whether the row's figures are percent errors of others relative to a simulation. */
static bool is_error(const CellRow *row) {
    return strcmp(row->origin, "percent_error") == 0;
}

/* ---- printed values -------------------------------------------------------------- */

/* Returns the printed value of a cell of this origin; NULL if it is not known. */
static const PrintedCell *find(const CellRow *row, const char *origin,
                               const char *params) {
    return printed_find(origin, row->table, params, row->quantity);
}

/* Whether a figure agrees with the printed one, to its digits or within its margin. */
static bool agrees(const PrintedCell *printed, double value) {
    return fabs(value - printed->value) <= printed->margin * (1 + 1e-4);
}

/* ---- statistics ------------------------------------------------------------------ */

/* The printed cell against which a run's figure is judged; NULL if there is none. */
static const PrintedCell *judged(const CellRow *row, const Run *run, unsigned index) {
    char params[CELL_PARAMS_MAX];
    const PrintedCell *printed =
        find(row, row->origin, put_params(row, run, index, params));
    return printed && printed->margin >= 0 ? printed : NULL;
}

typedef struct {
    double cells, agreeing, off;
} Compared;

/* The mean over the runs of a point; NaN if some run has no figure. */
static double mean_figure(const Point *point, const CellRow *row, unsigned index) {
    double sum = 0;
    for (unsigned k = 0; k < point->run_count; k++)
        sum += figure_in(row, point->runs[k], index);
    return sum / point->run_count;
}

static void compare(const Point *point, const CellRow *row, Compared *sums) {
    for (unsigned i = 0; i < count_of(row, point->runs[0]); i++) {
        const PrintedCell *printed = judged(row, point->runs[0], i);
        if (!printed)
            continue;
        const double value = mean_figure(point, row, i);
        const double off = 100 * fabs(value / printed->value - 1);
        sums->cells++;
        sums->agreeing += agrees(printed, value);
        if (off > sums->off)
            sums->off = off;
    }
}

/* Compares the selected runs with the printed cells that they reproduce. */
static Compared compare_all(const Selection *s) {
    LoadPoints all = load_points_open(s->runs, s->count);
    Compared sums = {0};
    for (unsigned i = 0; i < ROWS; i++)
        for (size_t k = 0; k < all.count; k++)
            if (!is_error(&rows[i]) && is_of(&rows[i], all.points[k].runs[0]))
                compare(&all.points[k], &rows[i], &sums);
    load_points_close(&all);
    return sums;
}

double statistic_cells(const Selection *s) {
    return compare_all(s).cells;
}

double statistic_cells_within(const Selection *s) {
    const Compared sums = compare_all(s);
    return sums.agreeing / sums.cells;
}

double statistic_cells_off(const Selection *s) {
    const Compared sums = compare_all(s);
    return sums.cells > 0 ? sums.off : NAN;
}

/* The difference between a printed error and the one that follows from the two figures
 * beside it; NaN if one of the three is not known. */
static double slip(const CellRow *row, const char *params) {
    const PrintedCell *simulated = find(row, "simulation", params);
    const PrintedCell *solved = find(row, "analytical", params);
    const PrintedCell *error = find(row, "percent_error", params);
    if (!solved)
        solved = find(row, "model", params);
    return simulated && solved && error
               ? fabs(100 * (solved->value / simulated->value - 1) - error->value)
               : NAN;
}

/* Counts the printed errors beside the selected runs that are off by at least this
 * much. */
static double slips(const Selection *s, double least) {
    LoadPoints all = load_points_open(s->runs, s->count);
    double count = 0;
    for (unsigned i = 0; i < ROWS; i++)
        for (size_t k = 0; k < all.count; k++) {
            const Run *run = all.points[k].runs[0];
            char params[CELL_PARAMS_MAX];
            if (strcmp(rows[i].origin, "simulation") == 0 && is_of(&rows[i], run))
                count += slip(&rows[i], put_params(&rows[i], run, 0, params)) >= least;
        }
    load_points_close(&all);
    return count;
}

double statistic_error_cells(const Selection *s) {
    return slips(s, 0);
}

double statistic_error_slips(const Selection *s) {
    const double digits = 0.16; /* half a digit of all three figures */
    return slips(s, digits);
}

/* ---- tables ---------------------------------------------------------------------- */

bool cells_wanted(const Plan *plan) {
    for (unsigned i = 0; i < ROWS; i++)
        if (strcmp(rows[i].experiment, plan->experiment->name) == 0)
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
    const Plan *plan;
    FILE *out;
    json_t *seen; /* names of cells already written: a parameter appears once */
} Writer;

typedef void PutCell(FILE *out, const Cell *cell);

/* Returns the median over the runs of a point; NaN if some run has no figure. */
static double median_of(const Point *point, const CellRow *row, unsigned index) {
    double *values = memory_array(point->run_count, sizeof *values);
    bool good = true;
    for (unsigned i = 0; i < point->run_count; i++) {
        values[i] = figure_in(row, point->runs[i], index);
        good = good && !isnan(values[i]);
    }
    const double value = good ? statistics_of(values, point->run_count).p50 : NAN;
    free(values);
    return value;
}

/* Returns the mean over the runs of a point, or their median if the row selects that.
 */
static double figure_of(const Point *point, const CellRow *row, unsigned index) {
    return is_median(row) ? median_of(point, row, index)
                          : mean_figure(point, row, index);
}

static bool same_table(const CellRow *a, const CellRow *b) {
    return strcmp(a->experiment, b->experiment) == 0 &&
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
        const Run *run = point->runs[0];
        char params[CELL_PARAMS_MAX];
        if (is_of(row, run) && index < count_of(row, run) &&
            strcmp(put_params(row, run, index, params), cell->params) == 0)
            return figure_of(point, row, index);
    }
    return NAN;
}

/* The simulated figure for the place of `cell`; NaN if there is none. */
static double simulated(const Writer *writer, const Cell *cell, unsigned index) {
    double value = NAN;
    for (unsigned i = 0; isnan(value) && i < ROWS; i++)
        if (is_simulation_of(&rows[i], cell->row))
            value = simulated_by(writer, &rows[i], cell, index);
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
    const Variation *variation = &writer->plan->variation;
    for (unsigned i = 0; i < variation->set_count; i++) {
        char name[SETTING_TEXT_MAX];
        settings_split(variation->sets[i], name);
        if (is_error(row) || settings_text(point->settings, name))
            return true;
    }
    return false;
}

static void visit_cells(Writer *writer, const Point *point, const CellRow *row,
                        PutCell *put) {
    const Run *run = point->runs[0];
    for (unsigned i = 0; i < count_of(row, run); i++) {
        Cell cell = {.row = row, .changed = is_changed(writer, point, row)};
        put_params(row, run, i, cell.params);
        cell.value = figure_of(point, row, i);
        if (is_error(row))
            cell.value = 100 * (cell.value / simulated(writer, &cell, i) - 1);
        if (isfinite(cell.value) && is_new(writer, &cell))
            put(writer->out, &cell);
    }
}

/* Visits the cells of a point in the rows [first, last). */
static void visit_point(Writer *writer, const Point *point, unsigned first,
                        unsigned last, PutCell *put) {
    const Run *run = point->runs[0];
    for (unsigned i = first; i < last && is_of(&rows[first], run); i++)
        visit_cells(writer, point, &rows[i], put);
}

/* Visits all cells, by table and then by point. If --set sweeps a setting there are
 * several points for a cell, and none is the printed one. */
static void visit(const Plan *plan, FILE *out, PutCell *put) {
    if (plan->swept.count)
        return;
    Writer writer = {plan, out, json_object()};
    for (unsigned first = 0, last; first < ROWS; first = last) {
        last = first + 1;
        while (last < ROWS && same_table(&rows[first], &rows[last]))
            last++;
        if (strcmp(rows[first].experiment, plan->experiment->name) != 0)
            continue;
        for (unsigned i = 0; i < plan->point_count; i++)
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

void cells_write(const Plan *plan, FILE *out) {
    fputs("table,params,quantity,origin,value,unit\n", out);
    visit(plan, out, put_cell);
}

/* Cells without a known printed value are left out. */
static void put_printed(FILE *out, const Cell *cell) {
    const PrintedCell *printed = find(cell->row, cell->row->origin, cell->params);
    if (!printed)
        return;
    const Verdict verdict =
        verdict_judge(true, cell->changed, agrees(printed, cell->value));
    fprintf(out, "%s-%03u,%s,%s,%s,%s,", printed->series, printed->number,
            cell->row->table, cell->params, cell->row->quantity, cell->row->origin);
    put_decimal(out, printed->value);
    putc(',', out);
    put_decimal(out, cell->value);
    fprintf(out, ",%.3g,%s\n", cell->value - printed->value,
            printed->margin < 0 && !cell->changed ? "reported"
                                                  : verdicts[verdict].name);
}

void cells_write_printed(const Plan *plan, FILE *out) {
    fputs("id,table,params,quantity,origin,printed,computed,difference,verdict\n", out);
    visit(plan, out, put_printed);
}
