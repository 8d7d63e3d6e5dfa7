/* The closed forms of pipelined k-ary n-cubes (Scott and Goodman): wires, and optima
 * that the text states. All cells of the paper's tables: tests/exp/test_papers.sh. */
#include "net/model/pipelined/pipelined.h"
#include "rig.h"

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
