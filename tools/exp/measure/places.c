/* Figures and statistics by node, wire and window of time. */
#include "tools/exp/measure/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/measure/printed.h"
#include "tools/exp/measure/selection.h"
#include "tools/exp/measure/statistics.h"
#include "tools/host/memory.h"

/* ---- places ---------------------------------------------------------------------- */

/* Gives the position of a node in a network with these sides. */
static void locate(unsigned rank, const unsigned size[3], unsigned at[3]) {
    for (unsigned d = 0; d < 3; d++) {
        at[d] = rank % size[d];
        rank /= size[d];
    }
}

void places_position(const Settings *settings, unsigned rank, unsigned at[3],
                     unsigned size[3]) {
    settings_mesh(settings, size);
    locate(rank, size, at);
}

/* Whether a position lies in the middle of a side: for an even one, at either of the
 * two middle positions. */
static bool is_middle(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == size[side] / 2 || at[side] == (size[side] - 1) / 2;
}

static bool is_end(const unsigned at[3], const unsigned size[3], unsigned side) {
    return at[side] == 0 || at[side] == size[side] - 1;
}

/* Whether it lies in the inner half of a side: 2 to 5 of 0 to 7. */
static bool is_inner(const unsigned at[3], const unsigned size[3], unsigned side) {
    return 4 * at[side] >= size[side] && 4 * (at[side] + 1) <= 3 * size[side];
}

static bool is_there(const unsigned at[3], const unsigned size[3], Place place) {
    const bool plane = at[2] == (size[2] - 1) / 2;
    switch (place) {
    case PLACE_PLANE:
        return plane;
    case PLACE_MIDDLE:
        return is_middle(at, size, 0) && is_middle(at, size, 1) &&
               is_middle(at, size, 2);
    case PLACE_CORNERS:
        return plane && is_end(at, size, 0) && is_end(at, size, 1);
    case PLACE_ENDS_X:
        return plane && is_end(at, size, 0) && is_middle(at, size, 1);
    case PLACE_ENDS_Y:
        return plane && is_middle(at, size, 0) && is_end(at, size, 1);
    case PLACE_INNER_ROWS:
        return is_inner(at, size, 1);
    case PLACE_END_ROWS:
        return is_end(at, size, 1);
    default:
        return true;
    }
}

/* ---- figures of a node ----------------------------------------------------------- */

/* Returns a number of a list; NaN if it has no such index. */
static double number_at(const ResultList *list, unsigned index) {
    return index < list->count ? list->value[index] : NAN;
}

/* Words of a message of the machine: payload and header; NaN for a named program, whose
 * messages differ. */
static double words_of(const Run *run) {
    return settings_text(&run->settings, "program")
               ? NAN
               : settings_number(&run->settings, "p") + 1;
}

double queues_flits(const Run *run) {
    const double flits_per_word = 2;
    return settings_text(&run->settings, "model")
               ? settings_number(&run->settings, "flits")
               : words_of(run) * flits_per_word;
}

/* The machine's records are in hundredths of a word. */
double queues_at(const Run *run, unsigned node) {
    const Result *r = run->result;
    if (!r)
        return NAN;
    return r->node_queue.count ? number_at(&r->node_queue, node)
                               : number_at(&r->depth, node) / 100 / words_of(run);
}

double queues_all_at(const Run *run, unsigned node) {
    const ResultList *more = run->result ? &run->result->processor_queue : NULL;
    return queues_at(run, node) + (more && more->count ? number_at(more, node) : 0);
}

double queues_accepted_at(const Run *run, unsigned node) {
    return run->result ? number_at(&run->result->accepted, node) : NAN;
}

double efficiency_at(const Run *run, unsigned processor) {
    return run->result ? number_at(&run->result->by_processor, processor) : NAN;
}

unsigned efficiency_count(const Run *run) {
    return run->result ? (unsigned)run->result->by_processor.count : 0;
}

unsigned efficiency_side(const Run *run) {
    return (unsigned)(sqrt(efficiency_count(run)) + 0.5);
}

/* ---- all nodes ------------------------------------------------------------------- */

/* Returns the number of nodes of which a run has figures. */
static unsigned node_count(const Run *run) {
    const Result *r = run->result;
    if (!r)
        return 0;
    return (unsigned)(r->node_queue.count ? r->node_queue.count
                      : r->depth.count    ? r->depth.count
                                          : r->by_processor.count);
}

/* Gives the sides of the network: its mesh, or the square of its processors. */
static void size_of(const Run *run, unsigned size[3]) {
    if (settings_mesh(&run->settings, size))
        return;
    size[0] = size[1] = efficiency_side(run);
    size[2] = 1;
}

typedef struct {
    double sum, most;
    unsigned count, at[3], size[3]; /* at: of the most */
} Figures;

static void add(Figures *figures, double value, const unsigned at[3]) {
    figures->sum += value;
    figures->count++;
    if (figures->count > 1 && value <= figures->most)
        return;
    figures->most = value;
    memcpy(figures->at, at, sizeof figures->at);
}

/* Visits the nodes of a place; without any the count is 0. */
static Figures look(const Run *run, NodeFigure *figure, Place place) {
    Figures figures = {.sum = 0};
    size_of(run, figures.size);
    for (unsigned i = 0; i < node_count(run); i++) {
        unsigned at[3];
        locate(i, figures.size, at);
        if (is_there(at, figures.size, place))
            add(&figures, figure(run, i), at);
    }
    return figures;
}

double places_mean(const Run *run, NodeFigure *figure, Place place) {
    const Figures figures = look(run, figure, place);
    return figures.count ? figures.sum / figures.count : NAN;
}

double places_most(const Run *run, NodeFigure *figure, Place place) {
    const Figures figures = look(run, figure, place);
    return figures.count ? figures.most : NAN;
}

/* ---- queues ---------------------------------------------------------------------- */

double queues_peak_x(const Run *run) {
    const Figures queues = look(run, queues_at, PLACE_ALL);
    if (!queues.count || efficiency_count(run))
        return NAN;
    return fmin(queues.at[0], queues.size[0] - 1.0 - queues.at[0]);
}

enum { MOST_Z = 64 };

/* The mean queue of the middle columns by z, into `by_z`; returns Z, or 0 if there is
 * no list or too long a column. */
static unsigned middle_column(const Run *run, double by_z[MOST_Z]) {
    unsigned size[3], columns = 0;
    size_of(run, size);
    if (size[2] > MOST_Z || !node_count(run))
        return 0;
    for (unsigned i = 0; i < node_count(run); i++) {
        unsigned at[3];
        locate(i, size, at);
        if (!is_middle(at, size, 0) || !is_middle(at, size, 1))
            continue;
        columns += at[2] == 0;
        by_z[at[2]] += queues_at(run, i);
    }
    for (unsigned z = 0; z < size[2]; z++)
        by_z[z] /= columns;
    return size[2];
}

double queues_centres_z(const Run *run) {
    /* Of the lower peak: two centres have less between them. */
    const double shallow = 0.9;
    double by_z[MOST_Z] = {0};
    const unsigned size = middle_column(run, by_z);
    if (size < 2)
        return NAN;
    unsigned low = 0, high = size - 1;
    for (unsigned z = 0; z < size / 2; z++)
        if (by_z[z] > by_z[low])
            low = z;
    for (unsigned z = size - 1; z >= size / 2; z--)
        if (by_z[z] > by_z[high])
            high = z;
    double valley = INFINITY;
    for (unsigned z = low; z <= high; z++)
        valley = fmin(valley, by_z[z]);
    return valley < shallow * fmin(by_z[low], by_z[high]) ? high - low : 0;
}

double queues_upstream(const Run *run) {
    const unsigned nodes = (unsigned)run->result->accepted.count;
    double largest = NAN;
    for (unsigned node = 1; node + 2 < nodes; node++)
        largest = fmax(largest, queues_accepted_at(run, node) /
                                    queues_accepted_at(run, node + 1));
    return largest;
}

double queues_entering(const Run *run) {
    const unsigned nodes = (unsigned)run->result->accepted.count;
    double all = 0;
    for (unsigned node = 0; node < nodes; node++)
        all += queues_accepted_at(run, node);
    return nodes ? 1 - queues_accepted_at(run, 0) / all : NAN;
}

/* ---- efficiencies and the printed maps ------------------------------------------- */

enum { MAP_SIDE = 8, PARAMS_MAX = 80 };

/* Whether the run is at the point of the map: four requests out, services of 50 cycles
 * one way, of 25 two ways. */
static bool at_map(const Run *run, bool one_way) {
    return settings_number(&run->settings, "n_out") == 4 &&
           settings_number(&run->settings, "tau") == (one_way ? 50 : 25);
}

/* Returns a cell of the printed map; NULL if it is not known. */
static const PrintedCell *map_cell(bool one_way, unsigned row, unsigned column) {
    char params[PARAMS_MAX];
    snprintf(params, sizeof params,
             "topology=%s;k=8;links=single;n_out=4;tau=%d;row=%u;col=%u",
             one_way ? "uni_torus" : "bi_torus", one_way ? 50 : 25, row, column);
    return printed_find("analytical", one_way ? "Table V-A" : "Table V-B", params,
                        "processor_efficiency");
}

double efficiency_map_off(const Run *run) {
    const bool one_way = settings_has(&run->settings, "topology", "uni_torus");
    double sum = 0, count = 0;
    if (!at_map(run, one_way) || efficiency_side(run) != MAP_SIDE)
        return NAN;
    for (unsigned i = 0; i < MAP_SIDE * MAP_SIDE; i++) {
        const PrintedCell *cell = map_cell(one_way, i / MAP_SIDE, i % MAP_SIDE);
        if (!cell)
            continue;
        sum += 100 * fabs(efficiency_at(run, i) / cell->value - 1);
        count++;
    }
    return sum / count;
}

/* ---- statistics by place --------------------------------------------------------- */

/* Whether a position lies in a part of the machine; `argument` is a number that some
 * parts need. */
typedef bool InPlace(const unsigned at[3], const unsigned size[3], double argument);

static bool in_centre(const unsigned at[3], const unsigned size[3], double argument) {
    (void)argument;
    return is_inner(at, size, 0) && is_inner(at, size, 1) && is_inner(at, size, 2);
}

static bool on_surface(const unsigned at[3], const unsigned size[3], double argument) {
    (void)argument;
    return is_end(at, size, 0) || is_end(at, size, 1) || is_end(at, size, 2);
}

static bool in_plane(const unsigned at[3], const unsigned size[3], double argument) {
    (void)size;
    return (double)at[2] == argument;
}

/* Returns the share of all overflows that lie in a part; NaN if there are none. */
static double share(const Selection *s, InPlace *is_in, double argument) {
    double in = 0, all = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ResultList *places = &s->runs[i]->result->places;
        for (size_t k = 0; k < places->count; k++) {
            const double *place = result_row(places, k);
            unsigned at[3], size[3];
            places_position(&s->runs[i]->settings, (unsigned)place[0], at, size);
            all += place[1];
            in += is_in(at, size, argument) ? place[1] : 0;
        }
    }
    return all > 0 ? in / all : NAN;
}

double statistic_centre(const Selection *s) {
    return share(s, in_centre, 0);
}

double statistic_surface(const Selection *s) {
    return share(s, on_surface, 0);
}

double statistic_share_in_plane(const Selection *s) {
    return share(s, in_plane, strtod(s->words[0], NULL));
}

/* Nodes that are neither in the centre nor on the surface count for neither mean. */
double statistic_inner(const Selection *s) {
    double in = 0, ins = 0, out = 0, outs = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ResultList *list = result_list(s->runs[i]->result, s->words[0]);
        for (size_t k = 0; list && k < list->count; k++) {
            const double value = list->value[k];
            unsigned at[3], size[3];
            places_position(&s->runs[i]->settings, (unsigned)k, at, size);
            if (in_centre(at, size, 0)) {
                in += value;
                ins++;
            } else if (on_surface(at, size, 0)) {
                out += value;
                outs++;
            }
        }
    }
    return (in / ins) / (out / outs);
}

/* Returns the place of a node on a line that goes back and forth through the machine
 * (programs/lib/line.inc). */
static double place_on_line(const unsigned at[3], const unsigned size[3]) {
    const unsigned y = at[2] % 2 ? size[1] - 1 - at[1] : at[1];
    const unsigned row = at[2] * size[1] + y;
    return row * size[0] + (row % 2 ? size[0] - 1 - at[0] : at[0]);
}

/* Returns for a run how the time at which a node first overflowed correlates with how
 * many places it lies before the first such node; around the end of the line. */
static double backward(const Run *run) {
    const ResultList *places = &run->result->places;
    double *time = memory_array(2 * places->count + 1, sizeof *time);
    double *place = time + places->count, start = 0, first = INFINITY, nodes = 1;
    for (size_t k = 0; k < places->count; k++) {
        const double *row = result_row(places, k);
        unsigned at[3], size[3];
        places_position(&run->settings, (unsigned)row[0], at, size);
        nodes = (double)size[0] * size[1] * size[2];
        time[k] = row[2];
        place[k] = place_on_line(at, size);
        start = time[k] < first ? place[k] : start;
        first = fmin(first, time[k]);
    }
    for (size_t k = 0; k < places->count; k++)
        place[k] = fmod(start - place[k] + nodes, nodes);
    const double rho = statistics_rank_correlation(place, time, places->count);
    free(time);
    return rho;
}

double statistic_backward(const Selection *s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double rho = backward(s->runs[i]);
        sum += isnan(rho) ? 0 : rho;
        count += !isnan(rho);
    }
    return count > 0 ? sum / count : NAN;
}

double statistic_cut(const Selection *s) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const ResultList *cuts = &s->runs[i]->result->cuts;
        const size_t cut = (size_t)atoi(s->words[0]);
        if (cut >= cuts->count)
            return NAN;
        sum += cuts->value[cut];
    }
    return s->count ? sum / (double)s->count : NAN;
}

/* Returns the mean flits a cycle on one wire; `direction` 0: up, 1: down. Flits are
 * counted over the whole run, cycles between the marks. */
static double link_rate(const Selection *s, size_t direction) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        const Result *r = s->runs[i]->result;
        const size_t link = (size_t)atoi(s->words[0]);
        if (link >= r->links.count || !(r->T > 0))
            return NAN;
        sum += result_row(&r->links, link)[direction] / r->T;
    }
    return s->count ? sum / (double)s->count : NAN;
}

double statistic_up(const Selection *s) {
    return link_rate(s, 0);
}

double statistic_down(const Selection *s) {
    return link_rate(s, 1);
}

/* ---- the time around the first overflow ------------------------------------------ */

/* Returns the flits or messages (`key`) a cycle in a window. */
static double rate(const json_t *window, const char *key) {
    return result_tree_number(window, key) / result_tree_number(window, "cycles");
}

/* Returns the end of a window in cycles since the overflow; negative before it. */
static double time_of(const json_t *window) {
    return result_tree_number(window, "time");
}

/* Returns the mean rate of the windows that end at or before the overflow. */
static double rate_before(const json_t *windows, const char *key) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < json_array_size(windows); i++) {
        const json_t *window = json_array_get(windows, i);
        if (time_of(window) > 0)
            break;
        sum += rate(window, key);
        count++;
    }
    return sum / count;
}

static const json_t *windows_of(const Run *run) {
    return json_object_get(run->result->jam, "windows");
}

/* Finds the first window behind the overflow with less than a tenth of the deliveries
 * before it. 10 cycles are a microsecond at 10 MHz. */
double statistic_silence(const Selection *s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const json_t *windows = windows_of(s->runs[i]);
        const double before = rate_before(windows, "messages");
        for (size_t k = 0; k < json_array_size(windows); k++) {
            const json_t *window = json_array_get(windows, k);
            if (time_of(window) <= 0 || rate(window, "messages") >= before / 10)
                continue;
            sum += time_of(window) / 10;
            count++;
            break;
        }
    }
    return count > 0 ? sum / count : NAN;
}

/* Adds up the windows that end after the overflow; 10 cycles are a microsecond. */
double statistic_after(const Selection *s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const json_t *windows = windows_of(s->runs[i]);
        const double before = rate_before(windows, s->words[0]);
        double after = 0;
        for (size_t k = 0; k < json_array_size(windows); k++)
            if (time_of(json_array_get(windows, k)) > 0)
                after += result_tree_number(json_array_get(windows, k), s->words[0]);
        if (!(before > 0))
            continue;
        sum += after / before / 10;
        count++;
    }
    return count > 0 ? sum / count : NAN;
}

/* Compares the last quarter of the windows with those before the overflow. Runs with
 * fewer than 8 windows are left out. */
double statistic_left(const Selection *s) {
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const json_t *windows = windows_of(s->runs[i]);
        const size_t size = json_array_size(windows), first = size - size / 4;
        double after = 0;
        for (size_t k = first; k < size; k++)
            after += rate(json_array_get(windows, k), s->words[0]);
        const double before = rate_before(windows, s->words[0]);
        if (size < 8 || !(before > 0))
            continue;
        sum += after / (double)(size - first) / before;
        count++;
    }
    return count > 0 ? sum / count : NAN;
}
