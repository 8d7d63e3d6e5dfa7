/* Checks the invariants that hold between steps, for any engine: capacity and ownership
 * of channels, flits of a message together and in order, and nothing lost. */
#include "net/messages/state.h"

/* The flits of a message that were found in channels. */
typedef struct {
    uint32_t flits, lowest, highest; /* lowest and highest flit index */
    /* Sum of flit indices, so that a repeated flit cannot hide a missing one. */
    uint64_t sum;
} Found;

/* Checks a single flit and adds it to `found`. */
static bool check_flit(const Net *net, uint32_t channel, NetFlit flit, Found *found,
                       JmError *error) {
    if (flit.message >= net->message_count || !net->messages[flit.message].in_use)
        return jm_fail(error, NULL, "channel %u holds a flit of message %u, not in use",
                       channel, flit.message);
    if (net->messages[flit.message].priority != net->graph->label[channel].priority)
        return jm_fail(error, NULL, "channel %u holds a flit of another priority",
                       channel);
    Found *message = &found[flit.message];
    if (message->flits == 0 || flit.index < message->lowest)
        message->lowest = flit.index;
    if (flit.index > message->highest)
        message->highest = flit.index;
    message->flits++;
    message->sum += flit.index;
    return true;
}

/* Checks that two successive flits of a channel may be in this order. */
static bool check_order(const Net *net, uint32_t channel, NetFlit before, NetFlit after,
                        JmError *error) {
    const bool same = before.message == after.message;
    const bool first = after.index <= net->params.header_flits;
    if (same ? !before.tail && after.index == before.index + 1 : before.tail && first)
        return true;
    return jm_fail(
        error, NULL,
        "in channel %u flit %u of message %u stands before flit %u of message "
        "%u",
        channel, before.index, before.message, after.index, after.message);
}

static bool check_content(const Net *net, uint32_t channel, const NetPoint *point,
                          Found *found, JmError *error) {
    if (point->flits > net_graph_places(net->graph, &net->params, channel))
        return jm_fail(error, NULL, "channel %u holds %u flits", channel, point->flits);
    NetFlit before = {0};
    for (uint32_t k = 0; k < point->flits; k++) {
        const NetFlit flit = net->engine->flit(net, net->engine_state, channel, k);
        if (!check_flit(net, channel, flit, found, error))
            return false;
        if (k > 0 && !check_order(net, channel, before, flit, error))
            return false;
        before = flit;
    }
    return true;
}

/* Checks ownership: a message partly inside a channel holds it, and holds the next one
 * its head has entered. */
static bool check_ownership(const Net *net, uint32_t channel, const NetPoint *point,
                            JmError *error) {
    if (point->flits > 0 && !point->back.tail && point->owner != point->back.message)
        return jm_fail(error, NULL,
                       "channel %u ends with message %u but is not its own", channel,
                       point->back.message);
    if (point->flits > 0 && point->back.tail && point->owner == point->back.message)
        return jm_fail(error, NULL, "channel %u is held by message %u after its tail",
                       channel, point->owner);
    if (!point->next_taken)
        return true;
    const uint32_t front = point->flits > 0 ? point->front.message : point->owner;
    const NetPoint next = net->engine->point(net, net->engine_state, point->next);
    if (front != NET_NONE && next.owner == front && next.from == channel)
        return true;
    return jm_fail(error, NULL,
                   "point %u is not held by message %u, which channel %u "
                   "sends there",
                   point->next, front, channel);
}

/* Checks that exactly the flits of a message that were sent and are still in the
 * network were found. */
static bool check_message(const Net *net, uint32_t number, const Found *found,
                          JmError *error) {
    const NetMessage *message = &net->messages[number];
    if (!message->in_use)
        return true;
    const uint32_t gone = message->flits_sent - found->flits;
    if (found->flits > 0 &&
        (found->lowest != gone || found->highest + 1 != message->flits_sent))
        return jm_fail(error, NULL, "message %u sent %u flits; %u are inside, %u to %u",
                       number, message->flits_sent, found->flits, found->lowest,
                       found->highest);
    const uint64_t ends = (uint64_t)found->lowest + found->highest;
    if (found->flits > 0 && found->sum * 2 != ends * found->flits)
        return jm_fail(error, NULL, "message %u has a flit twice", number);
    const uint32_t header_flits = net->params.header_flits;
    const uint32_t data = gone > header_flits ? gone - header_flits : 0;
    if (data >> net->word_shift != message->words_delivered)
        return jm_fail(error, NULL, "message %u: %u flits gone, %u words delivered",
                       number, gone, message->words_delivered);
    return true;
}

/* Returns the flits that messages in an output buffer have yet to send. */
static uint64_t flits_to_send(const Net *net, uint32_t source) {
    uint64_t flits = 0;
    for (uint32_t number = net_buffer(net, source)->first; number != NET_NONE;
         number = net->messages[number].next) {
        const NetMessage *message = &net->messages[number];
        flits += net_flits_of(net, message->words_offered) - message->flits_sent;
    }
    return flits;
}

/* Checks that the number of flits found agrees with the statistics. */
static bool check_conservation(const Net *net, unsigned priority, uint64_t in_channels,
                               JmError *error) {
    const NetStatistics *seen = &net->statistics;
    uint64_t in_buffers = 0;
    for (uint32_t node = 0; node < net->graph->nodes; node++)
        in_buffers += flits_to_send(net, net_graph_source(net->graph, node, priority));
    if (in_channels + in_buffers != net_count_inside(net, priority))
        return jm_fail(error, NULL,
                       "priority %u has %llu flits inside, %llu were found", priority,
                       (unsigned long long)net_count_inside(net, priority),
                       (unsigned long long)(in_channels + in_buffers));
    if (seen->flits_injected[priority] !=
        seen->flits_dropped[priority] + seen->flits_ejected[priority] + in_channels)
        return jm_fail(error, NULL,
                       "priority %u: flits in differ from flits out and inside",
                       priority);
    return true;
}

/* Checks that no wire has carried more flits than there were cycles: it carries at most
 * one a cycle. */
static bool check_wires(const Net *net, JmError *error) {
    for (uint32_t wire = 0; wire < net->graph->wires; wire++) {
        const uint64_t up = net->wire_flits[2 * wire];
        const uint64_t down = net->wire_flits[2 * wire + 1];
        if (up > net->now || down > net->now - up)
            return jm_fail(error, NULL,
                           "wire %u has carried %llu flits up and %llu down in %llu "
                           "cycles",
                           wire, (unsigned long long)up, (unsigned long long)down,
                           (unsigned long long)net->now);
    }
    return true;
}

static bool check_all(const Net *net, Found *found, JmError *error) {
    uint64_t in_channels[NET_PRIORITIES] = {0};
    for (uint32_t channel = 0; channel < net->graph->channels; channel++) {
        const NetPoint point = net->engine->point(net, net->engine_state, channel);
        in_channels[net->graph->label[channel].priority] += point.flits;
        if (!check_content(net, channel, &point, found, error) ||
            !check_ownership(net, channel, &point, error))
            return false;
    }
    for (uint32_t number = 0; number < net->message_count; number++)
        if (!check_message(net, number, &found[number], error))
            return false;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        if (!check_conservation(net, priority, in_channels[priority], error))
            return false;
    return check_wires(net, error) && net->engine->check(net, net->engine_state, error);
}

bool net_check_in(Heap *heap, const Net *net, JmError *error) {
    net_settle(net);
    return check_all(net, heap_alloc(heap, net->message_count * sizeof(Found)), error);
}

/* A network to be checked. */
typedef struct {
    const Net *net;
    JmError *error;
} Check;

static bool check(Heap *heap, void *context) {
    const Check *wanted = context;
    return net_check_in(heap, wanted->net, wanted->error);
}

bool net_check(const Net *net, JmError *error) {
    return heap_do(check, &(Check){net, error}, error, NULL, "a check of the network");
}
