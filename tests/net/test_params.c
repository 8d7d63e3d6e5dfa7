/* Every row of net/params.def: every engine obeys it. */
#include <string.h>

#include "params.h"
#include "rig.h"
#include "ring.h"

static void set(NetParams *params, unsigned row, uint32_t value) {
    cr_assert(net_params_set(params, param_rows[row].name, value, NULL));
}

/* Returns a network for a test of an engine; NULL if it refuses the parameters. */
static Net *network(const char *engine, const char *shape, const NetParams *params) {
    if (strcmp(shape, "ring") == 0)
        return net_create_on(ring_create(16), params, engine, NULL);
    return net_create(shape, params, engine, NULL);
}

/* The output of a network in which all send as much as they can, at both priorities:
 * the cycle, node and message of each word. */
static uint64_t history(const char *engine, const char *shape,
                        const NetParams *params) {
    enum { CYCLES = 400, WORDS = 9, NODES = 36 };
    Net *net = network(engine, shape, params);
    if (!net)
        return 0; /* refused, which is not ignored */
    JmRng rng = jm_rng(1);
    unsigned left[NODES][2] = {{0}};
    const unsigned nodes = net_node_count(net);
    cr_assert_leq(nodes, NODES);
    uint64_t hash = 0;
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned end = 0; end < 2 * nodes; end++) {
            unsigned *words = &left[end / 2][end % 2];
            if (net_room(net, end / 2, end % 2) == 0 || jm_rng_below(&rng, 2))
                continue;
            if (*words > 0) {
                net_offer(net, end / 2, end % 2, 1, *words == 1);
                --*words;
            } else if (end % 2 == 0 || jm_rng_below(&rng, 8) == 0) {
                net_open(net, end / 2, end % 2, jm_rng_below(&rng, nodes));
                *words = 1 + jm_rng_below(&rng, WORDS);
            }
        }
        net_step(net);
        size_t count;
        const NetDelivery *out = net_deliveries(net, &count);
        for (size_t i = 0; i < count; i++)
            hash = jm_rng_mix(hash ^ cycle, (uint64_t)out[i].node << 32 | out[i].tail);
    }
    net_destroy(net);
    return hash;
}

static bool changes(const char *engine, const char *shape, NetParams params,
                    unsigned row) {
    const uint64_t before = history(engine, shape, &params);
    const ParamRow *r = &param_rows[row];
    const uint32_t values[] = {r->minimum, r->minimum + 1, r->maximum};
    for (unsigned i = 0; i < 3; i++) {
        set(&params, row, values[i]);
        if (history(engine, shape, &params) != before)
            return true;
    }
    return false;
}

/* Whether a parameter matters by itself, or with one other changed. `standard` are
 * parameters with which the engine runs the shape. */
static bool matters(const char *engine, const char *shape, const NetParams *standard,
                    unsigned row) {
    if (changes(engine, shape, *standard, row))
        return true;
    for (unsigned other = 0; other < PARAM_ROWS; other++) {
        const ParamRow *o = &param_rows[other];
        NetParams params = *standard;
        set(&params, other, o->minimum + (o->standard == o->minimum));
        if (other != row && changes(engine, shape, params, row))
            return true;
    }
    return false;
}

/* Whether builders obey a parameter, not engines: test_circles.c. */
static bool is_of_builders(unsigned row) {
    return strcmp(param_rows[row].name, "circles") == 0;
}

ENGINE_TEST(params, no_parameter_is_ignored) {
    const NetParams standard = net_params_default();
    for (unsigned row = 0; row < PARAM_ROWS; row++)
        cr_assert(is_of_builders(row) || matters(engine, "mesh=4x3x3", &standard, row),
                  "%s: %s changes nothing", engine, param_rows[row].name);
}

/* No single shape uses all parameters: heads have choices only on the one torus, and
 * only the ring leaves the capacity of a channel to a parameter. */
Test(params, no_parameter_is_ignored_flow, .timeout = 600) {
    static const char *const shapes[] = {"torus=4x4,lanes=3,escape=2,places=2",
                                         "torus=4x4,lanes=2", "ring"};
    NetParams standard = net_params_default();
    cr_assert(net_specification_params(shapes[0], &standard, NULL));
    for (unsigned row = 0; row < PARAM_ROWS; row++) {
        bool any = false;
        for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0] && !any; i++) {
            cr_assert_neq(history("flow", shapes[i], &standard), 0, "%s", shapes[i]);
            any = matters("flow", shapes[i], &standard, row);
        }
        cr_assert(any || is_of_builders(row), "flow: %s changes nothing",
                  param_rows[row].name);
    }
}
