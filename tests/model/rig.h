/* What tests of the models share: comparison of numbers, problems and solutions of the
 * mean value analysis, and small networks of servers solved by methods other than those
 * of net/model. */
#ifndef JM_TESTS_MODEL_RIG_H
#define JM_TESTS_MODEL_RIG_H

#include <criterion/criterion.h>
#include <math.h>

#include "net/model/amva.h"

/* `value` is `wanted` within a share of it. */
#define NEAR(value, wanted, share)                                                     \
    do {                                                                               \
        const double near_value = (value), near_wanted = (wanted);                     \
        cr_assert(fabs(near_value - near_wanted) <= (share)*fabs(near_wanted),         \
                  "%s is %.10g, not %.10g", #value, near_value, near_wanted);          \
    } while (0)

/* `value` is within [low, high]. */
#define WITHIN(value, low, high)                                                       \
    do {                                                                               \
        const double within_value = (value);                                           \
        cr_assert(within_value >= (low) && within_value <= (high),                     \
                  "%s is %.10g, not in %.10g..%.10g", #value, within_value,            \
                  (double)(low), (double)(high));                                      \
    } while (0)

typedef struct {
    NetGraph *graph;
    unsigned x, y, z;
    AmvaResult result;
} Solution;

NetGraph *mesh_graph(unsigned x, unsigned y, unsigned z);

/* Solves on a mesh; fails the test if there is no solution. To be freed. */
Solution solve(unsigned x, unsigned y, unsigned z, AmvaProblem problem);
void free_solution(Solution *solution);

/* Node queue at a place, and the largest. */
double queue_at(const Solution *solution, unsigned x, unsigned y, unsigned z);
double peak_of(const Solution *solution);

/* Request/Reply and Snakes of 8 flits, unfair. */
AmvaProblem requests(unsigned outstanding, double service);
AmvaProblem snakes(unsigned outstanding, double service);

/* t(n,k,q), the ways to put k customers, at most 32, on n servers with at most q on
 * each. Exact below 2^53. */
double t_exact(unsigned servers, unsigned customers, unsigned queue);

/* Mean value analysis of a closed network of one class without wires (thesis 5.1), from
 * service times and visits by server and a time `delay` that each round takes without
 * queueing. `queues` gets mean customers. Returns the rate at which a customer passes a
 * server visited once: by exact recursion over the population, and by Schweitzer's
 * approximation, in which an arriving customer sees q (K-1)/K. */
double mva_exact(unsigned servers, const double *service, const double *visits,
                 double delay, unsigned customers, double *queues);
double mva_schweitzer(unsigned servers, const double *service, const double *visits,
                      double delay, unsigned customers, double *queues);

#endif
