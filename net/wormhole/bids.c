/* Chooses who gets a wire if more counts than priorities and directions: with age = 2
 * the age of messages. */
#include "net/wormhole/engine.h"

/* Whether bidder `a` goes before `b` for the same wire: priority 1 first, then the
 * older message, then the direction that did not move last. */
static bool precedes(const GraphEngine *engine, Bidder a, Bidder b) {
    const bool urgent = (a.lane & WIRE_URGENT_BIDS) != 0;
    if (urgent != ((b.lane & WIRE_URGENT_BIDS) != 0))
        return urgent;
    const uint64_t born = graph_front_born(engine, a.point);
    const uint64_t other = graph_front_born(engine, b.point);
    if (born != other)
        return born < other;
    return engine->winner[engine->wires[a.lane >> LANE_WIRE_SHIFT]] ==
           (a.lane & WIRE_BIDS);
}

void graph_weigh_bids(GraphEngine *engine) {
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        uint32_t *best = &engine->best[engine->bidders[i].lane >> LANE_WIRE_SHIFT];
        if (*best == 0 ||
            precedes(engine, engine->bidders[i], engine->bidders[*best - 1]))
            *best = i + 1;
    }
    uint32_t winners = 0;
    for (uint32_t i = 0; i < engine->bidder_count; i++) {
        const Bidder bidder = engine->bidders[i];
        uint32_t *best = &engine->best[bidder.lane >> LANE_WIRE_SHIFT];
        if (*best != i + 1)
            continue;
        *best = 0;
        if (bidder.lane & LANE_IS_HEAD)
            graph_point(engine, graph_point(engine, bidder.point)->next)->claimed =
                true;
        engine->bidders[winners++] = bidder;
    }
    engine->bidder_count = winners;
}
