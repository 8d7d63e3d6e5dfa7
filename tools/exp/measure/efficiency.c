#include "tools/exp/measure/efficiency.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

unsigned efficiency_count(const Run *run) {
    return run->result ? (unsigned)run->result->by_processor.count : 0;
}

unsigned efficiency_side(const Run *run) {
    return (unsigned)(sqrt(efficiency_count(run)) + 0.5);
}

double efficiency_at(const Run *run, unsigned processor) {
    const ResultList *list = &run->result->by_processor;
    return processor < list->count ? list->value[processor] : 0;
}

/* Whether a place of a square of `side` counts. */
typedef bool InPart(unsigned row, unsigned column, unsigned side);

/* Mean over the processors of a part of the square, by rows; NaN if there are none. */
static double mean_of(const Run *run, InPart *is_in) {
    const unsigned side = efficiency_side(run);
    double sum = 0, count = 0;
    for (unsigned i = 0; i < side * side; i++)
        if (is_in(i / side, i % side, side)) {
            sum += efficiency_at(run, i);
            count++;
        }
    return sum / count;
}

/* The middle half of the rows. */
static bool is_inner(unsigned row, unsigned side) {
    return 4 * row >= side && 4 * (row + 1) <= 3 * side;
}

static bool is_end(unsigned row, unsigned side) {
    return row == 0 || row == side - 1;
}

/* The middle row, or the two middle rows of an even number. */
static bool is_middle(unsigned row, unsigned side) {
    return row == side / 2 || row == (side - 1) / 2;
}

static bool in_middle_rows(unsigned row, unsigned column, unsigned side) {
    (void)column;
    return is_inner(row, side);
}

static bool in_end_rows(unsigned row, unsigned column, unsigned side) {
    (void)column;
    return is_end(row, side);
}

static bool in_corner(unsigned row, unsigned column, unsigned side) {
    return is_end(row, side) && is_end(column, side);
}

static bool in_centre(unsigned row, unsigned column, unsigned side) {
    return is_middle(row, side) && is_middle(column, side);
}

double efficiency_middle(const Run *run) {
    return mean_of(run, in_middle_rows);
}

double efficiency_edge(const Run *run) {
    return mean_of(run, in_end_rows);
}

double efficiency_corners(const Run *run) {
    return mean_of(run, in_corner);
}

double efficiency_centre(const Run *run) {
    return mean_of(run, in_centre);
}

/* ---- comparison with the printed maps -------------------------------------------- */

typedef struct {
    const char *table, *params;
    double percent;
} MapCell;

static const MapCell cells[] = {
#define PRINTED(id, origin, table, params, quantity, value, margin)                    \
    {table, params, value},
#include "tools/exp/measure/printed_adve.def"
#undef PRINTED
};
enum { CELLS = sizeof cells / sizeof cells[0], MAP_SIDE = 8 };

/* Whether the run is at the point of the map: four requests out, services of 50 cycles
 * one way, of 25 two ways. */
static bool at_map(const Run *run, bool one_way) {
    return settings_number(&run->settings, "n_out") == 4 &&
           settings_number(&run->settings, "tau") == (one_way ? 50 : 25);
}

double efficiency_map_off(const Run *run) {
    const char *topology = settings_text(&run->settings, "topology");
    const bool one_way = topology && strcmp(topology, "uni_torus") == 0;
    const char *table = one_way ? "Table V-A" : "Table V-B";
    if (!at_map(run, one_way))
        return NAN;
    double sum = 0, count = 0;
    for (unsigned i = 0; efficiency_side(run) == MAP_SIDE && i < CELLS; i++) {
        const char *place = strstr(cells[i].params, "row=");
        unsigned row, column;
        if (strcmp(cells[i].table, table) != 0 || !place ||
            sscanf(place, "row=%u;col=%u", &row, &column) != 2)
            continue;
        const double computed = efficiency_at(run, row * MAP_SIDE + column);
        sum += 100 * fabs(computed / cells[i].percent - 1);
        count++;
    }
    return sum / count;
}
