/* Iterates the unknowns of a layout to a fixed point, by schedules that are tried in
 * order until one converges. */
#include "net/model/iteration.h"

#include <math.h>
#include <string.h>

/* MIX_EARLIEST: sweeps before mixing may start at a small change. REST: sweeps before
 * mixing that was given up may start again at mix_latest. */
enum { MIX_EARLIEST = 30, REST = 10 };
/* MIX_BELOW: mixing starts when a sweep's change is below this. GIVE_UP: mixing stops
 * when the change is this many times the smallest so far; BELOW_AGAIN: the factor by
 * which MIX_BELOW then shrinks. */
static const double MIX_BELOW = 0.3, GIVE_UP = 30, BELOW_AGAIN = 0.3;

void iteration_create(Iteration *iteration, const AmvaLayout *layout) {
    Heap *const heap = layout->heap;
    *iteration = (Iteration){.layout = layout};
    amva_unknowns_create(&iteration->unknowns, layout);
    amva_sums_create(&iteration->sums, layout);
    const size_t count = iteration->unknowns.count;
    mixing_create(&iteration->mixing, heap, count);
    iteration->fresh = heap_doubles(heap, count);
    iteration->logs = heap_doubles(heap, count);
    iteration->steps = heap_doubles(heap, count);
    iteration->load = heap_doubles(heap, layout->channel_orbits);
    iteration->traffic =
        heap_alloc(heap, layout->edge_orbits * sizeof *iteration->traffic);
    amva_unknowns_start(&iteration->unknowns, layout);
}

/* ---- a sweep --------------------------------------------------------------------- */

/* Moves the unknowns to new values, damped by `weight`; values above 1 move
 * geometrically, so that waits of all sizes move alike. Returns the largest change,
 * undamped. */
static double take(double *x, const double *fresh, size_t count, double weight) {
    double change = 0;
    for (size_t i = 0; i < count; i++) {
        change = fmax(change, fabs(fresh[i] - x[i]) / (1 + fabs(x[i])));
        if (weight >= 1)
            x[i] = fresh[i];
        else if (x[i] > 1 && fresh[i] > 0)
            x[i] *= pow(fresh[i] / x[i], weight);
        else
            x[i] += weight * (fresh[i] - x[i]);
    }
    return change;
}

static bool all_finite(const double *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* Computes new waits from the current ones into `fresh`. */
static void new_waits(Iteration *iteration) {
    const AmvaLayout *layout = iteration->layout;
    const AmvaUnknowns *x = &iteration->unknowns;
    double *const fresh = iteration->fresh;
    if (layout->trees)
        amva_trees_add(layout, x, &iteration->sums);
    else
        amva_paths_add(layout, x, &iteration->sums);
    iteration->guards = (AmvaGuards){0};
    amva_wire_waits(layout, &iteration->sums, iteration->load,
                    fresh + (x->wire_wait - x->x), &iteration->guards);
    amva_channel_waits(layout, &iteration->sums, iteration->traffic, fresh,
                       &iteration->guards);
    amva_node_waits(layout, &iteration->sums, x, fresh + (x->node_wait - x->x),
                    fresh + (x->reply_wait - x->x));
}

static bool sweep(Iteration *iteration, double weight, double node_weight,
                  JmError *error) {
    AmvaUnknowns *const x = &iteration->unknowns;
    const size_t channels = (size_t)(x->node_wait - x->x);
    const size_t waits = (size_t)(x->cycle - x->x);
    iteration->sweeps++;
    new_waits(iteration);
    double change = take(x->x, iteration->fresh, channels, weight);
    change = fmax(change, take(x->node_wait, iteration->fresh + channels,
                               waits - channels, node_weight));
    memcpy(iteration->fresh + waits, x->cycle, x->cycles * sizeof(double));
    amva_processors(iteration->layout, &iteration->sums, x);
    for (size_t i = 0; i < x->cycles; i++)
        change = fmax(change, fabs(x->cycle[i] / iteration->fresh[waits + i] - 1));
    iteration->change = change;
    return all_finite(x->x, x->count) ||
           jm_fail(error, NULL, "sweep %u gave a value that is not finite",
                   iteration->sweeps);
}

/* ---- mixing ---------------------------------------------------------------------- */

/* Converts waits to ln(1 + w) and cycle times to ln R, the scale used for mixing. */
static void to_logs(const AmvaUnknowns *unknowns, const double *x, double *logs) {
    const size_t waits = (size_t)(unknowns->cycle - unknowns->x);
    for (size_t i = 0; i < waits; i++)
        logs[i] = log1p(x[i]);
    for (size_t i = waits; i < unknowns->count; i++)
        logs[i] = log(x[i]);
}

static void from_logs(const AmvaUnknowns *unknowns, const double *logs, double *x) {
    const size_t waits = (size_t)(unknowns->cycle - unknowns->x);
    for (size_t i = 0; i < waits; i++)
        x[i] = fmax(0, expm1(logs[i]));
    for (size_t i = waits; i < unknowns->count; i++)
        x[i] = exp(logs[i]);
}

/* Performs a sweep and replaces its step by the mixed one. */
static bool mixed_sweep(Iteration *iteration, const Schedule *schedule,
                        JmError *error) {
    AmvaUnknowns *const x = &iteration->unknowns;
    to_logs(x, x->x, iteration->logs);
    if (!sweep(iteration, schedule->mixed, schedule->node_mixed, error))
        return false;
    to_logs(x, x->x, iteration->steps);
    mixing_step(&iteration->mixing, iteration->logs, iteration->steps);
    from_logs(x, iteration->steps, x->x);
    return true;
}

static bool any_guard(const AmvaGuards *guards) {
    return guards->wire || guards->own_worm || guards->idle || guards->passing ||
           guards->wait;
}

/* Whether the iteration is mixing, and when it may start again. */
typedef struct {
    bool on;
    unsigned left; /* the sweep at which it last stopped */
    double below, best;
} Mode;

static void choose_mode(Mode *mode, const Schedule *schedule, unsigned sweep,
                        double change, Iteration *iteration) {
    if (schedule->never_mix)
        return;
    if (mode->on && change > GIVE_UP * mode->best) {
        mode->on = false;
        mode->left = sweep;
        mode->below *= BELOW_AGAIN;
        mixing_clear(&iteration->mixing);
        return;
    }
    mode->best = fmin(mode->best, change);
    const bool late = schedule->mix_latest > 0 && sweep >= schedule->mix_latest &&
                      sweep >= mode->left + REST;
    if (!mode->on && ((sweep >= MIX_EARLIEST && change < mode->below) || late)) {
        mode->on = true;
        mode->best = change;
    }
}

/* Sweeps until the change is below the tolerance or the budget is exhausted; *state
 * says which. False and `error` if a value is not finite. */
static bool iteration_run(Iteration *iteration, const Schedule *schedule,
                          ModelState *state, JmError *error) {
    const AmvaProblem *problem = &iteration->layout->problem;
    const unsigned most = problem->sweeps ? problem->sweeps : 2000;
    const double tolerance = problem->tolerance > 0 ? problem->tolerance : 1e-6;
    Mode mode = {.below = MIX_BELOW, .best = INFINITY};
    mixing_clear(&iteration->mixing);
    *state = MODEL_NOT_CONVERGED;
    for (unsigned count = 1; count <= most; count++) {
        const bool good =
            mode.on ? mixed_sweep(iteration, schedule, error)
                    : sweep(iteration, schedule->weight, schedule->node_weight, error);
        if (!good)
            return false;
        if (problem->progress)
            problem->progress(problem->context, iteration->sweeps, iteration->change);
        if (iteration->change < tolerance) {
            *state = any_guard(&iteration->guards) ? MODEL_CLIPPED : MODEL_SOLVED;
            return true;
        }
        choose_mode(&mode, schedule, count, iteration->change, iteration);
    }
    return true;
}

/* ---- schedules ------------------------------------------------------------------- */

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
    return layout->by_pair && layout->unique;
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
