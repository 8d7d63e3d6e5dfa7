/* Points on tori that models solve: their settings and what the record holds. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/exp/made.h"
#include "tools/exp/measure/places.h"

/* The figures of one point. */
static double solved(const char *sweep, const char *name) {
    json_t *record = made_solve(sweep, 1);
    cr_expect_str_eq(json_string_value(json_object_get(record, "stop")), "solved");
    const double value = made_figure(record, name);
    json_decref(record);
    return value;
}

static void near(double got, double wanted, double margin, const char *what) {
    cr_expect(fabs(got - wanted) <= margin, "%s: %g instead of %g", what, got, wanted);
}

Test(torus_models, a_map_of_shared_memory) {
    json_t *record = made_solve("model=shared k=4 n_out=4 tau=20", 1);
    const json_t *list = json_object_get(record, "by_processor");
    double sum = 0;
    cr_assert_eq(json_array_size(list), 16);
    for (size_t i = 0; i < 16; i++)
        sum += json_number_value(json_array_get(list, i));
    near(sum / 16, made_figure(record, "processor_efficiency"), 1e-9, "the mean");
    json_decref(record);
}

/* The printed maps: what is off with all efficiencies at 80, by hand from the cells. */
Test(torus_models, maps_beside_the_printed_ones) {
    Campaign one_way =
        made_campaign("model=shared topology=uni_torus n_out=4 tau=50", 1);
    Campaign two_ways = made_campaign("model=shared n_out=4 tau=25", 1);
    Campaign elsewhere = made_campaign("model=shared n_out=4 tau=50", 1);
    Campaign *const all[] = {&one_way, &two_ways, &elsewhere};
    json_t *list = json_array();
    for (unsigned i = 0; i < 64; i++)
        json_array_append_new(list, json_real(80));
    for (unsigned i = 0; i < 3; i++)
        made_set(all[i]->runs[0], "by_processor", json_incref(list));
    near(efficiency_map_off(one_way.runs[0]), 10.339, 0.01, "table V-A");
    near(efficiency_map_off(two_ways.runs[0]), 33.192, 0.01, "table V-B");
    cr_expect(isnan(efficiency_map_off(elsewhere.runs[0])));
    made_set(one_way.runs[0], "by_processor", json_array());
    cr_expect(isnan(efficiency_map_off(one_way.runs[0])));
    json_decref(list);
    for (unsigned i = 0; i < 3; i++)
        campaign_close(all[i]);
}

/* Table 1 of Quaglia and others, and readings of it. */
Test(torus_models, adaptive_routing) {
    near(solved("model=adaptive k=8 rate=0.006", "mean_latency"), 16.72, 0.1,
         "table 1");
    near(solved("model=adaptive k=8 rate=0.015 reading=product", "mean_latency"),
         20.14693955, 1e-6, "product");
    near(solved("model=adaptive k=8 rate=0.015 reading=flow", "mean_latency"),
         19.23251066, 1e-6, "flow");
    near(solved("model=adaptive k=8 rate=0.015 reading=printed", "mean_latency"),
         18.34538196, 1e-6, "as printed");
    near(solved("model=adaptive k=8 rate=1e-9", "blocking_per_hop"), 0, 1e-4,
         "an empty network");
}

/* Dimension order: 8x8 has 4.0635 wires between two nodes on the mean. */
Test(torus_models, dimension_order) {
    near(solved("model=ordered k=8 rate=1e-9", "mean_latency"), 4.0635 + 11, 1e-3,
         "an empty network");
    near(solved("model=ordered k=8 rate=1e-9 length=20", "mean_latency"), 4.0635 + 19,
         1e-3, "long messages");
    const char *point = "model=ordered k=8 rate=0.005";
    const double more = solved(point, "latency_more");
    near(solved(point, "mean_latency"), 4.0635 + 11 + more, 1e-3, "what is more");
    near(solved(point, "blocking_per_hop"), more / 4.0635, 1e-4, "a hop");
    cr_expect_gt(more, solved("model=adaptive k=8 rate=0.005", "latency_more"));
}

Test(torus_models, no_figures_without_a_solution) {
    json_t *record = made_solve("model=adaptive k=16 rate=0.05", 1);
    cr_expect_str_eq(json_string_value(json_object_get(record, "stop")), "saturated");
    cr_expect(json_is_null(json_object_get(record, "mean_latency")));
    cr_expect(json_is_null(json_object_get(record, "blocking_per_hop")));
    json_decref(record);
}

/* Clusters of four nodes have one router, and 4 x 4 clusters are joined by 24 wires.
 * Clusters of 16 have four routers below and four on top, with a channel from each to
 * each; each on top is in its own layer, of 2 x 2 clusters joined by four wires. */
Test(torus_models, a_mesh_of_clos_is_counted) {
    static const struct {
        const char *sweep;
        double routers, layers, mesh, up;
    } wanted[] = {
        {"model=counted clos=clos_3_2 clos_nodes=64", 16, 1, 24, 0},
        {"model=counted clos=clos_3_1 clos_nodes=64", 32, 4, 16, 64},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        json_t *record = made_solve(wanted[i].sweep, 1);
        near(made_figure(record, "counted_nodes"), 64, 0, wanted[i].sweep);
        near(made_figure(record, "counted_routers"), wanted[i].routers, 0, "routers");
        near(made_figure(record, "counted_layers"), wanted[i].layers, 0, "layers");
        near(made_figure(record, "mesh_channels"), wanted[i].mesh, 0, "the mesh");
        near(made_figure(record, "up_channels"), wanted[i].up, 0, "upwards");
        json_decref(record);
    }
}

/* Counts over randomly drawn layers depend only on the seed. */
Test(torus_models, layers_are_drawn_by_the_seed) {
    static const char sweep[] =
        "model=counted clos=clos_3_1 clos_nodes=64 layer=Random";
    json_t *one = made_solve(sweep, 1), *again = made_solve(sweep, 1),
           *other = made_solve(sweep, 2);
    cr_expect(json_equal(one, again));
    cr_expect_neq(made_figure(one, "run_cycles"), made_figure(other, "run_cycles"));
    json_decref(one);
    json_decref(again);
    json_decref(other);
}
