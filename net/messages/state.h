/* The state of a network that every engine shares, and the interface of an engine.
 * Internal to net/.
 *
 *     cycle.c       the cycle, and what clients ask between cycles
 *     inject.c      output buffers: opening, offering, taking flits out; records of
 *                   messages and their numbers
 *     eject.c       words delivered and headers dropped
 *     block.c       blocked wires
 *     image.c       the state of an engine in a form that any engine can take over
 *     checkpoint.c  serialises the network
 *     sound.c       validates a state that was loaded
 *     check.c       invariants between steps
 *     statistics.c  counts and distributions
 *     inspect.c     channels and messages for callers; who waits for whom
 *     ../wormhole, ../plane   move flits; they see this room through this header only
 * */
#ifndef JM_NET_MESSAGES_STATE_H
#define JM_NET_MESSAGES_STATE_H

#include "emu/core/rng.h"
#include "net/graph/graph.h"

/* A flit is a marker: its message, its index, and whether it is the last. */
typedef struct {
    uint32_t message;
    uint32_t index : 31; /* 0 is the first header or, without headers, data flit */
    uint32_t tail : 1;
} NetFlit;

/* A message from its opening until the step after its tail's delivery: a cache line. */
typedef struct {
    _Alignas(64) uint32_t source;
    uint32_t destination;
    uint32_t address; /* destination in the graph's routing form */
    uint32_t next;    /* next message of the same output buffer, next one to be shown in
                         the same cycle (Net.early), or next free record */
    uint64_t opened_cycle;
    uint64_t started_cycle; /* its first flit left the buffer */
    uint64_t born_cycle;    /* its age counts from here: at most opened_cycle */
    uint32_t words_offered;
    uint32_t words_visible; /* those that the step may send */
    uint32_t words_delivered;
    uint32_t flits_sent; /* headers included */
    uint8_t priority;
    bool in_use, started;
    bool staged;         /* in the list of messages offered words since the last step */
    bool closed;         /* its tail has been offered */
    bool closed_visible; /* `closed`, as seen by the step */
    bool open_visible;   /* the step may send its header flits */
    uint8_t draw;        /* what was drawn for its address */
} NetMessage;

/* The output buffer of a (node, priority): a queue of messages. */
typedef struct {
    uint32_t first, last; /* messages not yet wholly sent, NET_NONE if none */
    bool open;            /* the last message waits for more words */
} NetBuffer;

/* A list with room for everything that can be in it. */
typedef struct {
    uint32_t *items;
    uint32_t count;
} NetList;

/* The state of a point, of any engine, between two steps. */
typedef struct {
    /* Including those in flight to a channel; source: 1 if a flit can leave; sink:
     * 0. */
    uint32_t flits;
    uint32_t owner;  /* message that holds it (channel or sink), or NET_NONE */
    uint32_t from;   /* point that the owner's flits come from, if owned */
    uint32_t next;   /* where the front message goes, or went; NET_NONE if unknown */
    uint32_t turn;   /* where turns are taken: the feeder to look at first; NET_NONE */
    bool next_taken; /* the front message holds `next` */
    bool closed;     /* a sink whose gate is closed */
    NetFlit front, back; /* first and last flit, if flits > 0 (channels only) */
} NetPoint;

typedef struct NetImage NetImage;

/* An engine moves flits on the graph of its network. It may defer counts and records to
 * be freed until settle() is called. */
typedef struct {
    const char *name;
    bool reports_flits;      /* calls the hook for each flit that moves */
    bool (*runs_here)(void); /* whether this processor can run it; NULL: any can */
    /* Whether the engine supports everything in a sound graph and in parameters within
     * their bounds; if not, `error` names what it does not support. The heap is for
     * temporary memory. */
    bool (*runs)(Heap *heap, const NetGraph *graph, const NetParams *params,
                 JmError *error);
    /* Creates the engine's state for a graph that it runs and the existing messages; it
     * lasts as long as the heap. */
    void *(*create)(Heap *heap, Net *net);
    /* Makes room for messages with numbers below `count`, and never shrinks. It fails
     * as memory does if numbers are too large. NULL: the engine needs no room. */
    void (*reserve)(void *engine, uint32_t count);
    /* Does one cycle: takes flits out of buffers, delivers words, counts what it moves,
     * and sets net->progressed as net_progressed() reports it. Returns whether any flit
     * moved. */
    bool (*step)(Net *net, void *engine);
    /* Called between steps: these messages have been offered words since the last call.
     * Shows them with net_message_show(); then they can be sent. The list may be
     * overwritten. */
    void (*sources_changed)(Net *net, void *engine, uint32_t *messages, uint32_t count);
    /* Called between steps: the last words of a message, which could not have left yet,
     * were taken back. NULL: the engine looks at messages. */
    void (*taken_back)(Net *net, void *engine, uint32_t message);
    /* Called between steps: the gate of a sink has changed. */
    void (*gate_changed)(Net *net, void *engine, uint32_t sink, bool open);
    /* Called between steps: the wire of a channel has been blocked or freed. */
    void (*wire_changed)(Net *net, void *engine, uint32_t channel, bool blocked);
    /* Returns the state of a point. */
    NetPoint (*point)(const Net *net, const void *engine, uint32_t point);
    /* Returns the k-th flit of a channel, k < flits. */
    NetFlit (*flit)(const Net *net, const void *engine, uint32_t channel, uint32_t k);
    /* Whether the last flit over the wire of `channel`, which goes up, went down. Asked
     * only of wires that both directions share. */
    bool (*wire_down)(const Net *net, const void *engine, uint32_t channel);
    /* Brings messages and statistics up to date. NULL: they always are. */
    void (*settle)(Net *net, void *engine);
    /* Loads the flits of another engine; `engine` is as created, in that heap. Blocked
     * wires are passed to the engine afterwards. */
    void (*load)(Heap *heap, Net *net, void *engine, const NetImage *image);
    /* Checks the engine's own invariants, on top of those that net_check() tests for
     * every engine. */
    bool (*check)(const Net *net, const void *engine, JmError *error);
    /* Saves and restores state that an image does not hold; the heap is for temporary
     * memory. NULL: none. */
    void (*archive)(Heap *heap, Net *net, void *engine, Archive *archive);
    /* Counters of a channel. NULL: the engine does not count them. */
    NetChannelCounts (*counts)(const void *engine, uint32_t channel);
} NetEngine;

/* The engines. net_plane_engine uses the widest vectors of this processor. */
extern const NetEngine net_graph_engine, net_flow_engine, net_plane_engine,
    net_plane_plain, net_plane_sse2, net_plane_avx2, net_plane_avx512;

/* The state of an engine between two steps in a form that any engine can take over. */
struct NetImage {
    uint32_t capacity; /* places of a channel in `flits` */
    NetPoint *points;  /* by point */
    NetFlit *flits;    /* by channel * capacity + place */
    uint8_t *down;     /* by wire: see NetEngine.wire_down; else 0 */
};

/* A network. */
struct Net {
    NetParams params;
    NetGraph *graph;
    const NetEngine *engine;
    void *engine_state;
    Heap *heap;                      /* of all of it; within: */
    Heap *engine_heap, *record_heap; /* that state; messages and staged ones */
    uint32_t start_words;            /* the parameter, at most the places of a buffer */
    uint32_t word_shift;             /* flits of a word are 1 << this */
    JmRng draws;                     /* the engine's random draws */
    bool draws_for_messages;         /* see net_draw_by() */
    uint64_t message_seed;
    uint64_t now;
    bool moved;   /* the last step changed something */
    bool settled; /* no step since the engine was last settled */
    /* In the last step a flit left a buffer, crossed a wire or reached an end. */
    bool progressed;

    NetMessage *messages; /* by number */
    uint32_t message_count, first_free;
    uint32_t messages_live; /* opened, tail not yet delivered */

    NetBuffer *buffers;              /* by node * NET_PRIORITIES + priority */
    uint8_t *places[NET_PRIORITIES]; /* by node: used in its buffer, staged included */
    bool *gate_wanted;               /* as `buffers`: as last set, staged or not */
    bool *gate_staged;               /* as `buffers`: in staged_gates */
    NetList staged; /* messages with words offered since the last step */
    uint32_t early[NET_EARLY_CYCLES]; /* by cycle modulo their number: the first of the
                                         messages to be shown in it, linked by `next` */
    NetList staged_gates;             /* node * NET_PRIORITIES + priority, set since */

    NetDelivery *deliveries; /* of the last step */
    uint32_t delivery_count;
    uint32_t *ended; /* messages whose tails the last step delivered */
    uint32_t ended_count;
    /* Bits by node, all in one block. */
    uint64_t *drained[NET_PRIORITIES], *received[NET_PRIORITIES];

    uint64_t *wire_flits; /* by wire * 2 + direction */
    NetStatistics statistics;
    bool *blocked;          /* by channel: whether its wire is blocked */
    uint32_t blocked_links; /* directions of wires */
    NetFlitHook *hook;
    void *hook_context;
};

/* Empties the sets of nodes drained and received, of `count` priorities. In cycle.c. */
void net_clear_sets(Net *net, unsigned first, unsigned count);
/* Lets the next step make the gate of node * NET_PRIORITIES + priority current. In
 * cycle.c. */
void net_stage_gate(Net *net, uint32_t end);

/* Frees a record. */
static inline void net_message_free(Net *net, uint32_t message) {
    net->messages[message].in_use = false;
    net->messages[message].next = net->first_free;
    net->first_free = message;
}
/* Makes room for `count` records, here and in the engine, and keeps the existing ones.
 * It adds none to the free list. For work in the network's heap. In inject.c. */
void net_message_grow(Net *net, uint32_t count);

/* Flits of a message of this many words. */
static inline uint32_t net_flits_of(const Net *net, uint32_t words) {
    return net->params.header_flits + (words << net->word_shift);
}

/* Whether a message that has started can send another flit. */
static inline bool net_message_has_flits(const Net *net, const NetMessage *message) {
    return message->flits_sent < net_flits_of(net, message->words_visible);
}

/* Lets the step see the words offered for a message. */
static inline void net_message_show(NetMessage *message) {
    message->words_visible = message->words_offered;
    message->closed_visible = message->closed;
    message->open_visible = true;
    message->staged = false;
}

/* Shows all messages of a list. */
static inline void net_messages_show(Net *net, const uint32_t *messages,
                                     uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        net_message_show(&net->messages[messages[i]]);
}

/* Returns the output buffer of a source. */
static inline NetBuffer *net_buffer(const Net *net, uint32_t source) {
    return &net->buffers[source - net->graph->channels];
}

/* Whether a message that has not started may start: its tail or `start_words` words,
 * the routing word included, are visible. */
static inline bool net_message_can_start(const Net *net, const NetMessage *message) {
    return message->closed_visible |
           (message->open_visible & (1 + message->words_visible >= net->start_words));
}

/* Whether the output buffer of a source can send a flit. In inject.c, as the next. */
bool net_buffer_can_send(const Net *net, uint32_t source);
/* Takes the next flit out of the output buffer of a source. */
NetFlit net_buffer_take(Net *net, uint32_t source);
/* Removes a buffer's first message, which has left with its tail. */
static inline void net_buffer_pass_tail(const Net *net, NetBuffer *buffer) {
    buffer->first = net->messages[buffer->first].next;
}

/* Counts a header flit that is dropped. In eject.c, as the next. */
void net_drop_flit(Net *net, NetFlit flit);
/* Takes a flit out of the network at end node * NET_PRIORITIES + queue; the second one
 * of a word delivers it. */
void net_eject_flit(Net *net, uint32_t end, NetFlit flit);

/* Makes an image in which all points are at rest. In image.c. */
NetImage net_image_create(Heap *heap, const Net *net);
/* Takes an image of the network's state. */
NetImage net_image_take(Heap *heap, const Net *net);
/* Continues from an image, perhaps taken from another engine. For work in the network's
 * heap. */
void net_image_put(Net *net, const NetImage *image);

/* Marks or clears a direction of a wire as blocked, without notifying the engine.
 * False: there is no such wire. In block.c. */
bool net_mark_link(Net *net, unsigned node, unsigned dimension, bool up, bool blocked);
/* Notifies a new engine of all blocked wires. */
void net_tell_blocked(Net *net);

/* Whether messages, buffers and an image whose indices are in range are a possible
 * state of a network; net_check() tests the rest. In sound.c. */
bool net_image_sound(Heap *heap, const Net *net, const NetImage *image);

/* Does net_check() with memory of `heap`. In check.c. */
bool net_check_in(Heap *heap, const Net *net, JmError *error);

/* Returns the flits of all opened messages not yet ejected, from statistics that are up
 * to date. */
static inline uint64_t net_count_inside(const Net *net, unsigned priority) {
    const NetStatistics *seen = &net->statistics;
    return net->params.header_flits * seen->messages_opened[priority] +
           (seen->words_offered[priority] << net->word_shift) -
           seen->flits_dropped[priority] - seen->flits_ejected[priority];
}

/* Returns the dimensions, a bit each, in which P and N let entering heads go first in
 * this cycle (parameters `yield` and `yield_dims`). */
static inline unsigned net_yielding(const Net *net) {
    const NetParams *params = &net->params;
    if (params->yield == 0 || params->fair || params->age ||
        net->now % params->yield != 0)
        return 0;
    return params->yield_dims;
}

/* Returns the priority that goes first over wires in this cycle (`rts_priority`). */
static inline unsigned net_first_priority(const Net *net) {
    return net->params.rts_priority == 0   ? 1
           : net->params.rts_priority == 1 ? (unsigned)(net->now % 2)
                                           : 0;
}

/* Brings an engine's deferred state up to date. Callers cannot see the change, so `net`
 * is const. */
static inline void net_settle(const Net *net) {
    if (net->settled || !net->engine->settle)
        return;
    Net *own = (Net *)net; /* invisible outside */
    net->engine->settle(own, net->engine_state);
    own->settled = true;
}

/* Returns the 64-bit words of a set of nodes, rounded up to the widest vector. */
static inline size_t net_set_words(const Net *net) {
    return (net->graph->nodes + 511) / 512 * 8;
}

/* Counts wires by dimension, for utilisations. In statistics.c. */
void net_count_wires(Net *net);

/* Counts a message as delivered after its last word. It is in net->ended. */
static inline void net_end_message(Net *net, NetMessage *message) {
    NetStatistics *statistics = &net->statistics;
    message->words_delivered = message->words_offered;
    net->messages_live--;
    statistics->messages_delivered[message->priority]++;
    net_histogram_add(&statistics->latency, net->now - message->opened_cycle);
    net_histogram_add(&statistics->transit, net->now - message->started_cycle);
}

#endif
