/* Mirrors of the graph and their effect on unknowns. On symmetric networks the
 * equations have asymmetric solutions too, and an iteration converges to these unless
 * values that are images of each other are kept equal. */
#include <math.h>

#include "net/model/shared/parts.h"

/* A mirror, by point of the graph. */
typedef struct {
    const Shared *s;
    unsigned mirror;
} Mirror;

static uint32_t stage_image(Mirror m, uint32_t stage) {
    const NetGraph *graph = m.s->graph;
    const uint32_t channels = graph->channels;
    const uint32_t point =
        stage < channels ? stage : net_graph_source(graph, stage - channels, 0);
    const uint32_t image = graph->mirror(graph, m.mirror, point);
    return image < channels ? image : channels + (image - channels) / NET_PRIORITIES;
}

static uint32_t source_image(Mirror m, uint32_t source) {
    return stage_image(m, m.s->graph->channels + source) - m.s->graph->channels;
}

static uint32_t processor_image(Mirror m, uint32_t processor) {
    const uint32_t terminals = m.s->sources / m.s->processors;
    return source_image(m, processor * terminals) / terminals;
}

/* The images of ports, entries and processors; NET_NONE: none. */
static uint32_t port_image(Mirror m, uint32_t stage, uint32_t port) {
    const Shared *s = m.s;
    const uint32_t image = stage_image(m, stage);
    if (s->feeder[port] == NET_NONE)
        return s->first_port[image];
    const uint32_t feeder = stage_image(m, s->feeder[port]);
    for (uint32_t p = s->first_port[image]; p < s->first_port[image + 1]; p++)
        if (s->feeder[p] == feeder)
            return p;
    return NET_NONE;
}

static uint32_t entry_image(Mirror m, uint32_t entry) {
    const Shared *s = m.s;
    const uint32_t source = source_image(m, s->entry[entry].source);
    const uint32_t processor = processor_image(m, s->entry[entry].processor);
    for (uint32_t e = s->first_entry[source]; e < s->first_entry[source + 1]; e++)
        if (s->entry[e].processor == processor)
            return e;
    return NET_NONE;
}

/* Whether images exchange as much traffic as their originals. */
static bool keeps_routing(Mirror m) {
    const Shared *s = m.s;
    for (uint32_t from = 0; from < s->processors; from++)
        for (uint32_t to = 0; to < s->processors; to++) {
            const uint32_t image =
                processor_image(m, from) * s->processors + processor_image(m, to);
            if (fabs(s->routing[from * s->processors + to] - s->routing[image]) > 1e-12)
                return false;
        }
    return true;
}

static void map_waits(Mirror m, uint32_t *image) {
    const Shared *s = m.s;
    for (uint32_t stage = 0; stage < s->stages; stage++) {
        const uint32_t queue = s->queue[stage] * s->processors;
        const uint32_t other = s->queue[stage_image(m, stage)] * s->processors;
        if (s->problem->buffers == SHARED_UNLIMITED)
            for (uint32_t p = 0; p < s->processors; p++)
                image[queue + p] = other + processor_image(m, p);
        else
            for (uint32_t p = s->first_port[stage]; p < s->first_port[stage + 1]; p++)
                image[p] = port_image(m, stage, p);
    }
}

/* Maps each unknown to its image. False: some have none. */
static bool map(Mirror m, uint32_t *image) {
    const Shared *s = m.s;
    const uint32_t *start = s->start;
    map_waits(m, image + start[UNKNOWN_WAIT]);
    for (uint32_t sort = UNKNOWN_NODE; sort <= UNKNOWN_FIRST; sort++)
        for (uint32_t e = 0; start[sort] + e < start[sort + 1]; e++)
            image[start[sort] + e] = entry_image(m, e);
    for (uint32_t i = 0; start[UNKNOWN_LINK] + i < start[UNKNOWN_LINK + 1]; i++)
        image[start[UNKNOWN_LINK] + i] = stage_image(m, i);
    for (uint32_t p = 0; p < s->processors; p++)
        image[start[UNKNOWN_MEMORY] + p] = image[start[UNKNOWN_CYCLE] + p] =
            processor_image(m, p);
    for (uint32_t sort = 0; sort < UNKNOWNS; sort++)
        for (uint32_t i = start[sort]; i < start[sort + 1]; i++) {
            if (image[i] == NET_NONE)
                return false;
            image[i] += start[sort];
        }
    return true;
}

void shared_find_images(Shared *s) {
    const uint32_t count = s->start[UNKNOWNS];
    const unsigned mirrors = s->problem->no_symmetry ? 0 : s->graph->mirrors;
    s->image = shared_numbers(s, (size_t)mirrors * count);
    for (unsigned m = 0; m < mirrors; m++) {
        const Mirror mirror = {s, m};
        if (keeps_routing(mirror) && map(mirror, s->image + (size_t)s->mirrors * count))
            s->mirrors++;
    }
}

/* Mirrors are their own inverses, and any two of them commute. */
void shared_average(Shared *s, double *values) {
    const uint32_t count = s->start[UNKNOWNS];
    for (unsigned m = 0; m < s->mirrors; m++) {
        const uint32_t *image = s->image + (size_t)m * count;
        for (uint32_t i = 0; i < count; i++)
            if (image[i] > i)
                values[i] = values[image[i]] = (values[i] + values[image[i]]) / 2;
    }
}
