/* Saving and restoring a network between two steps. What is saved does not depend on
 * the engine: the shared records, and the image of the channels. One walk over all of
 * it serves both directions. Numbers are little-endian; a sum over all bytes comes
 * last. */
#include <string.h>

#include "net/state.h"

enum { SAVED_VERSION = 1 };

typedef struct {
    NetWriter *write; /* or */
    NetReader *read;
    void *context;
    uint64_t sum;
    bool failed;
} Walk;

/* FNV-1a (Fowler, Noll and Vo 1991). */
static void add_to_sum(Walk *walk, const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        walk->sum = (walk->sum ^ bytes[i]) * UINT64_C(0x100000001B3);
}

static uint64_t read_number(Walk *walk, size_t size) {
    unsigned char bytes[8] = {0};
    uint64_t value = 0;
    if (walk->failed || !walk->read(walk->context, bytes, size)) {
        walk->failed = true;
        return 0;
    }
    add_to_sum(walk, bytes, size);
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void write_number(Walk *walk, uint64_t value, size_t size) {
    unsigned char bytes[8];
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    add_to_sum(walk, bytes, size);
    if (walk->failed || !walk->write(walk->context, bytes, size))
        walk->failed = true;
}

static void walk_u64(Walk *walk, uint64_t *value) {
    if (walk->read)
        *value = read_number(walk, 8);
    else
        write_number(walk, *value, 8);
}

static void walk_u32(Walk *walk, uint32_t *value) {
    if (walk->read)
        *value = (uint32_t)read_number(walk, 4);
    else
        write_number(walk, *value, 4);
}

static void walk_u8(Walk *walk, uint8_t *value) {
    if (walk->read)
        *value = (uint8_t)read_number(walk, 1);
    else
        write_number(walk, *value, 1);
}

static void walk_bool(Walk *walk, bool *value) {
    uint8_t byte = *value;
    walk_u8(walk, &byte);
    *value = byte != 0;
}

static void walk_u64s(Walk *walk, uint64_t *values, size_t count) {
    for (size_t i = 0; i < count && !walk->failed; i++)
        walk_u64(walk, &values[i]);
}

/* A number that must be the same in the network that is restored. */
static void walk_same(Walk *walk, uint64_t value) {
    uint64_t given = value;
    walk_u64(walk, &given);
    walk->failed |= given != value;
}

static void walk_head(Walk *walk, const Net *net) {
    walk_same(walk, UINT64_C(0x54454E2D4D4A0A1A)); /* "JM-NET" and ends of lines */
    walk_same(walk, SAVED_VERSION);
    walk_same(walk, net->graph->nodes);
    walk_same(walk, net->graph->channels);
    walk_same(walk, net->graph->wires);
    for (uint32_t c = 0; c < net->graph->channels && !walk->failed; c++)
        walk_same(walk, net->graph->wire[c]); /* another shape has other wires */
#define NET_PARAM(name, ...) walk_same(walk, net->params.name);
#include "net/params.def"
#undef NET_PARAM
}

static void walk_message(Walk *walk, NetMessage *message) {
    walk_bool(walk, &message->in_use);
    walk_u32(walk, &message->next);
    if (!message->in_use) /* what else is in it is of the past */
        return;
    walk_u32(walk, &message->source);
    walk_u32(walk, &message->destination);
    walk_u32(walk, &message->address);
    walk_u64(walk, &message->opened_cycle);
    walk_u64(walk, &message->started_cycle);
    walk_u32(walk, &message->words_offered);
    walk_u32(walk, &message->words_visible);
    walk_u32(walk, &message->words_delivered);
    walk_u32(walk, &message->flits_sent);
    walk_u8(walk, &message->priority);
    walk_bool(walk, &message->started);
    walk_bool(walk, &message->staged);
    walk_bool(walk, &message->closed);
    walk_bool(walk, &message->closed_visible);
}

/* There are never more messages than places for flits and words. */
static bool is_possible_count(const Net *net, uint64_t count) {
    const uint64_t places =
        (uint64_t)net->graph->nodes * NET_PRIORITIES * net->params.buffer_words +
        (uint64_t)net->graph->channels * net->params.channel_capacity;
    return count <= 2 * places + 64;
}

static void walk_messages(Walk *walk, Net *net) {
    uint32_t count = net->message_count;
    walk_u32(walk, &count);
    walk_u32(walk, &net->first_free);
    walk_u32(walk, &net->messages_live);
    if (walk->failed || !is_possible_count(net, count)) {
        walk->failed = true;
        return;
    }
    if (walk->read) {
        net->message_count = 0;
        net_message_grow(net, count);
        memset(net->messages, 0, count * sizeof *net->messages);
    }
    for (uint32_t i = 0; i < count; i++)
        walk_message(walk, &net->messages[i]);
}

static void walk_list(Walk *walk, Net *net, NetList *list) {
    uint32_t count = list->count;
    walk_u32(walk, &count);
    if (walk->failed || !is_possible_count(net, count)) {
        walk->failed = true;
        return;
    }
    if (walk->read)
        list->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = walk->read ? 0 : list->items[i];
        walk_u32(walk, &item);
        if (walk->read)
            net_list_add(list, item);
    }
}

static void walk_ends(Walk *walk, Net *net) {
    for (uint32_t end = 0; end < net->graph->nodes * NET_PRIORITIES; end++) {
        NetBuffer *buffer = &net->buffers[end];
        walk_u32(walk, &buffer->first);
        walk_u32(walk, &buffer->last);
        walk_u32(walk, &buffer->places_used);
        walk_bool(walk, &buffer->open);
        walk_bool(walk, &net->gate_wanted[end]);
    }
    walk_list(walk, net, &net->staged);
    walk_list(walk, net, &net->staged_gates);
}

static void walk_last_step(Walk *walk, Net *net) {
    const uint32_t ends = net->graph->nodes * NET_PRIORITIES;
    walk_u64(walk, &net->now);
    walk_bool(walk, &net->moved);
    walk_bool(walk, &net->progressed);
    walk_u32(walk, &net->delivery_count);
    walk_u32(walk, &net->ended_count);
    walk->failed |= net->delivery_count > ends || net->ended_count > ends;
    for (uint32_t i = 0; i < net->delivery_count && !walk->failed; i++) {
        NetDelivery *delivery = &net->deliveries[i];
        walk_u32(walk, &delivery->node);
        walk_u32(walk, &delivery->message);
        walk_u8(walk, &delivery->priority);
        walk_bool(walk, &delivery->tail);
    }
    for (uint32_t i = 0; i < net->ended_count && !walk->failed; i++)
        walk_u32(walk, &net->ended[i]);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        walk_u64s(walk, net->drained[priority], net_set_words(net));
        walk_u64s(walk, net->received[priority], net_set_words(net));
        walk_u64(walk, &net->flits_inside[priority]);
    }
}

/* Statistics are 64-bit counters throughout. */
static void walk_statistics(Walk *walk, Net *net) {
    _Static_assert(sizeof(NetStatistics) % sizeof(uint64_t) == 0, "counters only");
    walk_u64s(walk, (uint64_t *)&net->statistics,
              sizeof net->statistics / sizeof(uint64_t));
    walk_u64s(walk, net->wire_flits, 2 * (size_t)net->graph->wires);
}

static void walk_flit(Walk *walk, NetFlit *flit) {
    uint32_t index = flit->index;
    bool tail = flit->tail;
    walk_u32(walk, &flit->message);
    walk_u32(walk, &index);
    walk_bool(walk, &tail);
    flit->index = index & INT32_MAX;
    flit->tail = tail;
}

static void walk_image(Walk *walk, const Net *net, NetImage *image) {
    const uint32_t points = net_graph_points(net->graph);
    for (uint32_t p = 0; p < points && !walk->failed; p++) {
        NetPoint *point = &image->points[p];
        walk_u32(walk, &point->flits);
        walk_u32(walk, &point->owner);
        walk_u32(walk, &point->from);
        walk_u32(walk, &point->next);
        walk_u32(walk, &point->turn);
        walk_bool(walk, &point->next_taken);
        walk_bool(walk, &point->closed);
        walk->failed |= point->flits > image->capacity;
    }
    const size_t places = (size_t)net->graph->channels * image->capacity;
    for (size_t f = 0; f < places && !walk->failed; f++)
        walk_flit(walk, &image->flits[f]);
    for (uint32_t wire = 0; wire < net->graph->wires; wire++)
        walk_u8(walk, &image->down[wire]);
}

static void walk_all(Walk *walk, Net *net, NetImage *image) {
    walk->sum = UINT64_C(0xCBF29CE484222325);
    walk_head(walk, net);
    if (walk->failed)
        return;
    walk_messages(walk, net);
    walk_ends(walk, net);
    walk_last_step(walk, net);
    walk_statistics(walk, net);
    walk_image(walk, net, image);
    walk_same(walk, walk->sum);
}

bool net_save(const Net *net, NetWriter *write, void *context) {
    NetImage image = net_image_take(net);
    Walk walk = {.write = write, .context = context};
    walk_all(&walk, (Net *)net, &image); /* which writing leaves as it is */
    net_image_free(&image);
    return !walk.failed;
}

bool net_restore(Net *net, NetReader *read, void *context, JmError *error) {
    NetImage image = net_image_take(net);
    Walk walk = {.read = read, .context = context};
    walk_all(&walk, net, &image);
    if (!walk.failed)
        net_image_put(net, net->engine, &image);
    net_image_free(&image);
    return !walk.failed ||
           jm_fail(error, NULL, "this is no saved network of this shape");
}
