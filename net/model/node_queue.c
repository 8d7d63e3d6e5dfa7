/* The unbounded queue of messages waiting at their node to enter the network (A.14 to
 * A.18). */
#include <math.h>
#include <string.h>

#include "net/model/amva_parts.h"

/* What an arriving message finds of one kind of message at a source. */
typedef struct {
    double found; /* b half: of the message currently entering */
    double all;   /* cycles until the source is free of a message */
    /* The same from flit k on, with k half done. */
    double half[AMVA_MAX_LENGTH];
} SourceKind;

/* Finds the times at the first node of an orbit from the feeder sums of its edges. */
static void look_at(const AmvaLayout *layout, const AmvaSums *sums, uint32_t node,
                    unsigned kind, SourceKind *source) {
    double rate = 0, held[AMVA_MAX_LENGTH] = {0};
    for (uint32_t i = layout->exits.start[node]; i < layout->exits.start[node + 1];
         i++) {
        const uint32_t edge = layout->exits.item[i];
        const double *before =
            sums->before + edge * sums->stride + kind * layout->flits;
        rate += sums->rate[edge * layout->kinds + kind];
        for (unsigned k = 0; k < layout->flits; k++)
            held[k] += before[k];
    }
    memset(source, 0, sizeof *source);
    if (rate <= 0)
        return;
    for (unsigned k = layout->length[kind]; k-- > 0;) {
        const double half = held[k] / rate / 2 + source->all;
        source->half[k] = half;
        source->found += layout->customers * held[k] * half;
        source->all += held[k] / rate;
    }
}

/* Returns the rate at which the orbit's messages leave the node queue, without
 * N_out. */
static double request_rate(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                           uint32_t orbit) {
    return 1 / unknowns->cycle[layout->kinds == 1 ? 0 : orbit];
}

/* Sums queued replies by pair of nodes. */
static void add_pairs(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                      double *replies) {
    for (uint32_t d = 0; d < layout->node_orbits; d++)
        for (uint32_t s = 0; s < layout->nodes; s++) {
            const uint32_t orbit = layout->node_orbit[s];
            replies[orbit] += layout->customers * layout->node_size[d] /
                              layout->node_size[orbit] *
                              (layout->share / unknowns->cycle[d]) *
                              unknowns->reply_wait[(size_t)d * layout->nodes + s];
        }
}

/* Sums queued replies when all replies of a node wait alike. */
static void add_alike(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                      double *replies) {
    double all = 0;
    for (uint32_t d = 0; d < layout->node_orbits; d++)
        all += layout->node_size[d] / unknowns->cycle[d];
    for (uint32_t s = 0; s < layout->node_orbits; s++)
        replies[s] = layout->customers * unknowns->reply_wait[s] *
                     (all - 1 / unknowns->cycle[s]) / (layout->nodes - 1.0);
}

void amva_node_queues(const AmvaLayout *layout, const AmvaSums *sums,
                      const AmvaUnknowns *unknowns, double *requests, double *replies) {
    for (uint32_t s = 0; s < layout->node_orbits; s++) {
        requests[s] = layout->customers * unknowns->node_wait[s] *
                      request_rate(layout, unknowns, s);
        replies[s] = 0;
    }
    if (layout->kinds == 1)
        return;
    if (sums->own)
        amva_own_queues(layout, sums, unknowns, replies);
    else if (layout->by_pair)
        add_pairs(layout, unknowns, replies);
    else
        add_alike(layout, unknowns, replies);
}

/* Returns the wait of a reply to `d` without the contribution of its own class (A.14):
 * one of the N_out is the reply itself. */
static double without_own(const AmvaLayout *layout, const AmvaSums *sums,
                          const AmvaUnknowns *unknowns, const SourceKind *source,
                          uint32_t d, uint32_t s) {
    const size_t pair = (size_t)d * layout->nodes + s;
    const double *stay = sums->source_stay + pair * layout->flits;
    double cycles = unknowns->reply_wait[pair] * source->all;
    for (unsigned k = 0; k < layout->flits; k++)
        cycles += stay[k] * source->half[k];
    return cycles * layout->share / unknowns->cycle[d];
}

/* Sets W for the replies of all nodes; `whole` and `source` are by node orbit. */
static void set_reply_waits(const AmvaLayout *layout, const AmvaSums *sums,
                            const AmvaUnknowns *unknowns, const double *whole,
                            const SourceKind *source, double *reply_wait) {
    if (!layout->by_pair) {
        memcpy(reply_wait, whole, layout->node_orbits * sizeof *whole);
        return;
    }
    for (uint32_t d = 0; d < layout->node_orbits; d++)
        for (uint32_t s = 0; s < layout->nodes; s++) {
            const uint32_t orbit = layout->node_orbit[s];
            const bool self = s == layout->node_first[d];
            reply_wait[(size_t)d * layout->nodes + s] =
                self ? 0
                     : whole[orbit] -
                           without_own(layout, sums, unknowns, &source[orbit], d, s);
        }
}

/* Finds the times at all sources, by node orbit, and the contribution of own
 * replies. */
static void look_at_all(const AmvaLayout *layout, AmvaSums *sums,
                        const AmvaUnknowns *unknowns, SourceKind *source,
                        SourceKind *answer) {
    for (uint32_t s = 0; s < layout->node_orbits; s++) {
        look_at(layout, sums, s, KIND_REQUEST, &source[s]);
        if (layout->kinds == 1)
            continue;
        look_at(layout, sums, s, KIND_REPLY, &answer[s]);
        if (!sums->own)
            continue;
        sums->source_all[s] = answer[s].all;
        amva_own_add(layout, unknowns, s, answer[s].half, sums);
    }
}

void amva_node_waits(const AmvaLayout *layout, AmvaSums *sums,
                     const AmvaUnknowns *unknowns, double *node_wait,
                     double *reply_wait) {
    const uint32_t nodes = layout->node_orbits;
    double *const requests = heap_doubles(layout->heap, 3 * (size_t)nodes);
    SourceKind *const source = heap_alloc(layout->heap, KINDS * nodes * sizeof *source);
    double *const replies = requests + nodes, *const whole = replies + nodes;
    SourceKind *const answer = source + nodes;
    const double others = fmax(0, (layout->customers - 1) / layout->customers);
    look_at_all(layout, sums, unknowns, source, answer);
    amva_node_queues(layout, sums, unknowns, requests, replies);
    for (uint32_t s = 0; s < nodes; s++) {
        const double ahead = source[s].found + requests[s] * source[s].all;
        double behind = 0;
        if (layout->kinds == 2)
            behind = answer[s].found + replies[s] * answer[s].all;
        node_wait[s] = others * ahead + behind;
        whole[s] = ahead + behind;
    }
    if (layout->kinds == 2)
        set_reply_waits(layout, sums, unknowns, whole, answer, reply_wait);
    heap_free(requests);
    heap_free(source);
}

void amva_answer_waits(const AmvaLayout *layout, const AmvaSums *sums,
                       const AmvaUnknowns *unknowns, double *waits) {
    const uint32_t orbits = layout->node_orbits;
    if (layout->kinds == 1) {
        memset(waits, 0, orbits * sizeof *waits);
        return;
    }
    if (sums->own) {
        amva_own_waits(layout, sums, unknowns, waits);
        return;
    }
    if (layout->by_pair) {
        for (uint32_t d = 0; d < orbits; d++) {
            waits[d] = 0;
            for (uint32_t s = 0; s < layout->nodes; s++)
                waits[d] +=
                    layout->share * unknowns->reply_wait[(size_t)d * layout->nodes + s];
        }
        return;
    }
    double all = 0;
    for (uint32_t s = 0; s < orbits; s++)
        all += layout->node_size[s] * unknowns->reply_wait[s];
    for (uint32_t d = 0; d < orbits; d++)
        waits[d] = (all - unknowns->reply_wait[d]) / (layout->nodes - 1.0);
}
