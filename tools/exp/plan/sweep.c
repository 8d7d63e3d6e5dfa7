/* Expands the text of a sweep to points; sweep.h has the notation. */
#include "tools/exp/plan/sweep.h"
#include "tools/exp/plan/setting_rows.h"
#include "tools/host/memory.h"
#include "tools/host/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES_MAX = 24, POINTS_MAX = 20000 };

/* One name and the list of its values. */
typedef struct {
    char name[SETTING_TEXT_MAX];
    const char *values;
} Axis;

/* The axes of one group, in the order in which they were first named. */
typedef struct {
    Axis axis[AXES_MAX];
    unsigned count;
} Axes;

/* The receiver of points. */
typedef struct {
    SweepPoint *add;
    void *context;
    unsigned runs;   /* runs of each point of the group; 0: not given */
    unsigned points; /* points so far */
    const char *at;  /* the word that is read or expanded */
    JmError *error;
} Sink;

/* Returns the place of an axis; the number of axes if there is none of this name. */
static unsigned place_of(const Axes *axes, const char *name) {
    unsigned at = 0;
    while (at < axes->count && strcmp(axes->axis[at].name, name) != 0)
        at++;
    return at;
}

/* Adds "NAME=VALUES" to the axes, or replaces the axis of that name in its place. */
static bool put_axis(Axes *axes, const char *text, Sink *sink) {
    Axis axis;
    sink->at = text;
    axis.values = settings_split(text, axis.name);
    if (!*axis.name || !axis.values || !*axis.values)
        return jm_fail(sink->error, NULL,
                       "'%s': expected NAME=VALUE or NAME=VALUE,VALUE", text);
    const unsigned at = place_of(axes, axis.name);
    if (at == AXES_MAX)
        return jm_fail(sink->error, NULL, "more than %d settings", AXES_MAX);
    axes->count += at == axes->count;
    axes->axis[at] = axis;
    return true;
}

/* Adds the axes of a group; strtok_r cuts `group` into words. */
static bool put_group(Axes *axes, char *group, Sink *sink) {
    char *rest = NULL;
    for (char *word = strtok_r(group, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        if (!put_axis(axes, word, sink))
            return false;
    return true;
}

static bool unfold(const Axes *axes, unsigned level, const Settings *settings,
                   Sink *sink);

/* Expands the axes after `level`, whose value is `text`. */
static bool unfold_value(const Axes *axes, unsigned level, const Settings *settings,
                         const char *text, Sink *sink) {
    const Axis *axis = &axes->axis[level];
    Settings next = *settings;
    if (settings_set(&next, axis->name, text, sink->error))
        return unfold(axes, level + 1, &next, sink);
    if (!settings_takes(settings_taker(settings), axis->name))
        sink->at = axis->values - strlen(axis->name) - 1;
    return false;
}

enum { RANGE_MAX = 10000 };

/* Parses "FIRST..LAST" or "FIRST..LAST/STEP"; false if these are not numbers. The last
 * value may be missed by a millionth of a step. `count` is 0 if the range goes down or
 * its first step leads beyond the end. */
static bool read_range(const char *text, double *first, double *step, unsigned *count) {
    double last;
    if (!number_parse_range(text, first, &last, step))
        return false;
    const double steps = last == *first ? 0 : (last - *first) / *step + 1e-6;
    *count = *step > 0 && (steps == 0 || steps >= 1) && steps <= RANGE_MAX + 1
                 ? (unsigned)steps + 1
                 : 0;
    return true;
}

/* Expands one entry of a list: a value or a range. */
static bool unfold_entry(const Axes *axes, unsigned level, const Settings *settings,
                         const char *text, Sink *sink) {
    double first, step;
    unsigned count;
    if (!read_range(text, &first, &step, &count))
        return unfold_value(axes, level, settings, text, sink);
    if (count == 0)
        return jm_fail(
            sink->error, NULL,
            "%s=%s: in FIRST..LAST or FIRST..LAST/STEP, LAST is above FIRST, "
            "and STEP, which is 1 if not given, fits 1 to %d times",
            axes->axis[level].name, text, RANGE_MAX);
    for (unsigned i = 0; i < count; i++) {
        char value[SETTING_TEXT_MAX];
        snprintf(value, sizeof value, "%.10g", first + i * step);
        if (!unfold_value(axes, level, settings, value, sink))
            return false;
    }
    return true;
}

/* Expands axis `level` and, for each of its values, the axes after it. */
static bool unfold(const Axes *axes, unsigned level, const Settings *settings,
                   Sink *sink) {
    if (level == axes->count && ++sink->points > POINTS_MAX)
        return jm_fail(sink->error, NULL, "more than %d points", POINTS_MAX);
    if (level == axes->count)
        return !sink->add ||
               sink->add(sink->context, settings, sink->runs, sink->error);
    const Axis *axis = &axes->axis[level];
    for (const char *entry = axis->values; entry;) {
        const char *comma = strchr(entry, ',');
        const size_t length = comma ? (size_t)(comma - entry) : strlen(entry);
        char text[SETTING_TEXT_MAX] = "";
        sink->at = entry;
        if (length >= sizeof text)
            return jm_fail(sink->error, NULL, "%s: a value is too long", axis->name);
        memcpy(text, entry, length);
        if (!unfold_entry(axes, level, settings, text, sink))
            return false;
        entry = comma ? comma + 1 : NULL;
    }
    return true;
}

/* ---- groups ---------------------------------------------------------------------- */

/* Returns the values of an axis; NULL if there is none of this name. */
static const char *values_of(const Axes *axes, const char *name) {
    const unsigned at = place_of(axes, name);
    return at < axes->count ? axes->axis[at].values : NULL;
}

/* Returns what accepts the settings of a group (settings_taker()). */
static const char *taker_of(const Axes *axes) {
    const char *model = values_of(axes, "model");
    return model ? model : values_of(axes, "program") ? SETTING_TAKER_PROGRAM : NULL;
}

/* Puts --set's settings into a group, except those that only points of another kind
 * accept, and words that the group does not set: they change other points. */
static bool put_sets(Axes *axes, const char *const *sets, unsigned count, Sink *sink) {
    const char *taker = taker_of(axes);
    for (unsigned i = 0; i < count; i++) {
        char name[SETTING_TEXT_MAX];
        const char *values = settings_split(sets[i], name);
        sink->at = sets[i];
        if (strcmp(name, "model") == 0 || strcmp(name, "program") == 0)
            return jm_fail(sink->error, NULL,
                           "--set %s: experiments say themselves what %s", name,
                           *name == 'm' ? "solves them" : "they run");
        if (*name && values && strcmp(name, "runs") != 0 && !settings_known(name))
            return settings_unknown(name, sink->error);
        const bool others = settings_known(name) && !settings_takes(taker, name);
        const bool absent = setting_word(name) && !values_of(axes, name);
        if (!others && !absent && !put_axis(axes, sets[i], sink))
            return false;
    }
    return true;
}

/* Removes the axis "runs", which is not a setting; 0 if there is none. */
static bool take_runs(Axes *axes, Sink *sink) {
    const char *text = values_of(axes, "runs");
    sink->runs = 0;
    if (!text)
        return true;
    char *end;
    sink->at = text;
    const long number = strtol(text, &end, 10);
    if (*end || number < 1 || number > RUNS_MAX)
        return jm_fail(sink->error, NULL, "runs=%s: expected 1 to %d", text, RUNS_MAX);
    sink->runs = (unsigned)number;
    const unsigned at = place_of(axes, "runs");
    axes->count--;
    memmove(&axes->axis[at], &axes->axis[at + 1],
            (axes->count - at) * sizeof axes->axis[0]);
    return true;
}

/* Makes an axis the first, if there is one of this name. */
static void put_first(Axes *axes, const char *name) {
    const unsigned at = place_of(axes, name);
    if (at == axes->count)
        return;
    const Axis first = axes->axis[at];
    memmove(&axes->axis[1], &axes->axis[0], at * sizeof first);
    axes->axis[0] = first;
}

/* Expands a group. Its model or program comes first, since that decides which other
 * settings there are. */
static bool unfold_group(Axes *axes, Sink *sink) {
    const Settings standard = settings_default();
    const char *model = values_of(axes, "model");
    put_first(axes, "program");
    put_first(axes, "model");
    if (!model)
        return unfold(axes, 0, &standard, sink);
    sink->at = model;
    if (strchr(model, ','))
        return jm_fail(sink->error, NULL, "model=%s: a group has one model", model);
    return unfold(axes, 0, &standard, sink);
}

bool sweep_unfold(const char *text, const char *const *sets, unsigned set_count,
                  SweepPoint *add, void *context, JmError *error) {
    char *copy = memory_checked(strdup(text));
    Sink sink = {.add = add, .context = context, .error = error};
    Axes common = {.count = 0};
    char *rest = NULL, *group = strtok_r(copy, ";", &rest);
    bool good = !group || put_group(&common, group, &sink);
    bool more = good;
    char *next = group ? strtok_r(NULL, ";", &rest) : NULL;
    while (more) {
        Axes axes = common;
        good = !next || put_group(&axes, next, &sink);
        good = good && put_sets(&axes, sets, set_count, &sink) &&
               take_runs(&axes, &sink) && unfold_group(&axes, &sink);
        next = next ? strtok_r(NULL, ";", &rest) : NULL;
        more = good && next;
    }
    if (!good && error && sink.at >= copy && sink.at <= copy + strlen(text))
        error->column = (int)(sink.at - copy) + 1;
    free(copy);
    return good;
}
