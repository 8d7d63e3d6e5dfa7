/* Problems and solutions for the tests of the mean value analysis. */
#ifndef JM_TESTS_MODEL_SOLVING_H
#define JM_TESTS_MODEL_SOLVING_H

#include "net/model/amva.h"

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

#endif
