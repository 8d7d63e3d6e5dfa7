/* Lays out a problem: which ports routes use and which ports, wires and exits belong to
 * each channel, numbered by orbit. */
#include <string.h>

#include "net/model/amva_parts.h"

static uint32_t *numbers(const AmvaLayout *layout, size_t count) {
    return heap_alloc(layout->heap, count * sizeof(uint32_t));
}

/* ---- messages -------------------------------------------------------------------- */

/* Sets the lengths of messages, and alpha if the problem leaves it open. */
static void set_messages(AmvaLayout *layout) {
    const AmvaProblem *problem = &layout->problem;
    const bool requests = problem->workload == AMVA_REQUESTS;
    double flits = 0;
    layout->kinds = requests ? 2 : 1;
    layout->length[KIND_REQUEST] = problem->request;
    layout->length[KIND_REPLY] = problem->reply;
    for (unsigned kind = 0; kind < layout->kinds; kind++) {
        const unsigned length = layout->length[kind];
        layout->flits = length > layout->flits ? length : layout->flits;
        flits += length;
    }
    layout->alpha = problem->alpha > 0 ? problem->alpha : layout->kinds / flits;
    layout->customers = problem->outstanding;
    if (!requests)
        layout->customers *= layout->nodes;
    layout->share = 1 / (layout->nodes - 1.0);
    layout->corrected =
        requests && !problem->uncorrected && problem->form == AMVA_TREES;
}

/* Above this many nodes trees cost more than prefixes, which compute the same sums. */
enum { TREES_MOST = 512 };

/* Decides how routes are summed. */
static bool choose_form(AmvaLayout *layout, JmError *error) {
    AmvaProblem *const problem = &layout->problem;
    layout->unique = amva_paths_unique(layout->heap, layout->graph);
    if (problem->form == AMVA_PREFIXES && !layout->unique)
        return jm_fail(error, NULL, "prefixes need one path between two nodes");
    if (layout->nodes > TREES_MOST && layout->unique)
        problem->form = AMVA_PREFIXES;
    layout->by_pair = layout->corrected && problem->form == AMVA_TREES;
    return true;
}

/* ---- numbering ------------------------------------------------------------------- */

/* Numbers the orbits of `count` items that are used, in order of their least members,
 * and records number, size and least member. `root` gives the least member of each. */
static uint32_t number(const uint32_t *root, const uint8_t *used, size_t count,
                       uint32_t *orbit, uint32_t *size, uint32_t *first) {
    uint32_t orbits = 0;
    for (size_t i = 0; i < count; i++)
        orbit[i] = NET_NONE;
    for (uint32_t i = 0; i < count; i++)
        if (root[i] == i && used[i]) {
            first[orbits] = i;
            size[orbits] = 0;
            orbit[i] = orbits++;
        }
    for (size_t i = 0; i < count; i++) {
        orbit[i] = orbit[root[i]];
        if (orbit[i] != NET_NONE)
            size[orbit[i]]++;
    }
    return orbits;
}

static void number_nodes(AmvaLayout *layout, const AmvaOrbits *orbits) {
    const uint32_t nodes = layout->nodes;
    uint8_t *const used = heap_alloc(layout->heap, nodes);
    layout->node_orbit = numbers(layout, nodes);
    layout->node_size = numbers(layout, nodes);
    layout->node_first = numbers(layout, nodes);
    memset(used, 1, nodes);
    layout->node_orbits = number(orbits->node, used, nodes, layout->node_orbit,
                                 layout->node_size, layout->node_first);
    heap_free(used);
}

/* Extends use to whole orbits: all members are used if one is. */
static void mark_roots(const uint32_t *root, uint8_t *used, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (used[i])
            used[root[i]] = 1;
}

/* Marks the channels whose ports are used. */
static void mark_channels(const NetGraph *graph, const uint8_t *edges,
                          uint8_t *channels) {
    for (uint32_t c = 0; c < graph->channels; c++)
        for (uint32_t i = graph->feeder_start[c]; i < graph->feeder_start[c + 1]; i++)
            channels[c] |= edges[i];
}

static void number_edges(AmvaLayout *layout, const AmvaOrbits *orbits, uint8_t *used) {
    const NetGraph *graph = layout->graph;
    const size_t points = net_graph_points(graph), edges = graph->feeder_start[points];
    uint8_t *const channels = heap_alloc(layout->heap, points);
    layout->edge_orbit = numbers(layout, edges);
    layout->edge_size = numbers(layout, edges);
    layout->edge_first = numbers(layout, edges);
    layout->channel_orbit = numbers(layout, points);
    layout->channel_size = numbers(layout, points);
    layout->channel_first = numbers(layout, points);
    mark_roots(orbits->edge, used, edges);
    mark_channels(graph, used, channels);
    mark_roots(orbits->point, channels, points);
    layout->edge_orbits = number(orbits->edge, used, edges, layout->edge_orbit,
                                 layout->edge_size, layout->edge_first);
    layout->channel_orbits =
        number(orbits->point, channels, points, layout->channel_orbit,
               layout->channel_size, layout->channel_first);
    heap_free(channels);
}

/* ---- what stands at a channel ---------------------------------------------------- */

static AmvaLists lists_create(const AmvaLayout *layout, size_t orbits, size_t items) {
    return (AmvaLists){numbers(layout, orbits + 1), numbers(layout, items)};
}

/* Lists the ports of the first channel of each orbit, as numbers of edge orbits. */
static void list_ports(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    AmvaLists *const ports = &layout->ports;
    *ports = lists_create(layout, layout->channel_orbits,
                          graph->feeder_start[net_graph_points(graph)]);
    uint32_t count = 0;
    for (uint32_t orbit = 0; orbit < layout->channel_orbits; orbit++) {
        const uint32_t c = layout->channel_first[orbit];
        ports->start[orbit] = count;
        for (uint32_t i = graph->feeder_start[c]; i < graph->feeder_start[c + 1]; i++)
            if (layout->edge_orbit[i] != NET_NONE)
                ports->item[count++] = layout->edge_orbit[i];
    }
    ports->start[layout->channel_orbits] = count;
}

/* Adds the other ports of an edge's channel, as that edge sees them. */
static uint32_t add_rivals(AmvaLayout *layout, uint32_t edge, uint32_t channel,
                           AmvaRival *rival) {
    const NetGraph *graph = layout->graph;
    const bool p_first = layout->problem.p_first;
    const unsigned own = amva_precedence(graph, edge, channel, p_first);
    uint32_t count = 0;
    for (uint32_t i = graph->feeder_start[channel];
         i < graph->feeder_start[channel + 1]; i++) {
        if (i == edge || layout->edge_orbit[i] == NET_NONE)
            continue;
        const unsigned other = amva_precedence(graph, i, channel, p_first);
        rival[count++] =
            (AmvaRival){layout->edge_orbit[i], (other > own) - (other < own)};
    }
    return count;
}

static void list_rivals(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    size_t most = 0;
    for (uint32_t c = 0; c < graph->channels; c++) {
        const size_t ports = graph->feeder_start[c + 1] - graph->feeder_start[c];
        most += ports * ports;
    }
    layout->rival_start = numbers(layout, layout->edge_orbits + (size_t)1);
    layout->rival = heap_alloc(layout->heap, most * sizeof *layout->rival);
    uint32_t count = 0, c = 0;
    for (uint32_t orbit = 0; orbit < layout->edge_orbits; orbit++) {
        const uint32_t edge = layout->edge_first[orbit];
        while (graph->feeder_start[c + 1] <= edge)
            c++;
        layout->rival_start[orbit] = count;
        count += add_rivals(layout, edge, c, layout->rival + count);
    }
    layout->rival_start[layout->edge_orbits] = count;
    layout->rival =
        heap_resize(layout->heap, layout->rival, count * sizeof *layout->rival);
}

/* Links the channels of each wire: the first, and each one's successor. */
static uint32_t *link_wires(const AmvaLayout *layout, uint32_t *first) {
    const NetGraph *graph = layout->graph;
    uint32_t *const next = numbers(layout, graph->channels);
    for (uint32_t w = 0; w < graph->wires; w++)
        first[w] = NET_NONE;
    for (uint32_t c = graph->channels; c-- > 0;) {
        const uint32_t wire = graph->wire[c];
        if (wire == NET_NONE || layout->channel_orbit[c] == NET_NONE)
            continue;
        next[c] = first[wire];
        first[wire] = c;
    }
    return next;
}

/* Lists the used channels that share a wire with the first channel of each orbit. */
static void list_others(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    uint32_t *const first = numbers(layout, graph->wires);
    uint32_t *const next = link_wires(layout, first);
    layout->others = lists_create(layout, layout->channel_orbits, graph->channels);
    uint32_t count = 0;
    for (uint32_t orbit = 0; orbit < layout->channel_orbits; orbit++) {
        const uint32_t c = layout->channel_first[orbit], wire = graph->wire[c];
        layout->others.start[orbit] = count;
        for (uint32_t other = wire == NET_NONE ? NET_NONE : first[wire];
             other != NET_NONE; other = next[other])
            if (other != c)
                layout->others.item[count++] = layout->channel_orbit[other];
    }
    layout->others.start[layout->channel_orbits] = count;
    heap_free(first);
    heap_free(next);
}

/* Lists the edges out of the source of the first node of each orbit. */
static void list_exits(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    uint32_t *const next = numbers(layout, layout->node_orbits);
    AmvaLists *const exits = &layout->exits;
    *exits =
        lists_create(layout, layout->node_orbits, graph->feeder_start[graph->channels]);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < graph->feeder_start[graph->channels]; i++) {
            const NetLabel label = graph->label[graph->feeders[i]];
            const uint32_t orbit = layout->node_orbit[label.node];
            if (label.kind != NET_POINT_SOURCE || layout->edge_orbit[i] == NET_NONE ||
                layout->node_first[orbit] != label.node)
                continue;
            if (pass == 0)
                exits->start[orbit + 1]++;
            else
                exits->item[next[orbit]++] = layout->edge_orbit[i];
        }
        for (uint32_t orbit = 0; pass == 0 && orbit < layout->node_orbits; orbit++) {
            exits->start[orbit + 1] += exits->start[orbit];
            next[orbit] = exits->start[orbit];
        }
    }
    heap_free(next);
}

/* ---- the whole ------------------------------------------------------------------- */

static bool build_orbits(AmvaLayout *layout, const AmvaOrbits *orbits, JmError *error) {
    const NetGraph *graph = layout->graph;
    uint8_t *const used =
        heap_alloc(layout->heap, graph->feeder_start[net_graph_points(graph)]);
    const bool trees = layout->problem.form == AMVA_TREES;
    number_nodes(layout, orbits);
    if (trees && !amva_trees_build(layout, used, error))
        return false;
    if (!trees)
        amva_paths_build(layout, used);
    number_edges(layout, orbits, used);
    list_ports(layout);
    list_rivals(layout);
    list_others(layout);
    list_exits(layout);
    if (trees)
        amva_trees_finish(layout);
    else if (layout->corrected)
        amva_own_build(layout);
    heap_free(used);
    return true;
}

bool amva_layout_build(AmvaLayout *layout, Heap *heap, const NetGraph *graph,
                       const AmvaProblem *problem, JmError *error) {
    *layout = (AmvaLayout){
        .heap = heap, .graph = graph, .problem = *problem, .nodes = graph->nodes};
    set_messages(layout);
    if (!choose_form(layout, error))
        return false;
    const AmvaOrbits orbits = amva_orbits_find(layout);
    const bool good = build_orbits(layout, &orbits, error);
    heap_free(orbits.point);
    heap_free(orbits.edge);
    heap_free(orbits.node);
    return good;
}
