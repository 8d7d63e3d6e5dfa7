/* The plane engine against the graph engine: identical in every cycle, in what clients
 * see and in every flit, for each vector width, any parameters and any shape; and the
 * graph engine against the reference network. */
#include <criterion/criterion.h>
#include <string.h>

#include "params.h"
#include "twins.h"

static void expect_same(const TwinsPlan *plan) {
    char text[400];
    const char *difference = twins_run(plan, text, sizeof text);
    cr_assert_null(difference, "%s and %s, seed %llu: %s", plan->engines[0],
                   plan->engines[1] ? plan->engines[1] : "reference",
                   (unsigned long long)plan->seed, difference);
}

/* Shapes and parameters drawn from seeds. */
static void draw(uint64_t from, uint64_t count, unsigned largest, const char *engine) {
    for (uint64_t seed = from; seed < from + count; seed++) {
        TwinsPlan plan = twins_plan(seed, largest);
        plan.engines[1] = engine;
        expect_same(&plan);
    }
}

Test(twins, any_shape_and_parameters, .timeout = 600) {
    draw(1, 60, 60, "plane");
    draw(1000, 2, 1000, "plane");
}

/* Each width of vectors that this processor has, and plain words. */
Test(twins, every_width, .timeout = 600) {
    static const char *const engines[] = {"plane-plain", "plane-sse2", "plane-avx2",
                                          "plane-avx512"};
    const NetParams params = net_params_default();
    unsigned tried = 0;
    for (unsigned i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        JmError error;
        Net *net = net_create_mesh_with(2, 2, 2, &params, engines[i], &error);
        cr_assert(net || strstr(error.text, engines[i]), "%s", error.text);
        if (!net)
            continue;
        cr_assert_str_eq(net_engine_name(net), engines[i]);
        net_destroy(net);
        draw(2000, 6, 100, engines[i]);
        draw(3000, 1, 500, engines[i]);
        tried++;
    }
    cr_assert_geq(tried, 1);
}

static void saturate(unsigned x, unsigned y, unsigned z, unsigned cycles,
                     NetParams params) {
    TwinsPlan plan = twins_plan(x + 100 * y + 10000 * z, 1);
    plan.x = x;
    plan.y = y;
    plan.z = z;
    plan.params = params;
    plan.cycles = cycles;
    plan.image_every = cycles / 3;
    plan.open_chance = 900;
    plan.urgent_chance = 250;
    expect_same(&plan);
}

/* Shapes that shift planes in every way: within words, by words, and across them. */
Test(twins, saturated_shapes, .timeout = 600) {
    static const unsigned shapes[][3] = {
        {1, 1, 1},  {1, 1, 64}, {32, 1, 1}, {1, 32, 1},  {8, 8, 8},  {9, 7, 5},
        {5, 13, 3}, {4, 16, 4}, {31, 3, 2}, {32, 32, 2}, {16, 16, 3}};
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        saturate(shapes[i][0], shapes[i][1], shapes[i][2], 150, net_params_default());
}

Test(twins, every_capacity_and_arbitration, .timeout = 600) {
    NetParams params = net_params_default();
    for (unsigned choice = 0; choice < 4 * 8 * 4; choice++) {
        params.header_flits = choice % 4;
        params.channel_capacity = 1 + choice / 4 % 8;
        params.fair = choice / 32 % 2;
        params.enter_on_lost_wire = choice / 64;
        params.r_order = (choice / 4 + choice / 64) % 2;
        params.shared_wires = choice / 2 % 2;
        params.rts_priority = choice % 3;
        saturate(5, 4, 3, 60, params);
    }
}

/* More cycles than the counters of events hold. */
Test(twins, counters_are_read_out_in_time, .timeout = 600) {
    TwinsPlan plan = twins_plan(5, 1);
    plan.x = 2;
    plan.z = 2;
    plan.cycles = 70000;
    plan.image_every = 40000;
    plan.params = net_params_default();
    plan.open_chance = 300;
    expect_same(&plan);
}

/* The comparison can fail: different arbitration is noticed. */
Test(twins, another_arbitration_is_noticed) {
    TwinsPlan plan = twins_plan(7, 40);
    char text[400];
    plan.other_fair = true;
    plan.params = net_params_default();
    plan.x = 4, plan.y = 3, plan.z = 2;
    plan.open_chance = 900;
    cr_assert_not_null(twins_run(&plan, text, sizeof text));
}

/* ---- the reference --------------------------------------------------------------- */

/* Every combination of the parameters that affect how flits move, by number; all others
 * as drawn, in buffers small enough to fill. The reference has no virtual channels. */
enum { PARAM_CHOICES = 4 * 8 * 2 * 2 * 2 * 2 };

static NetParams choose_params(unsigned choice, JmRng *rng) {
    NetParams params = draw_params(rng, "graph");
    params.virtual_channels = 1;
    params.header_flits = choice % 4;
    params.channel_capacity = 1 + choice / 4 % 8;
    params.shared_wires = choice / 32 % 2;
    params.fair = choice / 64 % 2;
    params.enter_on_lost_wire = choice / 128 % 2;
    params.r_order = choice / 256 % 2;
    params.age = jm_rng_below(rng, 3);
    params.rts_priority = jm_rng_below(rng, 3);
    params.buffer_words = 4 + jm_rng_below(rng, 9);
    return params;
}

static void compare(const unsigned *shape, unsigned choice, unsigned cycles) {
    TwinsPlan plan = twins_plan(choice, 1);
    JmRng rng = jm_rng(choice);
    plan.x = shape[0];
    plan.y = shape[1];
    plan.z = shape[2];
    plan.engines[1] = NULL;
    plan.reference = true;
    plan.cycles = cycles;
    plan.image_every = 64;
    plan.params = choose_params(choice, &rng);
    expect_same(&plan);
}

Test(twins, graph_agrees_with_reference, .timeout = 600) {
    static const unsigned shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {7, 1, 1}, {1, 5, 1},
                                         {1, 1, 6}, {4, 3, 1}, {3, 5, 2}, {4, 4, 4}};
    enum { SMALL = 7, FEW = 11 }; /* no divisors of the choices of a parameter */
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice++)
        compare(shapes[choice % SMALL], choice, 200);
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice += FEW)
        compare(shapes[SMALL], choice, 150);
    compare(shapes[SMALL], 3 + 4 * 1 + 32, 3000);
}

/* One network, which must lose nothing. */
Test(twins, virtual_channels_drain, .timeout = 600) {
    for (unsigned i = 0; i < 24; i++) {
        TwinsPlan plan = twins_plan(i, 40);
        plan.engines[1] = NULL;
        plan.params.virtual_channels = 2 + i % 3;
        plan.params.fair = i / 3 % 2;
        plan.params.age = i / 6 % 3;
        plan.params.shared_wires = i / 12;
        plan.open_chance = 330;
        expect_same(&plan);
    }
}
