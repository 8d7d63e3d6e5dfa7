/* The table of workloads, and their specifications. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool net_workload_values(const NetWorkload *workload, const char *specification,
                         NetOptionValues *values, JmError *error) {
    const char *at = specification + strcspn(specification, ",=");
    const bool both = strcmp(workload->options[0].name, workload->name) == 0;
    if (*at == '=' && both)
        at = specification;
    else if (*at == '=')
        return jm_fail(error, NULL, "'%s': ',' or the end is expected at '%s'",
                       specification, at);
    else
        at = *at ? at + 1 : NULL;
    return net_options_read(workload->options, specification, at, values, error);
}

const NetWorkload *net_workload_read(const char *specification, NetOptionValues *values,
                                     JmError *error) {
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

const NetOption *net_workload_option(const NetWorkload *workload, const char *name) {
    return net_option_find(workload->options, name);
}

double net_workload_value(const NetWorkload *workload, const NetOptionValues *values,
                          const char *option) {
    return values->number[net_workload_option(workload, option) - workload->options];
}
