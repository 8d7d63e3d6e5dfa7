/* Schedules of the iteration, tried one after the other until one leads to a
 * solution. */
#include "net/model/schedules.h"

#include <string.h>

/* From an empty network. Slow node queues help where requests wait long for the
 * network; small steps where the channels themselves swing. */
static const Schedule schedules[] = {
    {"usual", 0.1, 0.1, 0.3, 0.3, true, false},
    {"slow node queues", 0.15, 0.02, 0.2, 0.2, false, false},
    {"small steps", 0.05, 0.05, 0.2, 0.2, false, false},
};

enum { SCHEDULES = sizeof schedules / sizeof schedules[0] };

/* Takes the values of another solution as a start, cycle times scaled to the number of
 * messages. */
static void scale_cycles(AmvaUnknowns *unknowns, double ratio) {
    for (size_t i = 0; i < unknowns->cycles; i++)
        unknowns->cycle[i] *= ratio;
}

/* The last resort: solves with one message outstanding, then one more from there. */
static bool climb(Iteration *iteration, AmvaLayout *layout, AmvaState *state,
                  JmError *error) {
    const unsigned wanted = layout->problem.outstanding;
    const double each = layout->customers / wanted;
    amva_unknowns_start(&iteration->unknowns, layout);
    *state = AMVA_SOLVED;
    bool good = true;
    for (unsigned n = 1; good && *state == AMVA_SOLVED && n <= wanted; n++) {
        layout->problem.outstanding = n;
        layout->customers = each * n;
        if (n > 1)
            scale_cycles(&iteration->unknowns, n / (n - 1.0));
        good = iteration_run(iteration, &schedules[0], state, error);
    }
    layout->problem.outstanding = wanted;
    layout->customers = each * wanted;
    return good;
}

/* messages outstanding that climb() starts for; more take too long */
enum { CLIMB_AT_MOST = 16 };

/* ---- from replies that wait alike ------------------------------------------------ */

/* Whether the problem without the correction for a node's own replies can be solved by
 * prefixes: a tenth of the work, and a solution that is off by 1/nodes only. */
static bool has_simpler_form(const AmvaLayout *layout, bool *has, JmError *error) {
    *has = layout->corrected && !layout->problem.routing;
    return !*has || amva_paths_unique(layout->graph, has) ||
           jm_fail(error, NULL, "no memory for a model of %u nodes", layout->nodes);
}

/* Takes over a solution in which all replies of a node wait alike. */
static void adopt(AmvaUnknowns *unknowns, const AmvaLayout *layout,
                  const AmvaUnknowns *alike) {
    const size_t waits = (size_t)(alike->reply_wait - alike->x);
    memcpy(unknowns->x, alike->x, waits * sizeof(double));
    memcpy(unknowns->cycle, alike->cycle, unknowns->cycles * sizeof(double));
    memcpy(unknowns->queue, alike->queue, layout->node_orbits * sizeof(double));
    for (size_t d = 0; d < layout->node_orbits; d++)
        for (size_t s = 0; s < layout->nodes; s++)
            unknowns->reply_wait[d * layout->nodes + s] =
                s == layout->node_first[d] ? 0
                                           : alike->reply_wait[layout->node_orbit[s]];
}

/* Solves by prefixes, then with the correction from there. */
static bool refine(Iteration *iteration, const AmvaLayout *layout, AmvaState *state,
                   JmError *error) {
    AmvaProblem problem = layout->problem;
    problem.form = AMVA_PREFIXES;
    AmvaLayout simpler;
    Iteration alike = {0};
    *state = AMVA_NOT_CONVERGED;
    bool good = amva_layout_build(&simpler, layout->graph, &problem, error) &&
                iteration_create(&alike, &simpler, error) &&
                iteration_run(&alike, &schedules[0], state, error);
    iteration->sweeps += alike.sweeps;
    if (good && *state == AMVA_SOLVED) {
        adopt(&iteration->unknowns, layout, &alike.unknowns);
        good = iteration_run(iteration, &schedules[0], state, error);
    }
    iteration_free(&alike);
    amva_layout_free(&simpler);
    return good;
}

/* ---- all ways -------------------------------------------------------------------- */

/* Nodes above which the simpler form comes first. With 1024 nodes the usual schedule
 * takes 500 to 1500 sweeps of the full form, from the simpler solution it takes 60. */
enum { SIMPLER_FIRST = 512 };

static bool try_simpler(Iteration *iteration, const AmvaLayout *layout,
                        AmvaResult *result, JmError *error) {
    result->tries++;
    result->schedule = "from replies that wait alike";
    return refine(iteration, layout, &result->state, error);
}

static bool try_from_start(Iteration *iteration, const AmvaLayout *layout,
                           AmvaResult *result, JmError *error) {
    const unsigned most = layout->problem.first_try_only ? 1 : SCHEDULES;
    result->state = AMVA_NOT_CONVERGED;
    for (unsigned i = 0; i < most && result->state != AMVA_SOLVED; i++) {
        amva_unknowns_start(&iteration->unknowns, layout);
        result->tries++;
        result->schedule = schedules[i].name;
        if (!iteration_run(iteration, &schedules[i], &result->state, error))
            return false;
    }
    return true;
}

bool schedules_try(Iteration *iteration, AmvaLayout *layout, AmvaResult *result,
                   JmError *error) {
    const AmvaProblem *problem = &layout->problem;
    if (problem->weight > 0) {
        const double weight = problem->weight;
        const Schedule given = {"given weight", weight, weight, 0, 0, false, true};
        result->tries = 1;
        result->schedule = given.name;
        return iteration_run(iteration, &given, &result->state, error);
    }
    bool simpler;
    if (!has_simpler_form(layout, &simpler, error))
        return false;
    const bool at_once = simpler && layout->nodes > SIMPLER_FIRST;
    if (at_once && !try_simpler(iteration, layout, result, error))
        return false;
    if (at_once && (result->state == AMVA_SOLVED || problem->first_try_only))
        return true;
    if (!try_from_start(iteration, layout, result, error))
        return false;
    if (result->state == AMVA_SOLVED || problem->first_try_only)
        return true;
    if (simpler && !at_once && !try_simpler(iteration, layout, result, error))
        return false;
    if (result->state == AMVA_SOLVED || problem->outstanding < 2 ||
        problem->outstanding > CLIMB_AT_MOST)
        return true;
    result->tries++;
    result->schedule = "from fewer messages";
    return climb(iteration, layout, &result->state, error);
}
