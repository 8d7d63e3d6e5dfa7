/* Processors that serve messages in order of arrival (5.34 to 5.38, A.19 to A.27),
 * solved to convergence for a fixed network. */
#include <math.h>

#include "net/model/amva_parts.h"

enum { ROUNDS = 2000 };
static const double RELAX = 0.7, STEADY = 1e-9;

void amva_network_times(const AmvaLayout *layout, const AmvaSums *sums,
                        const AmvaUnknowns *unknowns, double *times) {
    amva_answer_waits(layout, sums, unknowns, times);
    for (uint32_t c = 0; c < layout->node_orbits; c++)
        times[c] += unknowns->node_wait[c] + sums->sent[c] + sums->answered[c];
}

/* ---- snakes ---------------------------------------------------------------------- */

/* The services that a snake waits for: messages at the processor, of which the one in
 * service has half of its time left if times are constant (its second moment, as in
 * Pollaczek and Khinchine), all of it if they are exponential. */
static double found(const AmvaLayout *layout, const AmvaUnknowns *unknowns,
                    uint32_t i) {
    const double all = layout->customers, queue = unknowns->queue[i];
    const double rate = all / unknowns->cycle[0];
    const double busy = fmin(fmin(rate * layout->problem.service, queue), 1);
    return (all - 1) / all * (queue - busy * layout->problem.regularity / 2);
}

/* Performs a round for Snakes: each visit takes tau (1 + q (K-1)/K), less what the
 * variance of services changes, and all messages circulate (5.34 to 5.37). Returns the
 * largest change. */
static double snakes_round(const AmvaLayout *layout, const double *times,
                           AmvaUnknowns *unknowns) {
    const double all = layout->customers;
    double cycle = 0, change = 0;
    for (uint32_t i = 0; i < layout->node_orbits; i++)
        cycle +=
            layout->node_size[i] *
            (layout->problem.service * (1 + found(layout, unknowns, i)) + times[i]);
    for (uint32_t i = 0; i < layout->node_orbits; i++) {
        double *const queue = &unknowns->queue[i];
        const double fresh =
            all / cycle * layout->problem.service * (1 + found(layout, unknowns, i));
        change = fmax(change, fabs(fresh - *queue));
        *queue += RELAX * (fresh - *queue);
    }
    unknowns->cycle[0] = cycle;
    return change;
}

/* ---- request/reply --------------------------------------------------------------- */

/* Returns the service of requests, from a home of throughput `rate`, at an otherwise
 * empty server. Other nodes see all but 1/N_out of the home's own messages (A.20 in
 * closed form). */
static double visit_time(const AmvaLayout *layout, double rate, double visits) {
    const double service = layout->problem.service;
    return service / (1 + service * rate * visits / layout->customers);
}

/* Performs a round for Request/Reply: as traffic is uniform and servers are equal, the
 * sums over nodes factor. Returns the largest change. */
static double requests_round(const AmvaLayout *layout, const double *times,
                             AmvaUnknowns *unknowns, double *rate) {
    const double share = layout->share;
    double waiting = 0, passing = 0, change = 0;
    for (uint32_t i = 0; i < layout->node_orbits; i++)
        waiting += layout->node_size[i] * (1 + unknowns->queue[i]);
    for (uint32_t c = 0; c < layout->node_orbits; c++) {
        const double own = 1 + unknowns->queue[c];
        const double home = visit_time(layout, rate[c], 1) * own;
        const double away = visit_time(layout, rate[c], share) * share;
        rate[c] = layout->customers / (home + away * (waiting - own) + times[c]);
        passing +=
            layout->node_size[c] * rate[c] * visit_time(layout, rate[c], share) * share;
    }
    for (uint32_t i = 0; i < layout->node_orbits; i++) {
        double *const queue = &unknowns->queue[i];
        const double away = rate[i] * visit_time(layout, rate[i], share) * share;
        const double home = rate[i] * visit_time(layout, rate[i], 1);
        const double fresh = (1 + *queue) * (home + passing - away);
        change = fmax(change, fabs(fresh - *queue));
        *queue += RELAX * (fresh - *queue);
    }
    return change;
}

static void solve_requests(const AmvaLayout *layout, const double *times,
                           AmvaUnknowns *unknowns, double *rate) {
    for (uint32_t c = 0; c < layout->node_orbits; c++)
        rate[c] = layout->customers / unknowns->cycle[c];
    double change = INFINITY;
    for (unsigned round = 0; round < ROUNDS && change >= STEADY; round++)
        change = requests_round(layout, times, unknowns, rate);
    for (uint32_t c = 0; c < layout->node_orbits; c++)
        unknowns->cycle[c] = layout->customers / rate[c];
}

void amva_processors(const AmvaLayout *layout, const AmvaSums *sums,
                     AmvaUnknowns *unknowns) {
    const size_t nodes = layout->node_orbits;
    double *const times = heap_doubles(layout->heap, 2 * nodes);
    amva_network_times(layout, sums, unknowns, times);
    if (layout->kinds == 2)
        solve_requests(layout, times, unknowns, times + nodes);
    else
        for (unsigned round = 0; round < ROUNDS; round++)
            if (snakes_round(layout, times, unknowns) < STEADY)
                break;
    heap_free(times);
}
