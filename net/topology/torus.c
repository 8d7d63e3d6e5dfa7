/* The torus. A node is its processor's switch:
 *
 *     terminals ---> source --+--> lanes of the wire out, up        ==> next switch
 *                             +--> ... down, and so on for each dimension
 *     wires in -- lanes ------+--> last channel ---> sink of the first terminal */
#include <stdio.h>

#include "net/graph/walk.h"
#include "net/topology/topology.h"
#include "net/topology/torus.h"

enum { MOST_DIRECTIONS = 2 * NET_MAX_DIMENSIONS, PLACE_BITS = 8, DIGIT_MASK = 0x7F };

/* A *place* is the position of a dimension in the order of travel. Digits are packed by
 * place, a byte each; in an address the upper bit of a byte says that the message goes
 * down. */
typedef struct {
    NetTorus spec;
    unsigned classes;    /* of lanes: 2, or 1 without end-around wires */
    unsigned wire_lanes; /* of all priorities */
    unsigned links;      /* terminals of a processor */
    unsigned directions; /* 2 * dimensions */
    bool has_classes;    /* a message's class decides its ordered lane */
    unsigned place_of[NET_MAX_DIMENSIONS];
    uint32_t stride[NET_MAX_DIMENSIONS];
    uint32_t processors, wired; /* channels over wires; then the last channels */
    uint32_t *leads_to;         /* by channel over a wire: the processor at its end */
    uint32_t *digits;           /* by processor: its digits, packed */
    uint32_t out[]; /* by processor * directions + direction: its first channel */
} Torus;

/* A direction: 2 * dimension, plus 1 downwards. */
static unsigned direction_of(unsigned dimension, bool up) {
    return 2 * dimension + !up;
}

/* The digit at a place, of packed ones. */
static unsigned digit_at(uint32_t digits, unsigned place) {
    return digits >> PLACE_BITS * place & DIGIT_MASK;
}

static unsigned digit_of(const Torus *torus, uint32_t processor, unsigned dimension) {
    return digit_at(torus->digits[processor], torus->place_of[dimension]);
}

/* The processor with another digit in one dimension. */
static uint32_t with_digit(const Torus *torus, uint32_t processor, unsigned dimension,
                           unsigned digit) {
    return processor +
           (digit - digit_of(torus, processor, dimension)) * torus->stride[dimension];
}

/* The neighbour in a direction. */
static inline uint32_t neighbour(const Torus *torus, uint32_t processor,
                                 unsigned direction) {
    const unsigned dimension = direction / 2, side = torus->spec.side[dimension];
    const unsigned at = digit_of(torus, processor, dimension);
    return with_digit(torus, processor, dimension,
                      (at + (direction % 2 ? side - 1 : 1)) % side);
}

/* The direction of a channel over a wire. */
static unsigned channel_direction(const NetGraph *graph, uint32_t channel) {
    return graph->group[graph->wire[channel]];
}

/* Whether a wire leaves a processor in a direction. `ends` are the end-around wires. */
static inline bool has_wire(const Torus *torus, uint32_t processor,
                            unsigned direction) {
    const unsigned dimension = direction / 2;
    const bool down = direction % 2;
    if ((torus->spec.one_way && !down) || torus->spec.side[dimension] == 1)
        return false;
    const unsigned at = digit_of(torus, processor, dimension);
    return torus->spec.ends || at != (down ? 0 : torus->spec.side[dimension] - 1);
}

/* The channels out of a processor in a direction, of a priority. */
static uint32_t first_lane(const Torus *torus, uint32_t processor, unsigned direction,
                           unsigned priority) {
    return torus->out[processor * torus->directions + direction] +
           priority * torus->spec.lanes;
}

static uint32_t last_channel(const Torus *torus, uint32_t processor,
                             unsigned priority) {
    return torus->wired + processor * torus->spec.priorities + priority;
}

/* ---- addresses ------------------------------------------------------------------- */

/* With end-around wires, lanes form classes so that no cycle can arise: in a dimension
 * a message uses the high class while the digit of its destination is above that of the
 * node, otherwise the low one, for either direction of travel (Adve and Vernon 1994,
 * section II). */

static bool goes_down(uint32_t address, unsigned place) {
    return address >> (PLACE_BITS * place + PLACE_BITS - 1) & 1;
}

/* Whether a message moves upwards from one digit to another. */
static bool rises(const Torus *torus, unsigned dimension, unsigned from, unsigned to,
                  uint32_t draw) {
    if (torus->spec.one_way)
        return false;
    if (!torus->spec.ends)
        return to > from;
    const unsigned side = torus->spec.side[dimension];
    const unsigned above = (to + side - from) % side;
    if (2 * above != side)
        return 2 * above < side;
    switch (torus->spec.tie) {
    case NET_TIE_NO_WRAP:
        return to > from;
    case NET_TIE_WRAP:
        return to < from;
    default:
        return draw >> dimension & 1;
    }
}

static uint32_t address_from(const NetGraph *graph, uint32_t source, uint32_t node,
                             uint32_t draw) {
    const Torus *torus = graph->shape;
    const uint32_t from = torus->digits[graph->processor[source]];
    const uint32_t to = torus->digits[graph->processor[node]];
    uint32_t address = to;
    for (unsigned place = 0; place < torus->spec.dimensions; place++) {
        const unsigned here = digit_at(from, place), there = digit_at(to, place);
        const bool up = rises(torus, torus->spec.order[place], here, there, draw);
        address |= (uint32_t)(!up && here != there)
                   << (PLACE_BITS * place + PLACE_BITS - 1);
    }
    return address;
}

/* ---- routes ---------------------------------------------------------------------- */

/* The processor whose switch handles the head at a point next; NET_NONE: none, as it
 * leaves by the last channel. */
static uint32_t asks_at(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    if (point < torus->wired)
        return torus->leads_to[point];
    return point < graph->channels ? NET_NONE
                                   : graph->processor[graph->label[point].node];
}

/* Lanes restricted to dimension order. */
static unsigned ordered_lanes(const Torus *torus) {
    return torus->spec.escape ? torus->spec.escape : torus->spec.lanes;
}

/* The digits that a message at a processor still has to correct: 0 if it is there. */
static uint32_t digits_left(const Torus *torus, uint32_t processor, uint32_t address) {
    return (torus->digits[processor] ^ address) & (DIGIT_MASK * 0x01010101u);
}

/* The place of the digit that is corrected next, of those left. */
static unsigned next_place(uint32_t left) {
    return (unsigned)__builtin_ctz(left) / PLACE_BITS;
}

/* The first lane for a move at a place, of those restricted to dimension order. */
static unsigned class_lane(const Torus *torus, uint32_t processor, unsigned place,
                           uint32_t address) {
    return torus->has_classes &&
           digit_at(address, place) > digit_at(torus->digits[processor], place);
}

static uint32_t first_out(const Torus *torus, uint32_t processor, unsigned priority,
                          unsigned place, uint32_t address) {
    const unsigned direction = 2 * torus->spec.order[place] + goes_down(address, place);
    return first_lane(torus, processor, direction, priority);
}

/* The priority whose lanes a message at a point uses. */
static inline unsigned priority_at(const NetGraph *graph, uint32_t point) {
    const Torus *torus = graph->shape;
    return torus->spec.priorities == 1 ? 0 : graph->label[point].priority;
}

static uint32_t torus_next(const NetGraph *graph, uint32_t point, uint32_t address) {
    const Torus *torus = graph->shape;
    const unsigned priority = priority_at(graph, point);
    const uint32_t at = asks_at(graph, point);
    if (at == NET_NONE)
        return net_graph_sink(graph, graph->label[point].node, priority);
    const uint32_t left = digits_left(torus, at, address);
    if (left == 0)
        return last_channel(torus, at, priority);
    const unsigned place = next_place(left);
    return first_out(torus, at, priority, place, address) +
           class_lane(torus, at, place, address);
}

/* Lists lanes for any move first, in the order of travel (Quaglia's X before Y), then
 * those restricted to it. */
static unsigned torus_choices(const NetGraph *graph, uint32_t point, uint32_t address,
                              uint32_t choice[NET_MAX_CHOICES]) {
    const Torus *torus = graph->shape;
    const unsigned priority = priority_at(graph, point);
    unsigned count = 0;
    const uint32_t next = torus_next(graph, point, address);
    if (next >= torus->wired) {
        choice[0] = next;
        return 1;
    }
    const uint32_t at = asks_at(graph, point), left = digits_left(torus, at, address);
    for (unsigned place = 0; torus->spec.escape && place < torus->spec.dimensions;
         place++) {
        if (digit_at(left, place) == 0)
            continue;
        const uint32_t out = first_out(torus, at, priority, place, address);
        for (unsigned lane = torus->spec.escape; lane < torus->spec.lanes; lane++)
            choice[count++] = out + lane;
    }
    const uint32_t out = first_out(torus, at, priority, next_place(left), address);
    for (unsigned lane = next - out; lane < ordered_lanes(torus);
         lane += torus->classes)
        choice[count++] = out + lane;
    return count;
}

/* With a terminal per channel out: that of the channel where the route starts. */
static uint32_t torus_terminal(const NetGraph *graph, uint32_t source,
                               uint32_t address) {
    const Torus *torus = graph->shape;
    const uint32_t from = graph->processor[source];
    const uint32_t first = from * torus->links;
    const uint32_t next = torus_next(graph, net_graph_source(graph, first, 0), address);
    if (next >= torus->wired)
        return first;
    return first + channel_direction(graph, next) * torus->spec.lanes +
           graph->lane[next];
}

static uint32_t torus_link(const NetGraph *graph, uint32_t node, unsigned priority,
                           unsigned dimension, bool up) {
    const Torus *torus = graph->shape;
    const unsigned direction = direction_of(dimension, up);
    const uint32_t processor = graph->processor[node];
    if (dimension >= torus->spec.dimensions || priority >= torus->spec.priorities ||
        !has_wire(torus, processor, direction))
        return NET_NONE;
    return first_lane(torus, processor, direction, priority);
}

/* The digits in the order of travel; between nodes of a machine x,y,z, as in its
 * mesh. */
static void torus_node_name(const NetGraph *graph, uint32_t node, char *text,
                            size_t size) {
    const Torus *torus = graph->shape;
    const uint32_t processor = graph->processor[node];
    const uint32_t terminal = node % torus->links;
    const bool machine = torus->spec.priorities > 1;
    const unsigned names = machine ? NET_DIMENSIONS : torus->spec.dimensions;
    size_t used = 0;
    for (unsigned i = 0; i < names && used < size; i++) {
        const unsigned dimension = machine ? i : torus->spec.order[i];
        const unsigned digit = dimension < torus->spec.dimensions
                                   ? digit_of(torus, processor, dimension)
                                   : 0;
        used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "", digit);
    }
    if (terminal > 0 && used < size)
        snprintf(text + used, size - used, "/%u", terminal);
}

static const char *torus_group_name(const NetGraph *graph, unsigned group) {
    static const char *const of_two[] = {"columns up", "columns down", "rows up",
                                         "rows down"};
    static const char *const of_any[MOST_DIRECTIONS] = {
        "x1 up", "x1 down", "x2 up", "x2 down", "x3 up", "x3 down", "x4 up", "x4 down"};
    const Torus *torus = graph->shape;
    if (group >= torus->directions)
        return NULL;
    return torus->spec.dimensions == 2 ? of_two[group] : of_any[group];
}

static void set_routes(NetGraph *graph) {
    const Torus *torus = graph->shape;
    const NetTorus *spec = &torus->spec;
    const bool ties = spec->ends && !spec->one_way && spec->tie == NET_TIE_SPLIT;
    graph->next = torus_next;
    graph->address_from = address_from;
    graph->draws = ties ? 1u << spec->dimensions : 1;
    graph->link = torus_link;
    graph->node_name = torus_node_name;
    graph->group_name = torus_group_name;
    if (spec->escape || spec->lanes > torus->classes)
        graph->choices = torus_choices;
    if (spec->links == 0)
        graph->terminal = torus_terminal;
}

/* ---- mirrors --------------------------------------------------------------------- */

/* A mirror reverses a dimension: digits are counted from the other side, so that
 * directions are swapped, and with them the classes of lanes, since a message that was
 * below its destination is now above. */

static uint32_t mirrored_processor(const Torus *torus, unsigned dimension,
                                   uint32_t processor) {
    const unsigned last = torus->spec.side[dimension] - 1;
    return with_digit(torus, processor, dimension,
                      last - digit_of(torus, processor, dimension));
}

/* The index of a channel among those that leave a processor, direction * lanes +
 * lane. */
static uint32_t mirrored_index(const Torus *torus, unsigned dimension, uint32_t index) {
    uint32_t direction = index / torus->spec.lanes, lane = index % torus->spec.lanes;
    if (direction / 2 == dimension) {
        direction ^= 1u;
        lane = torus->classes == 2 ? lane ^ 1u : lane;
    }
    return direction * torus->spec.lanes + lane;
}

static uint32_t mirrored_channel(const NetGraph *graph, unsigned dimension,
                                 uint32_t channel) {
    const Torus *torus = graph->shape;
    const uint32_t processor = graph->processor[graph->label[channel].node];
    const uint32_t image = mirrored_processor(torus, dimension, processor);
    if (channel >= torus->wired)
        return last_channel(torus, image, 0);
    const uint32_t index =
        channel_direction(graph, channel) * torus->spec.lanes + graph->lane[channel];
    const uint32_t to = mirrored_index(torus, dimension, index);
    return torus->out[image * torus->directions + to / torus->spec.lanes] +
           to % torus->spec.lanes;
}

static uint32_t torus_mirror(const NetGraph *graph, unsigned dimension,
                             uint32_t point) {
    const Torus *torus = graph->shape;
    if (point < graph->channels)
        return mirrored_channel(graph, dimension, point);
    const bool sink = point >= net_graph_first_sink(graph);
    const uint32_t node = graph->label[point].node;
    uint32_t terminal = node % torus->links;
    if (!sink && torus->spec.links == 0)
        terminal = mirrored_index(torus, dimension, terminal);
    const uint32_t image =
        mirrored_processor(torus, dimension, graph->processor[node]) * torus->links +
        terminal;
    const unsigned priority = graph->label[point].priority;
    return sink ? net_graph_sink(graph, image, priority)
                : net_graph_source(graph, image, priority);
}

/* Mirrors are for models, of one priority. One-way wires have no image; with more lanes
 * than classes none is needed, because adaptive routes are only for engines. */
static void set_mirrors(NetGraph *graph) {
    const Torus *torus = graph->shape;
    if (torus->spec.priorities > 1 || torus->spec.one_way || torus->spec.escape ||
        torus->spec.lanes != torus->classes)
        return;
    graph->mirrors = torus->spec.dimensions;
    graph->mirror = torus_mirror;
}

/* ---- channels and their feeders -------------------------------------------------- */

/* The source of the wire into `processor` in a direction, or NET_NONE. */
static uint32_t comes_from(const Torus *torus, uint32_t processor, unsigned direction) {
    const uint32_t from = neighbour(torus, processor, direction ^ 1u);
    return has_wire(torus, from, direction) ? from : NET_NONE;
}

/* Whether a message that came in one direction may leave in another. */
static bool may_turn(const Torus *torus, unsigned in, unsigned out) {
    if (in / 2 == out / 2)
        return in == out;
    return torus->spec.escape || torus->place_of[in / 2] < torus->place_of[out / 2];
}

/* Lets messages of a priority continue in direction `out` from all its lanes of the
 * wires into a processor that may turn there; from all of them to the last channel if
 * `out` is `directions`. */
static void add_wired_feeders(NetGraph *graph, uint32_t processor, unsigned priority,
                              unsigned out) {
    const Torus *torus = graph->shape;
    for (unsigned in = 0; in < torus->directions; in++) {
        const uint32_t from = comes_from(torus, processor, in);
        if (from == NET_NONE || (out < torus->directions && !may_turn(torus, in, out)))
            continue;
        for (unsigned lane = 0; lane < torus->spec.lanes; lane++)
            net_graph_add_feeder(graph, first_lane(torus, from, in, priority) + lane);
    }
}

/* Adds the terminals that feed a channel: all of the processor or, if each channel out
 * of it has a terminal, its own. All terminals feed the last channel. */
static void add_sources(NetGraph *graph, uint32_t processor, unsigned priority,
                        unsigned out, unsigned lane) {
    const Torus *torus = graph->shape;
    const unsigned own = out * torus->spec.lanes + lane;
    for (unsigned link = 0; link < torus->links; link++)
        if (torus->spec.links || out == torus->directions || link == own)
            net_graph_add_feeder(
                graph,
                net_graph_source(graph, processor * torus->links + link, priority));
}

/* Adds one lane of a wire out of a processor, of those of all priorities. They are
 * consecutive and share the number of the wire, which add_wires() increments after
 * them. */
static void add_channel(NetGraph *graph, uint32_t processor, unsigned direction,
                        unsigned lane) {
    const Torus *torus = graph->shape;
    const uint32_t channel = first_lane(torus, processor, direction, 0) + lane;
    const unsigned priority = lane / torus->spec.lanes;
    const unsigned dimension = direction / 2, middle = torus->spec.side[dimension] / 2;
    const unsigned at = digit_of(torus, processor, dimension);
    const bool down = direction % 2;
    graph->label[channel] = (NetLabel){
        .node = processor * torus->links % NET_GRAPH_MAX_NODES,
        .kind = down ? NET_CHANNEL_N : NET_CHANNEL_P,
        .dimension = (dimension < NET_DIMENSIONS ? dimension : NET_DIMENSIONS - 1) & 3,
        .priority = priority & 1,
        .downward = down,
        .on_bisection = at == (down ? middle : middle - 1),
    };
    graph->lane[channel] = lane & UINT8_MAX;
    graph->wire[channel] = graph->wires;
    add_wired_feeders(graph, processor, priority, direction);
    add_sources(graph, processor, priority, direction, lane % torus->spec.lanes);
    net_graph_end_point(graph);
}

static void add_wires(NetGraph *graph, uint32_t processor) {
    const Torus *torus = graph->shape;
    for (unsigned direction = 0; direction < torus->directions; direction++) {
        if (!has_wire(torus, processor, direction))
            continue;
        for (unsigned lane = 0; lane < torus->wire_lanes; lane++)
            add_channel(graph, processor, direction, lane);
        if (graph->delay)
            graph->delay[graph->wires] = torus->spec.delay & UINT8_MAX;
        graph->group[graph->wires++] = direction & UINT8_MAX;
    }
}

/* Adds the channel from a switch to its processor, used by all messages of a priority
 * to the processor. */
static void add_last_channel(NetGraph *graph, uint32_t processor, unsigned priority) {
    const Torus *torus = graph->shape;
    graph->label[last_channel(torus, processor, priority)] = (NetLabel){
        .node = processor * torus->links % NET_GRAPH_MAX_NODES,
        .kind = NET_CHANNEL_R,
        .priority = priority & 1,
    };
    add_wired_feeders(graph, processor, priority, torus->directions);
    add_sources(graph, processor, priority, torus->directions, 0);
    net_graph_end_point(graph);
}

/* Nothing feeds sources. All messages arrive at the first terminal, so other sinks have
 * no feeders either. */
static void add_ends(NetGraph *graph) {
    const Torus *torus = graph->shape;
    const uint32_t ends = graph->nodes * NET_PRIORITIES;
    for (uint32_t source = 0; source < ends; source++)
        net_graph_end_point(graph);
    for (uint32_t sink = 0; sink < ends; sink++) {
        const uint32_t terminal = sink / NET_PRIORITIES;
        const unsigned priority = sink % NET_PRIORITIES;
        if (terminal % torus->links == 0 && priority < torus->spec.priorities)
            net_graph_add_feeder(
                graph, last_channel(torus, terminal / torus->links, priority));
        net_graph_end_point(graph);
    }
}

/* Adds points in the order of their numbers: channels of wires, last channels, sources,
 * sinks. A channel also has room for the flits in flight, one for each cycle of the
 * delay. */
static void build(NetGraph *graph) {
    const Torus *torus = graph->shape;
    for (uint32_t node = 0; node < graph->nodes; node++)
        graph->processor[node] = node / torus->links;
    for (uint32_t processor = 0; processor < torus->processors; processor++)
        add_wires(graph, processor);
    for (uint32_t processor = 0; processor < torus->processors; processor++)
        for (unsigned priority = 0; priority < torus->spec.priorities; priority++)
            add_last_channel(graph, processor, priority);
    for (uint32_t c = 0; c < graph->channels; c++)
        graph->places[c] =
            ((c < torus->wired ? torus->spec.places : 1) + torus->spec.delay) &
            UINT8_MAX;
    add_ends(graph);
}

/* ---- the shape ------------------------------------------------------------------- */

static uint32_t count_processors(const NetTorus *spec) {
    uint32_t processors = 1;
    for (unsigned i = 0; i < spec->dimensions; i++)
        processors *= spec->side[i];
    return processors;
}

/* Sets what follows from the sides and the order of dimensions. */
static void set_digits(Torus *torus) {
    const NetTorus *spec = &torus->spec;
    uint32_t stride = 1;
    for (unsigned i = 0; i < spec->dimensions; stride *= spec->side[i++])
        torus->stride[i] = stride;
    for (unsigned place = 0; place < spec->dimensions; place++)
        torus->place_of[spec->order[place]] = place;
    for (uint32_t processor = 0; processor < torus->processors; processor++) {
        torus->digits[processor] = 0;
        for (unsigned i = 0; i < spec->dimensions; i++)
            torus->digits[processor] |= processor / torus->stride[i] % spec->side[i]
                                        << PLACE_BITS * torus->place_of[i];
    }
}

/* Numbers the channels: the lanes of each wire side by side, by processor and
 * direction. The last channels follow. */
static void set_channels(Torus *torus) {
    for (uint32_t i = 0; i < torus->processors * torus->directions; i++) {
        const uint32_t processor = i / torus->directions;
        const unsigned direction = i % torus->directions;
        torus->out[i] = NET_NONE;
        if (!has_wire(torus, processor, direction))
            continue;
        torus->out[i] = torus->wired;
        for (uint32_t lane = 0; lane < torus->wire_lanes; lane++)
            torus->leads_to[torus->wired++] = neighbour(torus, processor, direction);
    }
}

static Torus *create_shape(Heap *heap, const NetTorus *spec) {
    const uint32_t processors = count_processors(spec),
                   directions = 2 * spec->dimensions;
    const size_t outs = (size_t)processors * directions;
    const unsigned classes = spec->ends ? 2 : 1;
    const unsigned lanes = spec->lanes ? spec->lanes : classes;
    const unsigned wire_lanes = lanes * spec->priorities;
    Torus *torus =
        heap_alloc(heap, sizeof *torus + (outs * (1 + wire_lanes) + processors) *
                                             sizeof torus->out[0]);
    *torus = (Torus){.spec = *spec,
                     .classes = classes,
                     .wire_lanes = wire_lanes,
                     .links = spec->links ? spec->links : directions * lanes,
                     .directions = directions,
                     .has_classes = classes == 2 && lanes > 1 && spec->escape != 1,
                     .processors = processors,
                     .leads_to = &torus->out[outs],
                     .digits = &torus->out[outs * (1 + wire_lanes)]};
    torus->spec.lanes = lanes;
    set_digits(torus);
    set_channels(torus);
    return torus;
}

/* Writes the sides as they are given: "4x4x2". If `only` is not 0, writes it in place
 * of each side. */
static void write_sizes(const NetTorus *spec, unsigned only, char *text, size_t size) {
    size_t used = 0;
    for (unsigned place = 0; place < spec->dimensions && used < size; place++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", place ? "x" : "",
                                 only ? only : spec->side[place]);
}

static bool check_sizes(const NetTorus *spec, JmError *error) {
    const unsigned most = NET_TORUS_MAX_SIDE;
    char given[48], low[48], high[48];
    bool fits = true;
    for (unsigned i = 0; i < spec->dimensions; i++)
        fits = fits && spec->side[i] >= 1 && spec->side[i] <= most;
    write_sizes(spec, 0, given, sizeof given);
    write_sizes(spec, 1, low, sizeof low);
    write_sizes(spec, most, high, sizeof high);
    if (!fits)
        return jm_fail(error, NULL, "a torus of %s is not within %s to %s", given, low,
                       high);
    if (count_processors(spec) == 1)
        return jm_fail(error, NULL, "a torus of %s has a single node", given);
    return count_processors(spec) <= NET_TORUS_MAX_PROCESSORS ||
           jm_fail(error, NULL, "a torus of %s has %u nodes, more than %d", given,
                   count_processors(spec), NET_TORUS_MAX_PROCESSORS);
}

static bool check_spec(const NetTorus *spec, JmError *error) {
    if (!check_sizes(spec, error))
        return false;
    if (spec->one_way && !spec->ends)
        return jm_fail(error, NULL,
                       "oneway=1 needs ends=1: without end-around wires some nodes "
                       "cannot be reached");
    if (spec->lanes > NET_MAX_LANES || spec->places < 1 ||
        spec->places > NET_MAX_PLACES || spec->links > NET_MAX_LANES ||
        spec->delay > NET_MAX_DELAY)
        return jm_fail(error, NULL,
                       "a torus of %u lanes, %u places, %u links, a delay of %u",
                       spec->lanes, spec->places, spec->links, spec->delay + 1);
    if (spec->places + spec->delay > NET_MAX_PLACES)
        return jm_fail(
            error, NULL,
            "places=%u,delay=%u: a channel has at most %d places, with %u for "
            "flits on their way",
            spec->places, spec->delay + 1, NET_MAX_PLACES, spec->delay);
    const unsigned lanes = spec->lanes ? spec->lanes : spec->ends ? 2 : 1;
    if (lanes * spec->priorities > NET_MAX_LANES)
        return jm_fail(error, NULL,
                       "lanes=%u: with two priorities a wire has at most %d lanes of "
                       "each",
                       lanes, NET_MAX_LANES / NET_PRIORITIES);
    if (spec->priorities > 1 && spec->links != 1)
        return jm_fail(error, NULL, "links: a node of a machine has a single one");
    if (spec->escape > lanes)
        return jm_fail(error, NULL, "escape=%u: there are %u lanes", spec->escape,
                       lanes);
    if (spec->links == 0 && (spec->escape || lanes > (spec->ends ? 2u : 1u)))
        return jm_fail(error, NULL,
                       "links=multiple: with %u lanes a message may start on several "
                       "channels",
                       lanes);
    return true;
}

static void add_fields(NetGraph *graph, const Torus *torus) {
    Heap *heap = graph->heap;
    graph->topology = &net_topology_torus;
    graph->shape = torus;
    graph->places = heap_alloc(heap, graph->channels);
    graph->lane = heap_alloc(heap, graph->channels);
    graph->group = heap_alloc(heap, torus->wired);
    graph->delay = torus->spec.delay ? heap_alloc(heap, torus->wired) : NULL;
    graph->processor = heap_alloc(heap, graph->nodes * sizeof *graph->processor);
    graph->groups = torus->directions;
    graph->processors = torus->processors;
    graph->grid.dimensions = torus->spec.dimensions;
    for (unsigned i = 0; i < torus->spec.dimensions; i++)
        graph->grid.size[i] = torus->spec.side[i];
    set_routes(graph);
    set_mirrors(graph);
}

/* Feeders of all points: of a channel the lanes into its processor, and terminals. */
static uint32_t most_feeders(const Torus *torus) {
    const uint32_t of_channel = torus->directions * torus->spec.lanes + torus->links;
    const uint32_t last = torus->processors * torus->spec.priorities;
    return (torus->wired + last) * of_channel + last * torus->links;
}

static void *build_torus(Heap *heap, const void *plan) {
    const Torus *torus = create_shape(heap, plan);
    NetGraph *graph = net_graph_create(heap, torus->processors * torus->links,
                                       last_channel(torus, torus->processors, 0),
                                       most_feeders(torus));
    add_fields(graph, torus);
    build(graph);
    return graph;
}

NetGraph *net_torus_create_unchecked(const NetTorus *spec, JmError *error) {
    return check_spec(spec, error) ? net_graph_build(build_torus, spec, error) : NULL;
}

/* Whether messages along a dimension can wait for each other in a cycle. A message
 * leaves a dimension for good, or comes back to it further on, so the channels of a
 * cycle belong to one dimension, and the other sides do not matter: they are 2 here. */
static bool check_dimension(const NetTorus *spec, unsigned dimension, JmError *error) {
    NetTorus slice = *spec;
    for (unsigned i = 0; i < spec->dimensions; i++)
        slice.side[i] = i == dimension ? spec->side[i] : 2;
    NetGraph *graph = net_torus_create_unchecked(&slice, error);
    const bool good = graph && net_graph_check_walks(graph, error);
    net_graph_destroy(graph);
    return good;
}

NetGraph *net_torus_create(const NetTorus *spec, JmError *error) {
    if (!check_spec(spec, error))
        return NULL;
    for (unsigned i = 0; i < spec->dimensions; i++)
        if (!check_dimension(spec, i, error))
            return NULL;
    return net_torus_create_unchecked(spec, error);
}

/* ---- the row of the table -------------------------------------------------------- */

enum { ONEWAY, ENDS, LANES, ESCAPE, PLACES, LINKS, TIE, DELAY };

static const NetOption options[] = {
    {"oneway", 0, 0, 1, NET_OPTION_WHOLE,
     "1: wires go one way round, towards lower numbers", "Adve and Vernon 1994", NULL},
    {"ends", 1, 0, 1, NET_OPTION_WHOLE, "0: a mesh without end-around wires",
     "Adve and Vernon 1994", NULL},
    {"lanes", 0, 0, NET_MAX_LANES, NET_OPTION_WHOLE,
     "channels of a wire; 0: 2 with end-around wires, else 1", "Adve and Vernon 1994",
     NULL},
    {"escape", 0, 0, NET_MAX_LANES, NET_OPTION_WHOLE,
     "lanes that keep to dimension order, the others take any shortest way; 0: all "
     "keep "
     "to it",
     "Quaglia, Ciciani and Colajanni 2002; choice", NULL},
    {"places", 1, 1, NET_MAX_PLACES, NET_OPTION_WHOLE,
     "flits of a channel, beside one for each cycle of `delay` beyond the first",
     "Adve and Vernon 1994; 4 for Quaglia is a choice, by the fit of tables 1 and 2",
     NULL},
    {"links", 1, 0, 8, NET_OPTION_WHOLE,
     "sources of a processor, for any message; multiple: one for each channel that "
     "leaves it",
     "Adve and Vernon 1994", "multiple|single"},
    {"tie", 0, 0, 2, NET_OPTION_WHOLE,
     "which way round where both are as long; split: at random", "choice",
     "split|nowrap|wrap"},
    {"delay", 1, 1, NET_MAX_DELAY + 1, NET_OPTION_WHOLE,
     "cycles of a flit on a wire between switches; a wire takes one a cycle all the "
     "same",
     "Scott and Goodman 1991", NULL},
    {0},
};

void net_torus_set_sizes(NetTorus *torus, const unsigned *sizes, unsigned count) {
    torus->dimensions = count;
    for (unsigned i = 0; i < count; i++) {
        torus->order[i] = count == 2 ? 1 - i : i;
        torus->side[i] = sizes[i];
    }
}

static NetGraph *create_from(const NetShape *shape, const NetParams *params,
                             JmError *error) {
    const unsigned *option = shape->option;
    NetTorus torus = {
        .priorities = shape->priorities,
        .one_way = option[ONEWAY],
        .ends = option[ENDS],
        .lanes = option[LANES],
        .escape = option[ESCAPE],
        .places = option[PLACES],
        .links = option[LINKS],
        .tie = (NetTie)option[TIE],
        .delay = option[DELAY] - 1,
    };
    net_torus_set_sizes(&torus, shape->size, shape->sizes);
    return params && params->circles ? net_torus_create_unchecked(&torus, error)
                                     : net_torus_create(&torus, error);
}

/* The head is a flit of its own, and so is each word. */
static void set_params(NetParams *params) {
    params->header_flits = 1;
    params->flits_per_word = 1;
    params->through = 1;
    params->wire_turns = 1;
    params->heads = 1;
    params->buffer_words = 64;
}

/* The routing word travels as the head. */
static void set_machine_params(NetParams *params) {
    params->header_flits = 0;
    params->flits_per_word = 2;
    params->through = 1;
    params->wire_turns = 1;
    params->heads = 1;
}

const NetTopology net_topology_torus = {
    .name = "torus",
    .form = "torus=K1xK2...",
    .text = "one to four dimensions, a wire each way with lanes, or one way; or a mesh",
    .sizes = NET_MAX_DIMENSIONS,
    .options = options,
    .set_params = set_params,
    .set_machine_params = set_machine_params,
    .create = create_from,
};
