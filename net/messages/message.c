/* Records of messages. Numbers are taken from a list of free records, last freed first,
 * so that they stay small and the same run gives the same numbers. */
#include <string.h>

#include "net/messages/state.h"

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

bool net_message_more(Net *net) {
    return heap_try(net->heap, add_records, net);
}
