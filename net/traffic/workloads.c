/* The table of workloads, and their specifications. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/graph/names.h"
#include "net/traffic/traffic.h"

static const NetWorkload *const rows[] = {
#define NET_WORKLOAD(name) &net_workload_##name,
#include "net/traffic/workloads.def"
#undef NET_WORKLOAD
};
enum { ROWS = sizeof rows / sizeof rows[0], NAME_MAX = 32 };

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

static const NetWorkload *find_workload(const char *text, const char *name,
                                        JmError *error) {
    const char *names[ROWS];
    for (unsigned i = 0; i < ROWS; i++)
        names[i] = rows[i]->name;
    const int place = net_name_find(text, "workload", name, names, names, ROWS, error);
    return place < 0 ? NULL : rows[place];
}

static const NetWorkloadOption *find_option(const NetWorkload *workload,
                                            const char *text, const char *name,
                                            JmError *error) {
    const char *names[NET_WORKLOAD_OPTIONS];
    unsigned count = 0;
    for (; workload->options[count].name; count++)
        names[count] = workload->options[count].name;
    const int place = net_name_find(text, "option", name, names, names, count, error);
    return place < 0 ? NULL : &workload->options[place];
}

/* Whether a value ends at `at`. */
static bool ends_at(const char *at) {
    return *at == 0 || *at == ',';
}

/* A decimal number up to ',' or the end. */
static bool parse_number(const char *at, double *value) {
    char *end;
    if (strspn(at, "0123456789.") == 0)
        return false;
    *value = strtod(at, &end);
    return strspn(at, "0123456789.eE+-") >= (size_t)(end - at) && isfinite(*value) &&
           ends_at(end);
}

static bool read_number(const NetWorkloadOption *option, const char *text,
                        const char *at, double *value, JmError *error) {
    const char *name = option->name;
    if (!parse_number(at, value))
        return jm_fail(error, NULL, "'%s': a number is expected for %s", text, name);
    if (*value < option->low || *value > option->high)
        return jm_fail(error, NULL, "'%s': %s is %.10g, not %.10g to %.10g", text, name,
                       *value, option->low, option->high);
    return option->kind != NET_OPTION_WHOLE || *value == floor(*value) ||
           jm_fail(error, NULL, "'%s': %s is %.10g, no whole number", text, name,
                   *value);
}

static bool read_word(const NetWorkloadOption *option, const char *text, const char *at,
                      double *value, JmError *error) {
    char word[NAME_MAX];
    unsigned count = 0;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, ","), at);
    while (option->words[count])
        count++;
    *value = net_name_find(text, option->name, word, option->words, option->words,
                           count, error);
    return *value >= 0;
}

static bool read_value(const NetWorkloadOption *option, const char *text,
                       const char *at, double *value, JmError *error) {
    if (option->kind == NET_OPTION_WORD)
        return read_word(option, text, at, value, error);
    return option->kind == NET_OPTION_TEXT ||
           read_number(option, text, at, value, error);
}

/* Reads an option and its value. */
static bool read_option(const NetWorkload *workload, const char *text, const char **at,
                        NetWorkloadValues *values, JmError *error) {
    char name[NAME_MAX];
    if (!read_name(at, name))
        return jm_fail(error, NULL, "'%s': the name of an option is expected", text);
    const NetWorkloadOption *option = find_option(workload, text, name, error);
    if (!option)
        return false;
    const ptrdiff_t place = option - workload->options;
    if (values->text[place])
        return jm_fail(error, NULL, "'%s': %s is given twice", text, name);
    if (**at != '=')
        return jm_fail(error, NULL, "'%s': '=' is expected behind %s", text, name);
    ++*at;
    values->text[place] = *at;
    if (!read_value(option, text, *at, &values->number[place], error))
        return false;
    *at += strcspn(*at, ",");
    return true;
}

bool net_workload_values(const NetWorkload *workload, const char *specification,
                         NetWorkloadValues *values, JmError *error) {
    const char *at = specification + strcspn(specification, ",=");
    *values = (NetWorkloadValues){.number = {0}};
    for (unsigned i = 0; workload->options[i].name; i++)
        values->number[i] = workload->options[i].standard;
    bool more = *at == ',';
    at += more;
    if (*at == '=' && strcmp(workload->options[0].name, workload->name) == 0) {
        at = specification;
        more = true;
    }
    while (more) {
        if (!read_option(workload, specification, &at, values, error))
            return false;
        more = *at == ',';
        at += more;
    }
    return *at == 0 || jm_fail(error, NULL, "'%s': ',' or the end is expected at '%s'",
                               specification, at);
}

const NetWorkload *net_workload_read(const char *specification,
                                     NetWorkloadValues *values, JmError *error) {
    const char *at = specification;
    char name[NAME_MAX];
    if (!read_name(&at, name)) {
        jm_fail(error, NULL, "'%s': the name of a workload is expected", specification);
        return NULL;
    }
    const NetWorkload *workload = find_workload(specification, name, error);
    return workload && net_workload_values(workload, specification, values, error)
               ? workload
               : NULL;
}

const NetWorkloadOption *net_workload_option(const NetWorkload *workload,
                                             const char *name) {
    const NetWorkloadOption *option = workload->options;
    while (option->name && strcmp(option->name, name) != 0)
        option++;
    return option->name ? option : NULL;
}

double net_workload_value(const NetWorkload *workload, const NetWorkloadValues *values,
                          const char *option) {
    return values->number[net_workload_option(workload, option) - workload->options];
}
