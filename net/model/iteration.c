/* Iterates the unknowns of a layout to a fixed point. */
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

bool iteration_run(Iteration *iteration, const Schedule *schedule, ModelState *state,
                   JmError *error) {
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
