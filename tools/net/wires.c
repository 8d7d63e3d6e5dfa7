/* Figures of wires and lanes. */
#include "tools/net/wires.h"

#include <stdlib.h>
#include <string.h>

#include "net/graph/graph.h"
#include "net/topology/topology.h"
#include "tools/host/memory.h"
#include "tools/report/draw/gnuplot.h"

/* ---- lanes ----------------------------------------------------------------------- */

/* The node to which each point sends: that of the first point that it feeds. */
static uint32_t *find_ends(const NetGraph *graph) {
    const uint32_t points = net_graph_points(graph);
    uint32_t *ends = memory_array(points, sizeof *ends);
    memset(ends, 0xff, points * sizeof *ends); /* NET_NONE */
    for (uint32_t to = 0; to < points; to++)
        for (uint32_t i = graph->feeder_start[to]; i < graph->feeder_start[to + 1]; i++)
            if (ends[graph->feeders[i]] == NET_NONE)
                ends[graph->feeders[i]] = graph->label[to].node;
    return ends;
}

static int compare_lanes(const void *a, const void *b) {
    const NetLane *x = a, *y = b;
    if (x->wire != y->wire)
        return x->wire < y->wire ? -1 : 1;
    return (x->lane > y->lane) - (x->lane < y->lane);
}

/* Lists the lanes of priority 0, which is that of all traffic. */
static void list_lanes(NetWires *wires, const Net *net, const uint32_t *ends) {
    const NetGraph *graph = net_graph(net);
    wires->lane = memory_array(graph->channels, sizeof *wires->lane);
    for (uint32_t c = 0; c < graph->channels; c++) {
        const NetLabel label = graph->label[c];
        if (graph->wire[c] == NET_NONE || label.priority != 0)
            continue;
        wires->lane[wires->count++] = (NetLane){.channel = c,
                                                .wire = graph->wire[c],
                                                .from = net_processor(net, label.node),
                                                .to = net_processor(net, ends[c]),
                                                .lane = net_graph_lane(graph, c),
                                                .dimension = label.dimension,
                                                .up = !label.downward};
    }
    qsort(wires->lane, wires->count, sizeof *wires->lane, compare_lanes);
}

/* Finds the sides of a torus or mesh: neighbours in a dimension are one stride apart,
 * or, around the end, further. */
static void find_sides(NetWires *wires) {
    uint32_t stride[NET_WIRES_DIMENSIONS + 1];
    for (unsigned d = 0; d <= NET_WIRES_DIMENSIONS; d++)
        stride[d] = wires->processors;
    for (size_t i = 0; i < wires->count; i++) {
        const NetLane *l = &wires->lane[i];
        const uint32_t apart = l->from < l->to ? l->to - l->from : l->from - l->to;
        if (apart < stride[l->dimension])
            stride[l->dimension] = apart;
    }
    for (unsigned d = NET_WIRES_DIMENSIONS; d-- > 0;) {
        if (stride[d] == wires->processors)
            stride[d] = stride[d + 1];
        wires->side[d] = stride[d + 1] / stride[d];
    }
}

void net_wires_create(NetWires *wires, const Net *net) {
    const NetGraph *graph = net_graph(net);
    uint32_t *ends = find_ends(graph);
    *wires =
        (NetWires){.channels = graph->channels, .processors = net_processor_count(net)};
    wires->name = memory_array(wires->processors, sizeof *wires->name);
    for (unsigned node = net_node_count(net); node-- > 0;)
        net_node_name(net, node, wires->name[net_processor(net, node)],
                      sizeof *wires->name);
    list_lanes(wires, net, ends);
    if (graph->topology == &net_topology_torus || graph->topology == &net_topology_mesh)
        find_sides(wires);
    free(ends);
}

void net_wires_destroy(NetWires *wires) {
    free(wires->lane);
    free(wires->name);
}

/* ---- the table ------------------------------------------------------------------- */

void net_wires_csv_head(bool has_rate, FILE *out) {
    fprintf(out, "%swire,from,to,lane,flits,busy,held,wait\n", has_rate ? "rate," : "");
}

/* Writes a share or mean; an empty field if `of` is 0. */
static void put_ratio(double sum, double of, char end, FILE *out) {
    if (of > 0)
        fprintf(out, "%.10g", sum / of);
    putc(end, out);
}

void net_wires_csv(const NetWires *wires, const NetWireCounts *counts,
                   const double *rate, FILE *out) {
    for (size_t i = 0; i < wires->count; i++) {
        const NetLane *l = &wires->lane[i];
        const NetChannelCounts *n = &counts->channel[l->channel];
        if (rate)
            fprintf(out, "%.10g,", *rate);
        fprintf(out, "%u,\"%s\",\"%s\",%u,%llu,", l->wire, wires->name[l->from],
                wires->name[l->to], l->lane, (unsigned long long)n->flits);
        put_ratio((double)n->flits, counts->cycles, ',', out);
        put_ratio((double)n->held_cycles, n->messages ? counts->cycles : 0, ',', out);
        put_ratio((double)n->wait_cycles, (double)n->messages, '\n', out);
    }
}

/* ---- the map --------------------------------------------------------------------- */

bool net_wires_can_map(const NetWires *wires, const char *command, JmError *error) {
    return wires->side[0] > 0 ||
           jm_fail(
               error, command,
               "--map draws tori and meshes; --links has the figures of any network");
}

/* Planes of the first two dimensions in a row of the map. */
enum { PLANES_ACROSS = 4 };

/* A line of the map, in nodes. */
typedef struct {
    double x, y, dx, dy;
} Line;

static uint32_t side_of(const NetWires *wires, unsigned dimension) {
    return wires->side[dimension];
}

/* Where a processor stands: rows and planes go down the page. */
static Line place_of(const NetWires *wires, uint32_t processor) {
    const uint32_t x = processor % side_of(wires, 0),
                   rest = processor / side_of(wires, 0);
    const uint32_t y = rest % side_of(wires, 1), plane = rest / side_of(wires, 1);
    return (Line){.x = x + (double)(plane % PLANES_ACROSS) * (side_of(wires, 0) + 1),
                  .y = -(double)y -
                       (double)(plane / PLANES_ACROSS) * (side_of(wires, 1) + 1)};
}

/* The line of a wire: beside that of the other direction, from its node to the next
 * one; a wire around the end or to another plane ends half way. */
static Line line_of(const NetWires *wires, const NetLane *l) {
    const Line from = place_of(wires, l->from), to = place_of(wires, l->to);
    const double way = l->up ? 1 : -1, aside = 0.09 * way;
    if (l->dimension > 1)
        return (Line){from.x + way * 0.12, from.y + way * 0.12, way * 0.2, way * 0.2};
    const bool flat = l->dimension == 0;
    const double dx = flat ? way : 0, dy = flat ? 0 : -way;
    const bool near = to.x - from.x == dx && to.y - from.y == dy;
    const double length = near ? 0.7 : 0.35;
    return (Line){from.x + 0.15 * dx + (flat ? 0 : aside),
                  from.y + 0.15 * dy + (flat ? aside : 0), length * dx, length * dy};
}

/* Writes a row for each wire and direction, with the share of cycles in which it was
 * busy, all lanes together. */
static void put_lines(const NetWires *wires, const NetWireCounts *counts, FILE *out) {
    fputs("$wires << END\nx,y,dx,dy,busy\n", out);
    for (size_t i = 0, next; i < wires->count; i = next) {
        const NetLane *l = &wires->lane[i];
        const Line line = line_of(wires, l);
        double flits = 0;
        for (next = i; next < wires->count && wires->lane[next].wire == l->wire &&
                       wires->lane[next].from == l->from;
             next++)
            flits += (double)counts->channel[wires->lane[next].channel].flits;
        fprintf(out, "%g,%g,%g,%g,%.6g\n", line.x, line.y, line.dx, line.dy,
                counts->cycles > 0 ? flits / counts->cycles : 0);
    }
    fputs("END\n$nodes << END\nx,y\n", out);
    for (uint32_t p = 0; p < wires->processors; p++)
        fprintf(out, "%g,%g\n", place_of(wires, p).x, place_of(wires, p).y);
    fputs("END\n", out);
}

bool net_wires_map(const NetWires *wires, const NetWireCounts *counts,
                   const char *title, JmOutFile *file, JmError *error) {
    enum { NODE = 36, EDGE = 90, LEAST = 560, MOST = 4000 };
    const uint32_t planes = side_of(wires, 2) * side_of(wires, 3);
    const uint32_t across = planes < PLANES_ACROSS ? planes : PLANES_ACROSS;
    const uint32_t down = (planes + PLANES_ACROSS - 1) / PLANES_ACROSS;
    const uint32_t width = across * (side_of(wires, 0) + 1) * NODE + EDGE;
    const uint32_t height = down * (side_of(wires, 1) + 1) * NODE + EDGE;
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    put_lines(wires, counts, out);
    gnuplot_title(out, title);
    fprintf(out, "width = %u\nheight = %u\n",
            width < LEAST  ? LEAST
            : width < MOST ? width
                           : MOST,
            height < MOST ? height : MOST);
    gnuplot_template(out, "wires");
    fclose(out);
    const bool good = gnuplot_draw(text, file, error);
    free(text);
    return good;
}

/* ---- JSON ------------------------------------------------------------------------ */

json_t *net_wires_to_json(const NetWires *wires, const NetChannelCounts *channel) {
    json_t *list = json_array();
    for (size_t i = 0; i < wires->count; i++) {
        const NetChannelCounts *n = &channel[wires->lane[i].channel];
        json_array_append_new(list, json_pack("[I,I,I,I]", (json_int_t)n->messages,
                                              (json_int_t)n->held_cycles,
                                              (json_int_t)n->wait_cycles,
                                              (json_int_t)n->flits));
    }
    return list;
}

bool net_wires_from_json(const NetWires *wires, const json_t *list,
                         NetChannelCounts *channel) {
    if (json_array_size(list) != wires->count)
        return false;
    for (size_t i = 0; i < wires->count; i++) {
        json_int_t n[4];
        if (json_unpack(json_array_get(list, i), "[I,I,I,I!]", &n[0], &n[1], &n[2],
                        &n[3]) != 0 ||
            n[0] < 0 || n[1] < 0 || n[2] < 0 || n[3] < 0)
            return false;
        channel[wires->lane[i].channel] = (NetChannelCounts){
            (uint64_t)n[0], (uint64_t)n[1], (uint64_t)n[2], (uint64_t)n[3]};
    }
    return true;
}
