/* The channel graph: the form of a topology. Internal to net/: builders make a graph,
 * engines move flits on it, the mean-value solver and the tests walk it.
 *
 * Points are of three sorts, numbered one after the other:
 *
 *     channels  0 .. channels-1             flit queues
 *     sources   channels + node*2 + priority          output buffers of the nodes
 *     sinks     channels + nodes*2 + node*2 + priority   where messages leave
 *
 * A flit goes from a source through channels to a sink. A point lists its feeders in
 * order of precedence; the builder's `next` gives the next point of its first message.
 * A channel with a wire sends over it, and shares it with the other channels of the
 * same wire: one flit a cycle for all of them. Nothing here knows a coordinate: the
 * destination of a message is kept in a form the builder chooses. */
#ifndef JM_NET_GRAPH_GRAPH_H
#define JM_NET_GRAPH_GRAPH_H

#include "emu/core/heap.h"
#include "net/net.h"

/* Sorts of points, after the kinds of channel of net.h. */
enum { NET_POINT_SOURCE = NET_CHANNEL_R + 1, NET_POINT_SINK };

enum {
    NET_GRAPH_MAX_NODES = 1 << 20,
    NET_MAX_CHOICES = 32, /* points that a head may choose from */
    NET_MAX_LANES = 8,    /* channels that send the same way over one wire */
    NET_MAX_PLACES = 64,  /* flits in a channel */
    NET_MAX_DELAY = 63,   /* cycles a flit spends on a wire beyond the first */
    NET_MAX_DRAWS = 16    /* see NetGraph.address_from */
};

/* The label of a point. Engines read it, statistics count by it. */
typedef struct {
    uint32_t node : 20;        /* < NET_GRAPH_MAX_NODES */
    uint32_t kind : 3;         /* NetChannelKind or NET_POINT_* */
    uint32_t priority : 1;     /* its class: 1 goes first on a wire */
    uint32_t dimension : 2;    /* for reports and statistics only */
    uint32_t downward : 1;     /* which of the two directions of its wire it uses */
    uint32_t drops_header : 1; /* a head that enters is dropped: it takes no place */
    uint32_t on_bisection : 1; /* its wire crosses the middle of its dimension */
} NetLabel;

typedef struct NetTopology NetTopology; /* topology/topology.h */

struct NetGraph {
    Heap *heap; /* holds it and all that it points to */
    uint32_t nodes, channels, wires;
    NetGrid grid;
    unsigned copies; /* virtual channels: the size of groups of successive channels */
    uint32_t points_built; /* points whose feeders are complete */
    NetLabel *label;       /* by point */
    uint32_t *wire;        /* by point: the wire it sends over or NET_NONE */
    /* By point, and one past the end: the index of its first feeder. */
    uint32_t *feeder_start;
    uint32_t *feeders; /* points, in order of precedence, by the point they feed */
    /* The topology that built it; NULL: not one of the table. */
    const NetTopology *topology;
    const void *shape; /* private to that builder */

    /* The next point of the message at `point`, given its address; if that is a
     * channel, any of its group from that number on is allowed. */
    uint32_t (*next)(const NetGraph *graph, uint32_t point, uint32_t address);
    const uint32_t
        *address; /* by node: its routing form as a destination; in `shape` */
    /* The channel that leaves `node` in a direction, or NET_NONE if there is none, also
     * of a dimension that the topology does not have. */
    uint32_t (*link)(const NetGraph *graph, uint32_t node, unsigned priority,
                     unsigned dimension, bool up);
    /* Maps of the points onto themselves that carry routes into routes: the image of
     * `point` of priority 0 under mirror 0 .. mirrors-1. 0 if the builder offers
     * none. */
    unsigned mirrors;
    uint32_t (*mirror)(const NetGraph *graph, unsigned mirror, uint32_t point);
    /* The name of a node in reports, such as "1,2,0". */
    void (*node_name)(const NetGraph *graph, uint32_t node, char *text, size_t size);

    /* The rest is for the flow engine: all of it is NULL or 0 in a plain graph, that
     * is, one that the other engines run (net_graph_is_plain()). */

    uint8_t *places; /* by channel: flits it holds; NULL: params.channel_capacity */
    /* By channel: its position in the turns of its wire; NULL: twice its priority, plus
     * 1 if it goes downward. */
    uint8_t *lane;
    /* By wire: cycles of a flit in flight beyond the first; NULL: none. */
    uint8_t *delay;
    uint8_t *group; /* by wire: the group it is counted in; NULL: its dimension */
    uint32_t groups;
    /* Nodes of the graph are terminals, each with a source and a sink. By node: the
     * processor it belongs to. The terminals of a processor follow each other, and the
     * first of them is the address of messages to it. NULL: each its own. */
    uint32_t *processor;
    uint32_t processors;
    /* The points that a head may go to next, best first: 1 to NET_MAX_CHOICES of them,
     * with `next` among them. NULL: only `next`. */
    unsigned (*choices)(const NetGraph *graph, uint32_t point, uint32_t address,
                        uint32_t choice[NET_MAX_CHOICES]);
    /* The routing form of a destination as seen from a source, with the value drawn
     * once for each message, 0 .. draws-1. NULL: `address`. */
    uint32_t (*address_from)(const NetGraph *graph, uint32_t source, uint32_t node,
                             uint32_t draw);
    uint32_t draws;
    /* By node: which of the turns, numbered below `nodes`, its messages' draws follow:
     * 0, 1, .. draws-1, 0, .. NULL: they are random. */
    uint32_t *turn;
    /* The terminal of `source`'s processor that a message must leave from; NET_NONE:
     * any of them. NULL: any. */
    uint32_t (*terminal)(const NetGraph *graph, uint32_t source, uint32_t address);
    const char *(*group_name)(const NetGraph *graph, unsigned group);
};

/* Returns the routing form of the destination of a message from `source` to `node`. */
static inline uint32_t net_graph_address(const NetGraph *graph, uint32_t source,
                                         uint32_t node, uint32_t draw) {
    return graph->address_from ? graph->address_from(graph, source, node, draw)
                               : graph->address[node];
}

/* Finds the points that a head at `point` may go to next. Returns their number. */
static inline unsigned net_graph_choices(const NetGraph *graph, uint32_t point,
                                         uint32_t address,
                                         uint32_t choice[NET_MAX_CHOICES]) {
    if (graph->choices)
        return graph->choices(graph, point, address, choice);
    choice[0] = graph->next(graph, point, address);
    return 1;
}

/* The lane of a channel on its wire. */
static inline unsigned net_graph_lane(const NetGraph *graph, uint32_t channel) {
    const NetLabel *label = &graph->label[channel];
    return graph->lane ? graph->lane[channel] : 2u * label->priority + label->downward;
}

/* Flits that a channel holds. */
static inline uint32_t net_graph_places(const NetGraph *graph, const NetParams *params,
                                        uint32_t channel) {
    return graph->places ? graph->places[channel] : params->channel_capacity;
}

static inline uint32_t net_graph_source(const NetGraph *graph, uint32_t node,
                                        unsigned priority) {
    return graph->channels + node * NET_PRIORITIES + priority;
}

static inline uint32_t net_graph_first_sink(const NetGraph *graph) {
    return graph->channels + graph->nodes * NET_PRIORITIES;
}

static inline uint32_t net_graph_sink(const NetGraph *graph, uint32_t node,
                                      unsigned priority) {
    return net_graph_first_sink(graph) + node * NET_PRIORITIES + priority;
}

static inline uint32_t net_graph_points(const NetGraph *graph) {
    return graph->channels + 2 * graph->nodes * NET_PRIORITIES;
}

/* Without a table of processors every node is one. */
static inline uint32_t net_graph_processors(const NetGraph *graph) {
    return graph->processor ? graph->processors : graph->nodes;
}

/* Whether messages may be addressed to a node: the first of its processor. */
static inline bool net_graph_is_address(const NetGraph *graph, uint32_t node) {
    return !graph->processor || node == 0 ||
           graph->processor[node] != graph->processor[node - 1];
}

/* Returns the index in `feeders` of the edge between two points, or NET_NONE. */
static inline uint32_t net_graph_edge(const NetGraph *graph, uint32_t from,
                                      uint32_t to) {
    for (uint32_t i = graph->feeder_start[to]; i < graph->feeder_start[to + 1]; i++)
        if (graph->feeders[i] == from)
            return i;
    return NET_NONE;
}

static inline bool net_graph_feeds(const NetGraph *graph, uint32_t from, uint32_t to) {
    return net_graph_edge(graph, from, to) != NET_NONE;
}

/* The last point of the group that may be taken in place of `point`, a value of
 * `next`. */
static inline uint32_t net_graph_last_choice(const NetGraph *graph, uint32_t point) {
    if (point >= graph->channels)
        return point;
    return point / graph->copies * graph->copies + graph->copies - 1;
}

/* Sink `point` delivers to the queue of its label's priority; with virtual channels
 * that may be above the priority of the message. */

/* Builds a graph in a heap of its own. `build` makes it with net_graph_create(), and
 * all that it points to, in that heap. NULL and `error` without memory. */
NetGraph *net_graph_build(HeapMake *build, const void *plan, JmError *error);
/* Creates an empty graph with room for `feeders` feeders in total. Sources and sinks
 * are labelled; the builder labels channels. */
NetGraph *net_graph_create(Heap *heap, uint32_t nodes, uint32_t channels,
                           uint32_t feeders);
/* NULL is ignored. */
void net_graph_destroy(NetGraph *graph);

/* Adds the feeders of points. A builder adds them point by point, from point 0 to the
 * last: each feeder of the point in order of precedence, then the end of the point. */
void net_graph_add_feeder(NetGraph *graph, uint32_t feeder);
void net_graph_end_point(NetGraph *graph);

/* Checks once, before an engine runs, what a builder must guarantee:
 *
 * - labels are in range, feeders and wires exist, and all functions are set;
 * - the channels of a wire differ in their place in a group or in their lanes, which
 *   without `lane` are priorities and directions, so that an engine that chooses these
 *   has chosen one channel, and one flit crosses;
 * - channels of a group have one label and one wire;
 * - feeders with a wire precede those without;
 * - channels that feed sinks are numbered in the order of the sinks, so that deliveries
 *   come by node, then priority. */
bool net_graph_check(const NetGraph *graph, JmError *error);

/* Whether engines that implement only the J-Machine's rules can run the graph with
 * these parameters; if not, `error` names the unsupported field or parameter. */
bool net_graph_is_plain(const NetGraph *graph, const NetParams *params, JmError *error);

#endif
