/* Small networks of servers, solved by methods other than those of net/model. */
#ifndef JM_TESTS_MODEL_ORACLES_H
#define JM_TESTS_MODEL_ORACLES_H

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
