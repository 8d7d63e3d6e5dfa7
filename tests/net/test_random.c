/* Random traffic under every parameter on the graph engine, watched flit by flit:
 * against the reference network, and for many cycles with all invariants checked. The
 * plane engine is compared with the graph engine (twins.h). */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "params.h"
#include "reference.h"

/* Chances are per mille and cycle. */
typedef struct {
    unsigned x, y, z;
    uint64_t seed;
    unsigned open_chance;   /* an idle sender (node and priority) opens a message */
    unsigned offer_chance;  /* a sender in mid-message offers a word or two */
    unsigned gate_chance;   /* some gate is closed, for 1 to 100 cycles */
    unsigned hot_chance;    /* a message goes to the last node, not to a random one */
    unsigned longest_words; /* messages have 1 to this many words */
    bool with_reference;
    NetParams params;
} TrafficPlan;

/* A sender: node and priority. */
typedef struct {
    uint32_t message;
    unsigned words_left; /* of the open message */
} Sender;

/* A message in flight, by the network's number. */
typedef struct {
    uint32_t serial, source, destination;
    unsigned words, delivered;
    unsigned sequence; /* of its source, destination and priority */
} Sent;

/* The last flit that entered a channel or left at a node. */
typedef struct {
    uint32_t message, flit;
    bool busy; /* the tail has not followed yet */
} Track;

typedef struct {
    TrafficPlan plan;
    Net *net;
    Reference *reference;
    JmRng rng;
    unsigned nodes;
    Sender *senders;        /* node * 2 + priority */
    uint64_t *closed_until; /* by node * 2 + priority: cycle, 0 if the gate is open */
    Sent *sent;
    uint32_t sent_capacity;
    uint32_t opened;
    uint32_t *sequences; /* per pair and priority: opened so far, then arrived so far */
    int *places;         /* by channel, as the reference names them */
    NetChannelState *channels;
    Track *tracks;         /* by channel, then by node and priority at the exit */
    uint64_t *wire_cycles; /* node * 6 + dimension * 2 + direction: last used, plus 1 */
    uint64_t hash, reference_hash;
} Traffic;

static TrafficPlan traffic_plan(unsigned x, unsigned y, unsigned z) {
    return (TrafficPlan){
        .x = x,
        .y = y,
        .z = z,
        .seed = 1,
        .open_chance = 200,
        .offer_chance = 700,
        .gate_chance = 0,
        .hot_chance = 0,
        .longest_words = 9,
        .params = net_params_default(),
    };
}

/* Watching. */

static uint64_t digest(uint64_t cycle, uint32_t serial, uint32_t flit, int from, int to,
                       uint32_t node) {
    uint64_t h = jm_rng_mix(cycle, serial);
    h = jm_rng_mix(h ^ flit, (uint64_t)(from + 2));
    return jm_rng_mix(h ^ node, (uint64_t)(to + 2));
}

/* Sums, because the order of flits within a cycle means nothing. */
static void watch_reference(void *context, uint64_t cycle, uint32_t serial,
                            uint32_t flit, int from, int to, uint32_t node) {
    Traffic *traffic = context;
    traffic->reference_hash += digest(cycle, serial, flit, from, to, node);
}

/* One flit of a message after the other, from head to tail, and no other between. */
static void watch_track(Traffic *traffic, Track *track, uint32_t message,
                        uint32_t flit) {
    const uint32_t header_flits = traffic->plan.params.header_flits;
    const uint32_t flits = header_flits + 2 * traffic->sent[message].words;
    if (track->busy) {
        cr_assert_eq(track->message, message, "messages %u and %u interleave",
                     track->message, message);
        cr_assert_eq(track->flit + 1, flit, "flit %u after %u", flit, track->flit);
    } else {
        cr_assert_leq(flit, header_flits, "message %u starts with flit %u", message,
                      flit);
    }
    *track = (Track){message, flit, flit + 1 < flits};
}

/* A wire is named by its lower node; shared ones by one name for both directions. */
static void watch_wire(Traffic *traffic, const NetChannelState *from, uint64_t cycle) {
    const unsigned stride[] = {1, traffic->plan.x, traffic->plan.x * traffic->plan.y};
    const unsigned dimension = from->dimension;
    const bool down = from->kind == NET_CHANNEL_N;
    const unsigned lower = down ? from->node - stride[dimension] : from->node;
    const unsigned direction = traffic->plan.params.shared_wires ? 0 : down;
    uint64_t *last = &traffic->wire_cycles[lower * 6 + dimension * 2 + direction];
    cr_assert_neq(*last, cycle + 1, "two flits on a wire in cycle %llu",
                  (unsigned long long)cycle);
    *last = cycle + 1;
}

static void watch(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                  int32_t from, int32_t to, uint32_t node) {
    Traffic *traffic = context;
    const unsigned channels = net_channel_count(traffic->net);
    NetMessageState state;
    cr_assert(net_message_state(traffic->net, message, &state));
    const size_t track = to >= 0 ? (size_t)to : channels + node * 2 + state.priority;
    watch_track(traffic, &traffic->tracks[track], message, flit);
    if (from >= 0 && traffic->channels[from].kind != NET_CHANNEL_R)
        watch_wire(traffic, &traffic->channels[from], cycle);
    traffic->hash += digest(cycle, traffic->sent[message].serial, flit,
                            from < 0 ? -1 : traffic->places[from],
                            to < 0 ? -1 : traffic->places[to], node);
}

/* Creation. */

static void name_channels(Traffic *traffic) {
    const uint32_t channels = net_channel_count(traffic->net);
    traffic->places = calloc(channels, sizeof *traffic->places);
    traffic->channels = calloc(channels, sizeof *traffic->channels);
    for (uint32_t channel = 0; channel < channels; channel++) {
        const NetChannelState state = net_channel_state(traffic->net, channel);
        traffic->channels[channel] = state;
        traffic->places[channel] = (int)(state.node * 18 + state.priority * 9u +
                                         state.dimension * 3u + (unsigned)state.kind);
    }
}

static Traffic *traffic_create(const TrafficPlan *plan) {
    Traffic *traffic = calloc(1, sizeof *traffic);
    JmError error;
    traffic->plan = *plan;
    traffic->net =
        net_create_mesh_with(plan->x, plan->y, plan->z, &plan->params, "graph", &error);
    cr_assert_not_null(traffic->net, "%s", error.text);
    if (plan->with_reference)
        traffic->reference = reference_create(plan->x, plan->y, plan->z, &plan->params);
    traffic->rng = jm_rng(plan->seed);
    const size_t nodes = traffic->nodes = net_node_count(traffic->net);
    traffic->senders = calloc(nodes * 2, sizeof *traffic->senders);
    traffic->closed_until = calloc(nodes * 2, sizeof *traffic->closed_until);
    traffic->sequences = calloc(nodes * nodes * 4, sizeof *traffic->sequences);
    name_channels(traffic);
    traffic->tracks =
        calloc(net_channel_count(traffic->net) + nodes * 2, sizeof *traffic->tracks);
    traffic->wire_cycles = calloc(nodes * 6, sizeof *traffic->wire_cycles);
    net_set_flit_hook(traffic->net, watch, traffic);
    return traffic;
}

static void traffic_destroy(Traffic *traffic) {
    net_destroy(traffic->net);
    if (traffic->reference)
        reference_destroy(traffic->reference);
    free(traffic->senders);
    free(traffic->closed_until);
    free(traffic->sent);
    free(traffic->sequences);
    free(traffic->places);
    free(traffic->channels);
    free(traffic->tracks);
    free(traffic->wire_cycles);
    free(traffic);
}

/* Sending. */

static bool chance(Traffic *traffic, unsigned per_mille) {
    return per_mille > 0 && jm_rng_next(&traffic->rng) % 1000 < per_mille;
}

static uint32_t *sequence(Traffic *traffic, uint32_t source, uint32_t destination,
                          unsigned priority, bool arrived) {
    const size_t pair = (size_t)source * traffic->nodes + destination;
    return &traffic->sequences[pair * 4 + priority * 2 + arrived];
}

static void open_message(Traffic *traffic, uint32_t node, unsigned priority) {
    const uint32_t destination = chance(traffic, traffic->plan.hot_chance)
                                     ? traffic->nodes - 1
                                     : jm_rng_below(&traffic->rng, traffic->nodes);
    Sender *sender = &traffic->senders[node * 2 + priority];
    /* Few ages, so that some are alike. */
    const uint64_t now = net_now(traffic->net), mark = now / 16 * 16;
    const uint64_t born = jm_rng_below(&traffic->rng, 2) ? mark : now;
    sender->message = net_open_aged(traffic->net, node, priority, destination, born);
    sender->words_left = 1 + jm_rng_below(&traffic->rng, traffic->plan.longest_words);
    if (traffic->reference)
        reference_open(traffic->reference, node, priority, destination, born);
    if (sender->message >= traffic->sent_capacity) {
        traffic->sent_capacity = 2 * sender->message + 64;
        traffic->sent =
            realloc(traffic->sent, traffic->sent_capacity * sizeof *traffic->sent);
    }
    traffic->sent[sender->message] = (Sent){
        .serial = traffic->opened++,
        .source = node,
        .destination = destination,
        .words = sender->words_left,
        .sequence = (*sequence(traffic, node, destination, priority, false))++,
    };
}

static void offer_words(Traffic *traffic, uint32_t node, unsigned priority,
                        unsigned most) {
    Sender *sender = &traffic->senders[node * 2 + priority];
    const unsigned room = net_room(traffic->net, node, priority);
    unsigned words = sender->words_left < most ? sender->words_left : most;
    words = words < room ? words : room;
    if (words == 0)
        return;
    sender->words_left -= words;
    net_offer(traffic->net, node, priority, words, sender->words_left == 0);
    if (traffic->reference)
        reference_offer(traffic->reference, node, priority, words,
                        sender->words_left == 0);
}

static void send(Traffic *traffic, uint32_t node, unsigned priority) {
    const TrafficPlan *plan = &traffic->plan;
    if (traffic->reference)
        cr_assert_eq(net_room(traffic->net, node, priority),
                     reference_room(traffic->reference, node, priority));
    if (net_is_open(traffic->net, node, priority)) {
        if (chance(traffic, plan->offer_chance))
            offer_words(traffic, node, priority, 1 + chance(traffic, 500));
    } else if (chance(traffic, plan->open_chance) &&
               net_room(traffic->net, node, priority) > 0) {
        open_message(traffic, node, priority);
        if (chance(traffic, 500))
            offer_words(traffic, node, priority, 1);
    }
}

static void set_gate(Traffic *traffic, unsigned gate, bool open) {
    net_set_gate(traffic->net, gate / 2, gate % 2, open);
    if (traffic->reference)
        reference_set_gate(traffic->reference, gate / 2, gate % 2, open);
}

static void open_gate_in_time(Traffic *traffic, unsigned gate) {
    if (traffic->closed_until[gate] == 0 ||
        traffic->closed_until[gate] > net_now(traffic->net))
        return;
    traffic->closed_until[gate] = 0;
    set_gate(traffic, gate, true);
}

static void close_some_gate(Traffic *traffic) {
    if (!chance(traffic, traffic->plan.gate_chance))
        return;
    const unsigned gate = jm_rng_below(&traffic->rng, traffic->nodes * 2);
    traffic->closed_until[gate] =
        net_now(traffic->net) + 1 + jm_rng_below(&traffic->rng, 100);
    set_gate(traffic, gate, false);
}

/* Receiving. */

static void receive(Traffic *traffic, const NetDelivery *delivery) {
    Sent *sent = &traffic->sent[delivery->message];
    cr_assert_eq(delivery->node, sent->destination);
    cr_assert_eq(delivery->tail, ++sent->delivered == sent->words);
    if (!delivery->tail)
        return;
    const uint32_t expected = (*sequence(traffic, sent->source, sent->destination,
                                         delivery->priority, true))++;
    cr_assert_eq(sent->sequence, expected, "message %u from %u to %u came before %u",
                 sent->sequence, sent->source, sent->destination, expected);
}

static void compare_deliveries(Traffic *traffic) {
    size_t count, reference_count;
    const NetDelivery *words = net_deliveries(traffic->net, &count);
    const ReferenceDelivery *reference =
        reference_deliveries(traffic->reference, &reference_count);
    cr_assert_eq(count, reference_count);
    for (size_t i = 0; i < count; i++) {
        const ReferenceDelivery *other = NULL;
        for (size_t k = 0; k < count && !other; k++)
            if (reference[k].node == words[i].node &&
                reference[k].priority == words[i].priority)
                other = &reference[k];
        cr_assert_not_null(other);
        cr_assert_eq(traffic->sent[words[i].message].serial, other->serial);
        cr_assert_eq(words[i].tail, other->tail);
    }
}

static void step(Traffic *traffic) {
    net_step(traffic->net);
    size_t count;
    const NetDelivery *words = net_deliveries(traffic->net, &count);
    if (traffic->reference) {
        reference_step(traffic->reference, watch_reference, traffic);
        cr_assert_eq(traffic->hash, traffic->reference_hash,
                     "networks differ in cycle %llu",
                     (unsigned long long)net_now(traffic->net) - 1);
        compare_deliveries(traffic);
    }
    for (size_t i = 0; i < count; i++) {
        cr_assert(i == 0 || words[i - 1].node * 2 + words[i - 1].priority <
                                words[i].node * 2 + words[i].priority);
        receive(traffic, &words[i]);
    }
}

/* Sends randomly for some cycles; net_check every `check_every` (0: never). */
static void traffic_run(Traffic *traffic, uint64_t cycles, uint64_t check_every) {
    JmError error;
    for (uint64_t cycle = 1; cycle <= cycles; cycle++) {
        for (uint32_t node = 0; node < traffic->nodes; node++)
            for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
                send(traffic, node, priority);
                open_gate_in_time(traffic, node * 2 + priority);
            }
        close_some_gate(traffic);
        step(traffic);
        if (check_every && cycle % check_every == 0)
            cr_assert(net_check(traffic->net, &error), "%s", error.text);
    }
}

static void check_all_arrived(Traffic *traffic) {
    const NetStatistics *seen = net_statistics(traffic->net);
    JmError error;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        cr_assert_eq(seen->messages_opened[priority],
                     seen->messages_delivered[priority]);
        cr_assert_eq(seen->words_offered[priority], seen->words_delivered[priority]);
        cr_assert_eq(seen->flits_injected[priority],
                     seen->flits_dropped[priority] + seen->flits_ejected[priority]);
        cr_assert_eq(seen->flits_ejected[priority],
                     2 * seen->words_delivered[priority]);
        cr_assert_eq(seen->flits_dropped[priority],
                     traffic->plan.params.header_flits *
                         seen->messages_opened[priority]);
    }
    if (traffic->reference)
        cr_assert_eq(seen->blocked_cycles, reference_blocked(traffic->reference));
    cr_assert(net_check(traffic->net, &error), "%s", error.text);
}

/* Opens all gates, finishes open messages, and steps until nothing is left. Checks that
 * all that was sent has arrived. */
static void traffic_drain(Traffic *traffic) {
    for (unsigned gate = 0; gate < traffic->nodes * 2; gate++)
        set_gate(traffic, gate, true);
    for (uint64_t limit = 100000 + 200 * traffic->nodes; !net_is_quiet(traffic->net);
         limit--) {
        cr_assert_gt(limit, 0, "the network does not drain");
        for (uint32_t sender = 0; sender < traffic->nodes * 2; sender++)
            if (net_is_open(traffic->net, sender / 2, sender % 2))
                offer_words(traffic, sender / 2, sender % 2, 2);
        step(traffic);
    }
    check_all_arrived(traffic);
}

/* Tests. */

static const unsigned shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {7, 1, 1}, {1, 5, 1},
                                     {1, 1, 6}, {4, 3, 1}, {3, 5, 2}, {4, 4, 4}};

/* Every combination of the parameters that affect how flits move, by number; all others
 * as drawn, in buffers small enough to fill. */
enum { PARAM_CHOICES = 4 * 8 * 2 * 2 * 2 * 2 };

static NetParams choose_params(unsigned choice, JmRng *rng) {
    NetParams params = draw_params(rng);
    params.header_flits = choice % 4;
    params.channel_capacity = 1 + choice / 4 % 8;
    params.shared_wires = choice / 32 % 2;
    params.fair = choice / 64 % 2;
    params.enter_on_lost_wire = choice / 128 % 2;
    params.r_order = choice / 256 % 2;
    params.age = jm_rng_below(rng, 3);
    params.rts_priority = jm_rng_below(rng, 3);
    params.buffer_words = 4 + jm_rng_below(rng, 9);
    return params;
}

static void compare(unsigned shape, unsigned choice, uint64_t cycles) {
    JmRng rng = jm_rng(jm_rng_mix(shape, choice));
    TrafficPlan plan =
        traffic_plan(shapes[shape][0], shapes[shape][1], shapes[shape][2]);
    plan.with_reference = true;
    plan.seed = jm_rng_next(&rng);
    plan.params = choose_params(choice, &rng);
    plan.open_chance = 5u << jm_rng_below(&rng, 8);
    plan.offer_chance = 100 + jm_rng_below(&rng, 900);
    plan.gate_chance = jm_rng_below(&rng, 2) * 300;
    plan.hot_chance = jm_rng_below(&rng, 2) * 300;
    plan.longest_words = 1 + jm_rng_below(&rng, 12);
    Traffic *traffic = traffic_create(&plan);
    traffic_run(traffic, cycles, 64);
    traffic_drain(traffic);
    traffic_destroy(traffic);
}

Test(random, agrees_with_reference, .timeout = 600) {
    enum { SMALL = 7, FEW = 11 }; /* no divisors of the choices of a parameter */
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice++)
        compare(choice % SMALL, choice, 200);
    for (unsigned choice = 0; choice < PARAM_CHOICES; choice += FEW)
        compare(SMALL, choice, 150);
}

Test(random, many_cycles_keep_the_invariants, .timeout = 600) {
    for (unsigned fair = 0; fair < 2; fair++) {
        TrafficPlan plan = fair ? traffic_plan(7, 4, 3) : traffic_plan(4, 4, 4);
        plan.params.fair = fair;
        plan.gate_chance = 20;
        plan.open_chance = 20;
        Traffic *traffic = traffic_create(&plan);
        traffic_run(traffic, 15000, 97);
        traffic_drain(traffic);
        traffic_destroy(traffic);
    }
}
