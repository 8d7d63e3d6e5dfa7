/* Decides which graphs the graph engine can run, and checks its invariants beyond
 * net_check(). */
#include "net/wormhole/engine.h"

/* Any sound graph runs if its numbers fit into the fields of a Point and a lane. */
bool graph_engine_runs(const NetGraph *graph, const NetParams *params, JmError *error) {
    enum { MOST_FEEDERS = UINT8_MAX };
    if (!net_graph_is_plain(graph, params, error))
        return false;
    if (graph->wires > LANE_MAX_WIRES)
        return jm_fail(error, NULL, "%u wires are more than %d", graph->wires,
                       LANE_MAX_WIRES);
    for (uint32_t point = 0; point < net_graph_points(graph); point++) {
        const uint32_t feeders =
            graph->feeder_start[point + 1] - graph->feeder_start[point];
        if (feeders > MOST_FEEDERS)
            return jm_fail(error, NULL, "point %u has %u feeders, more than %d", point,
                           feeders, MOST_FEEDERS);
    }
    return true;
}

/* Checks that a point has no mark left from the last cycle, and that it is awake if it
 * can move. */
static bool check_point(const GraphEngine *engine, uint32_t number, JmError *error) {
    const Point *point = graph_point(engine, number);
    if (point->claimed)
        return jm_fail(error, NULL, "point %u keeps a mark of the last cycle", number);
    if (graph_is_ready(engine, number) && !net_bits_has(&engine->awake, number))
        return jm_fail(error, NULL, "point %u sleeps although it can move", number);
    return true;
}

bool graph_engine_check(const Net *net, const void *state, JmError *error) {
    const GraphEngine *engine = state;
    uint32_t occupied = 0;
    for (uint32_t number = 0; number < engine->first_sink; number++) {
        if (!check_point(engine, number, error))
            return false;
        occupied +=
            number < engine->first_source && graph_point(engine, number)->flits > 0;
    }
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        if (engine->wires[wire] & WIRE_BIDS)
            return jm_fail(error, NULL, "wire %u keeps a bid of the last cycle", wire);
    if (occupied == engine->occupied)
        return true;
    return jm_fail(error, NULL, "%u channels are occupied, not %u", occupied,
                   engine->occupied);
}
