/* Patterns of traffic: which node sends to which. A node that would send to itself
 * sends nothing. */
#ifndef JM_NET_TRAFFIC_PATTERN_H
#define JM_NET_TRAFFIC_PATTERN_H

#include "net/traffic/traffic.h"

typedef enum {
#define NET_PATTERN(name, text) NET_PATTERN_##name,
#include "net/traffic/patterns.def"
#undef NET_PATTERN
    NET_PATTERNS
} NetPatternKind;

enum { NET_PATTERN_HOT = 64 }; /* hot nodes at most */

/* What is asked for. */
typedef struct {
    NetPatternKind kind;
    uint32_t seed;    /* of `randperm` */
    double hot_share; /* of `hotspot` */
    uint32_t hot[NET_PATTERN_HOT];
    unsigned hot_count;
} NetPatternPlan;

typedef struct {
    uint32_t nodes;
    uint32_t *to; /* by node: where it sends, or NET_NONE; NULL: to several */
    /* Without `to`: the share of messages that go to the hot nodes, and these nodes.
     * The rest goes to any other node. */
    double hot_share;
    uint32_t hot[NET_PATTERN_HOT];
    unsigned hot_count;
} NetPattern;

/* The names in the order of NetPatternKind, ended by NULL. */
extern const char *const net_pattern_names[NET_PATTERNS + 1];
/* Returns a description of a pattern, for people. */
const char *net_pattern_text(NetPatternKind kind);

/* Makes the pattern for `nodes` nodes with these coordinates. False and `error`: it
 * does not fit them. */
bool net_pattern_create(Heap *heap, NetPattern *pattern, const NetPatternPlan *plan,
                        uint32_t nodes, const NetGrid *grid, JmError *error);

/* The plan that the values of `pattern=NAME,...` describe. */
bool net_pattern_plan(NetPatternPlan *plan, const NetOptionValues *values,
                      JmError *error);

/* Whether a node sends at all. */
static inline bool net_pattern_sends(const NetPattern *pattern, uint32_t from) {
    return !pattern->to || pattern->to[from] != NET_NONE;
}
/* A destination for the next message of a node that sends. */
uint32_t net_pattern_draw(const NetPattern *pattern, JmRng *rng, uint32_t from);
/* The share of a node's messages that go to another one. */
double net_pattern_share(const NetPattern *pattern, uint32_t from, uint32_t to);

#endif
