/* Builder: the Mesh of Clos (Pimentel and Hertzberger, section 2).
 *
 * A Clos network of height h joins 4^h nodes by h stages of routers with eight
 * channels. In the Mesh of Clos(h,r) a mesh replaces the upper r stages. The rest is
 * clusters of `levels` = h - r stages, 4^levels nodes, whose top routers, 4^(levels-1)
 * of them, are each in a mesh of their own: a layer.
 *
 *     levels=1  (3,2) of the paper: a router is a cluster of 4 nodes; one layer
 *     levels=2  (3,1): clusters of 16 nodes, 4 lower routers, 4 layers
 *
 * Nodes are numbered cluster by cluster, clusters row by row. Channels are numbered by
 * kind:
 *
 *     mesh   (layer, cluster, direction)   top router to the next cluster's
 *     up     (lower router, layer)         levels=2 only
 *     down   (lower router, layer)         levels=2 only
 *     last   (node)                        lower router to the node
 *
 * Routes go up, along the row (x), along the column (y), down: a partial order of the
 * channels, so they cannot wait for each other in a cycle. */
#include <stdio.h>
#include <string.h>

#include "net/topology/topology.h"

enum { RADIX = 4, MAX_SIDE = 16, MAX_LEVELS = 2, LAYER_SHIFT = 20 };
enum { EAST, WEST, SOUTH, NORTH, DIRECTIONS };

/* How a message's layer is chosen (section 4.2.1, table 2). */
typedef enum {
    LAYER_FIXED,      /* that of its source: source mod 4 */
    LAYER_RANDOM,     /* any */
    LAYER_TURNS,      /* the layers in turn, for each lower router (RoundRobin) */
    LAYER_IDLE_FIXED, /* the first free one from the source's on; else the source's */
    LAYER_IDLE_RANDOM /* the first free one from a random one on; else the random one */
} Layer;

typedef struct {
    unsigned rows, columns; /* clusters, 1 .. MAX_SIDE */
    unsigned levels;        /* 1 .. MAX_LEVELS */
    unsigned places;        /* of a channel, plus `delay` for flits in flight */
    Layer layer;
    unsigned delay; /* additional cycles of a flit on a wire, after the first */
} Spec;

typedef struct {
    Spec spec;
    uint32_t clusters, layers, lowers; /* `lowers`: lower routers; 0 with one level */
    uint32_t nodes, per_cluster;
    uint32_t first_up, first_down, first_last, channels;
    uint32_t mesh[]; /* by (layer * clusters + cluster) * DIRECTIONS + direction */
} Clos;

static uint32_t cluster_of(const Clos *clos, uint32_t node) {
    return node / clos->per_cluster;
}

static bool has_wire(const Clos *clos, uint32_t cluster, unsigned direction) {
    const unsigned x = cluster % clos->spec.columns, y = cluster / clos->spec.columns;
    switch (direction) {
    case EAST:
        return x + 1 < clos->spec.columns;
    case WEST:
        return x > 0;
    case SOUTH:
        return y + 1 < clos->spec.rows;
    default:
        return y > 0;
    }
}

/* The cluster at the far end of a wire. */
static uint32_t neighbour(const Clos *clos, uint32_t cluster, unsigned direction) {
    const uint32_t step = direction < SOUTH ? 1 : clos->spec.columns;
    return direction == EAST || direction == SOUTH ? cluster + step : cluster - step;
}

static uint32_t mesh_channel(const Clos *clos, uint32_t layer, uint32_t cluster,
                             unsigned direction) {
    return clos->mesh[(layer * clos->clusters + cluster) * DIRECTIONS + direction];
}

static uint32_t up_channel(const Clos *clos, uint32_t lower, uint32_t layer) {
    return clos->first_up + lower * RADIX + layer;
}

static uint32_t down_channel(const Clos *clos, uint32_t lower, uint32_t layer) {
    return clos->first_down + lower * RADIX + layer;
}

/* ---- routes ---------------------------------------------------------------------- */

/* An address is a node, with the layer in the bits above. */
static uint32_t target_of(uint32_t address) {
    return address & ((UINT32_C(1) << LAYER_SHIFT) - 1);
}

static uint32_t layer_of(uint32_t address) {
    return address >> LAYER_SHIFT;
}

static uint32_t clos_address(const NetGraph *graph, uint32_t source, uint32_t node,
                             uint32_t draw) {
    const Clos *clos = graph->shape;
    const Layer layer = clos->spec.layer;
    const bool drawn = layer != LAYER_FIXED && layer != LAYER_IDLE_FIXED;
    return node | (drawn ? draw : source % clos->layers) << LAYER_SHIFT;
}

/* The next step from the top router of a cluster. */
static uint32_t next_at_top(const Clos *clos, uint32_t layer, uint32_t cluster,
                            uint32_t node) {
    const uint32_t to = cluster_of(clos, node), columns = clos->spec.columns;
    if (to % columns != cluster % columns)
        return mesh_channel(clos, layer, cluster,
                            to % columns > cluster % columns ? EAST : WEST);
    if (to != cluster)
        return mesh_channel(clos, layer, cluster, to > cluster ? SOUTH : NORTH);
    return clos->lowers ? down_channel(clos, node / RADIX, layer)
                        : clos->first_last + node;
}

static uint32_t next_at_source(const Clos *clos, uint32_t from, uint32_t address) {
    const uint32_t node = target_of(address);
    if (!clos->lowers)
        return next_at_top(clos, 0, cluster_of(clos, from), node);
    if (from / RADIX == node / RADIX)
        return clos->first_last + node;
    return up_channel(clos, from / RADIX, layer_of(address));
}

/* Mesh channels store their layer and the cluster they lead to in their labels: their
 * group is the layer, and the label's node is the first of the cluster they leave. */
static uint32_t next_at_mesh(const NetGraph *graph, uint32_t point, uint32_t node) {
    const Clos *clos = graph->shape;
    const NetLabel *label = &graph->label[point];
    const unsigned direction = 2u * label->dimension + label->downward;
    const uint32_t cluster = cluster_of(clos, label->node);
    return next_at_top(clos, graph->group[graph->wire[point]],
                       neighbour(clos, cluster, direction), node);
}

static uint32_t clos_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const Clos *clos = graph->shape;
    const uint32_t node = target_of(address);
    if (point >= graph->channels)
        return next_at_source(clos, graph->label[point].node, address);
    if (point >= clos->first_last)
        return net_graph_sink(graph, point - clos->first_last, 0);
    if (point >= clos->first_down)
        return clos->first_last + node;
    if (point < clos->first_up)
        return next_at_mesh(graph, point, node);
    const uint32_t up = point - clos->first_up;
    return next_at_top(clos, up % RADIX, up / RADIX / RADIX, node);
}

/* The wires up, starting at the message's layer. */
static unsigned clos_choices(const NetGraph *graph, uint32_t point, uint32_t address,
                             uint32_t choice[NET_MAX_CHOICES]) {
    const Clos *clos = graph->shape;
    choice[0] = clos_next(graph, point, address);
    if (choice[0] < clos->first_up || choice[0] >= clos->first_down)
        return 1;
    const uint32_t first = choice[0] - (choice[0] - clos->first_up) % RADIX;
    for (unsigned i = 0; i < RADIX; i++)
        choice[i] = first + (layer_of(address) + i) % RADIX;
    return RADIX;
}

static uint32_t clos_link(const NetGraph *graph, uint32_t node, unsigned priority,
                          unsigned dimension, bool up) {
    const Clos *clos = graph->shape;
    (void)priority;
    return dimension < 2 ? mesh_channel(clos, node % clos->layers,
                                        cluster_of(clos, node), 2 * dimension + !up)
                         : NET_NONE;
}

static void clos_node_name(const NetGraph *graph, uint32_t node, char *text,
                           size_t size) {
    const Clos *clos = graph->shape;
    const uint32_t cluster = cluster_of(clos, node), columns = clos->spec.columns;
    snprintf(text, size, "%u,%u/%u", cluster / columns, cluster % columns,
             node % clos->per_cluster);
}

static const char *clos_group_name(const NetGraph *graph, unsigned group) {
    static const char *const names[] = {"layer 0", "layer 1", "layer 2",
                                        "layer 3", "up",      "down"};
    (void)graph;
    return group < sizeof names / sizeof names[0] ? names[group] : NULL;
}

/* ---- building -------------------------------------------------------------------- */

enum { GROUP_UP = RADIX, GROUP_DOWN, GROUPS };

static void end_wired(NetGraph *graph, uint32_t channel, NetLabel label,
                      unsigned group) {
    graph->label[channel] = label;
    graph->wire[channel] = graph->wires;
    graph->group[graph->wires++] = group & UINT8_MAX;
    net_graph_end_point(graph);
}

/* Adds the mesh channels of a layer that lead to a cluster as feeders: those whose
 * messages may continue in direction `out` (straight on, or from a row into a column),
 * or all if `out` is DIRECTIONS. */
static void add_mesh_feeders(NetGraph *graph, uint32_t layer, uint32_t cluster,
                             unsigned out) {
    const Clos *clos = graph->shape;
    for (unsigned in = 0; in < DIRECTIONS; in++) {
        const bool turns = in < SOUTH && out >= SOUTH;
        if (!has_wire(clos, cluster, in ^ 1u) ||
            (out < DIRECTIONS && in != out && !turns))
            continue;
        const uint32_t from = neighbour(clos, cluster, in ^ 1u);
        net_graph_add_feeder(graph, mesh_channel(clos, layer, from, in));
    }
}

/* Adds the sources of the nodes at a lower router, or at a cluster's only router. */
static void add_source_feeders(NetGraph *graph, uint32_t router) {
    for (unsigned i = 0; i < RADIX; i++)
        net_graph_add_feeder(graph, net_graph_source(graph, router * RADIX + i, 0));
}

/* Adds the channels into the top router of a cluster from below, except from lower
 * router `but`, to which a message would only return. */
static void add_feeders_below(NetGraph *graph, uint32_t layer, uint32_t cluster,
                              uint32_t but) {
    const Clos *clos = graph->shape;
    if (!clos->lowers) {
        add_source_feeders(graph, cluster);
        return;
    }
    for (unsigned i = 0; i < RADIX; i++)
        if (cluster * RADIX + i != but)
            net_graph_add_feeder(graph, up_channel(clos, cluster * RADIX + i, layer));
}

static void add_mesh(NetGraph *graph, uint32_t layer, uint32_t cluster,
                     unsigned direction) {
    const Clos *clos = graph->shape;
    const uint32_t channel = mesh_channel(clos, layer, cluster, direction);
    const unsigned size = direction < SOUTH ? clos->spec.columns : clos->spec.rows;
    const unsigned at =
        direction < SOUTH ? cluster % clos->spec.columns : cluster / clos->spec.columns;
    const bool down = direction % 2;
    add_mesh_feeders(graph, layer, cluster, direction);
    add_feeders_below(graph, layer, cluster, NET_NONE);
    end_wired(graph, channel,
              (NetLabel){.node = cluster * clos->per_cluster % NET_GRAPH_MAX_NODES,
                         .kind = down ? NET_CHANNEL_N : NET_CHANNEL_P,
                         .dimension = direction / 2 & 3,
                         .downward = down,
                         .on_bisection = at + !down == size / 2},
              layer);
}

static void add_meshes(NetGraph *graph) {
    const Clos *clos = graph->shape;
    for (uint32_t layer = 0; layer < clos->layers; layer++)
        for (uint32_t cluster = 0; cluster < clos->clusters; cluster++)
            for (unsigned direction = 0; direction < DIRECTIONS; direction++)
                if (has_wire(clos, cluster, direction))
                    add_mesh(graph, layer, cluster, direction);
}

static NetLabel label_of_lower(uint32_t lower, bool down) {
    return (NetLabel){.node = lower * RADIX % NET_GRAPH_MAX_NODES,
                      .kind = down ? NET_CHANNEL_N : NET_CHANNEL_P,
                      .dimension = 2,
                      .downward = down};
}

static void add_ups_and_downs(NetGraph *graph) {
    const Clos *clos = graph->shape;
    for (uint32_t lower = 0; lower < clos->lowers; lower++)
        for (uint32_t layer = 0; layer < RADIX; layer++) {
            add_source_feeders(graph, lower);
            end_wired(graph, up_channel(clos, lower, layer),
                      label_of_lower(lower, false), GROUP_UP);
        }
    for (uint32_t lower = 0; lower < clos->lowers; lower++)
        for (uint32_t layer = 0; layer < RADIX; layer++) {
            add_mesh_feeders(graph, layer, lower / RADIX, DIRECTIONS);
            add_feeders_below(graph, layer, lower / RADIX, lower);
            end_wired(graph, down_channel(clos, lower, layer),
                      label_of_lower(lower, true), GROUP_DOWN);
        }
}

static void add_last(NetGraph *graph, uint32_t node) {
    const Clos *clos = graph->shape;
    graph->label[clos->first_last + node] =
        (NetLabel){.node = node % NET_GRAPH_MAX_NODES, .kind = NET_CHANNEL_R};
    if (clos->lowers)
        for (uint32_t layer = 0; layer < RADIX; layer++)
            net_graph_add_feeder(graph, down_channel(clos, node / RADIX, layer));
    else
        add_mesh_feeders(graph, 0, cluster_of(clos, node), DIRECTIONS);
    add_source_feeders(graph, node / RADIX);
    net_graph_end_point(graph);
}

static void add_ends(NetGraph *graph) {
    const Clos *clos = graph->shape;
    for (uint32_t source = 0; source < graph->nodes * NET_PRIORITIES; source++)
        net_graph_end_point(graph);
    for (uint32_t sink = 0; sink < graph->nodes * NET_PRIORITIES; sink++) {
        if (sink % NET_PRIORITIES == 0)
            net_graph_add_feeder(graph, clos->first_last + sink / NET_PRIORITIES);
        net_graph_end_point(graph);
    }
}

/* Numbers the mesh channels. */
static uint32_t number_mesh(Clos *clos) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < clos->layers * clos->clusters * DIRECTIONS; i++) {
        const uint32_t cluster = i / DIRECTIONS % clos->clusters;
        clos->mesh[i] = has_wire(clos, cluster, i % DIRECTIONS) ? count++ : NET_NONE;
    }
    return count;
}

static Clos *create_shape(Heap *heap, const Spec *spec) {
    const uint32_t clusters = spec->rows * spec->columns;
    const uint32_t layers = spec->levels == 2 ? RADIX : 1;
    const size_t outs = (size_t)clusters * layers * DIRECTIONS;
    Clos *clos = heap_alloc(heap, sizeof *clos + outs * sizeof clos->mesh[0]);
    *clos = (Clos){.spec = *spec, .clusters = clusters, .layers = layers};
    clos->lowers = spec->levels == 2 ? clusters * RADIX : 0;
    clos->per_cluster = spec->levels == 2 ? RADIX * RADIX : RADIX;
    clos->nodes = clusters * clos->per_cluster;
    clos->first_up = number_mesh(clos);
    clos->first_down = clos->first_up + clos->lowers * RADIX;
    clos->first_last = clos->first_down + clos->lowers * RADIX;
    clos->channels = clos->first_last + clos->nodes;
    return clos;
}

/* Layers are used in turn at each lower router. */
static void add_turns(NetGraph *graph) {
    graph->turn = heap_alloc(graph->heap, graph->nodes * sizeof *graph->turn);
    for (uint32_t node = 0; node < graph->nodes; node++)
        graph->turn[node] = node / RADIX;
}

static void add_fields(NetGraph *graph, const Clos *clos) {
    const Layer layer = clos->spec.layer;
    graph->shape = clos;
    graph->topology = &net_topology_clos;
    graph->places = heap_alloc(graph->heap, graph->channels);
    memset(graph->places, (int)(clos->spec.places + clos->spec.delay), graph->channels);
    graph->group = heap_alloc(graph->heap, graph->channels);
    graph->groups = clos->lowers ? GROUPS : 1;
    if (clos->spec.delay) {
        graph->delay = heap_alloc(graph->heap, graph->channels);
        memset(graph->delay, (int)clos->spec.delay, graph->channels);
    }
    graph->next = clos_next;
    graph->address_from = clos_address;
    graph->draws =
        clos->lowers && layer != LAYER_FIXED && layer != LAYER_IDLE_FIXED ? RADIX : 1;
    graph->link = clos_link;
    graph->node_name = clos_node_name;
    graph->group_name = clos_group_name;
    if (clos->lowers && (layer == LAYER_IDLE_FIXED || layer == LAYER_IDLE_RANDOM))
        graph->choices = clos_choices;
    if (clos->lowers && layer == LAYER_TURNS)
        add_turns(graph);
}

static bool check_spec(const Spec *spec, JmError *error) {
    if (spec->rows < 1 || spec->rows > MAX_SIDE || spec->columns < 1 ||
        spec->columns > MAX_SIDE)
        return jm_fail(error, NULL,
                       "a mesh of %ux%u clusters is not within 1x1 to %dx%d",
                       spec->rows, spec->columns, MAX_SIDE, MAX_SIDE);
    return (spec->levels >= 1 && spec->levels <= MAX_LEVELS && spec->places >= 1 &&
            spec->places + spec->delay <= NET_MAX_PLACES) ||
           jm_fail(
               error, NULL,
               "clusters of %u levels; places=%u,delay=%u: a channel has at most %d "
               "places, with %u for flits on their way",
               spec->levels, spec->places, spec->delay + 1, NET_MAX_PLACES,
               spec->delay);
}

static void *build(Heap *heap, const void *plan) {
    enum { MOST_FEEDERS = DIRECTIONS + 2 * RADIX };
    const Clos *clos = create_shape(heap, plan);
    NetGraph *graph = net_graph_create(heap, clos->nodes, clos->channels,
                                       clos->channels * MOST_FEEDERS + clos->nodes);
    add_fields(graph, clos);
    add_meshes(graph);
    add_ups_and_downs(graph);
    for (uint32_t node = 0; node < clos->nodes; node++)
        add_last(graph, node);
    add_ends(graph);
    return graph;
}

/* ---- the row of the table -------------------------------------------------------- */

enum { LEVELS, PLACES, LAYER, DELAY };

static const char pm[] = "Pimentel and Hertzberger";

static const NetOption options[] = {
    {"levels", 1, 1, MAX_LEVELS, NET_OPTION_WHOLE,
     "stages of routers in a cluster, h-r of the Mesh of Clos(h,r)", pm, NULL},
    {"places", 1, 1, NET_MAX_PLACES, NET_OPTION_WHOLE,
     "flits of a channel, beside one for each cycle of `delay` beyond the first", pm,
     NULL},
    {"layer", 0, 0, LAYER_IDLE_RANDOM, NET_OPTION_WHOLE,
     "who chooses the layer of a message that leaves its lower router", pm,
     "fixed|Random/random|RoundRobin/turns|IdleFixed/idle_fixed|IdleRnd/idle_random"},
    {"delay", 1, 1, NET_MAX_DELAY + 1, NET_OPTION_WHOLE,
     "cycles of a flit on a wire between routers; a wire takes one a cycle all the "
     "same",
     "Scott and Goodman 1991", NULL},
    {0},
};

static NetGraph *create_from(const NetShape *shape, const NetParams *params,
                             JmError *error) {
    (void)params;
    if (shape->sizes != 2) {
        jm_fail(error, NULL, "a Mesh of Clos has two sizes, not %u", shape->sizes);
        return NULL;
    }
    const Spec clos = {.rows = shape->size[0],
                       .columns = shape->size[1],
                       .levels = shape->option[LEVELS],
                       .places = shape->option[PLACES],
                       .layer = (Layer)shape->option[LAYER],
                       .delay = shape->option[DELAY] - 1};
    return check_spec(&clos, error) ? net_graph_build(build, &clos, error) : NULL;
}

/* Flits are bytes, and each is a word here; a packet's header has two. */
static void set_params(NetParams *params) {
    enum { HEADER = 2, FIRST_COME = 1, IDLE_WIRE = 1 };
    params->header_flits = HEADER;
    params->flits_per_word = 1;
    params->through = 1;
    params->wire_turns = 1;
    params->heads = FIRST_COME;
    params->select = IDLE_WIRE;
    params->commit = 1;
    params->start_words = 1;
    params->buffer_words = 64;
}

const NetTopology net_topology_clos = {
    .name = "clos",
    .form = "clos=ROWSxCOLUMNS",
    .sizes = 3,
    .text = "Mesh of Clos: a mesh of clusters of 4 or 16 nodes, the latter in 4 layers",
    .options = options,
    .set_params = set_params,
    .create = create_from,
};
