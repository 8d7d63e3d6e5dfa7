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

/* A random value of a row; every other time one of the smallest few, where a wide range
 * matters most. */
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

/* Whether an engine runs with this value of a row and defaults otherwise. */
static inline bool takes_value(const char *engine, const ParamRow *row,
                               uint32_t value) {
    NetParams params = net_params_default();
    net_params_set(&params, row->name, value, NULL);
    return engine_takes(engine, &params);
}

/* Draws every parameter: its default one time in four or if the engine does not run
 * with the drawn value, otherwise a random value. */
static inline NetParams draw_params(JmRng *rng, const char *engine) {
    NetParams params = net_params_default();
    for (unsigned i = 0; i < PARAM_ROWS; i++) {
        const ParamRow *row = &param_rows[i];
        if (!jm_rng_below(rng, 4))
            continue;
        const uint32_t value = draw_param(row, rng);
        if (takes_value(engine, row, value))
            net_params_set(&params, row->name, value, NULL);
    }
    return params;
}

#endif
