/* A sweep over a network that stores whole messages in unlimited buffers: each wire,
 * each source and each last channel is a queue of messages; lanes do not matter. A
 * message finds others there as a random observer would, without its own customer:
 *
 *     w(c|q) = sum over types { Q L + B (L + 1)/2 }
 *     B = N' g L / R, Q = N' g w / R, N' = N_out, or one less of its own processor
 *
 * These equations are ours. They are pessimistic: messages that arrive by the same wire
 * are already in order and cannot meet again, but are counted as if they could. */
#include <string.h>

#include "net/model/shared/parts.h"

static void clear(Shared *s) {
    const size_t size = (size_t)s->queues * s->processors * sizeof(double);
    for (unsigned i = 0; i < 2; i++)
        memset(s->class_load[i], 0, size);
    memset(s->flow, 0, s->stages * sizeof *s->flow);
    memset(s->away, 0, s->processors * sizeof *s->away);
}

static double mean_length(const SharedProblem *problem, bool reply) {
    double sum = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++)
        sum += problem->pair[i].share *
               (reply ? problem->pair[i].reply : problem->pair[i].request);
    return sum;
}

/* Adds a route to its queues, and its time to the processors. */
static void add_route(Shared *s, const SharedRoute *route) {
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    const double *wait = shared_values(s, UNKNOWN_WAIT);
    const double f[2] = {
        route->weight * s->routing[route->from * s->processors + route->to],
        route->weight * s->routing[route->to * s->processors + route->from]};
    const uint32_t whose[2] = {route->from, route->to};
    for (unsigned way = 0; way < 2; way++) {
        const double length = mean_length(s->problem, way),
                     rate = f[way] / cycle[whose[way]];
        double time = route->steps + length - 1;
        for (uint32_t i = 0; i < route->steps; i++) {
            const uint32_t stage = s->step[route->first_step + i].stage;
            const size_t at = (size_t)s->queue[stage] * s->processors + whose[way];
            s->class_load[way][at] += rate;
            s->flow[stage] += rate * s->problem->customers * length;
            time += wait[at];
        }
        s->away[whose[way]] += f[way] * time;
    }
}

/* Sums of P L and of P L (L + 1)/2 over requests or replies. */
typedef struct {
    double length, residual;
} Moments;

static Moments moments_of(const SharedProblem *problem, bool reply) {
    Moments m = {0};
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *pair = &problem->pair[i];
        const double length = reply ? pair->reply : pair->request;
        m.length += pair->share * length;
        m.residual += pair->share * length * (length + 1) / 2;
    }
    return m;
}

static void find_waits(Shared *s, uint32_t queue, const Moments moments[2]) {
    const size_t start = (size_t)queue * s->processors;
    const double *wait = shared_values(s, UNKNOWN_WAIT) + start;
    double *next = shared_next(s, UNKNOWN_WAIT) + start;
    double all = 0;
    for (unsigned way = 0; way < 2; way++)
        for (uint32_t p = 0; p < s->processors; p++)
            all += s->problem->customers * s->class_load[way][start + p] *
                   (wait[p] * moments[way].length + moments[way].residual);
    for (uint32_t p = 0; p < s->processors; p++) {
        next[p] = all;
        for (unsigned way = 0; way < 2 && !s->problem->terms.keep_own; way++)
            next[p] -= s->class_load[way][start + p] *
                       (wait[p] * moments[way].length + moments[way].residual);
    }
}

void shared_sweep_buffers(Shared *s) {
    const Moments moments[2] = {moments_of(s->problem, false),
                                moments_of(s->problem, true)};
    clear(s);
    for (uint32_t r = 0; r < s->routes; r++)
        add_route(s, &s->route[r]);
    for (uint32_t queue = 0; queue < s->queues; queue++)
        find_waits(s, queue, moments);
    memcpy(shared_next(s, UNKNOWN_LINK), s->flow, s->stages * sizeof *s->flow);
}
