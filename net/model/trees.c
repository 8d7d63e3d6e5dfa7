/* Routes as in-trees: all routes to a destination form a tree whose root is the last
 * channel before the node. What lies ahead of a point does not depend on the source, so
 * a sweep visits each tree twice: from the root, for the time that each flit stays on
 * each channel; from the leaves, for the rates. One destination per orbit suffices. */
#include <math.h>
#include <string.h>

#include "net/model/amva_parts.h"

/* A point in the tree of a destination. */
typedef struct {
    uint32_t parent;  /* index in the tree of the next channel; the root's own */
    uint32_t edge;    /* orbit of the edge to that channel; NET_NONE at the root */
    uint32_t channel; /* orbit, or NET_NONE: this is a source */
    uint32_t node;    /* of a source; of a channel: number of channels left */
} TreePoint;

typedef struct {
    uint32_t destination;
    size_t start, count; /* of its points, parents before children */
} Tree;

/* Values of the points of one tree, while it is visited. */
typedef struct {
    double *wait;   /* by flit: of its head for the next channel */
    double *wire;   /* by flit: largest wait for a wire between it and the head */
    double *stay;   /* r: by flit */
    double *head;   /* H: time of the head from here to the node */
    double *behind; /* by kind: largest wait for a wire on the last L channels */
    double *rate;   /* by kind: rate through this point */
} Walk;

struct AmvaTrees {
    Tree *tree; /* by node orbit */
    TreePoint *point;
    size_t points, places, largest;
    Walk walk;
};

/* ---- building -------------------------------------------------------------------- */

/* State while a tree is built: the positions of its points. */
typedef struct {
    AmvaLayout *layout;
    uint32_t *place; /* by point of the graph: its index + 1 in tree `tree` */
    uint32_t *tree;
    uint32_t *route; /* new points of a route, from the source on */
    uint8_t *used;
} Builder;

/* Follows a route until it meets the tree. Returns the number of new points, or 0 if
 * the route does not end. */
static uint32_t follow(const Builder *builder, uint32_t tree, uint32_t source,
                       uint32_t destination) {
    const NetGraph *graph = builder->layout->graph;
    const uint32_t sink = net_graph_sink(graph, destination, 0);
    const uint32_t address = graph->address[destination];
    uint32_t count = 0;
    for (uint32_t at = net_graph_source(graph, source, 0);
         at != sink && builder->tree[at] != tree + 1;
         at = graph->next(graph, at, address)) {
        if (count == graph->channels + 1)
            return 0;
        builder->route[count++] = at;
    }
    return count;
}

/* Adds the new points of a route to the tree, the last one first. */
static void append(Builder *builder, uint32_t number, uint32_t new_points,
                   uint32_t address) {
    const NetGraph *graph = builder->layout->graph;
    AmvaTrees *const trees = builder->layout->trees;
    Tree *const tree = &trees->tree[number];
    while (new_points-- > 0) {
        const uint32_t at = builder->route[new_points];
        const uint32_t next = graph->next(graph, at, address);
        const bool is_root = next >= net_graph_first_sink(graph);
        const bool is_source = at >= graph->channels;
        trees->point = heap_grow(builder->layout->heap, trees->point, trees->points,
                                 &trees->places, sizeof(TreePoint));
        const uint32_t place = (uint32_t)tree->count++;
        TreePoint *const point = &trees->point[trees->points++];
        *point =
            (TreePoint){.parent = is_root ? place : builder->place[next],
                        .edge = is_root ? NET_NONE : net_graph_edge(graph, at, next),
                        .channel = is_source ? NET_NONE : at};
        const TreePoint *parent = &trees->point[tree->start + point->parent];
        point->node = is_source ? graph->label[at].node
                      : is_root ? 1
                                : parent->node + 1;
        if (!is_root)
            builder->used[point->edge] = 1;
        builder->place[at] = place;
        builder->tree[at] = number + 1;
    }
}

static bool build_tree(Builder *builder, uint32_t number, JmError *error) {
    AmvaLayout *const layout = builder->layout;
    const NetGraph *graph = layout->graph;
    Tree *const tree = &layout->trees->tree[number];
    tree->destination = layout->node_first[number];
    tree->start = layout->trees->points;
    for (uint32_t s = 0; s < graph->nodes; s++) {
        if (s == tree->destination)
            continue;
        const uint32_t count = follow(builder, number, s, tree->destination);
        if (count == 0)
            return jm_fail(error, NULL, "the route from node %u to node %u has no end",
                           s, tree->destination);
        append(builder, number, count, graph->address[tree->destination]);
    }
    if (tree->count > layout->trees->largest)
        layout->trees->largest = tree->count;
    return true;
}

static void create_walk(Walk *walk, const AmvaLayout *layout, size_t points) {
    const size_t flits = layout->flits;
    *walk = (Walk){.wait = heap_doubles(layout->heap, points * flits),
                   .wire = heap_doubles(layout->heap, points * flits),
                   .stay = heap_doubles(layout->heap, points * flits),
                   .head = heap_doubles(layout->heap, points),
                   .behind = heap_doubles(layout->heap, points * KINDS),
                   .rate = heap_doubles(layout->heap, points * KINDS)};
}

bool amva_trees_build(AmvaLayout *layout, uint8_t *used, JmError *error) {
    const size_t points = net_graph_points(layout->graph);
    Heap *const heap = layout->heap;
    AmvaTrees *const trees = layout->trees = heap_alloc(heap, sizeof *trees);
    Builder builder = {
        .layout = layout,
        .place = heap_alloc(heap, points * sizeof(uint32_t)),
        .tree = heap_alloc(heap, points * sizeof(uint32_t)),
        .route =
            heap_alloc(heap, (layout->graph->channels + (size_t)1) * sizeof(uint32_t)),
        .used = used,
    };
    trees->tree = heap_alloc(heap, layout->node_orbits * sizeof *trees->tree);
    for (uint32_t i = 0; i < layout->node_orbits; i++)
        if (!build_tree(&builder, i, error))
            return false;
    create_walk(&trees->walk, layout, trees->largest);
    heap_free(builder.place);
    heap_free(builder.tree);
    heap_free(builder.route);
    return true;
}

void amva_trees_finish(AmvaLayout *layout) {
    AmvaTrees *const trees = layout->trees;
    trees->point =
        heap_resize(layout->heap, trees->point, trees->points * sizeof(TreePoint));
    for (TreePoint *p = trees->point; p < trees->point + trees->points; p++) {
        if (p->edge != NET_NONE)
            p->edge = layout->edge_orbit[p->edge];
        if (p->channel != NET_NONE)
            p->channel = layout->channel_orbit[p->channel];
    }
}

/* ---- a sweep --------------------------------------------------------------------- */

/* Walks from the root to the leaves: computes r (A.5) for all flit numbers, also past
 * the end of the route, where the wait is 0 and the largest wait for a wire stays the
 * same. */
static void set_stays(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                      const TreePoint *points, size_t count) {
    const size_t flits = layout->flits;
    const Walk *walk = &layout->trees->walk;
    for (size_t i = 0; i < count; i++) {
        const TreePoint *p = &points[i];
        double *restrict wait = walk->wait + i * flits;
        double *restrict wire = walk->wire + i * flits;
        double *restrict stay = walk->stay + i * flits;
        const bool is_root = p->edge == NET_NONE;
        const double *wait_ahead = walk->wait + p->parent * flits;
        const double *wire_ahead = walk->wire + p->parent * flits;
        const double own = p->channel == NET_NONE ? 0 : unknowns->wire_wait[p->channel];
        wait[0] = is_root ? 0 : unknowns->edge_wait[p->edge];
        wire[0] = own;
        for (size_t k = 1; k < flits; k++) {
            const double ahead = is_root ? 0 : wire_ahead[k - 1];
            wait[k] = is_root ? 0 : wait_ahead[k - 1];
            wire[k] = own > ahead ? own : ahead;
        }
        for (size_t k = 0; k < flits; k++)
            stay[k] = 1 + wait[k] + wire[k];
        walk->head[i] = stay[0] + (is_root ? 0 : walk->head[p->parent]);
    }
}

/* Finds the largest wait for a wire on the last L channels of the route, for each
 * kind. */
static void set_behind(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                       const TreePoint *points, size_t count) {
    const Walk *walk = &layout->trees->walk;
    for (size_t i = 0; i < count; i++) {
        const TreePoint *p = &points[i];
        double *behind = walk->behind + i * KINDS;
        const double *ahead = walk->behind + p->parent * KINDS;
        for (unsigned kind = 0; kind < layout->kinds; kind++) {
            behind[kind] = p->edge == NET_NONE ? 0 : ahead[kind];
            if (p->channel != NET_NONE && p->node <= layout->length[kind])
                behind[kind] = fmax(behind[kind], unknowns->wire_wait[p->channel]);
        }
    }
}

/* Returns the cycles of a message of `kind` from the source at index `i` on, without
 * its wait in the node queue (A.4, A.6 plus the time the flits need in any case). */
static double way(const AmvaLayout *layout, size_t i, unsigned kind) {
    const Walk *walk = &layout->trees->walk;
    return walk->head[i] +
           (layout->length[kind] - 1) * (1 + walk->behind[i * KINDS + kind]);
}

/* Adds rates and times of the messages that the sources send to the destination and get
 * from it. */
static void add_sources(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                        AmvaSums *sums, uint32_t number) {
    const Tree *tree = &layout->trees->tree[number];
    const Walk *walk = &layout->trees->walk;
    const TreePoint *points = layout->trees->point + tree->start;
    const bool requests = layout->kinds == 2;
    const double weight = layout->node_size[number], share = layout->share;
    for (size_t i = 0; i < tree->count; i++) {
        if (points[i].channel != NET_NONE)
            continue;
        const uint32_t s = points[i].node, orbit = layout->node_orbit[s];
        walk->rate[i * KINDS] = share / unknowns->cycle[requests ? orbit : 0];
        sums->sent[orbit] +=
            weight / layout->node_size[orbit] * share * way(layout, i, KIND_REQUEST);
        if (!requests)
            continue;
        walk->rate[i * KINDS + 1] = share / unknowns->cycle[number];
        sums->answered[number] += share * way(layout, i, KIND_REPLY);
        if (layout->by_pair)
            memcpy(sums->source_stay +
                       ((size_t)number * layout->nodes + s) * layout->flits,
                   walk->stay + i * layout->flits, layout->flits * sizeof(double));
    }
}

/* Computes sum[k] += rate stay[k]. */
static void add_flits(double *restrict sum, const double *restrict stay, double rate,
                      size_t flits) {
    for (size_t k = 0; k < flits; k++)
        sum[k] += rate * stay[k];
}

/* Walks from the leaves to the root: adds the traffic across each edge. */
static void add_edges(const AmvaLayout *layout, AmvaSums *sums, uint32_t number) {
    const Tree *tree = &layout->trees->tree[number];
    const Walk *walk = &layout->trees->walk;
    const TreePoint *points = layout->trees->point + tree->start;
    const size_t flits = layout->flits, kinds = layout->kinds;
    const double weight = layout->node_size[number];
    for (size_t i = tree->count; i-- > 0;) {
        const TreePoint *p = &points[i];
        if (p->edge == NET_NONE)
            continue;
        for (size_t kind = 0; kind < kinds; kind++) {
            const double rate = walk->rate[i * KINDS + kind];
            const size_t at = p->edge * sums->stride + kind * flits;
            walk->rate[p->parent * KINDS + kind] += rate;
            sums->rate[p->edge * kinds + kind] += weight * rate;
            add_flits(sums->stay + at, walk->stay + p->parent * flits, weight * rate,
                      flits);
            add_flits(sums->before + at, walk->stay + i * flits, weight * rate, flits);
        }
    }
}

/* Divides the sums over an orbit by its size, to get means. */
static void divide_by_sizes(const AmvaLayout *layout, AmvaSums *sums) {
    for (size_t e = 0; e < layout->edge_orbits; e++) {
        const double share = 1.0 / layout->edge_size[e];
        for (size_t i = 0; i < layout->kinds; i++)
            sums->rate[e * layout->kinds + i] *= share;
        for (size_t i = 0; i < sums->stride; i++) {
            sums->stay[e * sums->stride + i] *= share;
            sums->before[e * sums->stride + i] *= share;
        }
    }
}

void amva_trees_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    AmvaSums *sums) {
    const AmvaTrees *trees = layout->trees;
    amva_sums_clear(sums, layout);
    for (uint32_t number = 0; number < layout->node_orbits; number++) {
        const Tree *tree = &trees->tree[number];
        const TreePoint *points = trees->point + tree->start;
        memset(trees->walk.rate, 0, tree->count * KINDS * sizeof(double));
        set_stays(layout, unknowns, points, tree->count);
        set_behind(layout, unknowns, points, tree->count);
        add_sources(layout, unknowns, sums, number);
        add_edges(layout, sums, number);
    }
    divide_by_sizes(layout, sums);
}
