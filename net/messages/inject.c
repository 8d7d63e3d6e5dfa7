/* Output buffers. A message's routing word takes a place from its opening until its
 * last header flit has left (without headers: its first data flit); every other word
 * until its second flit has left. Words offered since the last step take their places
 * at once but are not sent before the next step has made them visible. */
#include <assert.h>
#include <string.h>

#include "net/messages/state.h"

static NetBuffer *buffer_of(const Net *net, unsigned node, unsigned priority) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    return &net->buffers[node * NET_PRIORITIES + priority];
}

unsigned net_room(const Net *net, unsigned node, unsigned priority) {
    assert(node < net->graph->nodes && priority < NET_PRIORITIES);
    return net->params.buffer_words - net->places[priority][node];
}

const uint8_t *net_places(const Net *net, unsigned priority) {
    return net->places[priority];
}

bool net_is_open(const Net *net, unsigned node, unsigned priority) {
    return buffer_of(net, node, priority)->open;
}

/* Puts a message on the list of those that the next step makes visible. */
static inline void stage(Net *net, NetMessage *message, uint32_t number) {
    if (message->staged)
        return;
    message->staged = true;
    net->staged.items[net->staged.count++] = number;
}

/* Puts a message on the list of those that the step of a later cycle makes visible. It
 * is the last of its buffer until then. */
static inline void stage_early(Net *net, NetMessage *message, uint32_t number,
                               uint64_t shown) {
    uint32_t *first = &net->early[shown % NET_EARLY_CYCLES];
    message->staged = true;
    message->next = *first;
    *first = number;
}

/* Removes a message from those to be shown later. */
static void unstage_early(Net *net, NetMessage *message, uint32_t number) {
    uint32_t *link = &net->early[net->now % NET_EARLY_CYCLES];
    for (uint64_t cycle = net->now; *link != number;) {
        if (*link == NET_NONE)
            link = &net->early[++cycle % NET_EARLY_CYCLES];
        else
            link = &net->messages[*link].next;
    }
    *link = message->next;
    message->next = NET_NONE;
}

/* ---- records of messages --------------------------------------------------------- */

/* Numbers are taken from a list of free records, last freed first, so that they stay
 * small and the same run gives the same numbers. */

/* A message is staged at most once, so the list of staged ones needs a place for each.
 * The net is changed when there is memory for all. */
void net_message_grow(Net *net, uint32_t count) {
    Heap *heap = heap_within(net->heap);
    NetMessage *messages = heap_lines(heap, count * sizeof *messages);
    uint32_t *staged = heap_alloc(heap, count * sizeof *staged);
    if (net->engine->reserve)
        net->engine->reserve(net->engine_state, count);
    if (net->record_heap) {
        memcpy(messages, net->messages, net->message_count * sizeof *messages);
        memcpy(staged, net->staged.items, net->staged.count * sizeof *staged);
    }
    heap_delete(net->record_heap);
    net->record_heap = heap;
    net->messages = messages;
    net->staged.items = staged;
    net->message_count = count;
}

/* Doubles the records and makes the new ones free, in ascending order. */
static void add_records(Heap *heap, void *context) {
    Net *net = context;
    const uint32_t old = net->message_count;
    (void)heap;
    net_message_grow(net, old ? 2 * old : 64);
    for (uint32_t i = net->message_count; i-- > old;) {
        net->messages[i] = (NetMessage){.next = net->first_free};
        net->first_free = i;
    }
}

/* Takes a record for a message. NET_NONE: no memory, and nothing has changed. */
static inline uint32_t take_record(Net *net) {
    if (__builtin_expect(net->first_free == NET_NONE, false) &&
        !heap_try(net->heap, add_records, net))
        return NET_NONE;
    const uint32_t number = net->first_free;
    net->first_free = net->messages[number].next;
    return number;
}

void net_draw_by(Net *net, uint64_t seed) {
    net->draws_for_messages = true;
    net->message_seed = seed;
}

/* Stands for a draw that the network makes itself. */
enum { OWN_DRAW = UINT8_MAX };

/* Returns the value drawn for a message opened in this cycle. An end opens at most one
 * message a cycle, so end and cycle tell messages apart. */
static __attribute__((noinline)) unsigned own_draw(const Net *net, unsigned node,
                                                   unsigned priority) {
    const uint64_t end = (uint64_t)node * NET_PRIORITIES + priority;
    if (!net->draws_for_messages)
        return 0;
    JmRng rng = jm_rng(jm_rng_mix(jm_rng_mix(net->message_seed, end), net->now));
    return jm_rng_below(&rng, net->graph->draws);
}

/* Makes the record of a message with all its `words`, or none yet, and puts it at the
 * end of its buffer. NET_NONE: no memory, and nothing has changed. */
static inline __attribute__((always_inline)) uint32_t
append_message(Net *net, NetBuffer *buffer, unsigned node, unsigned priority,
               unsigned destination, uint64_t born, unsigned draw, unsigned words) {
    const uint32_t number = take_record(net);
    if (number == NET_NONE)
        return NET_NONE;
    if (draw == OWN_DRAW)
        draw = net->graph->address_from ? own_draw(net, node, priority) : 0;
    net->messages[number] = (NetMessage){
        .source = node,
        .destination = destination,
        .address = net_graph_address(net->graph, node, destination, draw),
        .next = NET_NONE,
        .opened_cycle = net->now,
        .born_cycle = born,
        .words_offered = words,
        .priority = (uint8_t)priority,
        .draw = (uint8_t)draw,
        .in_use = true,
        .closed = words > 0,
    };
    net->messages_live++;
    net->statistics.messages_opened[priority]++;
    if (buffer->first == NET_NONE)
        buffer->first = number;
    else
        net->messages[buffer->last].next = number;
    buffer->last = number;
    return number;
}

/* Opens a message with the given birth and draw. */
static inline __attribute__((always_inline)) uint32_t
open_message(Net *net, unsigned node, unsigned priority, unsigned destination,
             uint64_t born, unsigned draw) {
    NetBuffer *buffer = &net->buffers[node * NET_PRIORITIES + priority];
    assert(destination < net->graph->nodes && born <= net->now);
    assert(!buffer->open && net->places[priority][node] < net->params.buffer_words);
    const uint32_t number =
        append_message(net, buffer, node, priority, destination, born, draw, 0);
    if (number == NET_NONE)
        return NET_NONE;
    net->places[priority][node]++;
    buffer->open = true;
    stage(net, &net->messages[number], number);
    return number;
}

uint32_t net_open(Net *net, unsigned node, unsigned priority, unsigned destination) {
    return open_message(net, node, priority, destination, net->now, OWN_DRAW);
}

uint32_t net_open_aged(Net *net, unsigned node, unsigned priority, unsigned destination,
                       uint64_t born) {
    return open_message(net, node, priority, destination, born, OWN_DRAW);
}

uint32_t net_open_drawn(Net *net, unsigned node, unsigned priority,
                        unsigned destination, unsigned draw) {
    return open_message(net, node, priority, destination, net->now, draw);
}

void net_offer(Net *net, unsigned node, unsigned priority, unsigned words, bool end) {
    NetBuffer *buffer = &net->buffers[node * NET_PRIORITIES + priority];
    uint8_t *const places = &net->places[priority][node];
    const uint32_t number = buffer->last;
    NetMessage *message = &net->messages[number];
    assert(buffer->open && (words == 1 || words == 2));
    assert(*places + words <= net->params.buffer_words);
    *places += (uint8_t)words;
    buffer->open = !end;
    message->words_offered += words;
    message->closed = end;
    net->statistics.words_offered[priority] += words;
    stage(net, message, number);
}

/* Lets the network see a message from the end of cycle `shown` on. */
static inline void show_in(Net *net, uint32_t number, uint64_t shown) {
    assert(shown - net->now < NET_EARLY_CYCLES);
    if (shown == net->now)
        stage(net, &net->messages[number], number);
    else
        stage_early(net, &net->messages[number], number, shown);
}

void net_offer_rest(Net *net, unsigned node, unsigned priority, unsigned words,
                    uint64_t shown) {
    NetBuffer *buffer = buffer_of(net, node, priority);
    uint8_t *const places = &net->places[priority][node];
    NetMessage *message = &net->messages[buffer->last];
    assert(buffer->open && *places + words <= net->params.buffer_words);
    *places += (uint8_t)words;
    buffer->open = false;
    message->words_offered += words;
    message->closed = true;
    net->statistics.words_offered[priority] += words;
    show_in(net, buffer->last, shown);
}

uint32_t net_send(Net *net, unsigned node, unsigned priority, unsigned destination,
                  unsigned words, uint64_t shown) {
    NetBuffer *buffer = &net->buffers[node * NET_PRIORITIES + priority];
    uint8_t *const places = &net->places[priority][node];
    assert(!buffer->open && *places + 1 + words <= net->params.buffer_words);
    const uint32_t number = append_message(net, buffer, node, priority, destination,
                                           net->now, OWN_DRAW, words);
    if (number == NET_NONE)
        return NET_NONE;
    *places += (uint8_t)(1 + words);
    net->statistics.words_offered[priority] += words;
    show_in(net, number, shown);
    return number;
}

void net_take_back(Net *net, unsigned node, unsigned priority, unsigned words) {
    NetBuffer *buffer = buffer_of(net, node, priority);
    const uint32_t number = buffer->last;
    NetMessage *message = &net->messages[number];
    if (message->staged)
        unstage_early(net, message, number);
    net->places[priority][node] -= (uint8_t)words;
    buffer->open = true;
    message->words_offered -= words;
    message->closed = false;
    net->statistics.words_offered[priority] -= words;
    net_message_show(message);
    if (net->engine->taken_back)
        net->engine->taken_back(net, net->engine_state, number);
}

bool net_buffer_can_send(const Net *net, uint32_t source) {
    const uint32_t first = net_buffer(net, source)->first;
    if (first == NET_NONE)
        return false;
    const NetMessage *message = &net->messages[first];
    if (!message->started && !net_message_can_start(net, message))
        return false;
    return net_message_has_flits(net, message);
}

bool net_flits_wait(const Net *net) {
    const NetStatistics *s = net_statistics(net);
    for (unsigned p = 0; p < NET_PRIORITIES; p++) {
        if (s->flits_injected[p] != s->flits_dropped[p] + s->flits_ejected[p])
            return true;
        for (uint32_t node = 0; node < net->graph->nodes; node++)
            if (net_buffer_can_send(net, net_graph_source(net->graph, node, p)))
                return true;
    }
    return false;
}

/* Whether the `sent`-th flit of a message to leave, counted from 1, frees a place. */
static inline bool frees_place(const Net *net, unsigned sent) {
    const unsigned header_flits = net->params.header_flits;
    if (sent <= header_flits || sent == 1)
        return sent == (header_flits ? header_flits : 1);
    return ((sent - header_flits) & ((1u << net->word_shift) - 1)) == 0;
}

NetFlit net_buffer_take(Net *net, uint32_t source) {
    NetBuffer *buffer = net_buffer(net, source);
    NetMessage *message = &net->messages[buffer->first];
    if (!message->started) {
        message->started = true;
        message->started_cycle = net->now;
    }
    const uint32_t index = message->flits_sent++;
    const NetFlit flit = {
        .message = buffer->first,
        .index = index & INT32_MAX,
        .tail = message->closed_visible &&
                index + 1 == net_flits_of(net, message->words_visible),
    };
    if (frees_place(net, index + 1)) {
        net->places[message->priority][message->source]--;
        net->drained[message->priority][message->source / 64] |=
            UINT64_C(1) << (message->source % 64);
    }
    net->statistics.flits_injected[message->priority]++;
    if (flit.tail)
        net_buffer_pass_tail(net, buffer);
    return flit;
}
