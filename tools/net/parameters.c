/* The option --param of jm net run and jm net sweep. */
#include <stdlib.h>
#include <string.h>

#include "emu/core/suggest.h"
#include "tools/net/net.h"

/* A parameter of the network, and its range. */
typedef struct {
    const char *name;
    uint32_t minimum, maximum;
} ParameterRow;

/* The parameter of that name; NULL, with the nearest one in the error, if there is
 * none. */
static const ParameterRow *find_parameter(const char *name, const char *command,
                                          JmError *error) {
    static const ParameterRow rows[] = {
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    {#name, minimum, maximum},
#include "net/params.def"
#undef NET_PARAM
    };
    JmSuggestion near = jm_suggest_start(name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
        jm_suggest_consider(&near, rows[i].name);
    }
    jm_fail(error, command, "--param: there is no parameter %s%s", name,
            jm_suggest_text(&near, "", ""));
    return NULL;
}

/* Sets one NAME=VALUE, the first `length` characters of `text`. */
static bool set_parameter(NetParams *params, const char *text, size_t length,
                          const char *command, JmError *error) {
    char name[64], shown[sizeof name], *end;
    if (length >= sizeof name)
        return jm_fail(error, command, "--param: '%.40s...' is too long", text);
    memcpy(name, text, length);
    name[length] = 0;
    memcpy(shown, name, sizeof shown);
    char *value = strchr(name, '=');
    if (!value || value == name || !value[1])
        return jm_fail(error, command, "--param %s: NAME=VALUE is expected",
                       *name ? name : "''");
    *value++ = 0;
    const unsigned long number = strtoul(value, &end, 10);
    const ParameterRow *row = find_parameter(name, command, error);
    if (!row)
        return false;
    return (*value >= '0' && *value <= '9' && !*end && number <= UINT32_MAX &&
            net_params_set(params, name, (uint32_t)number) == 0) ||
           jm_fail(error, command, "--param %s: it takes a whole number from %u to %u",
                   shown, row->minimum, row->maximum);
}

bool net_parameters_set(NetLoad *load, const char *text, const char *command,
                        JmError *error) {
    if (!net_specification_params(load->topology, &load->params, error))
        return false;
    for (const char *at = text; at; at = *at ? at + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        if (!set_parameter(&load->params, at, length, command, error))
            return false;
        at += length;
    }
    return true;
}
