/* The correction of a reply's wait at its source for replies to its own home (A.14),
 * for unique paths and uniform traffic.
 *
 * The reply of source s to home d waits as any other would there, less its share of the
 * time for which replies to d hold the source:
 *
 *     W(s,d) = w(s) - g (P(s,d) + W(s,d) t(s)),    g = 1 / ((N-1) R(d)),
 *
 * where w is the wait without the correction, t the time that a reply holds its source,
 * and P the same for the reply currently leaving. All homes whose paths share the first
 * few channels have the same P, so one walk over these channels finds every P, and the
 * sums need P only by orbit of the home. */
#include <string.h>

#include "net/model/paths.h"

/* Number of homes of an orbit behind a leaf of a walk. */
typedef struct {
    uint32_t orbit, homes;
} Share;

/* By node orbit of the source, represented by its first node: leaves of its walk, in
 * walk order, and the homes behind each. */
struct AmvaOwn {
    uint32_t *first_leaf; /* by source, and one past the end */
    size_t *first_share;  /* by leaf, and one past the end */
    Share *share;
    size_t leaves, leaf_places, shares, share_places;
};

/* A walk over the channels ahead of a source. With `sums` it adds P, otherwise it lists
 * homes. */
typedef struct {
    const AmvaLayout *layout;
    uint32_t source; /* orbit */
    uint32_t *homes; /* by orbit: homes behind the current leaf */
    uint32_t *met;   /* orbits with at least one home there */
    unsigned mets;
    uint32_t leaf;
    const AmvaUnknowns *unknowns;
    const double *half;
    double rest[AMVA_MAX_LENGTH + 1]; /* sums of `half` from each flit on */
    double *own;                      /* of the source, by orbit of the home */
} Walk;

/* ---- building -------------------------------------------------------------------- */

/* Counts a home behind the current leaf, unless it is the source itself. */
static void meet(Walk *walk, uint32_t node) {
    const AmvaLayout *layout = walk->layout;
    const uint32_t orbit = layout->node_orbit[node];
    if (node == layout->node_first[walk->source])
        return;
    if (walk->homes[orbit]++ == 0)
        walk->met[walk->mets++] = orbit;
}

/* Counts all homes behind a point. */
static void meet_all(Walk *walk, uint32_t point) {
    const AmvaPaths *paths = walk->layout->paths;
    if (point >= paths->points) {
        meet(walk, walk->layout->graph->label[point].node);
        return;
    }
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++)
        meet_all(walk, paths->step[i].point);
}

/* Appends an orbit's homes behind the current leaf. */
static void add_share(Walk *walk, Share share) {
    AmvaOwn *const own = walk->layout->own;
    own->share = heap_grow(walk->layout->heap, own->share, own->shares,
                           &own->share_places, sizeof share);
    own->share[own->shares++] = share;
}

/* Lists the homes behind the leaf that ends at `point`. */
static void list_leaf(Walk *walk, uint32_t point) {
    AmvaOwn *const own = walk->layout->own;
    walk->mets = 0;
    meet_all(walk, point);
    for (unsigned i = 0; i < walk->mets; i++) {
        const uint32_t orbit = walk->met[i];
        add_share(walk, (Share){orbit, walk->homes[orbit]});
        walk->homes[orbit] = 0;
    }
    own->first_share = heap_grow(walk->layout->heap, own->first_share, own->leaves + 1,
                                 &own->leaf_places, sizeof *own->first_share);
    own->first_share[++own->leaves] = own->shares;
}

static void list_leaves(Walk *walk, uint32_t point, unsigned depth) {
    const AmvaPaths *paths = walk->layout->paths;
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++) {
        const uint32_t to = paths->step[i].point;
        if (to >= paths->points || depth + 1 == walk->layout->flits)
            list_leaf(walk, to);
        else
            list_leaves(walk, to, depth + 1);
    }
}

static uint32_t source_point(const AmvaLayout *layout, uint32_t orbit) {
    return net_graph_source(layout->graph, layout->node_first[orbit], 0);
}

void amva_own_build(AmvaLayout *layout) {
    enum { FIRST_LEAVES = 1024 };
    Heap *const heap = layout->heap;
    const size_t orbits = layout->node_orbits;
    AmvaOwn *const own = layout->own = heap_alloc(heap, sizeof *own);
    own->first_leaf = heap_alloc(heap, (orbits + 1) * sizeof *own->first_leaf);
    own->first_share = heap_alloc(heap, FIRST_LEAVES * sizeof *own->first_share);
    own->leaf_places = FIRST_LEAVES;
    Walk walk = {.layout = layout,
                 .homes = heap_alloc(heap, orbits * sizeof *walk.homes),
                 .met = heap_alloc(heap, orbits * sizeof *walk.met)};
    for (; walk.source < orbits; walk.source++) {
        list_leaves(&walk, source_point(layout, walk.source), 0);
        own->first_leaf[walk.source + 1] = (uint32_t)own->leaves;
    }
    heap_free(walk.homes);
    heap_free(walk.met);
}

/* ---- a sweep --------------------------------------------------------------------- */

static void add_leaf(Walk *walk, double cycles) {
    const AmvaOwn *own = walk->layout->own;
    const Share *share = own->share + own->first_share[walk->leaf];
    const Share *end = own->share + own->first_share[++walk->leaf];
    for (; share < end; share++)
        walk->own[share->orbit] += share->homes * cycles;
}

/* Continues from a point that the head reaches when flit `depth` is at the source.
 * `wire`: largest wait for a wire so far; `cycles`: P of the earlier flits. */
static void add_leaves(Walk *walk, uint32_t point, unsigned depth, double wire,
                       double cycles) {
    const AmvaLayout *layout = walk->layout;
    const AmvaPaths *paths = layout->paths;
    const uint32_t channel =
        point < layout->graph->channels ? layout->channel_orbit[point] : NET_NONE;
    if (channel != NET_NONE && walk->unknowns->wire_wait[channel] > wire)
        wire = walk->unknowns->wire_wait[channel];
    for (uint32_t i = paths->step_start[point]; i < paths->step_start[point + 1]; i++) {
        const PathStep step = paths->step[i];
        if (step.point >= paths->points) {
            add_leaf(walk, cycles + walk->rest[depth] * (1 + wire));
            continue;
        }
        const uint32_t edge = layout->edge_orbit[step.edge];
        const double wait = edge == NET_NONE ? 0 : walk->unknowns->edge_wait[edge];
        const double more = cycles + walk->half[depth] * (1 + wait + wire);
        if (depth + 1 == layout->flits)
            add_leaf(walk, more);
        else
            add_leaves(walk, step.point, depth + 1, wire, more);
    }
}

void amva_own_add(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                  uint32_t source, const double *half, AmvaSums *sums) {
    const size_t orbits = layout->node_orbits;
    Walk walk = {.layout = layout,
                 .source = source,
                 .leaf = layout->own->first_leaf[source],
                 .unknowns = unknowns,
                 .half = half,
                 .own = sums->own + source * orbits};
    for (unsigned k = layout->flits; k-- > 0;)
        walk.rest[k] = walk.rest[k + 1] + half[k];
    memset(walk.own, 0, orbits * sizeof *walk.own);
    add_leaves(&walk, source_point(layout, source), 0, 0, 0);
}

/* Returns the sum of W(s,d) over the homes d of an orbit, for source s. */
static double waits_to(const AmvaLayout *layout, const AmvaSums *sums,
                       const AmvaUnknowns *unknowns, uint32_t s, uint32_t d) {
    const double share = 1 / ((layout->nodes - 1.0) * unknowns->cycle[d]);
    const double homes = layout->node_size[d] - (s == d ? 1.0 : 0.0);
    const double own = sums->own[(size_t)s * layout->node_orbits + d];
    return (homes * unknowns->reply_wait[s] - share * own) /
           (1 + share * sums->source_all[s]);
}

void amva_own_queues(const AmvaLayout *layout, const AmvaSums *sums,
                     const AmvaUnknowns *unknowns, double *replies) {
    for (uint32_t s = 0; s < layout->node_orbits; s++) {
        double sum = 0;
        for (uint32_t d = 0; d < layout->node_orbits; d++)
            sum += waits_to(layout, sums, unknowns, s, d) / unknowns->cycle[d];
        replies[s] = layout->customers * sum / (layout->nodes - 1.0);
    }
}

void amva_own_waits(const AmvaLayout *layout, const AmvaSums *sums,
                    const AmvaUnknowns *unknowns, double *waits) {
    for (uint32_t d = 0; d < layout->node_orbits; d++) {
        double sum = 0;
        for (uint32_t s = 0; s < layout->node_orbits; s++)
            sum += layout->node_size[s] * waits_to(layout, sums, unknowns, s, d);
        waits[d] = sum / (layout->node_size[d] * (layout->nodes - 1.0));
    }
}
