/* The model of adaptive routing in a torus (Quaglia and others 2002) against an
 * independent program for the same equations. The paper's tables:
 * tests/exp/test_papers.sh. */
#include "net/model/adaptive/adaptive.h"
#include "rig.h"

static AdaptiveResult adaptive(AdaptiveProblem problem) {
    AdaptiveResult result;
    JmError error;
    cr_assert(net_adaptive_solve(&problem, &result, &error), "%s", error.text);
    return result;
}

/* Latencies by an independent program: as here, with each of the printed slips, and
 * with the other choices that the paper leaves open. */
Test(adaptive, readings_of_the_equations) {
    static const struct {
        AdaptiveProblem problem;
        double latency[2]; /* 8x8 at 0.015, 32x32 at 0.002 */
    } readings[] = {
        {{.product = false}, {19.53052369, 32.28144918}},
        {{.printed_flow = true}, {19.23251066, 32.22252983}},
        {{.product = true}, {20.14693955, 30.13008099}},
        {{.printed_holding = true, .lengths_apart = true}, {18.44081913, 30.57811372}},
        {{.product = true,
          .printed_holding = true,
          .printed_flow = true,
          .lengths_apart = true},
         {18.34538196, 28.85500177}},
    };
    for (unsigned i = 0; i < sizeof readings / sizeof readings[0]; i++)
        for (unsigned j = 0; j < 2; j++) {
            AdaptiveProblem problem = readings[i].problem;
            problem.side = j ? 32 : 8;
            problem.rate = j ? 0.002 : 0.015;
            problem.length = 12;
            NEAR(adaptive(problem).latency, readings[i].latency[j], 1e-8);
        }
}

Test(adaptive, empty_network) {
    for (unsigned side = 4; side <= 64; side += 4) {
        const AdaptiveResult result =
            adaptive((AdaptiveProblem){.side = side, .length = 12});
        NEAR(result.latency, result.zero_load, 1e-12);
    }
    NEAR(adaptive((AdaptiveProblem){.side = 8, .length = 12}).zero_load,
         7.0 / 9 * 16 + 2.0 / 9 * 14, 1e-12);
}

Test(adaptive, no_number_beyond_saturation) {
    const AdaptiveResult result =
        adaptive((AdaptiveProblem){.side = 16, .rate = 0.02, .length = 12});
    cr_assert_eq(result.state, MODEL_SATURATED);
    cr_assert_str_eq(net_model_state_name(result.state), "saturated");
    cr_assert(isnan(result.latency) && isnan(result.busy[0]) && isnan(result.wait[3]));
}
