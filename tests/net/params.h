/* Parameters for tests, drawn from all rows of net/params.def. */
#ifndef JM_TESTS_NET_PARAMS_H
#define JM_TESTS_NET_PARAMS_H

#include "emu/core/rng.h"
#include "net/net.h"

typedef struct {
    const char *name;
    uint32_t standard, minimum, maximum;
} ParamRow;

static const ParamRow param_rows[] = {
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    {#name, standard, minimum, maximum},
#include "net/params.def"
#undef NET_PARAM
};
enum { PARAM_ROWS = sizeof param_rows / sizeof param_rows[0] };

/* Any value of a row; every other time one of the least few, which of a wide range are
 * those that change most. */
static inline uint32_t draw_param(const ParamRow *row, JmRng *rng) {
    enum { FEW = 8 };
    const uint32_t range = row->maximum - row->minimum + 1;
    const bool few = jm_rng_below(rng, 2);
    return row->minimum + jm_rng_below(rng, few && range > FEW ? FEW : range);
}

static inline bool engine_takes(const char *engine, const NetParams *params) {
    Net *net = net_create_mesh_with(1, 1, 1, params, engine, NULL);
    net_destroy(net);
    return net != NULL;
}

/* Whether the plane engine minds both ends of a row's range. */
static inline bool plane_takes(const ParamRow *row) {
    NetParams least = net_params_default(), most = least;
    net_params_set(&least, row->name, row->minimum);
    net_params_set(&most, row->name, row->maximum);
    return engine_takes("plane", &least) && engine_takes("plane", &most);
}

/* Every parameter: as built one time in four, else any value; as built, too, where an
 * engine minds no other value. */
static inline NetParams draw_params(JmRng *rng) {
    NetParams params = net_params_default();
    for (unsigned i = 0; i < PARAM_ROWS; i++)
        if (jm_rng_below(rng, 4))
            net_params_set(&params, param_rows[i].name,
                           draw_param(&param_rows[i], rng));
    for (unsigned i = 0; i < PARAM_ROWS && !engine_takes("plane", &params); i++)
        if (!plane_takes(&param_rows[i]))
            net_params_set(&params, param_rows[i].name, param_rows[i].standard);
    return params;
}

#endif
