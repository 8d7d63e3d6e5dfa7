/* Random traffic under every parameter: against the reference network flit by flit, and
 * for many cycles with all invariants checked. */
#include <string.h>

#include "engines.h"
#include "params.h"
#include "traffic.h"

static const unsigned shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {7, 1, 1}, {1, 5, 1},
                                     {1, 1, 6}, {4, 3, 1}, {3, 5, 2}, {4, 4, 4}};

/* Every combination of the parameters that affect how flits move, by number; all others
 * as drawn, in buffers small enough to fill. */
enum { PARAM_CHOICES = 4 * 8 * 2 * 2 * 2 * 2 };

static NetParams choose_params(const char *engine, unsigned choice, JmRng *rng) {
    NetParams params = draw_params(rng);
    params.header_flits = choice % 4;
    params.channel_capacity = 1 + choice / 4 % 8;
    params.shared_wires = choice / 32 % 2;
    params.fair = choice / 64 % 2;
    params.enter_on_lost_wire = choice / 128 % 2;
    params.r_order = choice / 256 % 2;
    if (strcmp(engine, "graph") == 0)
        params.age = jm_rng_below(rng, 3);
    params.buffer_words = 4 + jm_rng_below(rng, 9);
    return params;
}

static void compare(const char *engine, unsigned shape, unsigned choice,
                    uint64_t cycles) {
    JmRng rng = jm_rng(jm_rng_mix(shape, choice));
    TrafficPlan plan =
        traffic_plan(shapes[shape][0], shapes[shape][1], shapes[shape][2]);
    plan.engine = engine;
    plan.with_reference = true;
    plan.seed = jm_rng_next(&rng);
    plan.params = choose_params(engine, choice, &rng);
    plan.open_chance = 5u << jm_rng_below(&rng, 8);
    plan.offer_chance = 100 + jm_rng_below(&rng, 900);
    plan.gate_chance = jm_rng_below(&rng, 2) * 300;
    plan.hot_chance = jm_rng_below(&rng, 2) * 300;
    plan.longest_words = 1 + jm_rng_below(&rng, 12);
    Traffic *traffic = traffic_create(&plan);
    traffic_run(traffic, cycles, 64);
    traffic_drain(traffic);
    traffic_destroy(traffic);
}

ENGINE_TEST(random, agrees_with_reference_small) {
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice++)
        for (unsigned shape = 0; shape < 6; shape++)
            compare(engine, shape, choice, 200);
}

ENGINE_TEST(random, agrees_with_reference_large) {
    enum { THIRD = 3 }; /* of the choices; each value of each parameter is in it */
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice += THIRD)
        compare(engine, 6 + choice / 3 % 2, choice, 150);
}

static void many_cycles(const char *engine, uint32_t fair) {
    TrafficPlan plan = traffic_plan(4, 4, 4);
    plan.engine = engine;
    plan.params.fair = fair;
    plan.gate_chance = 20;
    plan.open_chance = 20;
    Traffic *traffic = traffic_create(&plan);
    traffic_run(traffic, 100000, 97);
    traffic_drain(traffic);
    traffic_destroy(traffic);
}

ENGINE_TEST(random, many_cycles_unfair) {
    many_cycles(engine, 0);
}

ENGINE_TEST(random, many_cycles_fair) {
    many_cycles(engine, 1);
}

static uint64_t hash_of_run(uint64_t seed) {
    TrafficPlan plan = traffic_plan(5, 4, 3);
    plan.seed = seed;
    Traffic *traffic = traffic_create(&plan);
    traffic_run(traffic, 3000, 0);
    traffic_drain(traffic);
    const uint64_t hash = traffic_hash(traffic);
    traffic_destroy(traffic);
    return hash;
}

Test(random, same_seed_same_flits) {
    cr_assert_eq(hash_of_run(7), hash_of_run(7));
    cr_assert_neq(hash_of_run(7), hash_of_run(8));
}

ENGINE_TEST(random, large_mesh_drains) {
    TrafficPlan plan = traffic_plan(16, 4, 2);
    plan.engine = engine;
    plan.gate_chance = 200;
    Traffic *traffic = traffic_create(&plan);
    traffic_run(traffic, 5000, 100);
    traffic_drain(traffic);
    traffic_destroy(traffic);
    plan = traffic_plan(8, 8, 8);
    plan.engine = engine;
    traffic = traffic_create(&plan);
    traffic_run(traffic, 1000, 100);
    traffic_drain(traffic);
    traffic_destroy(traffic);
}
