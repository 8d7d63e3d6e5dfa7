/* New waits at the sources (AV 10 to 13, with the residence of a flit in (12), missing
 * in print), and for first channels that each have a source (AV 24 to 26). */
#include <math.h>

#include "net/model/shared/parts.h"

/* Minimum of 1 - the share of time that others use a first channel. */
static const double LEAST_LEFT = 0.02;

/* Delay by messages found at a source, by type. */
typedef struct {
    /* By flit: cycles until the message whose flit is leaving has left, P included. */
    double half[2][SHARED_MAX_LENGTH];
    double whole[2]; /* the same for a message that has not begun */
} Costs;

static Costs costs_of(const Shared *s, uint32_t port) {
    const double *residence = s->residence + (size_t)port * s->longest;
    Costs costs = {0};
    for (unsigned i = 0; i < 2 * SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i / 2];
        double tail = 0;
        for (unsigned k = i % 2 ? pair->reply : pair->request; k-- > 0;) {
            costs.half[i % 2][k] += pair->share * (residence[k] / 2 + tail);
            tail += residence[k];
        }
        costs.whole[i % 2] += pair->share * tail;
    }
    return costs;
}

/* The contribution of one customer of an entry's processor to the wait for the source:
 * the flits and the heads of its messages. An open network has no such customer. */
static double own_wait(const Shared *s, uint32_t entry, const Costs *costs) {
    if (shared_is_open(s))
        return 0;
    const SharedEntry *e = &s->entry[entry];
    const uint32_t own = s->first_entry[e->source];
    const uint32_t home = s->entry[own].processor;
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    const double *node = shared_values(s, UNKNOWN_NODE);
    double sum = 0;
    if (entry != own) {
        for (unsigned k = 0; k < s->longest; k++)
            sum += s->own[(size_t)entry * s->longest + k] * costs->half[1][k];
        return sum + s->routing[e->processor * s->processors + home] * e->weight *
                         costs->whole[1] * node[entry] / cycle[e->processor];
    }
    const uint32_t port = s->first_port[s->graph->channels + e->source];
    const double *flits = s->flits[0] + (size_t)port * s->longest;
    for (unsigned k = 0; k < s->longest; k++)
        sum += flits[k] / s->problem->customers * costs->half[0][k];
    return sum + s->port[port].requests * costs->whole[0] * node[entry] / cycle[home];
}

static void find_node_waits(Shared *s, uint32_t source, uint32_t port) {
    const Costs costs = costs_of(s, port);
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    const double *node = shared_values(s, UNKNOWN_NODE);
    const uint32_t first = s->first_entry[source], end = s->first_entry[source + 1];
    const uint32_t home = s->entry[first].processor;
    const double n = s->problem->customers;
    double all = s->port[port].busy;
    all += n * s->port[port].requests * costs.whole[0] * node[first] / cycle[home];
    for (uint32_t e = first + 1; e < end; e++) {
        const uint32_t other = s->entry[e].processor;
        all += n * s->routing[other * s->processors + home] * s->entry[e].weight *
               costs.whole[1] * node[e] / cycle[other];
    }
    for (uint32_t e = first; e < end; e++)
        shared_next(s, UNKNOWN_NODE)[e] = all - own_wait(s, e, &costs);
}

/* ---- first channels -------------------------------------------------------------- */

/* The utilisation of a source by one type of message, without P. */
static double used(const double *flits, unsigned length) {
    double sum = 0;
    for (unsigned k = 0; k < length; k++)
        sum += flits[k];
    return sum;
}

/* Utilisation of an entry's source by others (b_node), and the sum of that times the
 * cycles that their last flit stays on the first channel beyond its own. */
typedef struct {
    double share, last;
} Others;

static Others others_at(const Shared *s, uint32_t entry, uint32_t port,
                        uint32_t first_port) {
    const SharedEntry *e = &s->entry[entry];
    const bool at_home = s->first_entry[e->source] == entry;
    const double *residence = s->residence + (size_t)first_port * s->longest;
    Others others = {0};
    for (unsigned i = 0; i < 2 * SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i / 2];
        const unsigned length = i % 2 ? pair->reply : pair->request;
        const double *flits = s->flits[i % 2] + (size_t)port * s->longest;
        double busy = used(flits, length);
        if (at_home && i % 2 == 0 && !shared_is_open(s))
            busy -= busy / s->problem->customers;
        else if (!at_home && i % 2 == 1)
            busy -= used(s->own + (size_t)entry * s->longest, length);
        others.share += pair->share * busy;
        others.last += pair->share * busy * (residence[length - 1] - 1);
    }
    return others;
}

static double visits(const Shared *s, uint32_t port) {
    return s->port[port].requests + s->port[port].replies;
}

/* The wait for a first channel: for messages from wires that hold it or wait for it
 * when its source is served. */
static double first_wait(Shared *s, uint32_t entry, uint32_t port, uint32_t channel,
                         uint32_t own) {
    const Others others = others_at(s, entry, port, own);
    const double left = 1 - s->port[own].load;
    s->guards += left < LEAST_LEFT || others.share > 1;
    const double beta = fmax(0, 1 - others.share) / fmax(left, LEAST_LEFT);
    const double after =
        others.share * (s->port[own].load + s->port[own].out[0] + s->port[own].out[1]) /
        visits(s, own);
    double behind = 0, wait = others.last;
    for (uint32_t p = s->first_port[channel]; p < s->first_port[channel + 1]; p++)
        if (p != own && visits(s, p) > 0)
            behind += beta * s->port[p].load * s->port[p].load / visits(s, p);
    for (uint32_t p = s->first_port[channel]; p < s->first_port[channel + 1]; p++) {
        if (p == own || !(visits(s, p) > 0))
            continue;
        const double itself = beta * s->port[p].load * s->port[p].load / visits(s, p);
        wait += beta * s->port[p].busy + (after + behind - itself) * s->port[p].all;
    }
    return wait;
}

static void find_first_waits(Shared *s, uint32_t source, uint32_t port) {
    const SharedStep *first = &s->step[s->first_step[source]];
    for (uint32_t e = s->first_entry[source]; e < s->first_entry[source + 1]; e++)
        shared_next(s, UNKNOWN_FIRST)[e] =
            first_wait(s, e, port, first->stage, first->port);
}

void shared_sweep_ends(Shared *s) {
    for (uint32_t source = 0; source < s->sources; source++) {
        if (s->first_step[source] == NET_NONE)
            continue; /* no message leaves there */
        const uint32_t port = s->first_port[s->graph->channels + source];
        find_node_waits(s, source, port);
        if (s->own_sources)
            find_first_waits(s, source, port);
    }
}
