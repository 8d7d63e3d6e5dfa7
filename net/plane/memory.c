/* The memory of the plane engine: one block for all planes, and records by node. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "net/plane/plane.h"

enum { LINE = 64, LINE_WORDS = LINE / 8 };

/* Sets the destination and source of a plane's heads: a set, and a node offset. */
static void set_entry(PlaneHeads *heads, unsigned plane, unsigned to, unsigned from,
                      ptrdiff_t distance) {
    PlaneEntries *entries = &heads->entries;
    uint64_t *newest = heads->planes + (PLANE_NEWEST + to) * heads->words;
    for (unsigned w = 0; w < PLANE_ENTRY_WORDS; w++) {
        const unsigned i = plane * PLANE_ENTRY_WORDS + w;
        entries->to[i] = heads->id + to * heads->places + w * 64;
        entries->from[i] = heads->id + from * heads->places + w * 64 + distance;
        entries->newest[i] = newest + w;
        entries->way[i] =
            (uint8_t)(to < PLANE_LINE_SETS ? 0 : 8 * (to - PLANE_LINE_SETS + 1));
    }
}

static void set_entries(PlaneHeads *heads, unsigned d, ptrdiff_t distance) {
    const unsigned p = plane_set(d, NET_CHANNEL_P), n = plane_set(d, NET_CHANNEL_N);
    const unsigned r = plane_set(d, NET_CHANNEL_R);
    const unsigned before = d ? plane_set(d - 1, NET_CHANNEL_R) : PLANE_SETS;
    set_entry(heads, PLANE_WIRED + p, p, p, -distance);
    set_entry(heads, PLANE_WIRED + n, n, n, distance);
    set_entry(heads, PLANE_WIRED + r, r, p, -distance);
    set_entry(heads, PLANE_ABOVE + r, r, n, distance);
    set_entry(heads, PLANE_INNER + p, p, before, 0);
    set_entry(heads, PLANE_INNER + n, n, before, 0);
    set_entry(heads, PLANE_INNER + r, r, before, 0);
}

/* Allocates the data about heads. An odd number of cache lines keeps planes from
 * competing for the same cache sets. */
static void allocate_heads(Heap *heap, const PlaneEngine *engine, PlaneHeads *heads) {
    const size_t lines = engine->words / LINE_WORDS;
    heads->words = (lines | 1) * LINE_WORDS;
    heads->places = (uint32_t)heads->words * 64;
    const size_t plane = heads->words * sizeof(uint64_t);
    heads->planes = heap_lines(heap, PLANE_HEAD_COUNT * plane);
    heads->ends = heap_lines(heap, PLANE_ENDS * plane);
    const size_t places = (size_t)PLANE_SETS * heads->places;
    const size_t ids = places * (engine->deep ? PLANE_IDS : 1);
    enum { BELOW = LINE / sizeof *heads->id }; /* node 0's missing neighbour */
    uint32_t *first =
        heap_lines(heap, (BELOW + ids + engine->nodes) * sizeof *heads->id);
    heads->id = first + BELOW;
    heads->source = heads->id + ids;
    heads->put = heap_lines(heap, engine->deep ? places : 0);
    heads->taken = heap_lines(heap, engine->deep ? places : 0);
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        set_entries(heads, d, engine->shift[d].nodes);
}

/* Allocates the records by node. */
static void allocate_records(Heap *heap, PlaneEngine *engine) {
    const size_t nodes = engine->nodes, ends = nodes * NET_PRIORITIES;
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++) {
        allocate_heads(heap, engine, &engine->heads[priority]);
        engine->coming[priority] =
            heap_lines(heap, nodes * sizeof *engine->coming[priority]);
    }
    engine->waits = heap_lines(heap, ends);
    engine->loaded = heap_lines(heap, ends * sizeof *engine->loaded);
    engine->crossings = heap_lines(heap, nodes * sizeof *engine->crossings);
    engine->list = heap_lines(heap, PLANE_LIST * sizeof *engine->list);
}

/* Chooses how to find neighbours in each dimension: the simplest shift that fits. */
static void set_shifts(PlaneEngine *engine) {
    uint32_t nodes = 1;
    for (unsigned d = 0; d < NET_DIMENSIONS; d++) {
        PlaneShift *shift = &engine->shift[d];
        const uint32_t row = nodes * engine->mesh.nodes[d];
        *shift = (PlaneShift){PLANE_ACROSS, nodes, nodes / 64, nodes % 64};
        if (row <= 64 && 64 % row == 0)
            shift->kind = PLANE_WITHIN;
        else if (shift->bits == 0)
            shift->kind = PLANE_WORDS;
        nodes = row;
    }
}

/* Returns the words between planes: they cover the longest shift, and keep planes an
 * odd number of cache lines apart so that they do not compete for a few cache sets. */
static size_t margin_for(const PlaneEngine *engine) {
    const size_t longest = engine->shift[NET_DIMENSIONS - 1].words + 1;
    size_t margin = (longest + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    if (engine->words == PLANE_SMALL_WORDS &&
        margin <= PLANE_SMALL_STRIDE - PLANE_SMALL_WORDS)
        return PLANE_SMALL_STRIDE - PLANE_SMALL_WORDS;
    if ((engine->words + margin) / LINE_WORDS % 2 == 0)
        margin += LINE_WORDS;
    return margin;
}

static void allocate_planes(Heap *heap, PlaneEngine *engine) {
    const size_t margin = margin_for(engine);
    engine->stride = engine->words + margin;
    uint64_t *first =
        heap_lines(heap, (margin + PLANE_COUNT * engine->stride) * sizeof *first);
    engine->planes = first + margin;
}

/* Sets the turns by hops of a way. */
static void set_turns(PlaneEngine *engine) {
    for (int hops = -PLANE_MAX_HOPS; hops <= PLANE_MAX_HOPS; hops++)
        engine->turn[(uint8_t)hops] = ((uint32_t)abs(hops) - 2) << PLANE_HOPS |
                                      (uint32_t)(hops > 0) << PLANE_UPWARD |
                                      (uint32_t)(hops < 0) << PLANE_DOWNWARD;
}

static void set_start(PlaneEngine *engine, const NetGraph *graph) {
    const size_t bytes = engine->words * sizeof(uint64_t);
    set_turns(engine);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        memset(plane(plane_ends(engine, priority), PLANE_SINK), 0xFF, bytes);
    memset(engine->waits, PLANE_WAITS_TO_START, (size_t)NET_PRIORITIES * engine->nodes);
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        memset(plane(plane_from(engine, PLANE_WIRES), d), 0xFF,
               bytes); /* so that upward goes first */
    engine->place = graph->address;
}

/* Whether the copy of the cycle with constants can be used: all parameters have their
 * defaults, except those that this copy reads or that select another copy in some
 * cycles. */
static bool is_as_built(const NetParams *params) {
    NetParams standard = net_params_default();
    standard.buffer_words = params->buffer_words;
    standard.start_words = params->start_words;
    standard.yield = params->yield;
    standard.yield_dims = params->yield_dims;
    return memcmp(&standard, params, sizeof standard) == 0;
}

/* Whether a plane is eight words, and rows of X and Y do not cross them. */
static bool is_small(const PlaneEngine *engine) {
    return engine->stride == PLANE_SMALL_STRIDE && engine->words == PLANE_SMALL_WORDS &&
           engine->shift[1].kind == PLANE_WITHIN &&
           engine->shift[2].kind != PLANE_ACROSS;
}

void plane_reserve(void *state, uint32_t messages) {
    PlaneEngine *engine = state;
    if (messages <= engine->ways)
        return;
    if (messages > PLANE_MAX_MESSAGES)
        heap_fail(engine->heap);
    engine->way =
        heap_resize(engine->heap, engine->way, messages * sizeof *engine->way);
    engine->ways = messages;
}

void *plane_create(Heap *heap, Net *net) {
    PlaneEngine *engine = heap_alloc(heap, sizeof *engine);
    const NetParams *params = &net->params;
    engine->heap = heap;
    engine->nodes = net->graph->nodes;
    engine->words = net_set_words(net);
    engine->capacity = params->channel_capacity;
    engine->header_flits = params->header_flits;
    engine->deep = params->channel_capacity > 2;
    engine->fair = params->fair != 0;
    engine->wired_turns = params->r_order != 0 && !params->fair;
    engine->shared_wires = params->shared_wires != 0;
    engine->enter_on_lost_wire = params->enter_on_lost_wire != 0;
    engine->as_built = is_as_built(params);
    const bool is_mesh = net_mesh_shape(net->graph, &engine->mesh);
    assert(is_mesh); /* the engine runs nothing else */
    (void)is_mesh;
    set_shifts(engine);
    allocate_planes(heap, engine);
    allocate_records(heap, engine);
    plane_reserve(engine, net->message_count);
    engine->small = engine->as_built && is_small(engine);
    set_start(engine, net->graph);
    return engine;
}
