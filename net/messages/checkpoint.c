/* Serialises a network. Flits and owners are saved as in a NetImage, so every engine
 * can continue from them. */
#include <string.h>

#include "net/messages/state.h"

/* Archives a number that must be equal in the network being restored. */
static void archive_same(Archive *a, uint64_t value) {
    uint64_t given = value;
    jm_archive_u64(a, &given, UINT64_MAX);
    archive_demand(a, given == value);
}

/* ---- messages and their numbers -------------------------------------------------- */

/* Archives a message in use. Visibility and address follow from other fields. */
static void archive_message(Archive *a, const Net *net, NetMessage *message) {
    jm_archive_u32(a, &message->source, net->graph->nodes - 1);
    jm_archive_u32(a, &message->destination, net->graph->nodes - 1);
    jm_archive_index(a, &message->next, net->message_count);
    jm_archive_u64(a, &message->opened_cycle, net->now);
    jm_archive_u64(a, &message->born_cycle, message->opened_cycle);
    jm_archive_u64(a, &message->started_cycle, net->now);
    jm_archive_u32(a, &message->words_offered, INT32_MAX / NET_FLITS_PER_WORD);
    jm_archive_u32(a, &message->words_visible, message->words_offered);
    jm_archive_u32(a, &message->words_delivered, message->words_visible);
    jm_archive_u32(a, &message->flits_sent, INT32_MAX);
    jm_archive_u8(a, &message->priority, NET_PRIORITIES - 1);
    jm_archive_bool(a, &message->started);
    jm_archive_bool(a, &message->staged);
    jm_archive_bool(a, &message->closed);
    jm_archive_bool(a, &message->closed_visible);
    if (net->graph->address_from)
        jm_archive_u8(a, &message->draw, (net->graph->draws - 1) & UINT8_MAX);
    message->in_use = true;
    message->open_visible = message->opened_cycle < net->now;
    message->address = net_graph_address(net->graph, message->source,
                                         message->destination, message->draw);
}

/* Archives the free numbers, in the order in which they will be used: it determines the
 * numbers of later messages. Returns how many there are. */
static uint32_t archive_free_numbers(Archive *a, Net *net) {
    uint32_t count = 0;
    for (uint32_t i = net->first_free; a->saving && i != NET_NONE; count++)
        i = net->messages[i].next;
    jm_archive_count(a, &count);
    uint32_t *link = &net->first_free;
    for (uint32_t i = 0; i < count && archive_good(a); i++) {
        jm_archive_index(a, link, net->message_count);
        if (!archive_demand(a, *link != NET_NONE &&
                                   (a->saving || net->messages[*link].in_use)))
            return count;
        net->messages[*link].in_use = false;
        link = &net->messages[*link].next;
    }
    if (!a->saving)
        *link = NET_NONE;
    return count;
}

/* Makes new records, all in use until found to be free. */
static void make_messages(Net *net, uint32_t count) {
    net->message_count = net->staged.count = 0;
    net_message_grow(net, count);
    net->first_free = NET_NONE;
    for (uint32_t i = 0; i < count; i++)
        net->messages[i] = (NetMessage){.in_use = true};
}

static void archive_messages(Archive *a, Net *net) {
    uint32_t count = net->message_count;
    jm_archive_count(a, &count);
    if (!a->saving)
        make_messages(net, count);
    net->messages_live = net->message_count - archive_free_numbers(a, net);
    for (uint32_t i = 0; i < net->message_count && archive_good(a); i++)
        if (net->messages[i].in_use)
            archive_message(a, net, &net->messages[i]);
}

/* ---- the ends -------------------------------------------------------------------- */

/* Archives the messages with words that the next step makes visible, each once. */
static void archive_staged(Archive *a, Net *net) {
    NetList *list = &net->staged;
    jm_archive_count(a, &list->count);
    archive_demand(a, list->count <= net->message_count);
    for (uint32_t i = 0; i < list->count && archive_good(a); i++)
        jm_archive_below(a, &list->items[i], net->message_count);
}

/* Archives the gates that the next step makes current. */
static void archive_staged_gates(Archive *a, Net *net, uint32_t ends) {
    uint32_t count = net->staged_gates.count;
    jm_archive_count(a, &count);
    if (!a->saving) {
        net->staged_gates.count = 0;
        memset(net->gate_staged, 0, ends * sizeof *net->gate_staged);
    }
    for (uint32_t i = 0; i < count && archive_good(a); i++) {
        uint32_t end = a->saving ? net->staged_gates.items[i] : 0;
        jm_archive_below(a, &end, ends);
        if (!a->saving && archive_good(a))
            net_stage_gate(net, end);
    }
}

/* Archives a node's end: its output buffer and gate. In an empty buffer `last` is
 * meaningless and is not saved. */
static void archive_end(Archive *a, Net *net, uint32_t end) {
    NetBuffer *buffer = &net->buffers[end];
    uint8_t *places = &net->places[end % NET_PRIORITIES][end / NET_PRIORITIES];
    jm_archive_index(a, &buffer->first, net->message_count);
    jm_archive_bool(a, &net->gate_wanted[end]);
    if (buffer->first == NET_NONE) {
        *buffer = (NetBuffer){.first = NET_NONE, .last = NET_NONE};
        *places = 0;
        return;
    }
    jm_archive_index(a, &buffer->last, net->message_count);
    jm_archive_u8(a, places, net->params.buffer_words & UINT8_MAX);
    jm_archive_bool(a, &buffer->open);
    archive_demand(a, buffer->last != NET_NONE);
}

/* Archives the words of the last step, which clients may still read. */
static void archive_deliveries(Archive *a, Net *net) {
    const uint32_t ends = net->graph->nodes * NET_PRIORITIES;
    jm_archive_u32(a, &net->delivery_count, ends);
    for (uint32_t i = 0; i < net->delivery_count && archive_good(a); i++) {
        NetDelivery *delivery = &net->deliveries[i];
        if (!a->saving)
            *delivery = (NetDelivery){0};
        jm_archive_u32(a, &delivery->node, net->graph->nodes - 1);
        jm_archive_below(a, &delivery->message, net->message_count);
        jm_archive_u8(a, &delivery->priority, NET_PRIORITIES - 1);
        jm_archive_bool(a, &delivery->tail);
    }
    jm_archive_u32(a, &net->ended_count, ends);
    for (uint32_t i = 0; i < net->ended_count && archive_good(a); i++)
        jm_archive_below(a, &net->ended[i], net->message_count);
    /* They only wait for the release of their numbers, so they are not live. */
    net->messages_live -= net->ended_count;
}

static void archive_ends(Archive *a, Net *net) {
    const uint32_t ends = net->graph->nodes * NET_PRIORITIES;
    for (uint32_t end = 0; end < ends && archive_good(a); end++)
        archive_end(a, net, end);
    archive_staged(a, net);
    archive_staged_gates(a, net, ends);
    archive_deliveries(a, net);
    for (unsigned p = 0; p < NET_PRIORITIES; p++)
        for (size_t w = 0; w < net_set_words(net); w++) {
            jm_archive_u64(a, &net->drained[p][w], UINT64_MAX);
            jm_archive_u64(a, &net->received[p][w], UINT64_MAX);
        }
}

/* ---- statistics ------------------------------------------------------------------ */

/* Archives the classes of a distribution that are not empty, in order: class, count. */
static void archive_classes(Archive *a, uint64_t *counts, uint32_t classes) {
    uint32_t used = 0;
    for (uint32_t i = 0; a->saving && i < classes; i++)
        used += counts[i] != 0;
    jm_archive_u32(a, &used, classes);
    if (!a->saving)
        memset(counts, 0, classes * sizeof *counts);
    for (uint32_t i = 0; used > 0 && archive_good(a); i++, used--) {
        const uint32_t least = i;
        while (a->saving && !counts[i])
            i++;
        jm_archive_u32(a, &i, classes - 1);
        jm_archive_u64(a, &counts[i], UINT64_MAX);
        archive_demand(a, i >= least && counts[i] != 0);
    }
}

static void archive_histogram(Archive *a, NetHistogram *histogram) {
    jm_archive_u64(a, &histogram->count, UINT64_MAX);
    jm_archive_u64(a, &histogram->sum, UINT64_MAX);
    jm_archive_u64(a, &histogram->min, UINT64_MAX);
    jm_archive_u64(a, &histogram->max, UINT64_MAX);
    archive_classes(a, histogram->exact, NET_LATENCY_EXACT);
    archive_classes(a, histogram->above,
                    sizeof histogram->above / sizeof histogram->above[0]);
}

static void archive_statistics(Archive *a, Net *net) {
    NetStatistics *s = &net->statistics;
    for (unsigned p = 0; p < NET_PRIORITIES; p++) {
        uint64_t *const values[] = {&s->messages_opened[p], &s->messages_delivered[p],
                                    &s->words_offered[p],   &s->words_delivered[p],
                                    &s->flits_injected[p],  &s->flits_dropped[p],
                                    &s->flits_ejected[p]};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            jm_archive_u64(a, values[i], UINT64_MAX);
        archive_same(a, net_count_inside(net, p));
    }
    for (unsigned d = 0; d < NET_DIMENSIONS; d++) {
        jm_archive_u64(a, &s->wire_flits[d], UINT64_MAX);
        jm_archive_u64(a, &s->bisection_flits[d], UINT64_MAX);
    }
    jm_archive_u64(a, &s->blocked_cycles, UINT64_MAX);
    archive_histogram(a, &s->latency);
    archive_histogram(a, &s->transit);
    for (uint32_t i = 0; i < 2 * net->graph->wires; i++)
        jm_archive_u64(a, &net->wire_flits[i], UINT64_MAX);
}

/* ---- flits ----------------------------------------------------------------------- */

/* Archives a flit. */
static void archive_flit(Archive *a, const Net *net, NetFlit *flit) {
    uint32_t message = flit->message, index = flit->index;
    bool tail = flit->tail;
    jm_archive_below(a, &message, net->message_count);
    jm_archive_u32(a, &index, INT32_MAX);
    jm_archive_bool(a, &tail);
    *flit = (NetFlit){.message = message, .index = index & INT32_MAX, .tail = tail};
}

/* Archives a point. A point at rest is the single number 0. */
static void archive_point(Archive *a, const Net *net, const NetImage *image,
                          uint32_t number) {
    NetPoint *point = &image->points[number];
    const uint32_t points = net_graph_points(net->graph);
    const bool channel = number < net->graph->channels;
    uint32_t state = point->flits * 8 + point->next_taken * 4u + point->closed * 2u +
                     (point->owner != NET_NONE);
    jm_archive_u32(a, &state, (channel ? image->capacity : 1) * 8 + 7);
    point->flits = state / 8;
    point->next_taken = state & 4;
    point->closed = state & 2;
    if (net->params.fair || net->params.r_order)
        jm_archive_index(a, &point->turn, points);
    if (state & 1) {
        jm_archive_index(a, &point->owner, net->message_count);
        jm_archive_u32(a, &point->from, points - 1);
    }
    if (point->flits || point->next_taken)
        jm_archive_index(a, &point->next, points);
    for (uint32_t k = 0; channel && k < point->flits; k++)
        archive_flit(a, net, &image->flits[(size_t)number * image->capacity + k]);
}

static void archive_image(Archive *a, const Net *net, const NetImage *image) {
    for (uint32_t i = 0; i < net_graph_points(net->graph) && archive_good(a); i++)
        archive_point(a, net, image, i);
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        jm_archive_u8(a, &image->down[wire], 1);
}

/* Directions of wires by number, in the order of nodes: node * node_links() + 2 *
 * dimension + up. */
static uint32_t node_links(const Net *net) {
    const unsigned dimensions = net->graph->grid.dimensions;
    return 2 * (dimensions > NET_DIMENSIONS ? dimensions : NET_DIMENSIONS);
}

static uint32_t channel_of(const Net *net, uint32_t link) {
    const uint32_t links = node_links(net);
    return net->graph->link(net->graph, link / links, 0, link % links / 2, link % 2);
}

/* Whether a link is blocked. One that several nodes share is the first node's. */
static bool is_blocked(const Net *net, uint32_t link) {
    const uint32_t channel = channel_of(net, link);
    if (channel == NET_NONE || !net->blocked[channel])
        return false;
    const uint32_t links = node_links(net);
    for (uint32_t before = link % links; before < link; before += links)
        if (channel_of(net, before) == channel)
            return false;
    return true;
}

static bool mark_blocked(Net *net, uint32_t link) {
    const uint32_t links = node_links(net);
    return net_mark_link(net, link / links, link % links / 2, link % 2, true);
}

/* Archives the directions of wires that are blocked, as ascending numbers. */
static void archive_blocked(Archive *a, Net *net) {
    uint32_t count = net->blocked_links, link = 0;
    jm_archive_count(a, &count);
    if (!a->saving) {
        net->blocked_links = 0;
        memset(net->blocked, 0, net->graph->channels * sizeof *net->blocked);
    }
    for (uint32_t i = 0; i < count && archive_good(a); i++, link++) {
        const uint32_t least = link;
        while (a->saving && !is_blocked(net, link))
            link++;
        jm_archive_below(a, &link, net->graph->nodes * node_links(net));
        archive_demand(a, link >= least && (a->saving || mark_blocked(net, link)));
    }
}

/* ---- the whole ------------------------------------------------------------------- */

static void archive_net(Archive *a, Net *net) {
    archive_same(a, net->graph->nodes);
    archive_same(a, net->graph->channels);
    archive_same(a, net->graph->wires);
#define NET_PARAM(name, ...) archive_same(a, net->params.name);
#include "net/params.def"
#undef NET_PARAM
    archive_blocked(a, net);
    jm_archive_u64(a, &net->now, INT64_MAX);
    jm_archive_bool(a, &net->moved);
    jm_archive_bool(a, &net->progressed);
    archive_messages(a, net);
    archive_ends(a, net);
    archive_statistics(a, net);
}

/* A network that is being saved. */
typedef struct {
    const Net *net;
    Archive *archive;
} Saving;

/* Saving changes nothing, but the functions could. */
static void save(Heap *heap, void *context) {
    const Saving *s = context;
    NetImage image = net_image_take(heap, s->net);
    Net *copy = heap_copy(heap, s->net, sizeof *copy);
    archive_net(s->archive, copy);
    archive_image(s->archive, s->net, &image);
    if (copy->engine->archive)
        copy->engine->archive(heap, copy, copy->engine_state, s->archive);
}

void net_save(const Net *net, Archive *archive) {
    if (!heap_run(save, &(Saving){net, archive}))
        jm_archive_starve(archive);
}

/* A network that is being restored. */
typedef struct {
    Net *net;
    Archive *archive;
    bool trusted; /* the archive need not be checked */
    bool good;
} Restoring;

static bool read_net(Restoring *r, Heap *heap, NetImage *image) {
    Net *net = r->net;
    Archive *archive = r->archive;
    archive_net(archive, net);
    if (archive_good(archive))
        archive_image(archive, net, image);
    if (!archive_good(archive) || !(r->trusted || net_image_sound(heap, net, image)))
        return false;
    net_image_put(net, image);
    if (net->engine->archive)
        net->engine->archive(heap, net, net->engine_state, archive);
    if (!archive_good(archive))
        return false;
    return r->trusted || net_check_in(heap, net, NULL);
}

static void restore(Heap *heap, void *context) {
    Restoring *r = context;
    Heap *scratch = heap_within(heap);
    NetImage image = net_image_create(scratch, r->net);
    r->good = read_net(r, scratch, &image);
    heap_delete(scratch);
}

bool net_restore(Net *net, Archive *archive, bool trusted) {
    Restoring restoring = {net, archive, trusted, false};
    if (!heap_work(net->heap, restore, &restoring))
        jm_archive_starve(archive);
    return restoring.good;
}

uint32_t net_open_message(const Net *net, unsigned node, unsigned priority) {
    return net->buffers[node * NET_PRIORITIES + priority].last;
}

uint32_t net_message_numbers(const Net *net) {
    return net->message_count;
}
