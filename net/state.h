/* The state of a network that every engine shares, and the face of an engine. Internal
 * to net/.
 *
 *     net.c      the public calls, handed on to the parts below
 *     message.c  records of messages and their numbers
 *     inject.c   output buffers: opening, offering, and taking flits out
 *     eject.c    words delivered and headers dropped
 *     graph_engine.c   moves flits; sees the others through this header only */
#ifndef JM_NET_STATE_H
#define JM_NET_STATE_H

#include "net/graph.h"

/* A flit is a marker: whose it is, which one, and whether it is the last. */
typedef struct {
    uint32_t message;
    uint32_t index : 31; /* 0 is the first header or, without headers, data flit */
    uint32_t tail : 1;
} NetFlit;

/* A message from its opening until the step after its tail's delivery. */
typedef struct {
    uint32_t source, destination;
    uint32_t address; /* destination in the graph's routing form */
    uint32_t next;    /* next message of the same output buffer, or next free record */
    uint64_t opened_cycle;
    uint64_t started_cycle; /* its first flit left the buffer */
    uint32_t words_offered;
    uint32_t words_visible; /* those that the step may send */
    uint32_t words_delivered;
    uint32_t flits_sent; /* headers included */
    uint8_t priority;
    bool in_use, started;
    bool closed;         /* its tail has been offered */
    bool closed_visible; /* and the step may send it */
} NetMessage;

/* The output buffer of a (node, priority): a queue of messages. */
typedef struct {
    uint32_t first, last; /* messages not yet wholly sent, NET_NONE if none */
    uint32_t places_used; /* staged ones included */
    bool open;            /* the last message waits for more words */
} NetBuffer;

/* A list that grows as needed. */
typedef struct {
    uint32_t *items;
    uint32_t count, capacity;
} NetList;

/* A point as the inspector sees it, of any engine. */
typedef struct {
    uint32_t flits;  /* for a source: 1 if a flit can leave; a sink: 0 */
    uint32_t owner;  /* message that holds it (channel or sink), or NET_NONE */
    uint32_t from;   /* point that the owner's flits come from, if owned */
    uint32_t next;   /* where the front message goes, or went; NET_NONE if not known */
    bool next_taken; /* the front message holds `next` */
    NetFlit front, back; /* first and last flit, if flits > 0 (channels only) */
} NetPoint;

/* An engine moves flits on the graph of its network. */
typedef struct {
    const char *name;
    void *(*create)(Net *net); /* NULL: no memory */
    void (*destroy)(void *engine);
    /* One cycle: takes flits with net_buffer_take, delivers with net_eject_flit and
     * net_drop_flit, counts what it moves. Whether any flit moved. */
    bool (*step)(Net *net, void *engine);
    /* Between steps: what source `point` can send, or the gate of a sink, has changed.
     */
    void (*source_changed)(Net *net, void *engine, uint32_t point);
    void (*gate_changed)(Net *net, void *engine, uint32_t sink, bool open);
    NetPoint (*point)(const Net *net, const void *engine, uint32_t point);
    /* The k-th flit of a channel, k < flits. */
    NetFlit (*flit)(const Net *net, const void *engine, uint32_t channel, uint32_t k);
    /* Its own invariants, on top of those that net_check tests for every engine. */
    bool (*check)(const Net *net, const void *engine, JmError *error);
} NetEngine;

extern const NetEngine net_graph_engine;

struct Net {
    NetParams params;
    NetGraph *graph;
    const NetEngine *engine;
    void *engine_state;
    uint64_t now;
    bool moved; /* the last step changed anything */

    NetMessage *messages; /* by number */
    uint32_t message_count, first_free;
    uint32_t messages_live; /* opened, tail not yet delivered */

    NetBuffer *buffers;   /* by node * NET_PRIORITIES + priority */
    bool *gate_wanted;    /* likewise: as last set, staged or not */
    NetList staged;       /* messages with words offered since the last step */
    NetList staged_gates; /* node * NET_PRIORITIES + priority, set since */

    NetDelivery *deliveries; /* of the last step */
    uint32_t delivery_count;

    uint64_t flits_inside[NET_PRIORITIES];
    uint64_t *wire_flits; /* by wire * 2 + direction */
    NetStatistics statistics;
    NetFlitHook *hook;
    void *hook_context;
};

/* message.c */
uint32_t net_message_open(Net *net, unsigned node, unsigned priority,
                          unsigned destination);
void net_message_free(Net *net, uint32_t message);

/* Grows a list or an array; a program that runs out of memory here is ended, as the
 * calls that lead here have no way to fail. */
void *net_must_grow(void *items, size_t count, size_t item_size);
void net_list_add(NetList *list, uint32_t item);

/* inject.c */
static inline NetBuffer *net_buffer(const Net *net, uint32_t source) {
    return &net->buffers[source - net->graph->channels];
}

/* Whether the buffer of source `source` can send a flit. */
bool net_buffer_can_send(const Net *net, uint32_t source);
/* Takes its next flit out. */
NetFlit net_buffer_take(Net *net, uint32_t source);
/* Makes what was offered since the last step visible; whether there was anything. */
bool net_buffer_commit(Net *net);

/* eject.c */
void net_drop_flit(Net *net, NetFlit flit);
void net_eject_flit(Net *net, uint32_t node, NetFlit flit);
/* Frees the records of the messages whose tails the last step delivered. */
void net_release_delivered(Net *net);

/* statistics.c */
void net_count_wires(Net *net);
void net_histogram_clear(NetHistogram *histogram);
void net_histogram_add(NetHistogram *histogram, uint64_t cycles);

#endif
