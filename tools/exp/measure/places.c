/* Statistics by node, wire and window of time. */
#include <math.h>
#include <stdlib.h>

#include "tools/exp/measure/nodes.h"
#include "tools/exp/measure/selection.h"
#include "tools/exp/measure/statistics.h"
#include "tools/host/memory.h"

/* Whether a position lies in a part of the machine; `argument` is a number that some
 * parts need. */
typedef bool InPlace(const unsigned at[3], const unsigned size[3], double argument);

/* The centre is the inner half of each side: 2 to 5 of 0 to 7. */
static bool in_centre(const unsigned at[3], const unsigned size[3], double argument) {
    (void)argument;
    for (unsigned d = 0; d < 3; d++)
        if (4 * at[d] < size[d] || 4 * (at[d] + 1) > 3 * size[d])
            return false;
    return true;
}

static bool on_surface(const unsigned at[3], const unsigned size[3], double argument) {
    (void)argument;
    return nodes_on_surface(at, size);
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
            nodes_position(&s->runs[i]->settings, (unsigned)place[0], at, size);
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
            nodes_position(&s->runs[i]->settings, (unsigned)k, at, size);
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

/* Returns the place of a node on a line that goes forth and back through the machine
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
        nodes_position(&run->settings, (unsigned)row[0], at, size);
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
