/* Compares cures for overflow with unbounded queues, the hot node's work, and the
 * machine as built. */
#include "tools/exp/measure/bars.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exp/plan/setting_rows.h"
#include "tools/host/memory.h"

/* ---- points ---------------------------------------------------------------------- */

/* Whether each word of a program that `a` sets has the same value in `b`. */
static bool has_words(const Settings *a, const Settings *b) {
    for (unsigned i = 0; i < a->count; i++)
        if (setting_word(a->item[i].name) &&
            !settings_has(b, a->item[i].name, a->item[i].value))
            return false;
    return true;
}

/* Whether two points have the same load, hot spots aside. */
static bool same_load(const Settings *a, const Settings *b) {
    static const char *const load[] = {"model",
                                       "program",
                                       "mesh",
                                       "m",
                                       "L",
                                       "p",
                                       "h",
                                       "return",
                                       "random",
                                       "fair",
                                       "header_flits",
                                       "buffer_words",
                                       "send_faults"};
    for (unsigned i = 0; i < sizeof load / sizeof load[0]; i++)
        if (!settings_share(a, b, load[i]))
            return false;
    return has_words(a, b) && has_words(b, a);
}

bool bars_is_endless(const Settings *settings) {
    return settings_has(settings, "spill_cycles", "0");
}

/* Whether a point has no cure and the full queue. */
static bool is_as_built(const Settings *settings) {
    static const char *const cure[] = {"hwm_mark",   "escape_mark", "brake_mark",
                                       "spill_mark", "meter_mark",  "age",
                                       "hwm",        "rts",         "virtual_channels",
                                       "whole",      "open_words"};
    for (unsigned i = 0; i < sizeof cure / sizeof cure[0]; i++)
        if (settings_text(settings, cure[i]))
            return false;
    return settings_has(settings, "Q", "512");
}

typedef bool Kind(const Settings *settings);

/* Finds the point of a kind with the same load as `settings` or, if `uniform`, with
 * that load but no hot spot; NULL: there is none. */
static const Point *find(const LoadPoints *bars, const Settings *settings, Kind *kind,
                         bool uniform) {
    for (size_t i = 0; i < bars->count; i++) {
        const Settings *other = bars->points[i].settings;
        const bool spot = uniform ? !settings_text(other, "imbalance")
                                  : settings_share(settings, other, "imbalance") &&
                                        settings_share(settings, other, "hot");
        if (spot && kind(other) && same_load(settings, other))
            return &bars->points[i];
    }
    return NULL;
}

/* ---- figures --------------------------------------------------------------------- */

/* Summarises ratios of makespans of two points, run by run: runs with the same index
 * have the same seed. */
static Summary ratios(const Point *point, const Point *other) {
    const size_t most = other ? other->run_count : 0;
    const size_t count = point->run_count < most ? point->run_count : most;
    double *values = memory_array(count, sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = row_number(point->runs[i], "makespan") /
                    row_number(other->runs[i], "makespan");
    const Summary summary = statistics_of(values, count);
    free(values);
    return summary;
}

Summary bars_ratio(const LoadPoints *bars, const Point *point) {
    return ratios(point, find(bars, point->settings, bars_is_endless, false));
}

Summary bars_ref_ratio(const LoadPoints *bars, const Point *point) {
    return ratios(point, find(bars, point->settings, is_as_built, false));
}

/* Returns the hot node's work in cycles; NaN without one. */
static double hot_work(const Settings *settings) {
    if (!settings_text(settings, "imbalance"))
        return NAN;
    unsigned size[3];
    settings_mesh(settings, size);
    const double nodes = (double)size[0] * size[1] * size[2];
    const double more = settings_number(settings, "imbalance") / 100;
    return more / (nodes + more - 1) * nodes * settings_number(settings, "m") *
           settings_number(settings, "L") * settings_number(settings, "h");
}

Summary bars_hot_ratio(const LoadPoints *bars, const Point *point) {
    const Settings *settings = point->settings;
    const Point *even = find(bars, settings, bars_is_endless, true);
    const double work = hot_work(settings);
    if (!even || isnan(work))
        return statistics_of(NULL, 0);
    const double least = fmax(work, row_summary(even, "makespan").mean);
    Summary summary = row_summary(point, "makespan");
    summary.mean /= least;
    summary.ci95 /= least;
    return summary;
}

/* ---- the statistic --------------------------------------------------------------- */

/* Whether a point has a setting given as NAME=VALUE. */
static bool has(const Settings *settings, const char *wanted) {
    char name[SETTING_TEXT_MAX];
    const char *value = settings_split(wanted, name);
    return value && settings_has(settings, name, value);
}

static double figure_of(const LoadPoints *bars, const Point *point, const char *name) {
    if (strcmp(name, "ratio") == 0)
        return bars_ratio(bars, point).mean;
    if (strcmp(name, "ref_ratio") == 0)
        return bars_ref_ratio(bars, point).mean;
    if (strcmp(name, "hot_ratio") == 0)
        return bars_hot_ratio(bars, point).mean;
    return row_summary(point, name).mean;
}

double statistic_worst(const Selection *s) {
    LoadPoints bars = load_points_open(s->runs, s->count);
    double worst = NAN;
    for (size_t i = 0; i < bars.count; i++)
        if (has(bars.points[i].settings, s->words[1]))
            worst = fmax(worst, figure_of(&bars, &bars.points[i], s->words[0]));
    load_points_close(&bars);
    return worst;
}
