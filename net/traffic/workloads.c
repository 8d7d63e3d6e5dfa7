/* The table of workloads, and their specifications. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "net/traffic/traffic.h"

static const NetWorkload *const rows[] = {
#define NET_WORKLOAD(name) &net_workload_##name,
#include "net/traffic/workloads.def"
#undef NET_WORKLOAD
};
enum { ROWS = sizeof rows / sizeof rows[0], NAME_MAX = 32, LIST_MAX = 300 };

const NetWorkload *net_workload_row(unsigned index) {
    return index < ROWS ? rows[index] : NULL;
}

/* The name at `*at`, up to ',', '=' or the end. */
static bool read_name(const char **at, char name[NAME_MAX]) {
    const size_t length = strcspn(*at, ",=");
    if (length == 0 || length >= NAME_MAX)
        return false;
    memcpy(name, *at, length);
    name[length] = 0;
    *at += length;
    return true;
}

static void add_to_list(char list[LIST_MAX], const char *item) {
    const size_t length = strlen(list);
    snprintf(list + length, LIST_MAX - length, "%s%s", length ? ", " : "", item);
}

static bool refuse(const char *text, const char *kind, const char *wanted,
                   JmSuggestion *near, const char *list, JmError *error) {
    return jm_fail(error, NULL, "'%s': there is no %s %s%s; there is %s", text, kind,
                   wanted, jm_suggest_text(near, "", ""), list);
}

static const NetWorkload *find_workload(const char *text, const char *name,
                                        JmError *error) {
    char list[LIST_MAX] = "";
    JmSuggestion near = jm_suggest_start(name);
    for (unsigned i = 0; i < ROWS; i++) {
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
        add_to_list(list, rows[i]->name);
        jm_suggest_consider(&near, rows[i]->name);
    }
    refuse(text, "workload", name, &near, list, error);
    return NULL;
}

static const NetWorkloadOption *find_option(const NetWorkload *workload,
                                            const char *text, const char *name,
                                            JmError *error) {
    char list[LIST_MAX] = "";
    JmSuggestion near = jm_suggest_start(name);
    for (const NetWorkloadOption *o = workload->options; o->name; o++) {
        if (strcmp(o->name, name) == 0)
            return o;
        add_to_list(list, o->name);
        jm_suggest_consider(&near, o->name);
    }
    refuse(text, "option", name, &near, list, error);
    return NULL;
}

/* A decimal number up to ',' or the end. */
static bool read_value(const char **at, double *value) {
    char *end;
    if (strspn(*at, "0123456789.") == 0)
        return false;
    *value = strtod(*at, &end);
    if (strspn(*at, "0123456789.eE+-") < (size_t)(end - *at) || !isfinite(*value) ||
        (*end != 0 && *end != ','))
        return false;
    *at = end;
    return true;
}

/* Reads an option and its value. `given` has a bit for each option already read. */
static bool read_option(const NetWorkload *workload, const char *text, const char **at,
                        double *values, uint32_t *given, JmError *error) {
    char name[NAME_MAX];
    double value;
    if (!read_name(at, name))
        return jm_fail(error, NULL, "'%s': the name of an option is expected", text);
    const NetWorkloadOption *option = find_option(workload, text, name, error);
    if (!option)
        return false;
    const uint32_t bit = UINT32_C(1) << (option - workload->options);
    if (*given & bit)
        return jm_fail(error, NULL, "'%s': %s is given twice", text, name);
    *given |= bit;
    if (**at != '=')
        return jm_fail(error, NULL, "'%s': '=' is expected behind %s", text, name);
    ++*at;
    if (!read_value(at, &value))
        return jm_fail(error, NULL, "'%s': a number is expected for %s", text, name);
    if (value < option->low || value > option->high)
        return jm_fail(error, NULL, "'%s': %s is %g, not %g to %g", text, name, value,
                       option->low, option->high);
    if (option->whole && value != floor(value))
        return jm_fail(error, NULL, "'%s': %s is %g, no whole number", text, name,
                       value);
    values[option - workload->options] = value;
    return true;
}

const NetWorkload *net_workload_read(const char *specification,
                                     double values[NET_WORKLOAD_OPTIONS],
                                     JmError *error) {
    const char *at = specification;
    uint32_t given = 0;
    char name[NAME_MAX];
    if (!read_name(&at, name)) {
        jm_fail(error, NULL, "'%s': the name of a workload is expected", specification);
        return NULL;
    }
    const NetWorkload *workload = find_workload(specification, name, error);
    if (!workload)
        return NULL;
    for (unsigned i = 0; workload->options[i].name; i++)
        values[i] = workload->options[i].standard;
    while (*at == ',') {
        at++;
        if (!read_option(workload, specification, &at, values, &given, error))
            return NULL;
    }
    if (*at == 0)
        return workload;
    jm_fail(error, NULL, "'%s': ',' or the end is expected at '%s'", specification, at);
    return NULL;
}

double net_workload_value(const NetWorkload *workload, const double *values,
                          const char *option) {
    unsigned i = 0;
    while (strcmp(workload->options[i].name, option) != 0)
        i++;
    return values[i];
}
