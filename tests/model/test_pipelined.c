/* The closed forms of pipelined k-ary n-cubes against all printed cells of Scott and
 * Goodman's figures 5, 7 and 9, and the optima that the text states. */
#include <stdio.h>
#include <string.h>

#include "net/model/pipelined/pipelined.h"
#include "numbers.h"

/* ---- printed cells --------------------------------------------------------------- */

typedef struct {
    const char *id, *table, *params, *quantity;
    double value, half_digit;
} Printed;

static const Printed printed[] = {
#define PRINTED(...) {__VA_ARGS__},
#include "tools/exp/measure/printed_scott.def"
#undef PRINTED
};
enum { CELLS = sizeof printed / sizeof printed[0] };

static PipelinedConstraint constraint_named(const char *name) {
    static const char *const names[] = {"link_width", "node_size", "bisection_width"};
    unsigned i = 0;
    while (i < 3 && strcmp(names[i], name) != 0)
        i++;
    cr_assert_lt(i, 3, "%s", name);
    return (PipelinedConstraint)i;
}

/* The cube that the params of a cell name. */
static PipelinedCube cube_of(const Printed *cell, unsigned *radix) {
    char network[32], constraint_name[32];
    double nodes;
    unsigned n;
    const int fields =
        sscanf(cell->params, "network=%31[^;];N=%lf;constraint=%31[^;];n=%u;k=%u",
               network, &nodes, constraint_name, &n, radix);
    cr_assert_eq(fields, 5, "%s", cell->params);
    const PipelinedConstraint constraint = constraint_named(constraint_name);
    const double budget = net_pipelined_budget(constraint, nodes);
    return (PipelinedCube){
        .dimensions = n,
        .radix = net_pipelined_radix(nodes, n),
        .nodes = nodes,
        .width = net_pipelined_width(constraint, budget, nodes, n, *radix),
        .ratio = PIPELINED_RATIO,
        .data_share = PIPELINED_DATA_SHARE,
        .synchronous = strcmp(network, "synchronous") == 0};
}

static double quantity_of(const PipelinedFigures *f, const char *name) {
    const struct {
        const char *name;
        double value;
    } list[] = {{"link_width", f->width},
                {"wires_per_node", f->node_wires},
                {"wires_across_bisection", f->bisection_wires},
                {"decode_delay", f->decode},
                {"max_throughput", f->throughput},
                {"wire_delay_max", f->wire_longest},
                {"wire_delay_actual", f->wire_mean},
                {"roundtrip_latency_max_wire", f->round_trip_longest},
                {"roundtrip_latency_actual_wire", f->round_trip_mean},
                {"cycle_time_increase", f->cycle},
                {"roundtrip_latency_synchronous", f->round_trip_synchronous}};
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        if (strcmp(list[i].name, name) == 0)
            return list[i].value;
    cr_assert_fail("no quantity %s", name);
    return 0;
}

Test(pipelined, every_printed_cell_within_its_digits) {
    cr_assert_eq(CELLS, 402);
    for (unsigned i = 0; i < CELLS; i++) {
        unsigned radix;
        const PipelinedCube cube = cube_of(&printed[i], &radix);
        PipelinedFigures figures;
        JmError error;
        cr_assert(net_pipelined_check(&cube, &error), "%s", error.text);
        cr_assert_eq(cube.radix, radix);
        net_pipelined_figures(&cube, &figures);
        const double value = quantity_of(&figures, printed[i].quantity);
        cr_expect(fabs(value - printed[i].value) <= printed[i].half_digit * 1.0001,
                  "%s: %s is %.8g, not %g", printed[i].id, printed[i].quantity, value,
                  printed[i].value);
    }
}

/* Where the paper's text and tables differ: the share printed, and the wires
 * printed. */
Test(pipelined, other_readings_do_not_give_the_tables) {
    PipelinedCube cube = {.dimensions = 12,
                          .radix = 2,
                          .nodes = 4096,
                          .width = 32,
                          .ratio = 2,
                          .data_share = 0.3};
    NEAR(net_pipelined_capacity(&cube), 52.148, 1e-5); /* printed: 52.706 */
    PipelinedFigures figures;
    cube.lengths = PIPELINED_LINEAR;
    net_pipelined_figures(&cube, &figures);
    NEAR(figures.wire_mean, 1.25, 1e-9); /* 3, 2, 1, 1 over 2; printed: 2.00 */
}

Test(pipelined, a_width_may_be_less_than_a_bit) {
    /* 16384 wires across the bisection of 2^20 nodes do not give a hypercube a bit. */
    cr_expect_eq(net_pipelined_width(PIPELINED_BISECTION_WIDTH, 16384, 0x1p20, 20, 2),
                 0);
}

/* ---- wires (2.2.1) --------------------------------------------------------------- */

/* Delays of all numbers of dimensions: three wires for each whole logical dimension of
 * a physical one, the longest first, then those left over, of length 1 and 2. */
Test(pipelined, wires_of_every_number_of_dimensions) {
    static const unsigned radices[] = {2, 3, 16, 102};
    static const double ratios[] = {0.25, 1, 2, 7.5};
    for (unsigned i = 0; i < 2 * 4 * 4 * PIPELINED_MAX_DIMENSIONS; i++) {
        const PipelinedCube cube = {.dimensions = 1 + i / 32,
                                    .radix = radices[i % 4],
                                    .nodes = 64,
                                    .width = 32,
                                    .ratio = ratios[i / 4 % 4],
                                    .lengths = (PipelinedLengths)(i / 16 % 2)};
        const unsigned n = cube.dimensions;
        double length[PIPELINED_MAX_DIMENSIONS], most = 1;
        unsigned count = 0, delays[PIPELINED_MAX_DIMENSIONS];
        PipelinedFigures figures;
        for (unsigned j = 1; n > 3 && j <= n / 3; j++)
            for (unsigned copy = 0; copy < 3; copy++)
                length[count++] = cube.lengths == PIPELINED_LINEAR
                                      ? fmax(n / 3.0 - j, 1)
                                      : pow(cube.radix, n / 3.0 - j);
        for (unsigned left = 1; count < n; left++)
            length[count++] = n <= 3 ? 1 : left;
        net_pipelined_wires(&cube, delays);
        for (unsigned d = 0; d < n; d++)
            cr_expect_eq(delays[d], fmin(ceil(length[d] / cube.ratio - 1e-9), 1e9),
                         "%u of %u, radix %u, ratio %g: %u", d, n, cube.radix,
                         cube.ratio, delays[d]);
        if (n > 3)
            most = fmax(1, pow(cube.radix, n / 3.0 - 1));
        net_pipelined_figures(&cube, &figures);
        cr_expect_eq(figures.wire_longest, fmin(ceil(most / cube.ratio - 1e-9), 1e9));
    }
}

/* ---- optima (2.3, 4.1, 4.2) ------------------------------------------------------ */

Test(pipelined, long_messages_want_fewer_dimensions) {
    PipelinedContinuum continuum = {.variant = PIPELINED_MEAN_WIRE,
                                    .constraint = PIPELINED_NODE_SIZE,
                                    .nodes = 4096,
                                    .ratio = 2,
                                    .bits = {64}};
    NEAR(net_pipelined_optimum(&continuum), 6.0, 0.02);
    continuum.bits[0] = 1024;
    NEAR(net_pipelined_optimum(&continuum), 3.3, 0.02);
}

/* In up to three dimensions all wires have the length 1. */
Test(pipelined, wires_of_few_dimensions_are_short) {
    for (unsigned n = 1; n <= 4; n++) {
        PipelinedContinuum continuum = {.variant = PIPELINED_LONGEST_WIRE,
                                        .constraint = PIPELINED_LINK_WIDTH,
                                        .nodes = 4096,
                                        .ratio = 2,
                                        .bits = {64}};
        const double longest = net_pipelined_continuous(&continuum, n);
        continuum.variant = PIPELINED_MEAN_WIRE;
        const double mean = net_pipelined_continuous(&continuum, n);
        if (n <= 3)
            NEAR(longest, mean, 1e-12);
        else
            cr_expect_gt(longest, mean);
    }
}

/* At whole n and k with nothing to round both forms agree. */
Test(pipelined, continuous_and_whole_forms_meet) {
    const PipelinedCube half = {.dimensions = 4,
                                .radix = 8,
                                .nodes = 4096,
                                .width = 24,
                                .ratio = 2,
                                .data_share = PIPELINED_DATA_SHARE};
    const PipelinedContinuum continuum = {.variant = PIPELINED_UNIT_DELAY,
                                          .constraint = PIPELINED_NODE_SIZE,
                                          .nodes = 4096,
                                          .ratio = 2,
                                          .bits = {960}};
    const double decode = 7.0 / 8 * 4 * 4 * (1 - 0.5); /* rounded up from a half */
    NEAR(net_pipelined_latency(&half, 1, 960),
         net_pipelined_continuous(&continuum, 4) + decode, 1e-12);
}
