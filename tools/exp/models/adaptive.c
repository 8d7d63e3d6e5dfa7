/* The model `adaptive`: latency of minimal adaptive routing in a torus, by the
 * equations of Quaglia, Ciciani and Colajanni. Its figures are those of the
 * simulation `poisson`. */
#include "net/model/adaptive/adaptive.h"

#include <string.h>

#include "tools/exp/models/parts.h"
#include "tools/host/values.h"

bool solve_adaptive(ModelPoint *point, json_t *record, JmError *error) {
    const Settings *settings = point->settings;
    const double hops = settings_number(settings, "k") / 2; /* of the average message */
    const char *reading = settings_text(settings, "reading");
    const bool printed = reading && strcmp(reading, "printed") == 0;
    const AdaptiveProblem problem = {
        .side = model_whole(settings, "k"),
        .rate = settings_number(settings, "rate"),
        .length = settings_number(settings, "length"),
        .product = printed || (reading && strcmp(reading, "product") == 0),
        .printed_flow = printed || (reading && strcmp(reading, "flow") == 0),
        .printed_holding = printed || (reading && strcmp(reading, "holding") == 0),
        .moment = printed ? ADAPTIVE_LENGTHS : ADAPTIVE_EXPONENTIAL};
    AdaptiveResult result;
    if (!net_adaptive_solve(&problem, &result, error))
        return false;
    json_object_set_new(record, "stop",
                        jvalue_text(net_adaptive_state_name(result.state)));
    model_add(record, "mean_latency", result.latency);
    model_add(record, "latency_more", result.latency - result.zero_load);
    model_add(record, "blocking_per_hop", (result.latency - result.zero_load) / hops);
    return true;
}
