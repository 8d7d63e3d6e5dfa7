/* Unfolds the text of a sweep to points; sweep.h has the notation. */
#include "tools/exp/plan/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { AXES_MAX = 24 };

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

/* Where points go. */
typedef struct {
    SweepPoint *add;
    void *context;
    JmError *error;
} Sink;

/* Adds "NAME=VALUES" to the axes, or replaces the axis of that name in its place. */
static bool put_axis(Axes *axes, const char *text, JmError *error) {
    const char *equals = strchr(text, '=');
    Axis axis = {.values = equals ? equals + 1 : NULL};
    if (!equals || equals == text || !equals[1] ||
        (size_t)(equals - text) >= sizeof axis.name)
        return jm_fail(error, "jm exp", "'%s': expected NAME=VALUE or NAME=VALUE,VALUE",
                       text);
    memcpy(axis.name, text, (size_t)(equals - text));
    for (unsigned i = 0; i < axes->count; i++)
        if (strcmp(axes->axis[i].name, axis.name) == 0) {
            axes->axis[i] = axis;
            return true;
        }
    if (axes->count == AXES_MAX)
        return jm_fail(error, "jm exp", "more than %d settings", AXES_MAX);
    axes->axis[axes->count++] = axis;
    return true;
}

/* Adds the axes of a group; strtok_r cuts `group` into words. */
static bool put_group(Axes *axes, char *group, JmError *error) {
    char *rest = NULL;
    for (char *word = strtok_r(group, " ", &rest); word;
         word = strtok_r(NULL, " ", &rest))
        if (!put_axis(axes, word, error))
            return false;
    return true;
}

/* Unfolds axis `level` and, for each of its values, the axes behind it. */
static bool unfold(const Axes *axes, unsigned level, const Settings *settings,
                   const Sink *sink) {
    if (level == axes->count)
        return sink->add(sink->context, settings, sink->error);
    const Axis *axis = &axes->axis[level];
    for (const char *value = axis->values; value;) {
        const char *comma = strchr(value, ',');
        const size_t length = comma ? (size_t)(comma - value) : strlen(value);
        char text[SETTING_TEXT_MAX] = "";
        if (length >= sizeof text)
            return jm_fail(sink->error, "jm exp", "%s: a value is too long",
                           axis->name);
        memcpy(text, value, length);
        Settings next = *settings;
        if (!settings_set(&next, axis->name, text, sink->error) ||
            !unfold(axes, level + 1, &next, sink))
            return false;
        value = comma ? comma + 1 : NULL;
    }
    return true;
}

bool sweep_unfold(const char *text, const char *const *sets, unsigned set_count,
                  SweepPoint *add, void *context, JmError *error) {
    char *copy = strdup(text);
    if (!copy)
        return jm_fail(error, "jm exp", "no memory for a sweep");
    const Sink sink = {add, context, error};
    const Settings standard = settings_default();
    Axes common = {.count = 0};
    char *rest = NULL, *group = strtok_r(copy, ";", &rest);
    bool good = !group || put_group(&common, group, error);
    bool more = good;
    char *next = group ? strtok_r(NULL, ";", &rest) : NULL;
    while (more) {
        Axes axes = common;
        good = !next || put_group(&axes, next, error);
        for (unsigned i = 0; good && i < set_count; i++)
            good = put_axis(&axes, sets[i], error);
        good = good && unfold(&axes, 0, &standard, &sink);
        next = next ? strtok_r(NULL, ";", &rest) : NULL;
        more = good && next;
    }
    free(copy);
    return good;
}
