/* A sweep over channels of one flit (AV section III): how long each flit stays on each
 * channel of each route, the resulting port figures, and new waits.
 *
 * Flit k of a worm moves when the head, k - 1 channels ahead, does; so it stays as long
 * as the head stays there, plus the wait for its own wire; or a cycle, plus that wait,
 * when the head has arrived. */
#include <math.h>
#include <string.h>

#include "net/model/shared/parts.h"

/* Minimum of a denominator 1 - x: in waits for channels, for wires. */
static const double LEAST_LEFT = 0.01, LEAST_WIRE = 0.02;

static void clear(Shared *s) {
    const size_t flits = (size_t)s->ports * s->longest * sizeof(double);
    for (unsigned i = 0; i < 2; i++)
        memset(s->flits[i], 0, flits);
    memset(s->residence, 0, flits);
    memset(s->port, 0, s->ports * sizeof *s->port);
    memset(s->own, 0, (size_t)s->entries * s->longest * sizeof *s->own);
    memset(s->flow, 0, s->stages * sizeof *s->flow);
    memset(s->away, 0, s->processors * sizeof *s->away);
    memset(s->leaving, 0, s->processors * sizeof *s->leaving);
}

/* The wait for a wire of which others use `load`. */
static double link_wait(Shared *s, double load) {
    switch (s->problem->terms.link) {
    case SHARED_LINK_QUEUE:
        s->guards += 1 - load < LEAST_WIRE;
        return load / fmax(1 - load, LEAST_WIRE);
    case SHARED_LINK_TWICE:
        return 2 * load;
    default:
        return load;
    }
}

/* Finds what flits wait for the other lanes of each wire. */
static void find_other_lanes(Shared *s) {
    const NetGraph *graph = s->graph;
    const double *link = shared_values(s, UNKNOWN_LINK);
    memset(s->wire, 0, graph->wires * sizeof *s->wire);
    memset(s->other, 0, s->stages * sizeof *s->other);
    for (uint32_t c = 0; c < graph->channels; c++)
        if (graph->wire[c] != NET_NONE)
            s->wire[graph->wire[c]] += link[c];
    for (uint32_t c = 0; c < graph->channels; c++)
        if (graph->wire[c] != NET_NONE)
            s->other[c] = link_wait(s, s->wire[graph->wire[c]] - link[c]);
}

/* The weight of a route's messages: requests from -> to, and the replies to requests to
 * -> from, which belong to `to`. */
typedef struct {
    double request, reply;               /* F */
    double request_weight, reply_weight; /* in the means of a port */
    double request_rate, reply_rate;     /* a cycle */
    double request_head, reply_head;     /* cycles that a head stays in the source */
    double request_load, reply_load;     /* sums of P L */
} Weights;

static Weights weights_of(const Shared *s, const SharedRoute *route) {
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    const double *first = shared_values(s, UNKNOWN_FIRST);
    const SharedProblem *problem = s->problem;
    const double n = problem->customers;
    Weights w = {
        .request = route->weight * s->routing[route->from * s->processors + route->to],
        .reply =
            shared_is_open(s)
                ? 0
                : route->weight * s->routing[route->to * s->processors + route->from],
        .request_head = s->ahead[0],
        .reply_head = s->ahead[0]};
    w.request_rate = n * w.request / cycle[route->from];
    w.reply_rate = n * w.reply / cycle[route->to];
    w.request_weight = problem->terms.by_rate ? w.request_rate : w.request;
    w.reply_weight = problem->terms.by_rate ? w.reply_rate : w.reply;
    if (s->own_sources) {
        w.request_head = 1 + first[route->own_entry];
        w.reply_head = 1 + first[route->to_entry];
    }
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        w.request_load += problem->pair[i].share * problem->pair[i].request;
        w.reply_load += problem->pair[i].share * problem->pair[i].reply;
    }
    return w;
}

/* Finds the cycles of a head at each step and, past the end, those of an unblocked
 * head. */
static void find_heads(Shared *s, const SharedRoute *route) {
    const SharedStep *step = &s->step[route->first_step];
    const double *wait = shared_values(s, UNKNOWN_WAIT);
    const uint32_t last = route->steps - 1;
    for (uint32_t i = 0; i < last; i++)
        s->ahead[i] = 1 + wait[step[i + 1].port] + s->other[step[i].stage];
    for (uint32_t i = last; i < route->steps + s->longest; i++)
        s->ahead[i] = 1;
}

/* Adds to stays the waits of flits for wires, where the worst wire between a flit and
 * its head holds it back. */
static void add_worst_wires(const Shared *s, const SharedRoute *route, uint32_t at,
                            double *stay) {
    const SharedStep *step = &s->step[route->first_step];
    double worst = s->other[step[at].stage];
    for (unsigned k = 1; k < s->longest; k++) {
        const bool on_way = at + k < route->steps;
        const double there = on_way ? s->other[step[at + k].stage] : 0;
        worst = there > worst ? there : worst;
        stay[k] += worst - there;
    }
}

/* Finds the cycles that each flit of a worm stays at place `at` of a route. */
static void find_stays(const Shared *s, const SharedRoute *route, uint32_t at,
                       double *stay) {
    const double own = s->other[s->step[route->first_step + at].stage];
    memcpy(stay, s->ahead + at, s->longest * sizeof *stay);
    if (s->problem->terms.worst_wire)
        add_worst_wires(s, route, at, stay);
    else
        for (unsigned k = 1; k < s->longest; k++)
            stay[k] += own;
}

/* Adds a route's flits to a port where they stay as given. */
static void add_flits(const Shared *s, uint32_t port, const double *stays,
                      const Weights *w) {
    const unsigned longest = s->longest;
    double *requests = s->flits[0] + (size_t)port * longest;
    double *replies = s->flits[1] + (size_t)port * longest;
    double *residence = s->residence + (size_t)port * longest;
    const double weight = w->request_weight + w->reply_weight;
    for (unsigned k = 0; k < longest; k++) {
        requests[k] += w->request_rate * stays[k];
        replies[k] += w->reply_rate * stays[k];
        residence[k] += weight * stays[k];
    }
}

/* Adds a route to all ports it uses. */
static void add_route(Shared *s, const SharedRoute *route, const Weights *w) {
    const SharedStep *step = &s->step[route->first_step];
    const double flow =
        w->request_rate * w->request_load + w->reply_rate * w->reply_load;
    for (uint32_t i = 0; i < route->steps; i++) {
        SharedPort *port = &s->port[step[i].port];
        double stays[SHARED_MAX_LENGTH];
        find_stays(s, route, i, stays);
        add_flits(s, step[i].port, stays, w);
        port->requests += w->request;
        port->replies += w->reply;
        port->rates += w->request_rate + w->reply_rate;
        s->flow[step[i].stage] += flow;
        if (i == 0)
            continue;
        port->out[0] += w->request_rate * (i > 1 ? s->ahead[i - 1] : w->request_head);
        port->out[1] += w->reply_rate * (i > 1 ? s->ahead[i - 1] : w->reply_head);
    }
}

/* Adds a route to its source, where heads wait by class if sources are many. */
static void add_source(Shared *s, const SharedRoute *route, const Weights *w) {
    const uint32_t port = s->step[route->first_step].port;
    const size_t at = (size_t)port * s->longest;
    const double request = w->request_head - s->ahead[0];
    const double reply = w->reply_head - s->ahead[0];
    s->flits[0][at] += w->request_rate * request;
    s->flits[1][at] += w->reply_rate * reply;
    s->residence[at] += (w->request_weight * request + w->reply_weight * reply);
    double *own = s->own + (size_t)route->to_entry * s->longest;
    const double rate = w->reply_rate / s->problem->customers;
    double stays[SHARED_MAX_LENGTH];
    find_stays(s, route, 0, stays);
    own[0] += rate * w->reply_head;
    for (unsigned k = 1; k < s->longest; k++)
        own[k] += rate * stays[k];
}

/* Finds the cycles that flits wait for wires once the head has arrived, by length. */
static void find_behind(const Shared *s, const SharedRoute *route, double *behind) {
    const SharedStep *step = &s->step[route->first_step];
    const bool worst = s->problem->terms.worst_wire;
    memset(behind, 0, (s->longest + 1) * sizeof *behind);
    for (uint32_t i = 1; i < route->steps; i++) {
        const uint32_t left = route->steps - 1 - i;
        if (left < s->longest)
            behind[left + 1] += s->other[step[i].stage];
    }
    for (unsigned i = 1; i <= s->longest; i++)
        behind[i] = worst ? fmax(behind[i], behind[i - 1]) : behind[i] + behind[i - 1];
    for (unsigned i = 1; worst && i <= s->longest; i++)
        behind[i] *= i - 1;
}

/* Adds the time that the messages of a route spend in the network (A.4 of the thesis,
 * which has it from AV). */
static void add_residence(Shared *s, const SharedRoute *route, const Weights *w) {
    const double *node = shared_values(s, UNKNOWN_NODE);
    double heads = 0, behind[SHARED_MAX_LENGTH + 1];
    for (uint32_t i = 1; i < route->steps; i++)
        heads += s->ahead[i];
    find_behind(s, route, behind);
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i];
        s->away[route->from] += pair->share * w->request *
                                (node[route->own_entry] + w->request_head + heads +
                                 pair->request - 1 + behind[pair->request]);
        s->away[route->to] += pair->share * w->reply *
                              (node[route->to_entry] + w->reply_head + heads +
                               pair->reply - 1 + behind[pair->reply]);
    }
}

/* Adds a route's messages to those leaving its node. */
static void add_leaving(Shared *s, const SharedRoute *route, const Weights *w) {
    const double *node = shared_values(s, UNKNOWN_NODE);
    SharedLeaving *leaving = &s->leaving[route->from];
    leaving->rate += w->request_rate + w->reply_rate;
    leaving->node_wait += w->request_rate * node[route->own_entry] +
                          w->reply_rate * node[route->to_entry];
    leaving->first_channel += (w->request_rate + w->reply_rate) * s->ahead[1];
}

/* ---- ports ----------------------------------------------------------------------- */

/* Adds the messages of one type at a port: `flits` is their utilisation by flit and
 * `sums` the summed residences of the first flits. */
static void add_type(SharedPort *port, const double *flits, const double *residence,
                     const double *sums, unsigned length, double share, bool reply) {
    for (unsigned k = 0; k < length; k++) {
        port->busy +=
            share * flits[k] * (residence[k] / 2 + sums[length] - sums[k + 1]);
        port->load += share * flits[k];
    }
    port->waiting += share * port->out[reply] * sums[length];
    port->all += share * (reply ? port->replies : port->requests) * sums[length];
}

static void finish_port(Shared *s, uint32_t number) {
    SharedPort *port = &s->port[number];
    double *residence = s->residence + (size_t)number * s->longest;
    double sums[SHARED_MAX_LENGTH + 1];
    const double weight =
        s->problem->terms.by_rate ? port->rates : port->requests + port->replies;
    sums[0] = 0;
    for (unsigned k = 0; k < s->longest; k++) {
        residence[k] = weight > 0 ? residence[k] / weight : 0;
        sums[k + 1] = sums[k] + residence[k];
    }
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i];
        add_type(port, s->flits[0] + (size_t)number * s->longest, residence, sums,
                 pair->request, pair->share, false);
        add_type(port, s->flits[1] + (size_t)number * s->longest, residence, sums,
                 pair->reply, pair->share, true);
    }
}

/* The second line of the wait: the last flit of a worm that came by the same port. */
static double own_worm(Shared *s, uint32_t number) {
    const double *residence = s->residence + (size_t)number * s->longest;
    double left = 1, half = 0;
    for (unsigned i = 0; i < 2 * SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i / 2];
        const double *flits = s->flits[i % 2] + (size_t)number * s->longest;
        const unsigned length = i % 2 ? pair->reply : pair->request;
        for (unsigned k = 0; k + 1 < length; k++)
            left -= pair->share * flits[k];
        half += pair->share * flits[length - 1] * residence[length - 1] / 2;
    }
    s->guards += left < LEAST_LEFT;
    return half / fmax(left, LEAST_LEFT);
}

/* Computes the wait of a head, by the port it comes from (6). */
static void find_waits(Shared *s) {
    double *wait = shared_next(s, UNKNOWN_WAIT);
    for (uint32_t c = 0; c < s->graph->channels; c++)
        for (uint32_t p = s->first_port[c]; p < s->first_port[c + 1]; p++) {
            wait[p] = s->problem->terms.no_tail ? 0 : own_worm(s, p);
            for (uint32_t q = s->first_port[c]; q < s->first_port[c + 1]; q++)
                if (q != p)
                    wait[p] += s->port[q].busy + s->port[q].waiting;
        }
    for (uint32_t p = s->first_port[s->graph->channels]; p < s->ports; p++)
        wait[p] = 0; /* that for a source is by entry */
}

void shared_sweep_channels(Shared *s) {
    clear(s);
    find_other_lanes(s);
    for (uint32_t r = 0; r < s->routes; r++) {
        const SharedRoute *route = &s->route[r];
        find_heads(s, route);
        const Weights weights = weights_of(s, route);
        add_route(s, route, &weights);
        add_source(s, route, &weights);
        add_residence(s, route, &weights);
        add_leaving(s, route, &weights);
    }
    for (uint32_t p = 0; p < s->ports; p++)
        finish_port(s, p);
    find_waits(s);
    memcpy(shared_next(s, UNKNOWN_LINK), s->flow, s->stages * sizeof *s->flow);
}
