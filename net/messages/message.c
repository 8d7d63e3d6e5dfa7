/* Records of messages. Numbers are taken from a list of free records, last freed first,
 * so that they stay small and the same run gives the same numbers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/messages/state.h"

void *net_must_grow(void *items, size_t count, size_t item_size) {
    void *grown = realloc(items, count * item_size);
    if (!grown)
        abort();
    return grown;
}

void net_list_add(NetList *list, uint32_t item) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = net_must_grow(list->items, list->capacity, sizeof *list->items);
    }
    list->items[list->count++] = item;
}

void net_message_grow(Net *net, uint32_t count) {
    NetMessage *grown =
        aligned_alloc(_Alignof(NetMessage), ((size_t)count + 1) * sizeof *grown);
    if (!grown)
        abort();
    if (net->message_count)
        memcpy(grown, net->messages, net->message_count * sizeof *grown);
    free(net->messages);
    net->messages = grown;
    net->message_count = count;
}

static void add_free_records(Net *net) {
    const uint32_t old = net->message_count;
    net_message_grow(net, old ? 2 * old : 64);
    for (uint32_t i = net->message_count; i-- > old;) {
        net->messages[i] = (NetMessage){.next = net->first_free};
        net->first_free = i;
    }
}

uint32_t net_message_open(Net *net, unsigned node, unsigned priority,
                          unsigned destination) {
    if (net->first_free == NET_NONE)
        add_free_records(net);
    const uint32_t number = net->first_free;
    NetMessage *message = &net->messages[number];
    net->first_free = message->next;
    *message = (NetMessage){
        .source = node,
        .destination = destination,
        .address = net->graph->address(net->graph, destination),
        .next = NET_NONE,
        .opened_cycle = net->now,
        .priority = (uint8_t)priority,
        .in_use = true,
    };
    net->messages_live++;
    return number;
}

void net_message_free(Net *net, uint32_t number) {
    net->messages[number].in_use = false;
    net->messages[number].next = net->first_free;
    net->first_free = number;
}
