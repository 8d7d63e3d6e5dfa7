/* Iteration schedules, tried in order until one converges. */
#include "net/model/schedules.h"

#include <math.h>
#include <string.h>

/* These start from an empty network. Early mixing is for many nodes, whose sweeps keep
 * changing a lot for a long time. Slow node queues help when requests wait long for the
 * network; small steps help when the channels themselves oscillate. */
static const Schedule schedules[] = {
    {"early mixing", 0.1, 0.1, 0.3, 0.3, 60, false},
    {"usual", 0.1, 0.1, 0.3, 0.3, 300, false},
    {"slow node queues", 0.15, 0.02, 0.2, 0.2, 0, false},
    {"small steps", 0.05, 0.05, 0.2, 0.2, 0, false},
};

enum { USUAL = 1, SCHEDULES = sizeof schedules / sizeof schedules[0] };

/* ---- from fewer messages --------------------------------------------------------- */

/* A climb starts with so few messages of each node that hardly any waits, and
 * multiplies their number by RATIO at each step, or by less if a step fails.
 * Intermediate numbers need not be whole; their solutions serve only as starting
 * points. */
static const double FEWEST = 0.25, RATIO = 1.5, LEAST_RATIO = 1.01, ROUGHLY = 1e-3;
enum { STEP_SWEEPS = 400 };
/* Near a solution mixing works at once. */
static const Schedule step = {"from fewer messages", 0.1, 0.1, 0.3, 0.3, 10, false};

/* The last two solutions of a climb, with the messages of each node; 0: none yet. */
typedef struct {
    double *x, *before;
    double messages, messages_before;
} Reached;

static void keep(Reached *reached, const AmvaUnknowns *unknowns, double messages) {
    double *const oldest = reached->before;
    reached->before = reached->x;
    reached->messages_before = reached->messages;
    reached->x = oldest;
    reached->messages = messages;
    memcpy(reached->x, unknowns->x, unknowns->count * sizeof(double));
}

/* Extrapolates the unknowns linearly from the last two solutions: past saturation, more
 * messages only wait longer in the same node queues. */
static void follow(const Reached *reached, double messages, AmvaUnknowns *unknowns) {
    if (reached->messages <= 0)
        return;
    if (reached->messages_before <= 0) {
        memcpy(unknowns->x, reached->x, unknowns->count * sizeof(double));
        return;
    }
    const double far =
        (messages - reached->messages) / (reached->messages - reached->messages_before);
    const size_t waits = (size_t)(unknowns->cycle - unknowns->x);
    for (size_t i = 0; i < unknowns->count; i++)
        unknowns->x[i] =
            fmax(i < waits ? 0 : reached->x[i] / 2,
                 reached->x[i] + far * (reached->x[i] - reached->before[i]));
}

/* Climbs to the problem's number of messages. */
static bool climb_on(Iteration *iteration, AmvaLayout *layout, Reached *reached,
                     ModelState *state, JmError *error) {
    const AmvaProblem problem = layout->problem;
    const double wanted = problem.outstanding, each = layout->customers / wanted;
    AmvaUnknowns *const unknowns = &iteration->unknowns;
    amva_unknowns_start(unknowns, layout);
    if (problem.sweeps == 0 || problem.sweeps > STEP_SWEEPS)
        layout->problem.sweeps = STEP_SWEEPS;
    bool good = true;
    double ratio = RATIO;
    *state = MODEL_NOT_CONVERGED;
    while (good && reached->messages < wanted && ratio > LEAST_RATIO) {
        const double next = reached->messages > 0 ? reached->messages * ratio : FEWEST;
        const double messages = fmin(next, wanted);
        layout->customers = each * messages;
        layout->problem.tolerance = messages < wanted ? ROUGHLY : problem.tolerance;
        follow(reached, messages, unknowns);
        good = iteration_run(iteration, &step, state, error);
        if (good && *state == MODEL_SOLVED)
            keep(reached, unknowns, messages);
        else if (reached->messages <= 0)
            break;
        else
            ratio = sqrt(ratio);
    }
    layout->customers = each * wanted;
    layout->problem = problem;
    return good;
}

static bool climb(Iteration *iteration, AmvaLayout *layout, AmvaResult *result,
                  JmError *error) {
    const size_t count = iteration->unknowns.count;
    double *const solutions = heap_doubles(layout->heap, 2 * count);
    Reached reached = {.x = solutions, .before = solutions + count};
    result->tries++;
    result->schedule = step.name;
    const bool good = climb_on(iteration, layout, &reached, &result->state, error);
    heap_free(solutions);
    return good;
}

/* ---- from replies that wait alike ------------------------------------------------ */

/* Whether the problem without the correction for a node's own replies can be solved by
 * prefixes: a tenth of the work, and a solution that is off only by 1/nodes. */
static bool has_simpler_form(const AmvaLayout *layout) {
    return layout->by_pair && !layout->problem.routing && layout->unique;
}

/* Starts from a solution in which all replies of a node wait alike. */
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

/* Solves by prefixes, then adds the correction starting from that solution. */
static bool refine(Iteration *iteration, const AmvaLayout *layout, ModelState *state,
                   JmError *error) {
    AmvaProblem problem = layout->problem;
    problem.form = AMVA_PREFIXES;
    AmvaLayout simpler;
    Iteration alike;
    *state = MODEL_NOT_CONVERGED;
    if (!amva_layout_build(&simpler, layout->heap, layout->graph, &problem, error))
        return false;
    iteration_create(&alike, &simpler);
    const bool good = iteration_run(&alike, &schedules[USUAL], state, error);
    iteration->sweeps += alike.sweeps;
    if (!good || *state != MODEL_SOLVED)
        return good;
    adopt(&iteration->unknowns, layout, &alike.unknowns);
    return iteration_run(iteration, &schedules[USUAL], state, error);
}

/* ---- all ways -------------------------------------------------------------------- */

/* Above this many nodes the climb comes first. Snakes on 32x32x32 with 4 messages of
 * each node do not converge from an empty network in 1445 sweeps; a climb takes 376. */
enum { CLIMB_FIRST = 4096 };

static bool try_simpler(Iteration *iteration, const AmvaLayout *layout,
                        AmvaResult *result, JmError *error) {
    result->tries++;
    result->schedule = "from replies that wait alike";
    return refine(iteration, layout, &result->state, error);
}

static bool try_from_start(Iteration *iteration, const AmvaLayout *layout,
                           AmvaResult *result, JmError *error) {
    const unsigned first = layout->own ? 0 : USUAL;
    const unsigned end = layout->problem.first_try_only ? first + 1 : SCHEDULES;
    result->state = MODEL_NOT_CONVERGED;
    for (unsigned i = first; i < end && result->state != MODEL_SOLVED; i++) {
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
        const Schedule given = {"given weight", weight, weight, 0, 0, 0, true};
        result->tries = 1;
        result->schedule = given.name;
        return iteration_run(iteration, &given, &result->state, error);
    }
    const bool large = layout->nodes > CLIMB_FIRST;
    if (large && !climb(iteration, layout, result, error))
        return false;
    if (large && (result->state == MODEL_SOLVED || problem->first_try_only))
        return true;
    if (!try_from_start(iteration, layout, result, error))
        return false;
    if (result->state == MODEL_SOLVED || problem->first_try_only)
        return true;
    if (has_simpler_form(layout) && !try_simpler(iteration, layout, result, error))
        return false;
    return result->state == MODEL_SOLVED || large ||
           climb(iteration, layout, result, error);
}
