/* Chooses a head's channel, and which networks the worms can run. */
#include "net/programs/worms.h"

/* Whether the last flit that entered a channel has left it. Its cycle is known if it
 * was before this one, since everything it depends on was. */
static bool is_empty(const Worms *worms, const WormChannel *channel) {
    if (!worm_is_kept(worms, channel->last))
        return true;
    const Worm *last = worm_of(worms, channel->last);
    const uint32_t beyond = channel->last_step + 1;
    return beyond < last->steps && last->step[beyond].tail < worms->now;
}

/* A free channel, also idle as wires have no lanes, with an empty buffer. */
static bool is_idle(const Worms *worms, uint32_t number) {
    const WormChannel *channel = &worms->channel[number];
    return number >= worms->graph->channels ||
           (channel->free_at <= worms->now && is_empty(worms, channel));
}

/* The first idle choice, otherwise the first. */
uint32_t worm_way(const Worms *worms, const Worm *worm, uint32_t point) {
    uint32_t choice[NET_MAX_CHOICES];
    const unsigned count =
        net_graph_choices(worms->graph, point, worm->address, choice);
    for (unsigned i = 0; i < count; i++)
        if (is_idle(worms, choice[i]))
            return choice[i];
    return choice[0];
}

static bool has_own_wires(const NetGraph *graph, JmError *error) {
    uint32_t sharing = 0;
    for (uint32_t c = 0; c < graph->channels; c++)
        sharing += graph->wire[c] != NET_NONE;
    return sharing == graph->wires ||
           jm_fail(error, NULL, "its %u wires are shared by %u channels", graph->wires,
                   sharing);
}

bool replay_worms_run(const NetGraph *graph, const NetParams *params, JmError *error) {
    enum { FIRST_COME = 1, IDLE_WIRE = 1 };
    if (!params->through || params->heads != FIRST_COME)
        return jm_fail(error, NULL, "it needs through=1 and heads=1");
    if (graph->choices && (!params->commit || params->select > IDLE_WIRE))
        return jm_fail(error, NULL, "where heads choose it needs commit=1, select=1");
    if (graph->terminal || (graph->processor && graph->processors != graph->nodes))
        return jm_fail(error, NULL, "it needs one terminal for a processor");
    if (graph->copies > 1)
        return jm_fail(error, NULL, "it has no virtual channels");
    if (graph->delay)
        return jm_fail(error, NULL, "it has no wires of several cycles");
    return has_own_wires(graph, error);
}
