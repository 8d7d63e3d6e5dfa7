/* Whether a graph and parameters need only the J-Machine's rules. */
#include "net/graph/graph.h"

enum { PLAIN_CAPACITY = 8 };

static bool graph_is_plain(const NetGraph *graph, JmError *error) {
    const struct {
        const char *name;
        bool used;
    } fields[] = {
        {"places", graph->places},
        {"lane", graph->lane},
        {"delay", graph->delay},
        {"group", graph->group},
        {"processor", graph->processor},
        {"choices", graph->choices},
        {"address_from", graph->address_from},
        {"terminal", graph->terminal},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].used)
            return jm_fail(error, NULL, "it does not support the graph's %s",
                           fields[i].name);
    return true;
}

bool net_graph_is_plain(const NetGraph *graph, const NetParams *params,
                        JmError *error) {
    const NetParams standard = net_params_default();
    const struct {
        const char *name;
        uint32_t value, supported;
    } rows[] = {
        {"flits_per_word", params->flits_per_word, standard.flits_per_word},
        {"through", params->through, standard.through},
        {"wire_turns", params->wire_turns, standard.wire_turns},
        {"heads", params->heads, standard.heads},
        {"select", params->select, standard.select},
        {"commit", params->commit, standard.commit},
        {"atomic", params->atomic, standard.atomic},
        {"ties", params->ties, standard.ties},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].value != rows[i].supported)
            return jm_fail(error, NULL, "it does not support %s=%u", rows[i].name,
                           rows[i].value);
    if (params->channel_capacity > PLAIN_CAPACITY)
        return jm_fail(error, NULL, "channel_capacity is %u, more than %d",
                       params->channel_capacity, PLAIN_CAPACITY);
    return graph_is_plain(graph, error);
}
