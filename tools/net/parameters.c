/* The option --param of jm net run, jm net sweep and jm net check. */
#include <string.h>

#include "tools/host/numbers.h"
#include "tools/net/net.h"

/* Sets one NAME=VALUE, the first `length` characters of `text`. */
static bool set_parameter(NetParams *params, const char *text, size_t length,
                          const char *command, JmError *error) {
    char name[64], shown[sizeof name];
    JmError why;
    uint64_t number;
    if (length >= sizeof name)
        return jm_fail(error, command, "--param: '%.40s...' is too long", text);
    memcpy(name, text, length);
    name[length] = 0;
    memcpy(shown, name, sizeof shown);
    char *value = strchr(name, '=');
    if (!value || value == name || !value[1])
        return jm_fail(error, command, "--param %s: expected NAME=VALUE",
                       *name ? name : "''");
    *value++ = 0;
    if (!number_parse(value, 0, UINT32_MAX, &number))
        number = UINT64_MAX; /* no parameter has it */
    return net_params_set(params, name, number, &why) ||
           jm_fail(error, command, "--param %s: %s", shown, why.text);
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
