/* The model `adaptive`: latency of minimal adaptive routing in a torus, by the
 * equations of Quaglia, Ciciani and Colajanni. Its figures are those of the
 * simulation `poisson`. */
#include "net/model/adaptive/adaptive.h"

#include "tools/exp/models/parts.h"

AdaptiveProblem model_adaptive(const Settings *settings, unsigned side, double rate,
                               double length) {
    const bool printed = settings_has(settings, "reading", "printed");
    return (AdaptiveProblem){
        .side = side,
        .rate = rate,
        .length = length,
        .product = printed || settings_has(settings, "reading", "product"),
        .printed_flow = printed || settings_has(settings, "reading", "flow"),
        .printed_holding = printed || settings_has(settings, "reading", "holding"),
        .moment = printed ? ADAPTIVE_LENGTHS : ADAPTIVE_EXPONENTIAL};
}

bool solve_adaptive(ModelPoint *point, Result *record, JmError *error) {
    const Settings *settings = point->settings;
    const double hops = settings_number(settings, "k") / 2; /* of the average message */
    const AdaptiveProblem problem = model_adaptive(settings, model_whole(settings, "k"),
                                                   settings_number(settings, "rate"),
                                                   settings_number(settings, "length"));
    AdaptiveResult result;
    if (!net_adaptive_solve(&problem, &result, error))
        return false;
    result_add_text(record, "stop", net_model_state_name(result.state));
    result_add(record, "mean_latency", result.latency);
    result_add(record, "latency_more", result.latency - result.zero_load);
    result_add(record, "blocking_per_hop", (result.latency - result.zero_load) / hops);
    return true;
}
