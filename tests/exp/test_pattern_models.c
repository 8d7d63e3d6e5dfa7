/* The models `pattern` and `saturation` on networks whose bound, latency and limit are
 * known. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/exp/made.h"

static bool give_up(void *context) {
    (void)context;
    return true;
}

/* Dally and Towles 2004, 3.3. A message of 12 flits goes as 13 on the machine's mesh,
 * and two of its header do not reach Z. */
Test(pattern_models, bounds_by_hand) {
    static const struct {
        const char *network;
        double bound;
    } rows[] = {
        {"topology=bi_torus mesh=8x1x1 pattern=tornado", 1 / 3.0 / 12},
        {"topology=bi_torus mesh=8x8x1 lanes=4 pattern=bitcomp", 1 / 2.0 / 12},
        {"topology=bi_torus mesh=8x8x1 lanes=4 escape=2 pattern=bitcomp", 1 / 2.0 / 12},
        {"topology=bi_torus mesh=4x4x4 pattern=neighbor", 1 / 1.0 / 12},
        {"topology=uni_torus mesh=8x1x1 pattern=neighbor", 1 / 7.0 / 12},
        {"topology=mesh mesh=8x8x1 pattern=transpose", 1 / 7.0 / 12},
        {"topology=mesh mesh=1x8x1 pattern=bitcomp", 1 / 4.0 / 12},
        {"topology=jmachine mesh=8x1x1 pattern=bitcomp header_flits=2", 1 / 8.0 / 12},
        {"topology=jmachine mesh=1x1x8 pattern=bitcomp", 1 / (8 * 11 / 13.0) / 13},
        {"topology=bi_torus mesh=4x4x1 pattern=hotspot f_hot=1 hot=5", 1 / 15.0 / 12},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *run = made_point("model=pattern cycles=1000", rows[i].network, 1);
        made_expect(run, "bound", rows[i].bound, rows[i].network);
        json_decref(run);
    }
}

/* A cycle for each wire, one for the last channel, one to arrive, and one for each flit
 * behind the first. */
Test(pattern_models, empty_networks) {
    json_t *run = made_solve("model=pattern mesh=8x8x1 pattern=neighbor rate=0.0001 "
                             "places=2 process=poisson cycles=50000",
                             1);
    cr_expect_float_eq(made_figure(run, "open_latency"), 2 + 2 + 11, 0.05);
    cr_expect_float_eq(made_figure(run, "accepted_rate"), 0.0001, 0.00001);
    cr_expect_geq(made_figure(run, "latency_p99"), 15);
    json_decref(run);
}

/* A source alone with its wire is a queue with a service of 12 cycles, whose mean wait
 * is 12 u / (2 (1 - u)): Pollaczek and Khinchine. It is 28, and the latency 42 instead
 * of 14, at u = 28 / 34. */
Test(pattern_models, sources_alone_saturate_as_queues) {
    json_t *run = made_solve("model=saturation mesh=8x1x1 pattern=neighbor places=4 "
                             "process=poisson cycles=400000",
                             1);
    cr_expect_float_eq(made_figure(run, "zero_load"), 14, 0.5);
    cr_expect_float_eq(made_figure(run, "saturation"), 28 / 34. / 12, 0.003);
    cr_expect_float_eq(made_figure(run, "bound"), 1 / 12., 1e-9);
    json_decref(run);
}

Test(pattern_models, what_does_not_fit_is_refused) {
    static const char *const rows[][2] = {
        {"topology=jmachine lanes=2", "option lanes"},
        {"topology=clos_3_1 mesh=2x2x2", "sizes"},
        {"mesh=3x3x1 pattern=bitcomp", "power of 2"},
        {"f_hot=0.1", "goes with pattern=hotspot"},
        {"rate=0.1", "sources give 1"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char sweep[80];
        snprintf(sweep, sizeof sweep, "model=pattern %s", rows[i][0]);
        made_refused(sweep, NULL, rows[i][1]);
    }
    made_refused("model=pattern", give_up, "");
    made_refused("model=saturation", give_up, "");
}
