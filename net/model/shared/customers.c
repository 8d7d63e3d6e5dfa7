/* The time of customers outside the network, at memories and processors, and the
 * resulting cycle time (AV 14 to 23). */
#include <math.h>

#include "net/model/shared/parts.h"

/* Mean wait, in cycles, of a request of `length` flits for the request in service that
 * it finds (23): only messages whose flits have all arrived keep a memory busy. The
 * printed form is positive for some shorter services, where both of its factors are
 * negative; 0 is used there. */
static double residual(double busy, double length) {
    return busy > length ? (busy - length + 1) * (busy - length) / (2 * busy) : 0;
}

/* The waits at one memory. The unknown is `queued`: the sum over types of P D times the
 * waits, by rate. A customer's own share of everything excluded is linear in its own
 * wait, and therefore solved for directly. */
typedef struct {
    double rate;    /* requests a cycle, of one customer of each processor */
    double service; /* mean of D */
    double residual[SHARED_PAIRS]; /* of the one in service, by type of the arrival */
} Memory;

static Memory memory_of(const Shared *s, uint32_t place) {
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    Memory memory = {0};
    for (uint32_t p = 0; p < s->processors; p++)
        memory.rate += s->routing[p * s->processors + place] / cycle[p];
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *served = &s->problem->pair[i];
        memory.service += served->share * served->busy;
        for (unsigned j = 0; j < SHARED_PAIRS; j++)
            memory.residual[j] += served->share * served->busy *
                                  residual(served->busy, s->problem->pair[j].request);
    }
    return memory;
}

/* Writes the waits of a processor's requests by type; returns the sum of P D wait. */
static double memory_waits(const Shared *s, const Memory *memory, double queued,
                           double own_rate, double wait[SHARED_PAIRS]) {
    const double n = s->problem->customers;
    double all = 0, own = 0, sum = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++) {
        const SharedPair *pair = &s->problem->pair[i];
        all += pair->share * pair->busy *
               (n * (queued + memory->rate * memory->residual[i]) -
                own_rate * memory->residual[i]);
    }
    sum = all / (1 + own_rate * memory->service); /* sum = all - own_rate service sum */
    own = own_rate * sum;
    for (unsigned i = 0; i < SHARED_PAIRS; i++)
        wait[i] = n * (queued + memory->rate * memory->residual[i]) -
                  own_rate * memory->residual[i] - own;
    return sum;
}

static void serve(Shared *s, uint32_t place) {
    const double *cycle = shared_values(s, UNKNOWN_CYCLE);
    const double queued = shared_values(s, UNKNOWN_MEMORY)[place];
    const Memory memory = memory_of(s, place);
    double next = 0, wait[SHARED_PAIRS];
    for (uint32_t p = 0; p < s->processors; p++) {
        const double share = s->routing[p * s->processors + place];
        if (!(share > 0))
            continue;
        next +=
            share / cycle[p] * memory_waits(s, &memory, queued, share / cycle[p], wait);
        for (unsigned i = 0; i < SHARED_PAIRS; i++)
            s->memory[p] += share * s->problem->pair[i].share *
                            (s->problem->pair[i].answer + wait[i]);
    }
    shared_next(s, UNKNOWN_MEMORY)[place] = next;
}

/* ---- processors ------------------------------------------------------------------ */

/* Remaining service cycles found by a reply (17): its head arrived as many cycles ago
 * as there are flits after it. */
static double service_left(const SharedProblem *problem) {
    const double tau = problem->service;
    double sum = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++)
        sum += problem->pair[i].share * pow(1 - 1 / tau, problem->pair[i].reply - 1);
    return (tau - 1) * sum;
}

double shared_at_home(const SharedProblem *problem, double away) {
    const double tau = problem->service, left = service_left(problem);
    double home = tau, queue = tau / (tau + away), busy = queue;
    for (unsigned n = 2; n <= problem->customers; n++) {
        home = tau + (queue - busy) * tau + busy * left;
        queue = n * home / (home + away);
        busy = n * tau / (home + away);
    }
    return home;
}

void shared_sweep_customers(Shared *s) {
    double *cycle = shared_next(s, UNKNOWN_CYCLE);
    for (uint32_t p = 0; p < s->processors; p++)
        s->memory[p] = 0;
    for (uint32_t p = 0; p < s->processors; p++)
        serve(s, p);
    for (uint32_t p = 0; p < s->processors; p++) {
        const double away = s->away[p] + s->memory[p];
        cycle[p] = shared_at_home(s->problem, away) + away;
    }
}
