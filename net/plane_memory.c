/* The memory of the plane engine: one block for all planes, one for numbers. Both are
 * laid out by the same walk, first to know their size, then to set the pointers. */
#include <stdlib.h>
#include <string.h>

#include "net/plane.h"

enum { LINE = 64, LINE_WORDS = LINE / 8 };

/* A walk through both blocks; while a base is NULL it only counts. */
typedef struct {
    uint64_t *planes;
    unsigned char *records;
    size_t words, bytes;  /* so far */
    size_t plane, margin; /* words of a plane; of zeros before and behind each */
} Layout;

static uint64_t *new_plane(Layout *layout) {
    const size_t at = layout->words + layout->margin;
    layout->words = at + layout->plane;
    return layout->planes ? layout->planes + at : NULL;
}

static void *new_records(Layout *layout, size_t count, size_t size) {
    const size_t at = layout->bytes;
    layout->bytes = (at + count * size + LINE - 1) / LINE * LINE;
    return layout->records ? layout->records + at : NULL;
}

static void new_planes(Layout *layout, uint64_t **planes, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        planes[i] = new_plane(layout);
}

static void lay_channels(PlaneEngine *engine, Layout *layout, PlaneChannels *channels,
                         unsigned kind) {
    const unsigned wants = kind == NET_CHANNEL_R ? 2 : 1;
    for (uint32_t slot = 0; slot < engine->capacity; slot++) {
        channels->valid[slot] = new_plane(layout);
        channels->tail[slot] = new_plane(layout);
        new_planes(layout, channels->want[slot], wants);
    }
    new_planes(layout, channels->newest, wants);
    channels->going = new_plane(layout);
    channels->owned = new_plane(layout);
    if (engine->fair)
        new_planes(layout, channels->turn, 2);
    const size_t ids = (size_t)engine->nodes * (engine->deep ? PLANE_IDS : 1);
    channels->id = new_records(layout, ids, sizeof *channels->id);
    channels->id_put = new_records(layout, engine->deep ? engine->nodes : 0, 1);
    channels->id_taken = new_records(layout, engine->deep ? engine->nodes : 0, 1);
}

static void lay_sources(PlaneEngine *engine, Layout *layout, PlaneSources *sources) {
    new_planes(layout, sources->credit, PLANE_CREDIT);
    new_planes(layout, sources->want, 2);
    sources->last = new_plane(layout);
    sources->valid = new_plane(layout);
    sources->tail = new_plane(layout);
    sources->going = new_plane(layout);
    sources->id = new_records(layout, engine->nodes, sizeof *sources->id);
    sources->loaded = new_records(layout, engine->nodes, sizeof *sources->loaded);
}

static void lay_sinks(PlaneEngine *engine, Layout *layout, PlaneSinks *sinks) {
    sinks->gate = new_plane(layout);
    sinks->half = new_plane(layout);
    sinks->second = new_plane(layout);
    sinks->word = new_plane(layout);
    sinks->tail = new_plane(layout);
    sinks->coming = new_records(layout, engine->nodes, sizeof *sinks->coming);
}

static void lay_moves(Layout *layout, PlaneMoves *moves) {
    new_planes(layout, moves->bid, 2);
    new_planes(layout, moves->cross, 2);
    new_planes(layout, moves->push, 3);
    new_planes(layout, moves->tail, 3);
    new_planes(layout, moves->head, 3);
    new_planes(layout, moves->inner, 3);
    moves->leave_n = new_plane(layout);
    moves->above = new_plane(layout);
}

/* Planes of events lie one behind the other, with no margins: nobody shifts them. */
static uint64_t *new_events(const PlaneEngine *engine, Layout *layout) {
    const size_t at = (layout->words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    layout->words = at + PLANE_EVENTS * engine->words;
    return layout->planes ? layout->planes + at : NULL;
}

static void lay_counters(PlaneEngine *engine, Layout *layout) {
    for (unsigned i = 0; i < 2; i++)
        engine->carry[i] = new_events(engine, layout);
    for (unsigned level = 0; level < PLANE_LEVELS; level++) {
        engine->pending[level] = new_events(engine, layout);
        engine->sum[level] = new_events(engine, layout);
    }
}

/* What enters dimension `dimension`. */
static PlaneFront front_of(const PlaneEngine *engine, unsigned priority,
                           unsigned dimension) {
    if (dimension == 0) {
        const PlaneSources *sources = &engine->sources[priority];
        return (PlaneFront){sources->valid,
                            sources->tail,
                            sources->going,
                            {sources->want[0], sources->want[1]}};
    }
    const PlaneChannels *r = &engine->channels[priority][dimension - 1][NET_CHANNEL_R];
    return (PlaneFront){
        r->valid[0], r->tail[0], r->going, {r->want[0][0], r->want[0][1]}};
}

static void lay_priority(PlaneEngine *engine, Layout *layout, unsigned priority) {
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        for (unsigned kind = 0; kind < NET_MESH_KINDS; kind++)
            lay_channels(engine, layout, &engine->channels[priority][d][kind], kind);
    lay_sources(engine, layout, &engine->sources[priority]);
    lay_sinks(engine, layout, &engine->sinks[priority]);
    lay_moves(layout, &engine->moves[priority]);
    new_planes(layout, engine->leave[priority], NET_DIMENSIONS + 1);
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        engine->front[priority][d] = front_of(engine, priority, d);
}

/* The hot planes first, so that they lie together. */
static void lay_out(PlaneEngine *engine, Layout *layout) {
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        lay_priority(engine, layout, priority);
    new_planes(layout, engine->wire_down, NET_DIMENSIONS);
    engine->place = new_records(layout, engine->nodes, sizeof *engine->place);
    engine->list =
        new_records(layout, engine->nodes + PLANE_LIST_SPARE, sizeof *engine->list);
    layout->words += layout->margin;
    lay_counters(engine, layout);
}

static void set_shifts(PlaneEngine *engine) {
    uint32_t nodes = 1;
    for (unsigned d = 0; d < NET_DIMENSIONS; d++) {
        PlaneShift *shift = &engine->shift[d];
        const uint32_t row = nodes * engine->size.nodes[d];
        *shift = (PlaneShift){PLANE_ACROSS, nodes, nodes / 64, nodes % 64};
        if (row <= 64 && 64 % row == 0)
            shift->kind = PLANE_WITHIN;
        else if (shift->bits == 0)
            shift->kind = PLANE_WORDS;
        nodes = row;
    }
}

/* A margin that covers the longest shift, and sets planes an odd number of cache lines
 * apart, so that they do not compete for a few places in the cache. */
static size_t margin_for(const PlaneEngine *engine) {
    const size_t longest = engine->shift[NET_DIMENSIONS - 1].words + 1;
    size_t margin = (longest + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    if ((engine->words + margin) / LINE_WORDS % 2 == 0)
        margin += LINE_WORDS;
    return margin;
}

static void *zeroed_lines(size_t bytes) {
    void *memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static bool allocate(PlaneEngine *engine) {
    Layout layout = {.plane = engine->words, .margin = margin_for(engine)};
    lay_out(engine, &layout);
    engine->memory_words = layout.words;
    engine->records_size = layout.bytes;
    engine->memory = zeroed_lines(layout.words * sizeof *engine->memory);
    engine->records = zeroed_lines(layout.bytes);
    if (!engine->memory || !engine->records)
        return false;
    layout.planes = engine->memory;
    layout.records = engine->records;
    layout.words = layout.bytes = 0;
    lay_out(engine, &layout);
    return true;
}

static void set_start(PlaneEngine *engine, const NetGraph *graph) {
    const size_t bytes = engine->words * sizeof(uint64_t);
    for (unsigned priority = 0; priority < NET_PRIORITIES; priority++)
        memset(engine->sinks[priority].gate, 0xFF, bytes);
    for (unsigned d = 0; d < NET_DIMENSIONS; d++)
        memset(engine->wire_down[d], 0xFF, bytes); /* so that upward goes first */
    for (uint32_t node = 0; node < engine->nodes; node++)
        engine->place[node] = graph->address(graph, node);
}

void *plane_create(Net *net) {
    PlaneEngine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    const NetParams *params = &net->params;
    engine->nodes = net->graph->nodes;
    engine->words = net_set_words(net);
    engine->capacity = params->channel_capacity;
    engine->header_flits = params->header_flits;
    engine->deep = params->channel_capacity > 2;
    engine->fair = params->fair != 0;
    engine->shared_wires = params->shared_wires != 0;
    engine->enter_on_lost_wire = params->enter_on_lost_wire != 0;
    engine->size = net_mesh_size(net->graph);
    set_shifts(engine);
    if (!allocate(engine)) {
        plane_destroy(engine);
        return NULL;
    }
    set_start(engine, net->graph);
    return engine;
}

void plane_destroy(void *state) {
    PlaneEngine *engine = state;
    free(engine->memory);
    free(engine->records);
    free(engine);
}
