/* Named parameters of the network: the rows of params.def. */
#include <string.h>

#include "emu/core/suggest.h"
#include "net/net.h"

typedef struct {
    const char *name;
    size_t offset;
    uint32_t standard, minimum, maximum;
} Parameter;

static const Parameter parameters[] = {
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    {#name, offsetof(NetParams, name), standard, minimum, maximum},
#include "net/params.def"
#undef NET_PARAM
};

NetParams net_params_default(void) {
    return (NetParams){
#define NET_PARAM(name, standard, minimum, maximum, text, source) .name = (standard),
#include "net/params.def"
#undef NET_PARAM
    };
}

bool net_params_set(NetParams *params, const char *name, uint64_t value,
                    JmError *error) {
    JmSuggestion near = jm_suggest_start(name);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const Parameter *parameter = &parameters[i];
        jm_suggest_consider(&near, parameter->name);
        if (strcmp(parameter->name, name) != 0)
            continue;
        if (value < parameter->minimum || value > parameter->maximum)
            return jm_fail(error, NULL, "expected a whole number from %u to %u",
                           parameter->minimum, parameter->maximum);
        memcpy((char *)params + parameter->offset, &(uint32_t){(uint32_t)value},
               sizeof(uint32_t));
        return true;
    }
    return jm_fail(error, NULL, "no such parameter%s", jm_suggest_text(&near, "", ""));
}

bool net_params_check(const NetParams *params, JmError *error) {
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
        const Parameter *parameter = &parameters[i];
        uint32_t value;
        memcpy(&value, (const char *)params + parameter->offset, sizeof value);
        if (value < parameter->minimum || value > parameter->maximum)
            return jm_fail(error, NULL, "network parameter %s is %u, not %u to %u",
                           parameter->name, value, parameter->minimum,
                           parameter->maximum);
    }
    return true;
}
