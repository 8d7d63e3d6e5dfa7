/* State of the plane engine: every one-bit item of the routers is a plane of bits, one
 * for each node. Internal to net/plane.
 *
 * All planes lie in one block of memory. Node n is bit n % 64 of word n / 64,
 * n = x + X * (y + Y * z); the neighbour's bit of a plane is the plane shifted by 1, X
 * or X * Y. Words of zeros before and after each plane let a shift read past its ends,
 * and as no message is ever sent off the mesh, nothing has to be masked at its edges.
 */
#ifndef JM_NET_PLANE_PLANE_H
#define JM_NET_PLANE_PLANE_H

#include "net/messages/state.h"
#include "net/topology/mesh.h"

enum {
    PLANE_SLOTS = 8,      /* the largest capacity of a channel */
    PLANE_IDS = 8,        /* messages whose heads a channel can hold, a power of 2 */
    PLANE_LIST = 512 + 8, /* places of a list: see list_inline.h */
    PLANE_CREDIT = 5,     /* bits of a source's credit */
    PLANE_PARTS = 8       /* of a sum: words of the widest vector */
};

/* What a source waits for: nothing; permission for its front message to start, or a
 * message; more words of a message that has started. The order matters to a sum. */
enum { PLANE_HAS_CREDIT, PLANE_WAITS_TO_START, PLANE_WAITS_FOR_WORDS };

/* The message being ejected at a node. */
typedef struct {
    uint32_t message, words; /* delivered so far */
} PlaneComing;

/* Flits that have crossed wires since the last settling, by dimension and direction
 * (0: up): those that entered a line of wires at this node, less those that left it, so
 * that their sum up to a wire has crossed it. A message is counted when it has ended,
 * with all of its flits: see wires.c. */
typedef struct {
    int64_t entered[NET_DIMENSIONS][2];
} PlaneCrossings;

/* All planes by number, so that each can be found without a lookup: first those of
 * channels, by priority, dimension and kind; then those of the moves; then those of
 * each priority; then the wires.
 *
 * Slot 0 of a channel is in front. A flit has three marks: that it is there, that it is
 * a tail, and where its message goes next.
 *
 *     P and N   want 0: to R, otherwise straight on
 *     R         want 0: to P of the next dimension, want 1: to N, neither: to R */
enum {
    PLANE_GOING, /* the front message's head has left, its tail has not */
    PLANE_OWNED, /* a head has entered, its tail has not */
    PLANE_TURN,  /* a binary number of two planes: 0 P-side, 1 N-side, 2 entering */
    PLANE_SLOT = PLANE_TURN + 2, /* valid, tail, want 0, want 1 of each slot */
    PLANE_SLOT_SIZE = 4,
    PLANE_CHANNEL_SIZE = PLANE_SLOT + PLANE_SLOTS * PLANE_SLOT_SIZE,
    PLANE_CHANNELS = NET_PRIORITIES * NET_MESH_CHANNELS * PLANE_CHANNEL_SIZE
};

/* Numbers of the planes that record the moves of a dimension in a cycle for a priority.
 * Planes by target come in the order P, N, R. */
enum {
    PLANE_BID_P,   /* a flit bids for the wire to this node, from below */
    PLANE_BID_N,   /* from above */
    PLANE_CROSS_P, /* a flit crosses the wire above this node upward */
    PLANE_CROSS_N, /* downward */
    PLANE_PUSH,    /* a flit enters and takes a place */
    PLANE_ENTERING_TAIL = PLANE_PUSH + NET_MESH_KINDS,
    PLANE_STAYS = PLANE_ENTERING_TAIL + NET_MESH_KINDS, /* the flit in front */
    PLANE_MOVES_SIZE = PLANE_STAYS + NET_MESH_KINDS,
    PLANE_PRIORITIES =
        PLANE_CHANNELS + NET_PRIORITIES * NET_DIMENSIONS * PLANE_MOVES_SIZE
};

/* Numbers of the planes of a priority, then of the wires. The credit of an output
 * buffer is the number of flits of the front message that can leave before its record
 * must be examined again. */
enum {
    PLANE_LEAVE, /* flits that leave the sources, R of X, of Y, of Z in this cycle */
    PLANE_SOURCE = PLANE_LEAVE + NET_DIMENSIONS + 1, /* credit, a plane for each bit */
    PLANE_SOURCE_LAST = PLANE_SOURCE + PLANE_CREDIT, /* it ends with the tail */
    PLANE_SOURCE_VALID,                              /* the credit is not 0 */
    PLANE_SOURCE_TAIL,                               /* the next flit is the tail */
    PLANE_SOURCE_GOING,
    PLANE_SOURCE_WANT,
    PLANE_SINK = PLANE_SOURCE_WANT + 2, /* the gate is open */
    PLANE_SINK_HALF,                    /* a word's first flit is out */
    PLANE_SINK_SECOND, /* the next ejected flit is its message's second */
    PLANE_SINK_TAIL,   /* this cycle: the completed word is the last one */
    PLANE_PRIORITY_SIZE,
    /* By lower node: the last flit over the wire went down. */
    PLANE_WIRES = PLANE_PRIORITIES + NET_PRIORITIES * PLANE_PRIORITY_SIZE,
    /* P and N of each dimension; by far node: no flit comes from there. */
    PLANE_SHUT = PLANE_WIRES + NET_DIMENSIONS,
    PLANE_COUNT = PLANE_SHUT + 2 * NET_DIMENSIONS
};

/* Returns the number of the first plane of the channels of a kind. */
static inline unsigned plane_of_channels(unsigned priority, unsigned dimension,
                                         unsigned kind) {
    return (priority * NET_MESH_CHANNELS + dimension * NET_MESH_KINDS + kind) *
           PLANE_CHANNEL_SIZE;
}

/* Returns the number of the first plane of a priority. */
static inline unsigned plane_of_priority(unsigned priority) {
    return PLANE_PRIORITIES + priority * PLANE_PRIORITY_SIZE;
}

/* Returns the number of the first plane of a dimension's moves. */
static inline unsigned plane_of_moves(unsigned priority, unsigned dimension) {
    return PLANE_CHANNELS + (priority * NET_DIMENSIONS + dimension) * PLANE_MOVES_SIZE;
}

/* Data about heads is kept separately for each priority, so that heads of all
 * dimensions can be handled in one pass. A set is a kind of channel in a dimension: P
 * and N of X, of Y, of Z; R of X, Y, Z; then the output buffers. Node n of set s has
 * place s * places + n: its bit in planes by set, and its message in PlaneHeads.id. */
enum {
    PLANE_LINE_SETS = 2 * NET_DIMENSIONS,
    PLANE_R_SETS = NET_DIMENSIONS,
    PLANE_SETS = PLANE_LINE_SETS + PLANE_R_SETS,
    /* Tasks for output buffers: see serve_sources(). */
    PLANE_START = 0,
    PLANE_DONE,
    PLANE_DRY,
    PLANE_ENDS
};

/* The planes of heads, by set, with channels that are handled alike side by side: heads
 * that enter over the wire, into R from below; into R from above; from within the node;
 * then the target of the last message to enter, with the second bit for R only. A
 * plane's number is its item's plus its set's, so items of R alone count from before
 * their first plane. */
enum {
    PLANE_WIRED,
    PLANE_ABOVE = PLANE_SETS - PLANE_LINE_SETS,
    PLANE_INNER = PLANE_SETS + PLANE_R_SETS,
    PLANE_ENTRIES = PLANE_INNER + PLANE_SETS, /* planes of heads that enter */
    PLANE_NEWEST = PLANE_ENTRIES,
    PLANE_NEWEST_DOWN = PLANE_NEWEST + PLANE_SETS - PLANE_LINE_SETS,
    PLANE_HEAD_COUNT = PLANE_NEWEST + PLANE_SETS + PLANE_R_SETS
};

/* Returns the set of a kind of channel in a dimension. */
static inline unsigned plane_set(unsigned dimension, unsigned kind) {
    return kind == NET_CHANNEL_R ? PLANE_LINE_SETS + dimension : 2 * dimension + kind;
}

/* The sources and destinations of the heads in the words of planes: the positions in
 * PlaneHeads.id of messages that enter and leave the place of a word's first node, of
 * which the second may lie before the first of all; and the word with their next
 * target. By plane and word, for the first words; those of later words follow. */
enum { PLANE_ENTRY_WORDS = 8 };
typedef struct {
    uint32_t *to[PLANE_ENTRIES * PLANE_ENTRY_WORDS];
    const uint32_t *from[PLANE_ENTRIES * PLANE_ENTRY_WORDS];
    uint64_t *newest[PLANE_ENTRIES * PLANE_ENTRY_WORDS];
    uint8_t way[PLANE_ENTRIES * PLANE_ENTRY_WORDS]; /* R: offset of its byte */
} PlaneEntries;

/* All heads of a priority. */
typedef struct {
    size_t words;     /* of a plane, an odd number of cache lines */
    uint32_t places;  /* 64 times as many */
    uint64_t *planes; /* PLANE_WIRED, ... */
    uint64_t *ends;   /* planes of PLANE_START, ...; scratch before them */
    PlaneEntries entries;
    /* Messages whose heads are here. Up to capacity 2 there is at most one; otherwise a
     * ring of PLANE_IDS per place, indexed by running counts. */
    uint32_t *id;
    uint8_t *put, *taken;
    uint32_t *source; /* by node: the message in front of its output buffer */
} PlaneHeads;

/* Meshes of up to 512 nodes, whose planes are one vector, have a stride known at
 * compile time. */
enum { PLANE_SMALL_WORDS = 8, PLANE_SMALL_STRIDE = 24 };

/* How to find the bit of a neighbour. */
typedef enum {
    PLANE_WITHIN, /* in the same word: rows do not cross words */
    PLANE_WORDS,  /* the same bit some words away */
    PLANE_ACROSS  /* both */
} PlaneShiftKind;

/* The shift to the neighbours of a dimension. */
typedef struct {
    PlaneShiftKind kind;
    uint32_t nodes; /* between neighbours */
    uint32_t words, bits;
} PlaneShift;

typedef bool PlaneStep(Net *net, void *engine);
typedef void PlaneChanged(Net *net, void *engine, uint32_t *messages, uint32_t count);

/* The plane engine of a network. */
typedef struct {
    const NetEngine *widest; /* the engine of the widest vectors, if it does the work */
    uint32_t nodes;
    size_t words; /* of a plane, a multiple of 8 */
    uint32_t capacity, header_flits;
    bool deep; /* channels may hold the heads of several messages */
    bool fair, wired_turns, shared_wires, enter_on_lost_wire;
    bool as_built;     /* the copy of the cycle with constants suffices: memory.c, */
    bool small;        /* and those for small meshes */
    bool blocked;      /* some wire is blocked */
    unsigned yielding; /* this cycle: see net_yielding() */
    unsigned urgent;   /* this cycle: see net_first_priority() */
    NetMeshShape mesh;
    PlaneShift shift[NET_DIMENSIONS];

    PlaneHeads heads[NET_PRIORITIES];
    PlaneComing *coming[NET_PRIORITIES]; /* by node */

    /* Vectors of small meshes, a bit each, in which second places may be taken. */
    uint8_t crowded[NET_DIMENSIONS];
    bool sets_clear[NET_PRIORITIES]; /* net->drained and received are empty */

    /* Since the last settling: headers dropped; channels whose flits did not move,
     * times cycles, in parts. */
    uint64_t headers_dropped[NET_PRIORITIES], blocked_cycles[PLANE_PARTS];
    PlaneCrossings *crossings; /* by node */

    /* By node * NET_PRIORITIES + priority: PLANE_HAS_CREDIT, ...; flits of the front
     * message sent or in the credit. */
    uint8_t *waits;
    uint32_t *loaded;
    const uint32_t *place; /* by node: coordinates, a byte per dimension */
    uint32_t *way;         /* by message: from its source */
    uint32_t ways;         /* capacity of `way`, in messages */
    uint32_t turn[256];    /* by hops: see plane_turn() */
    uint32_t *list;        /* scratch */
    uint64_t *planes;      /* the first of them, */
    size_t stride;         /* words from one to the next */
    Heap *heap;            /* of all of it */
} PlaneEngine;

/* A message as stored in channels: bits 0-24 its number, bits 25-31 the hops left in
 * its current dimension, or for R and output buffers in the next, less two. So the last
 * bit of a message in P or N says that one hop is left. */
enum { PLANE_HOPS = 25, PLANE_MAX_MESSAGES = 1 << PLANE_HOPS };

static inline uint32_t plane_message(uint32_t id) {
    return id % PLANE_MAX_MESSAGES;
}

/* Returns the way from one node to another, given their places: a signed byte for each
 * dimension, the hops upward or, if negative, downward; then one of no hops. They are
 * at most 63, so no byte borrows from another. */
static inline uint32_t plane_way(uint32_t here, uint32_t there) {
    const uint32_t signs = 0x80808080;
    return ((there | signs) - here) ^ signs;
}

/* Returns the hops of a way in a dimension. */
static inline int plane_hops(uint32_t way, unsigned dimension) {
    return (int8_t)(way >> (8 * dimension));
}

/* Hops as a turn: their number, less two, as in an id; bit 0: upward; bit 1:
 * downward. */
enum { PLANE_UPWARD, PLANE_DOWNWARD, PLANE_MAX_HOPS = 63 };

/* Returns the turn into a dimension of a way; after the last one there are no hops. */
static inline uint32_t plane_turn(const PlaneEngine *engine, uint32_t way,
                                  unsigned dimension) {
    return engine->turn[way >> (8 * dimension) & 0xFF];
}

/* Returns the id of a message that makes a turn, or is about to. */
static inline uint32_t plane_id(uint32_t message, uint32_t turn) {
    return message + (turn & ~((uint32_t)PLANE_MAX_MESSAGES - 1));
}

#define PLANE_INLINE static inline __attribute__((always_inline))

/* Consecutive planes, those of the channels of a kind or of a priority. */
typedef struct {
    uint64_t *first;
    size_t stride;
} Planes;

PLANE_INLINE uint64_t *plane(Planes planes, unsigned number) {
    return planes.first + number * planes.stride;
}

/* Returns the planes from a number on; those of a priority; those of a channel's
 * kind. */
static inline Planes plane_from(const PlaneEngine *engine, unsigned number) {
    return (Planes){engine->planes + number * engine->stride, engine->stride};
}

static inline Planes plane_ends(const PlaneEngine *engine, unsigned priority) {
    return plane_from(engine, plane_of_priority(priority));
}

static inline Planes plane_channel(const PlaneEngine *engine, const NetLabel *label) {
    return plane_from(
        engine, plane_of_channels(label->priority, label->dimension, label->kind));
}

PLANE_INLINE uint64_t *valid(Planes channels, unsigned slot) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE);
}

PLANE_INLINE uint64_t *tail(Planes channels, unsigned slot) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE + 1);
}

PLANE_INLINE uint64_t *want(Planes channels, unsigned slot, unsigned i) {
    return plane(channels, PLANE_SLOT + slot * PLANE_SLOT_SIZE + 2 + i);
}

/* Returns the place of a channel's messages in PlaneHeads. */
static inline size_t plane_place(const PlaneHeads *heads, const NetLabel *label) {
    return (size_t)plane_set(label->dimension, label->kind) * heads->places +
           label->node;
}

/* Returns the next target of the last message to enter a set's channels, as `want`. */
static inline uint64_t *plane_newest(const PlaneHeads *heads, unsigned set,
                                     unsigned i) {
    return heads->planes +
           ((i ? PLANE_NEWEST_DOWN : PLANE_NEWEST) + set) * heads->words;
}

/* Whether a node's bit is set. */
static inline bool plane_has(const uint64_t *plane, uint32_t node) {
    return plane[node / 64] >> (node % 64) & 1;
}

/* Sets a node's bit. */
static inline void plane_put(uint64_t *plane, uint32_t node, bool bit) {
    const uint64_t mask = UINT64_C(1) << (node % 64);
    plane[node / 64] = (plane[node / 64] & ~mask) | (bit ? mask : 0);
}

/* NetEngine.step and .sources_changed, in each width of vectors. */
PlaneStep plane_step_plain, plane_step_sse2, plane_step_avx2, plane_step_avx512;
PlaneChanged plane_changed_plain, plane_changed_sse2;
PlaneChanged plane_changed_avx2, plane_changed_avx512;

/* Whether vectors are available. A build with PLANE_VECTORS=0 has none. */
#ifndef PLANE_VECTORS
#if defined(__x86_64__) && defined(__GNUC__)
#define PLANE_VECTORS 1
#else
#define PLANE_VECTORS 0
#endif
#endif

/* Brings a message to the front of an output buffer: its number, and the channel it
 * wants. In source.c, as the next four. */
void plane_source_begin(const Net *net, PlaneEngine *engine, unsigned priority,
                        uint32_t node, uint32_t message);
/* Gives a source without credit some if its front message can send. */
void plane_source_refill(const Net *net, PlaneEngine *engine, unsigned priority,
                         uint32_t node);
/* Returns the flits that the front message of a source, by node * NET_PRIORITIES +
 * priority, has sent. */
uint32_t plane_source_sent(const PlaneEngine *engine, uint32_t end);
/* NetEngine.taken_back. */
void plane_taken_back(Net *net, void *engine, uint32_t message);

/* Computes and stores the way of a message that leaves its source. */
uint32_t plane_set_way(const Net *net, PlaneEngine *engine, uint32_t message);

/* NetEngine.create and .reserve. In memory.c. */
void *plane_create(Heap *heap, Net *net);
void plane_reserve(void *engine, uint32_t messages);

/* NetEngine.settle and .check. In settle.c. */
void plane_settle(Net *net, void *engine);
bool plane_check(const Net *net, const void *engine, JmError *error);

/* Adds the flits that have crossed wires to the statistics. In wires.c, as the next. */
void plane_settle_wires(Net *net, PlaneEngine *engine);
/* Notes that the crossings of the messages inside so far are in the statistics. */
void plane_note_inside(Net *net, PlaneEngine *engine);

/* Returns a message's flits in a channel. In view.c, as the rest. */
uint32_t plane_flits_in(const Net *net, const PlaneEngine *engine, uint32_t channel,
                        uint32_t message);
/* NetEngine.point, .flit, .wire_down, .gate_changed, .wire_changed and .load. In view.c
 * and load.c. */
NetPoint plane_point(const Net *net, const void *engine, uint32_t point);
NetFlit plane_flit(const Net *net, const void *engine, uint32_t channel, uint32_t k);
bool plane_wire_down(const Net *net, const void *engine, uint32_t channel);
void plane_gate_changed(Net *net, void *engine, uint32_t sink, bool open);
void plane_wire_changed(Net *net, void *engine, uint32_t channel, bool blocked);
void plane_load(Heap *heap, Net *net, void *engine, const NetImage *image);

#endif
