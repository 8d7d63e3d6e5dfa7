/* Lays out a problem: which ports routes use and which ports, wires and exits belong to
 * each channel, numbered by orbit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/model/amva_parts.h"

static void *list(size_t count, size_t size) {
    return calloc(count + 1, size);
}

static bool no_memory(const AmvaLayout *layout, JmError *error) {
    return jm_fail_memory(error, NULL, "no memory for a model of %u nodes",
                          layout->nodes);
}

/* ---- message types --------------------------------------------------------------- */

static void add_type(AmvaLayout *layout, unsigned kind, unsigned length, double share) {
    layout->type[layout->types++] = (AmvaType){kind, length, share};
    layout->flits = length > layout->flits ? length : layout->flits;
}

/* Sets the message types, and alpha if the problem leaves it open. */
static void set_types(AmvaLayout *layout) {
    const AmvaProblem *problem = &layout->problem;
    const bool requests = problem->workload == AMVA_REQUESTS;
    layout->kinds = requests ? 2 : 1;
    double flits = 0;
    for (unsigned i = 0; i < problem->pairs; i++) {
        const AmvaPair *pair = &problem->pair[i];
        add_type(layout, KIND_REQUEST, pair->request, pair->share);
        if (requests)
            add_type(layout, KIND_REPLY, pair->reply, pair->share);
        flits += pair->request + (requests ? pair->reply : 0);
    }
    layout->alpha = problem->alpha > 0 ? problem->alpha : layout->types / flits;
    layout->customers = problem->outstanding;
    if (!requests)
        layout->customers *= layout->nodes;
    layout->corrected =
        requests && !problem->uncorrected && problem->form == AMVA_TREES;
}

/* Above this many nodes trees cost more than prefixes, which compute the same sums. */
enum { TREES_MOST = 512 };

/* Decides how routes are summed. False if out of memory. */
static bool choose_form(AmvaLayout *layout, JmError *error) {
    AmvaProblem *const problem = &layout->problem;
    bool unique = false;
    if (layout->nodes > TREES_MOST && !problem->routing &&
        !amva_paths_unique(layout->graph, &unique))
        return no_memory(layout, error);
    if (unique)
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

static bool number_nodes(AmvaLayout *layout, const AmvaOrbits *orbits) {
    const uint32_t nodes = layout->nodes;
    uint8_t *const used = malloc(nodes);
    layout->node_orbit = list(nodes, sizeof(uint32_t));
    layout->node_size = list(nodes, sizeof(uint32_t));
    layout->node_first = list(nodes, sizeof(uint32_t));
    const bool good =
        used && layout->node_orbit && layout->node_size && layout->node_first;
    if (good) {
        memset(used, 1, nodes);
        layout->node_orbits = number(orbits->node, used, nodes, layout->node_orbit,
                                     layout->node_size, layout->node_first);
    }
    free(used);
    return good;
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

static bool number_edges(AmvaLayout *layout, const AmvaOrbits *orbits, uint8_t *used) {
    const NetGraph *graph = layout->graph;
    const size_t points = net_graph_points(graph), edges = graph->feeder_start[points];
    uint8_t *const channels = calloc(points, 1);
    layout->edge_orbit = list(edges, sizeof(uint32_t));
    layout->edge_size = list(edges, sizeof(uint32_t));
    layout->edge_first = list(edges, sizeof(uint32_t));
    layout->channel_orbit = list(points, sizeof(uint32_t));
    layout->channel_size = list(points, sizeof(uint32_t));
    layout->channel_first = list(points, sizeof(uint32_t));
    const bool good = channels && layout->edge_orbit && layout->edge_size &&
                      layout->edge_first && layout->channel_orbit &&
                      layout->channel_size && layout->channel_first;
    if (good) {
        mark_roots(orbits->edge, used, edges);
        mark_channels(graph, used, channels);
        mark_roots(orbits->point, channels, points);
        layout->edge_orbits = number(orbits->edge, used, edges, layout->edge_orbit,
                                     layout->edge_size, layout->edge_first);
        layout->channel_orbits =
            number(orbits->point, channels, points, layout->channel_orbit,
                   layout->channel_size, layout->channel_first);
    }
    free(channels);
    return good;
}

/* ---- what stands at a channel ---------------------------------------------------- */

static bool lists_create(AmvaLists *lists, size_t orbits, size_t items) {
    lists->start = list(orbits + 1, sizeof *lists->start);
    lists->item = list(items, sizeof *lists->item);
    return lists->start && lists->item;
}

static void lists_free(AmvaLists *lists) {
    free(lists->start);
    free(lists->item);
}

/* Lists the ports of the first channel of each orbit, as numbers of edge orbits. */
static bool list_ports(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    if (!lists_create(&layout->ports, layout->channel_orbits,
                      graph->feeder_start[net_graph_points(graph)]))
        return false;
    AmvaLists *const ports = &layout->ports;
    uint32_t count = 0;
    for (uint32_t orbit = 0; orbit < layout->channel_orbits; orbit++) {
        const uint32_t c = layout->channel_first[orbit];
        ports->start[orbit] = count;
        for (uint32_t i = graph->feeder_start[c]; i < graph->feeder_start[c + 1]; i++)
            if (layout->edge_orbit[i] != NET_NONE)
                ports->item[count++] = layout->edge_orbit[i];
    }
    ports->start[layout->channel_orbits] = count;
    return true;
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

static bool list_rivals(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    size_t most = 0;
    for (uint32_t c = 0; c < graph->channels; c++) {
        const size_t ports = graph->feeder_start[c + 1] - graph->feeder_start[c];
        most += ports * ports;
    }
    layout->rival_start = list(layout->edge_orbits + (size_t)1, sizeof(uint32_t));
    layout->rival = list(most, sizeof *layout->rival);
    if (!layout->rival_start || !layout->rival)
        return false;
    uint32_t count = 0, c = 0;
    for (uint32_t orbit = 0; orbit < layout->edge_orbits; orbit++) {
        const uint32_t edge = layout->edge_first[orbit];
        while (graph->feeder_start[c + 1] <= edge)
            c++;
        layout->rival_start[orbit] = count;
        count += add_rivals(layout, edge, c, layout->rival + count);
    }
    layout->rival_start[layout->edge_orbits] = count;
    AmvaRival *const fit = realloc(layout->rival, (count + 1) * sizeof *fit);
    if (fit)
        layout->rival = fit;
    return fit != NULL;
}

/* Links the channels of each wire: the first, and each one's successor. */
static uint32_t *link_wires(const AmvaLayout *layout, uint32_t *first) {
    const NetGraph *graph = layout->graph;
    uint32_t *const next = list(graph->channels, sizeof *next);
    for (uint32_t w = 0; w < graph->wires; w++)
        first[w] = NET_NONE;
    for (uint32_t c = graph->channels; next && c-- > 0;) {
        const uint32_t wire = graph->wire[c];
        if (wire == NET_NONE || layout->channel_orbit[c] == NET_NONE)
            continue;
        next[c] = first[wire];
        first[wire] = c;
    }
    return next;
}

/* Lists the used channels that share a wire with the first channel of each orbit. */
static bool list_others(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    uint32_t *const first = list(graph->wires, sizeof *first);
    uint32_t *const next = first ? link_wires(layout, first) : NULL;
    const bool good =
        next && lists_create(&layout->others, layout->channel_orbits, graph->channels);
    uint32_t count = 0;
    for (uint32_t orbit = 0; good && orbit < layout->channel_orbits; orbit++) {
        const uint32_t c = layout->channel_first[orbit], wire = graph->wire[c];
        layout->others.start[orbit] = count;
        for (uint32_t other = wire == NET_NONE ? NET_NONE : first[wire];
             other != NET_NONE; other = next[other])
            if (other != c)
                layout->others.item[count++] = layout->channel_orbit[other];
    }
    if (good)
        layout->others.start[layout->channel_orbits] = count;
    free(first);
    free(next);
    return good;
}

/* Lists the edges out of the source of the first node of each orbit. */
static bool list_exits(AmvaLayout *layout) {
    const NetGraph *graph = layout->graph;
    uint32_t *const next = list(layout->node_orbits, sizeof *next);
    const bool good = next && lists_create(&layout->exits, layout->node_orbits,
                                           graph->feeder_start[graph->channels]);
    AmvaLists *const exits = &layout->exits;
    for (unsigned pass = 0; good && pass < 2; pass++) {
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
    free(next);
    return good;
}

/* ---- nodes ----------------------------------------------------------------------- */

enum { VISIT_ROUNDS = 100000 };

/* Solves v = v F by repetition. Keeping half of the old value stops cycles from
 * oscillating. */
static bool solve_visits(const AmvaLayout *layout, double *visits, JmError *error) {
    const uint32_t nodes = layout->nodes;
    double *const next = list(nodes, sizeof *next);
    double change = 1;
    for (unsigned round = 0; next && round < VISIT_ROUNDS && change > 1e-13; round++) {
        memset(next, 0, nodes * sizeof *next);
        for (uint32_t s = 0; s < nodes; s++)
            for (uint32_t d = 0; d < nodes; d++)
                next[d] += visits[s] * amva_routing(layout, s, d);
        change = 0;
        for (uint32_t d = 0; d < nodes; d++) {
            change = fmax(change, fabs(next[d] - visits[d]));
            visits[d] = (visits[d] + next[d]) / 2;
        }
    }
    free(next);
    if (!next)
        return no_memory(layout, error);
    return change <= 1e-13 ||
           jm_fail(error, NULL, "the routing matrix has no mean number of visits");
}

static bool set_nodes(AmvaLayout *layout, JmError *error) {
    const AmvaProblem *problem = &layout->problem;
    double *const visits = list(layout->nodes, sizeof *visits);
    layout->visits = list(layout->node_orbits, sizeof *layout->visits);
    layout->service = list(layout->node_orbits, sizeof *layout->service);
    bool good = visits && layout->visits && layout->service;
    if (!good)
        no_memory(layout, error);
    for (uint32_t i = 0; good && i < layout->nodes; i++)
        visits[i] = 1;
    if (good && problem->routing && problem->workload == AMVA_SNAKES)
        good = solve_visits(layout, visits, error);
    for (uint32_t orbit = 0; good && orbit < layout->node_orbits; orbit++) {
        const uint32_t node = layout->node_first[orbit];
        layout->visits[orbit] = visits[node];
        layout->service[orbit] =
            problem->services ? problem->services[node] : problem->service;
    }
    free(visits);
    return good;
}

/* ---- the whole ------------------------------------------------------------------- */

static bool build_orbits(AmvaLayout *layout, const AmvaOrbits *orbits, JmError *error) {
    const NetGraph *graph = layout->graph;
    uint8_t *const used = calloc(graph->feeder_start[net_graph_points(graph)] + 1u, 1);
    bool good = used && number_nodes(layout, orbits);
    if (!good)
        no_memory(layout, error);
    const bool trees = layout->problem.form == AMVA_TREES;
    if (good)
        good = trees ? amva_trees_build(layout, used, error)
                     : amva_paths_build(layout, used, error);
    if (good) {
        good = number_edges(layout, orbits, used) && list_ports(layout) &&
               list_rivals(layout) && list_others(layout) && list_exits(layout) &&
               (trees ? amva_trees_finish(layout)
                      : !layout->corrected || amva_own_build(layout));
        if (!good)
            no_memory(layout, error);
    }
    free(used);
    return good;
}

bool amva_layout_build(AmvaLayout *layout, const NetGraph *graph,
                       const AmvaProblem *problem, JmError *error) {
    *layout = (AmvaLayout){.graph = graph, .problem = *problem, .nodes = graph->nodes};
    set_types(layout);
    AmvaOrbits orbits = {0};
    const bool good = choose_form(layout, error) &&
                      amva_orbits_find(&orbits, layout, error) &&
                      build_orbits(layout, &orbits, error) && set_nodes(layout, error);
    amva_orbits_free(&orbits);
    return good;
}

void amva_layout_free(AmvaLayout *layout) {
    free(layout->node_orbit);
    free(layout->node_size);
    free(layout->node_first);
    free(layout->channel_orbit);
    free(layout->channel_size);
    free(layout->channel_first);
    free(layout->edge_orbit);
    free(layout->edge_size);
    free(layout->edge_first);
    free(layout->rival_start);
    free(layout->rival);
    lists_free(&layout->ports);
    lists_free(&layout->others);
    lists_free(&layout->exits);
    free(layout->visits);
    free(layout->service);
    amva_trees_free(layout->trees);
    amva_paths_free(layout->paths);
    amva_own_free(layout);
}
