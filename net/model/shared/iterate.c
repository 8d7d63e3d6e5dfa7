/* Iterates the equations, damped, to convergence. */
#include <math.h>
#include <string.h>

#include "net/model/mixing.h"
#include "net/model/shared/parts.h"

/* A solution schedule. Near saturation, waits of a stable iteration must move in
 * proportion to themselves, and cycle times must follow at once. */
typedef struct {
    double weight;  /* of new values */
    double start;   /* initial cycles in the network */
    bool geometric; /* waits above 1 move by a factor */
    unsigned mixed; /* sweeps before Anderson mixing takes over; 0: never */
} Schedule;

static const Schedule schedules[] = {
    {.weight = 0.3, .start = 25, .mixed = 30},
    {.weight = 0.05, .start = 120, .geometric = true, .mixed = 300},
};
enum { SCHEDULES = sizeof schedules / sizeof schedules[0], WINDOW = 500 };

/* LEAST_WAIT: a wait treated as 0 where waits move by factors. LOST: a change that
 * means divergence. */
static const double LEAST_WAIT = 1e-6, LOST = 1e12;

/* A descent: initial service relative to the problem's; the initial and the least
 * factor between steps. */
static const double MOST_SERVICE = 4, FIRST_STEP = 1.2, LEAST_STEP = 1.0001;

static void sweep(Shared *s) {
    s->guards = 0;
    memcpy(s->next, s->value, s->start[UNKNOWNS] * sizeof *s->next);
    if (s->problem->buffers == SHARED_UNLIMITED) {
        shared_sweep_buffers(s);
    } else {
        shared_sweep_channels(s);
        shared_sweep_ends(s);
    }
    if (!shared_is_open(s))
        shared_sweep_customers(s);
    shared_average(s, s->next);
}

static double change_of(const Shared *s) {
    double most = 0;
    for (uint32_t i = 0; i < s->start[UNKNOWNS]; i++) {
        const double change = fabs(s->next[i] - s->value[i]);
        if (!(change < LOST))
            return INFINITY;
        most = fmax(most, change);
    }
    return most;
}

static double moved(double old, double next, double weight, bool geometric) {
    if (geometric && old > 1)
        return old * pow(fmax(next, LEAST_WAIT) / old, weight);
    return old + weight * (next - old);
}

static void damp(Shared *s, const Schedule *way) {
    const uint32_t waits = s->start[UNKNOWN_LINK], cycles = s->start[UNKNOWN_CYCLE];
    const uint32_t end = s->start[UNKNOWNS];
    for (uint32_t i = 0; i < cycles; i++)
        s->value[i] =
            moved(s->value[i], s->next[i], way->weight, way->geometric && i < waits);
    for (uint32_t i = cycles; i < end; i++)
        s->value[i] = way->geometric
                          ? s->next[i]
                          : moved(s->value[i], s->next[i], way->weight, false);
}

static void mix(Shared *s, Mixing *mixing) {
    const uint32_t end = s->start[UNKNOWNS];
    mixing_step(mixing, s->value, s->next);
    for (uint32_t i = 0; i < end; i++)
        s->value[i] = i < s->start[UNKNOWN_CYCLE] ? fmax(s->next[i], 0) : s->next[i];
}

static void begin(Shared *s, double start) {
    const SharedProblem *problem = s->problem;
    double memory = 0;
    for (unsigned i = 0; i < SHARED_PAIRS; i++)
        memory += problem->pair[i].share * problem->pair[i].answer;
    memset(s->value, 0, s->start[UNKNOWNS] * sizeof *s->value);
    for (uint32_t p = 0; p < s->processors; p++)
        shared_values(s, UNKNOWN_CYCLE)[p] =
            shared_is_open(s) ? 1 / problem->rate : problem->service + start + memory;
}

static bool is_done(const SharedResult *result) {
    return result->state == MODEL_SOLVED || result->state == MODEL_CLIPPED;
}

static bool is_unwanted(const SharedProblem *problem) {
    return problem->stop && problem->stop(problem->context);
}

/* Follows a schedule from the current values until it converges, makes no progress, or
 * uses up its sweeps. */
static void follow(Shared *s, const Schedule *way, Mixing *mixing,
                   SharedResult *result) {
    const SharedProblem *problem = s->problem;
    double best = INFINITY, before = INFINITY;
    mixing_clear(mixing);
    result->state = MODEL_NOT_CONVERGED;
    for (unsigned i = 0; result->sweeps < problem->sweeps; i++) {
        sweep(s);
        result->sweeps++;
        result->change = change_of(s);
        best = fmin(best, result->change);
        if (result->change < problem->tolerance)
            result->state = s->guards ? MODEL_CLIPPED : MODEL_SOLVED;
        else if (is_unwanted(problem))
            result->state = MODEL_STOPPED;
        if (result->state != MODEL_NOT_CONVERGED || isinf(result->change))
            return;
        if (i % WINDOW == WINDOW - 1) {
            if (best > before / 2)
                return;
            before = best;
            best = INFINITY;
        }
        if (way->mixed && i >= way->mixed)
            mix(s, mixing);
        else
            damp(s, way);
    }
}

/* Solves the problem with decreasing service, each time from the previous solution; if
 * that fails, in smaller steps. */
static void descend(Shared *s, Mixing *mixing, double *kept, SharedResult *result) {
    static const Schedule way = {.weight = 0.3, .start = 25, .mixed = 5};
    const SharedProblem *problem = s->problem;
    SharedProblem easier = *problem;
    double factor = MOST_SERVICE, step = FIRST_STEP;
    s->problem = &easier;
    easier.service = problem->service * factor;
    begin(s, way.start);
    while (result->sweeps < problem->sweeps) {
        follow(s, &way, mixing, result);
        if (result->state == MODEL_STOPPED || (is_done(result) && factor == 1))
            break;
        if (is_done(result)) {
            memcpy(kept, s->value, s->start[UNKNOWNS] * sizeof *kept);
            factor /= step;
        } else {
            if (factor == MOST_SERVICE || step < LEAST_STEP)
                break;
            memcpy(s->value, kept, s->start[UNKNOWNS] * sizeof *kept);
            factor *= step;
            step = sqrt(step);
            factor /= step;
        }
        factor = fmax(factor, 1);
        easier.service = problem->service * factor;
    }
    if (factor != 1)
        result->state =
            result->state == MODEL_STOPPED ? MODEL_STOPPED : MODEL_NOT_CONVERGED;
    s->problem = problem;
}

static void follow_all(Shared *s, Mixing *mixing, double *kept, SharedResult *result) {
    const SharedProblem *problem = s->problem;
    const Schedule own = {.weight = problem->weight, .start = 25};
    if (problem->weight > 0) {
        begin(s, own.start);
        follow(s, &own, mixing, result);
        return;
    }
    for (unsigned i = 0; i < SCHEDULES; i++) {
        begin(s, schedules[i].start);
        follow(s, &schedules[i], mixing, result);
        if (result->state == MODEL_SOLVED || result->state == MODEL_STOPPED)
            return;
    }
    if (!shared_is_open(s)) /* an open network has no service to increase */
        descend(s, mixing, kept, result);
}

void shared_iterate(Shared *s, SharedResult *result) {
    double *kept = heap_doubles(s->heap, s->start[UNKNOWNS]);
    Mixing mixing;
    mixing_create(&mixing, s->heap, s->start[UNKNOWNS]);
    result->state = MODEL_NOT_CONVERGED;
    follow_all(s, &mixing, kept, result);
}
