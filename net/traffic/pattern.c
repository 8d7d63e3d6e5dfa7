#include "net/traffic/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const net_pattern_names[NET_PATTERNS + 1] = {
#define NET_PATTERN(name, text) #name,
#include "net/traffic/patterns.def"
#undef NET_PATTERN
};

const char *net_pattern_text(NetPatternKind kind) {
    static const char *const texts[NET_PATTERNS] = {
#define NET_PATTERN(name, text) text,
#include "net/traffic/patterns.def"
#undef NET_PATTERN
    };
    return texts[kind];
}

/* ---- destinations ---------------------------------------------------------------- */

static unsigned bits_of(uint32_t nodes) {
    return (unsigned)__builtin_ctz(nodes);
}

static uint32_t reversed(uint32_t number, unsigned bits) {
    uint32_t other = 0;
    for (unsigned i = 0; i < bits; i++)
        other |= (number >> i & 1) << (bits - 1 - i);
    return other;
}

static uint32_t rotated(uint32_t number, unsigned bits) {
    return (number << 1 | number >> (bits - 1)) & ((1u << bits) - 1);
}

/* Moves each coordinate on, in a circle. */
static uint32_t moved(const NetGrid *grid, uint32_t number, bool tornado) {
    uint32_t to = 0, stride = 1;
    for (unsigned i = 0; i < grid->dimensions; stride *= grid->size[i++]) {
        const uint32_t size = grid->size[i], steps = tornado ? (size + 1) / 2 - 1 : 1;
        to += (number / stride + steps) % size * stride;
    }
    return to;
}

/* Swaps the halves of a node's number, each below the root of `nodes`: the first and
 * the second half of its coordinates, or of its bits. */
static uint32_t transposed(uint32_t nodes, uint32_t number) {
    const uint32_t half = (uint32_t)lround(sqrt(nodes));
    return number % half * half + number / half;
}

/* The destination in a permutation that needs no draw. */
static uint32_t destination(NetPatternKind kind, uint32_t nodes, const NetGrid *grid,
                            uint32_t from) {
    switch (kind) {
    case NET_PATTERN_bitcomp:
        return ~from & (nodes - 1);
    case NET_PATTERN_bitrev:
        return reversed(from, bits_of(nodes));
    case NET_PATTERN_shuffle:
        return rotated(from, bits_of(nodes));
    case NET_PATTERN_transpose:
        return transposed(nodes, from);
    case NET_PATTERN_tornado:
        return moved(grid, from, true);
    default:
        return moved(grid, from, false);
    }
}

static void shuffle(uint32_t *to, uint32_t count, uint32_t seed) {
    JmRng rng = jm_rng(jm_rng_mix(seed, 2));
    for (uint32_t i = 0; i < count; i++)
        to[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t other = jm_rng_below(&rng, i), last = to[i - 1];
        to[i - 1] = to[other];
        to[other] = last;
    }
}

/* ---- what fits ------------------------------------------------------------------- */

static bool equal_halves(const NetGrid *grid) {
    const unsigned half = grid->dimensions / 2;
    for (unsigned i = 0; i < half; i++)
        if (grid->size[i] != grid->size[half + i])
            return false;
    return half > 0 && grid->dimensions % 2 == 0;
}

static bool is_power_of_4(uint32_t nodes) {
    return (nodes & (nodes - 1)) == 0 && bits_of(nodes) % 2 == 0;
}

static bool check_bits(const char *name, uint32_t nodes, JmError *error) {
    return (nodes & (nodes - 1)) == 0 ||
           jm_fail(error, NULL,
                   "pattern=%s needs a power of 2 nodes, not %u: give sizes that are "
                   "powers of 2",
                   name, nodes);
}

static bool check_coordinates(const char *name, const NetGrid *grid, JmError *error) {
    return grid->dimensions > 0 ||
           jm_fail(error, NULL,
                   "pattern=%s needs coordinates, which nodes of this network do not "
                   "have: give a torus or a mesh",
                   name);
}

static bool check_halves(const char *name, uint32_t nodes, const NetGrid *grid,
                         JmError *error) {
    return equal_halves(grid) || is_power_of_4(nodes) ||
           jm_fail(error, NULL,
                   "pattern=%s needs two or four dimensions, of the same sizes in the "
                   "first half and the second, or a power of 4 nodes, not %u: give "
                   "sizes such as 8x8",
                   name, nodes);
}

static bool check_hot(const NetPatternPlan *plan, uint32_t nodes, JmError *error) {
    if (plan->hot_count == 0)
        return jm_fail(error, NULL,
                       "pattern=hotspot needs nodes: give hot=0, or several: hot=0;5");
    for (unsigned i = 0; i < plan->hot_count; i++)
        if (plan->hot[i] >= nodes)
            return jm_fail(error, NULL, "hot=%u: the last of %u nodes is %u",
                           plan->hot[i], nodes, nodes - 1);
    return true;
}

static bool check_fits(const NetPatternPlan *plan, uint32_t nodes, const NetGrid *grid,
                       JmError *error) {
    if (nodes < 2)
        return jm_fail(error, NULL, "messages to others need two nodes, there is one");
    const char *name = net_pattern_names[plan->kind];
    switch (plan->kind) {
    case NET_PATTERN_bitcomp:
    case NET_PATTERN_bitrev:
    case NET_PATTERN_shuffle:
        return check_bits(name, nodes, error);
    case NET_PATTERN_transpose:
        return check_halves(name, nodes, grid, error);
    case NET_PATTERN_tornado:
    case NET_PATTERN_neighbor:
        return check_coordinates(name, grid, error);
    case NET_PATTERN_hotspot:
        return check_hot(plan, nodes, error);
    default:
        return true;
    }
}

/* ---- creation -------------------------------------------------------------------- */

/* Silences nodes that would send to themselves. False and `error`: all would. */
static bool silence(NetPattern *pattern, const char *name, JmError *error) {
    bool any = false;
    for (uint32_t i = 0; i < pattern->nodes; i++)
        if (pattern->to[i] == i)
            pattern->to[i] = NET_NONE;
        else
            any = true;
    return any || jm_fail(error, NULL,
                          "pattern=%s: every one of %u nodes would send to itself: "
                          "give larger sizes, or another pattern",
                          name, pattern->nodes);
}

bool net_pattern_create(Heap *heap, NetPattern *pattern, const NetPatternPlan *plan,
                        uint32_t nodes, const NetGrid *grid, JmError *error) {
    *pattern = (NetPattern){.nodes = nodes};
    if (!check_fits(plan, nodes, grid, error))
        return false;
    if (plan->kind == NET_PATTERN_hotspot) {
        pattern->hot_share = plan->hot_share;
        pattern->hot_count = plan->hot_count;
        memcpy(pattern->hot, plan->hot, sizeof pattern->hot);
        return true;
    }
    if (plan->kind == NET_PATTERN_uniform)
        return true;
    pattern->to = heap_alloc(heap, nodes * sizeof *pattern->to);
    if (plan->kind == NET_PATTERN_randperm)
        shuffle(pattern->to, nodes, plan->seed);
    for (uint32_t i = 0; plan->kind != NET_PATTERN_randperm && i < nodes; i++)
        pattern->to[i] = destination(plan->kind, nodes, grid, i);
    return silence(pattern, net_pattern_names[plan->kind], error);
}

/* ---- messages -------------------------------------------------------------------- */

static bool is_hot(const NetPattern *pattern, uint32_t node) {
    for (unsigned i = 0; i < pattern->hot_count; i++)
        if (pattern->hot[i] == node)
            return true;
    return false;
}

/* Returns the number of hot nodes that a node sends to. The only hot node sends as if
 * there were none. */
static unsigned hot_others(const NetPattern *pattern, uint32_t from) {
    return pattern->hot_count - is_hot(pattern, from);
}

/* Returns the `k`-th hot node, from 0, of those other than `from`. */
static uint32_t hot_other(const NetPattern *pattern, uint32_t from, unsigned k) {
    for (unsigned i = 0;; i++)
        if (pattern->hot[i] != from && k-- == 0)
            return pattern->hot[i];
}

uint32_t net_pattern_draw(const NetPattern *pattern, JmRng *rng, uint32_t from) {
    if (pattern->to)
        return pattern->to[from];
    if (pattern->hot_share > 0) {
        const unsigned hot = hot_others(pattern, from);
        if (hot > 0 && net_traffic_uniform(rng) < pattern->hot_share)
            return hot_other(pattern, from, hot > 1 ? jm_rng_below(rng, hot) : 0);
    }
    const uint32_t other = jm_rng_below(rng, pattern->nodes - 1);
    return other + (other >= from);
}

double net_pattern_share(const NetPattern *pattern, uint32_t from, uint32_t to) {
    if (from == to)
        return 0;
    if (pattern->to)
        return pattern->to[from] == to;
    const unsigned hot = hot_others(pattern, from);
    const double share = hot > 0 ? pattern->hot_share : 0;
    return (1 - share) / (pattern->nodes - 1) +
           (share > 0 && is_hot(pattern, to) ? share / hot : 0);
}
