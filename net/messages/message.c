/* Records of messages. Numbers are taken from a list of free records, last freed first,
 * so that they stay small and the same run gives the same numbers. */
#include <stdlib.h>
#include <string.h>

#include "net/messages/state.h"

/* Makes room in the list of staged messages. A message is staged at most once, so a
 * place for each suffices. */
static bool grow_staged(Net *net, uint32_t count) {
    uint32_t *items =
        realloc(net->staged.items, ((size_t)count + 1) * sizeof *net->staged.items);
    if (items)
        net->staged.items = items;
    return items != NULL;
}

/* The records grow last: if an earlier step fails, there is only more room than is
 * used. */
bool net_message_grow(Net *net, uint32_t count) {
    if (!grow_staged(net, count) ||
        (net->engine->reserve && !net->engine->reserve(net->engine_state, count)))
        return false;
    NetMessage *grown =
        aligned_alloc(_Alignof(NetMessage), ((size_t)count + 1) * sizeof *grown);
    if (!grown)
        return false;
    if (net->message_count)
        memcpy(grown, net->messages, net->message_count * sizeof *grown);
    free(net->messages);
    net->messages = grown;
    net->message_count = count;
    return true;
}

bool net_message_more(Net *net) {
    const uint32_t old = net->message_count;
    if (!net_message_grow(net, old ? 2 * old : 64))
        return false;
    for (uint32_t i = net->message_count; i-- > old;) {
        net->messages[i] = (NetMessage){.next = net->first_free};
        net->first_free = i;
    }
    return true;
}
