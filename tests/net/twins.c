#include "twins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/messages/state.h"
#include "params.h"
#include "reference.h"

/* A node and priority that sends. */
typedef struct {
    unsigned words_left; /* of the open message */
    uint64_t gate_opens; /* cycle; 0: it is open */
} End;

typedef struct {
    const TwinsPlan *plan;
    Net *net[2];
    unsigned count; /* of networks */
    Reference *reference;
    uint32_t *serial; /* by message of the network: the reference's number */
    uint32_t serials, opened;
    uint64_t hash, reference_hash; /* of all flits' moves */
    JmRng rng;
    uint32_t nodes;
    End *ends; /* node * 2 + priority */
    char *text;
    size_t size;
    bool differs;
} Twins;

static void differ(Twins *twins, const char *what, uint64_t a, uint64_t b) {
    if (twins->differs)
        return;
    twins->differs = true;
    snprintf(twins->text, twins->size, "%s: %llu and %llu before cycle %llu (%ux%ux%u)",
             what, (unsigned long long)a, (unsigned long long)b,
             (unsigned long long)net_now(twins->net[0]), twins->plan->x, twins->plan->y,
             twins->plan->z);
}

static void same(Twins *twins, const char *what, uint64_t a, uint64_t b) {
    if (a != b)
        differ(twins, what, a, b);
}

static bool chance(Twins *twins, unsigned per_mille) {
    return per_mille > 0 && jm_rng_next(&twins->rng) % 1000 < per_mille;
}

/* The reference. */

static uint64_t digest(uint64_t cycle, uint32_t serial, uint32_t flit, int from, int to,
                       uint32_t node) {
    uint64_t h = jm_rng_mix(cycle, serial);
    h = jm_rng_mix(h ^ flit, (uint64_t)(from + 2));
    return jm_rng_mix(h ^ node, (uint64_t)(to + 2));
}

/* Sums, because the order of flits within a cycle means nothing. */
static void watch_reference(void *context, uint64_t cycle, uint32_t serial,
                            uint32_t flit, int from, int to, uint32_t node) {
    Twins *twins = context;
    twins->reference_hash += digest(cycle, serial, flit, from, to, node);
}

/* A channel as the reference names it. */
static int place_of(const Twins *twins, int32_t channel) {
    if (channel < 0)
        return -1;
    const NetChannelState state = net_channel_state(twins->net[0], (uint32_t)channel);
    return (int)(state.node * 18 + state.priority * 9u + state.dimension * 3u +
                 (unsigned)state.kind);
}

static void watch(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                  int32_t from, int32_t to, uint32_t node) {
    Twins *twins = context;
    twins->hash += digest(cycle, twins->serial[message], flit, place_of(twins, from),
                          place_of(twins, to), node);
}

static void note_serial(Twins *twins, uint32_t message) {
    if (message >= twins->serials) {
        twins->serials = 2 * message + 64;
        twins->serial = realloc(twins->serial, twins->serials * sizeof *twins->serial);
    }
    twins->serial[message] = twins->opened++;
}

/* The word that the reference delivers at the node and priority of another. */
static void compare_word(Twins *twins, const NetDelivery *word) {
    size_t count;
    const ReferenceDelivery *out = reference_deliveries(twins->reference, &count);
    for (size_t i = 0; i < count; i++) {
        if (out[i].node != word->node || out[i].priority != word->priority)
            continue;
        same(twins, "message", twins->serial[word->message], out[i].serial);
        same(twins, "tail", word->tail, out[i].tail);
        return;
    }
    differ(twins, "the reference delivers no word at node", word->node, 0);
}

static void step_reference(Twins *twins) {
    size_t count, expected;
    const NetDelivery *words = net_deliveries(twins->net[0], &count);
    reference_step(twins->reference, watch_reference, twins);
    reference_deliveries(twins->reference, &expected);
    same(twins, "flits", twins->hash, twins->reference_hash);
    same(twins, "words", count, expected);
    for (size_t i = 0; i < count; i++)
        compare_word(twins, &words[i]);
    for (unsigned end = 0; end < 2 * twins->nodes; end++)
        same(twins, "room", net_room(twins->net[0], end / 2, end % 2),
             reference_room(twins->reference, end / 2, end % 2));
}

/* Comparing. */

static void compare_sets(Twins *twins, const char *what, const uint64_t *a,
                         const uint64_t *b) {
    for (uint32_t w = 0; w < (twins->nodes + 511) / 512 * 8; w++)
        same(twins, what, a[w], b[w]);
}

/* Words come to where they are bound for, by node and priority, and never at a lower
 * priority than they were sent. */
static void check_words(Twins *twins, const NetDelivery *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        NetMessageState state;
        same(twins, "message in use",
             net_message_state(twins->net[0], words[i].message, &state), true);
        same(twins, "destination", words[i].node, state.destination);
        same(twins, "lower priority", words[i].priority < state.priority, false);
        same(twins, "order of words",
             i > 0 && words[i].node * 2 + words[i].priority <=
                          words[i - 1].node * 2 + words[i - 1].priority,
             false);
    }
}

static void compare_step(Twins *twins) {
    Net *const net[] = {twins->net[0], twins->net[twins->count - 1]};
    size_t counts[2];
    const NetDelivery *words[2];
    for (unsigned i = 0; i < 2; i++)
        words[i] = net_deliveries(net[i], &counts[i]);
    same(twins, "words delivered", counts[0], counts[1]);
    check_words(twins, words[0], counts[0]);
    for (size_t i = 0; i < counts[0] && !twins->differs; i++) {
        same(twins, "node of a word", words[0][i].node, words[1][i].node);
        same(twins, "message of a word", words[0][i].message, words[1][i].message);
        same(twins, "priority", words[0][i].priority, words[1][i].priority);
        same(twins, "tail", words[0][i].tail, words[1][i].tail);
    }
    same(twins, "moved", net_moved(net[0]), net_moved(net[1]));
    same(twins, "progressed", net_progressed(net[0]), net_progressed(net[1]));
    same(twins, "quiet", net_is_quiet(net[0]), net_is_quiet(net[1]));
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        compare_sets(twins, "drained", net_drained(net[0], priority),
                     net_drained(net[1], priority));
        compare_sets(twins, "received", net_received(net[0], priority),
                     net_received(net[1], priority));
    }
}

static void compare_flits(Twins *twins, NetFlit a, NetFlit b) {
    same(twins, "message of a flit", a.message, b.message);
    same(twins, "index of a flit", a.index, b.index);
    same(twins, "tail mark of a flit", a.tail, b.tail);
}

static void compare_points(Twins *twins, const NetPoint *a, const NetPoint *b) {
    same(twins, "flits", a->flits, b->flits);
    same(twins, "owner", a->owner, b->owner);
    same(twins, "from", a->from, b->from);
    same(twins, "next", a->next, b->next);
    same(twins, "turn", a->turn, b->turn);
    same(twins, "next_taken", a->next_taken, b->next_taken);
    same(twins, "closed", a->closed, b->closed);
    compare_flits(twins, a->front, b->front);
    compare_flits(twins, a->back, b->back);
}

static void compare_images(Heap *heap, void *context) {
    Twins *twins = context;
    const NetGraph *graph = twins->net[0]->graph;
    const NetImage a = net_image_take(heap, twins->net[0]);
    const NetImage b = net_image_take(heap, twins->net[1]);
    for (uint32_t p = 0; p < net_graph_points(graph) && !twins->differs; p++)
        compare_points(twins, &a.points[p], &b.points[p]);
    for (size_t f = 0; f < (size_t)graph->channels * a.capacity; f++)
        compare_flits(twins, a.flits[f], b.flits[f]);
    for (uint32_t w = 0; w < graph->wires; w++)
        same(twins, "direction of a wire", a.down[w], b.down[w]);
}

static void compare_statistics(Twins *twins) {
    const NetStatistics *a = net_statistics(twins->net[0]);
    const NetStatistics *b = net_statistics(twins->net[1]);
    const uint64_t *counts[] = {(const uint64_t *)a, (const uint64_t *)b};
    size_t first = memcmp(a, b, sizeof *a) ? 0 : sizeof *a / sizeof *counts[0];
    for (; first < sizeof *a / sizeof *counts[0]; first++) {
        char what[32];
        snprintf(what, sizeof what, "statistic %zu", first);
        same(twins, what, counts[0][first], counts[1][first]);
    }
    for (uint32_t node = 0; node < twins->nodes; node++)
        for (unsigned link = 0; link < 6; link++)
            same(twins, "flits over a link",
                 net_link_flits(twins->net[0], node, link / 2, link % 2),
                 net_link_flits(twins->net[1], node, link / 2, link % 2));
}

static void compare_messages(Twins *twins) {
    NetMessageState a, b;
    for (uint32_t number = 0; number < twins->net[0]->message_count; number++) {
        const bool used = net_message_state(twins->net[0], number, &a);
        same(twins, "message in use", used,
             net_message_state(twins->net[1], number, &b));
        if (!used || twins->differs)
            continue;
        same(twins, "source", a.source, b.source);
        same(twins, "destination", a.destination, b.destination);
        same(twins, "opened_cycle", a.opened_cycle, b.opened_cycle);
        same(twins, "words_offered", a.words_offered, b.words_offered);
        same(twins, "words_delivered", a.words_delivered, b.words_delivered);
        same(twins, "flits_sent", twins->net[0]->messages[number].flits_sent,
             twins->net[1]->messages[number].flits_sent);
        same(twins, "closed", a.closed, b.closed);
    }
}

static void compare_states(Twins *twins) {
    if (twins->count == 2) {
        compare_statistics(twins);
        compare_messages(twins);
        heap_run(compare_images, twins);
    }
    for (unsigned i = 0; i < twins->count; i++) {
        JmError error;
        if (twins->differs || net_check(twins->net[i], &error))
            continue;
        snprintf(twins->text, twins->size, "%s: %s", twins->plan->engines[i],
                 error.text);
        twins->differs = true;
    }
}

/* Traffic. */

static unsigned room(Twins *twins, uint32_t node, unsigned priority) {
    const unsigned first = net_room(twins->net[0], node, priority);
    same(twins, "room", first, net_room(twins->net[twins->count - 1], node, priority));
    return first;
}

static void offer(Twins *twins, uint32_t node, unsigned priority, unsigned most) {
    End *end = &twins->ends[node * 2 + priority];
    const unsigned places = room(twins, node, priority);
    unsigned words = end->words_left < most ? end->words_left : most;
    words = words < places ? words : places;
    if (words == 0)
        return;
    end->words_left -= words;
    for (unsigned i = 0; i < twins->count; i++)
        net_offer(twins->net[i], node, priority, words, end->words_left == 0);
    if (twins->reference)
        reference_offer(twins->reference, node, priority, words, end->words_left == 0);
}

static void open(Twins *twins, uint32_t node, unsigned priority) {
    const uint32_t to = chance(twins, twins->plan->hot_chance)
                            ? twins->nodes - 1
                            : jm_rng_below(&twins->rng, twins->nodes);
    twins->ends[node * 2 + priority].words_left =
        1 + jm_rng_below(&twins->rng, twins->plan->longest_words);
    /* Few ages, so that some are alike. */
    const uint64_t now = net_now(twins->net[0]),
                   born = chance(twins, 500) ? now : now / 16 * 16;
    uint32_t number[2];
    for (unsigned i = 0; i < twins->count; i++)
        number[i] = net_open_aged(twins->net[i], node, priority, to, born);
    same(twins, "number of a message", number[0], number[twins->count - 1]);
    if (!twins->reference)
        return;
    reference_open(twins->reference, node, priority, to, born);
    note_serial(twins, number[0]);
}

static void send(Twins *twins, uint32_t node, unsigned priority) {
    const TwinsPlan *plan = twins->plan;
    if (net_is_open(twins->net[0], node, priority)) {
        if (chance(twins, plan->offer_chance))
            offer(twins, node, priority, 1 + chance(twins, 500));
        return;
    }
    const unsigned urgent = plan->urgent_chance;
    if (!chance(twins, plan->open_chance) ||
        !chance(twins, priority ? urgent : 1000 - urgent) ||
        room(twins, node, priority) == 0)
        return;
    open(twins, node, priority);
    while (chance(twins, 500) && twins->ends[node * 2 + priority].words_left > 0 &&
           room(twins, node, priority) > 0)
        offer(twins, node, priority, 2);
}

static void set_gate(Twins *twins, uint32_t end, bool is_open) {
    for (unsigned i = 0; i < twins->count; i++)
        net_set_gate(twins->net[i], end / 2, end % 2, is_open);
    if (twins->reference)
        reference_set_gate(twins->reference, end / 2, end % 2, is_open);
}

static void work_gates(Twins *twins) {
    for (uint32_t end = 0; end < twins->nodes * 2; end++) {
        if (!twins->ends[end].gate_opens ||
            twins->ends[end].gate_opens > net_now(twins->net[0]))
            continue;
        twins->ends[end].gate_opens = 0;
        set_gate(twins, end, true);
    }
    if (!chance(twins, twins->plan->gate_chance))
        return;
    const uint32_t end = jm_rng_below(&twins->rng, twins->nodes * 2);
    twins->ends[end].gate_opens =
        net_now(twins->net[0]) + 1 + jm_rng_below(&twins->rng, 200);
    set_gate(twins, end, false);
}

static void block(Twins *twins, uint32_t node, unsigned link, bool blocked) {
    Net *const net[] = {twins->net[0], twins->net[twins->count - 1]};
    same(twins, "wire", net_block_link(net[0], node, link / 2, link % 2, blocked),
         net_block_link(net[1], node, link / 2, link % 2, blocked));
    same(twins, "blocked", net_blocked_links(net[0]), net_blocked_links(net[1]));
    if (twins->reference)
        reference_block(twins->reference, node, link / 2, link % 2, blocked);
}

/* One time in four a wire is blocked, else one is freed, if it was blocked. */
static void work_wires(Twins *twins) {
    if (!chance(twins, twins->plan->block_chance))
        return;
    const uint32_t node = jm_rng_below(&twins->rng, twins->nodes);
    block(twins, node, jm_rng_below(&twins->rng, 6), chance(twins, 250));
}

static void step(Twins *twins) {
    const bool settle = chance(twins, 300) && !twins->reference;
    for (unsigned i = 0; i < twins->count; i++)
        net_step(twins->net[i]);
    if (twins->reference)
        step_reference(twins);
    compare_step(twins);
    for (unsigned i = 0; i < twins->count && settle; i++)
        net_settle_gates(twins->net[i]);
}

static void run(Twins *twins) {
    const TwinsPlan *plan = twins->plan;
    for (unsigned cycle = 1; cycle <= plan->cycles && !twins->differs; cycle++) {
        for (uint32_t end = 0; end < twins->nodes * 2; end++)
            send(twins, end / 2, end % 2);
        work_gates(twins);
        work_wires(twins);
        step(twins);
        if (cycle % plan->image_every == 0)
            compare_states(twins);
    }
}

/* In an empty network everything that went in has come out. */
static void compare_totals(Twins *twins) {
    const NetStatistics *seen = net_statistics(twins->net[0]);
    for (unsigned p = 0; p < NET_PRIORITIES; p++) {
        const uint64_t opened = seen->messages_opened[p];
        same(twins, "messages", opened, seen->messages_delivered[p]);
        same(twins, "words", seen->words_offered[p], seen->words_delivered[p]);
        same(twins, "flits", seen->flits_ejected[p], 2 * seen->words_delivered[p]);
        same(twins, "headers", seen->flits_dropped[p],
             twins->plan->params.header_flits * opened);
        same(twins, "injected", seen->flits_injected[p],
             seen->flits_dropped[p] + seen->flits_ejected[p]);
    }
    if (twins->reference)
        same(twins, "blocked cycles", seen->blocked_cycles,
             reference_blocked(twins->reference));
}

static void drain(Twins *twins) {
    for (uint32_t end = 0; end < twins->nodes * 2; end++)
        set_gate(twins, end, true);
    for (uint32_t node = 0; node < twins->nodes; node++)
        for (unsigned link = 0; link < 6; link++)
            block(twins, node, link, false);
    uint64_t limit = 100000 + 200 * (uint64_t)twins->nodes;
    while (!net_is_quiet(twins->net[0]) && !twins->differs) {
        for (uint32_t end = 0; end < twins->nodes * 2; end++)
            if (net_is_open(twins->net[0], end / 2, end % 2))
                offer(twins, end / 2, end % 2, 2);
        step(twins);
        if (--limit == 0)
            differ(twins, "not drained", 0, 0);
    }
    compare_states(twins);
    compare_totals(twins);
}

static bool create(Twins *twins) {
    const TwinsPlan *plan = twins->plan;
    JmError error = {.text = ""};
    for (; twins->count < 2 && plan->engines[twins->count]; twins->count++) {
        NetParams params = plan->params;
        params.fair ^= twins->count == 1 && plan->other_fair;
        Net *net = net_create_mesh_with(plan->x, plan->y, plan->z, &params,
                                        plan->engines[twins->count], &error);
        twins->net[twins->count] = net;
        twins->differs |= !net;
    }
    snprintf(twins->text, twins->size, "%s", error.text);
    if (twins->differs)
        return false;
    twins->nodes = net_node_count(twins->net[0]);
    twins->ends = calloc((size_t)twins->nodes * 2, sizeof *twins->ends);
    if (plan->reference) {
        twins->reference = reference_create(plan->x, plan->y, plan->z, &plan->params);
        net_set_flit_hook(twins->net[0], watch, twins);
    }
    return true;
}

const char *twins_run(const TwinsPlan *plan, char *text, size_t size) {
    Twins twins = {.plan = plan, .rng = jm_rng(plan->seed), .text = text, .size = size};
    if (create(&twins)) {
        run(&twins);
        drain(&twins);
    }
    net_destroy(twins.net[0]);
    net_destroy(twins.net[1]);
    if (twins.reference)
        reference_destroy(twins.reference);
    free(twins.serial);
    free(twins.ends);
    return twins.differs ? text : NULL;
}

/* Plans. */

static unsigned draw_size(JmRng *rng, unsigned maximum, unsigned largest) {
    return 1 + jm_rng_below(rng, maximum < largest ? maximum : largest);
}

TwinsPlan twins_plan(uint64_t seed, unsigned largest) {
    JmRng rng = jm_rng(seed);
    TwinsPlan plan = {.engines = {"graph", "plane"}, .cycles = 300};
    plan.params =
        jm_rng_below(&rng, 3) ? draw_params(&rng, "plane") : net_params_default();
    plan.seed = jm_rng_next(&rng);
    plan.image_every = 1 + jm_rng_below(&rng, 60);
    plan.open_chance = 3u << jm_rng_below(&rng, 9);
    plan.offer_chance = 100 + jm_rng_below(&rng, 900);
    plan.gate_chance = jm_rng_below(&rng, 2) * 300;
    plan.hot_chance = jm_rng_below(&rng, 2) * 300;
    plan.urgent_chance = jm_rng_below(&rng, 3) * 250;
    plan.block_chance = jm_rng_below(&rng, 3) == 0 ? 200 : 0;
    plan.longest_words = jm_rng_below(&rng, 4) ? 12 : 60;
    plan.longest_words = 1 + jm_rng_below(&rng, plan.longest_words);
    plan.x = draw_size(&rng, NET_MAX_X, largest);
    plan.y = draw_size(&rng, NET_MAX_Y, largest / plan.x);
    plan.z = draw_size(&rng, NET_MAX_Z, largest / (plan.x * plan.y));
    return plan;
}
