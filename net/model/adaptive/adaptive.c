/* Quaglia's recursion. The grid of an average message, with the flows F and the
 * residual times T of the channels that leave its nodes:
 *
 *     (1,1) -X-> (1,2) -X-> ... (1,K+1)
 *
 *       |Y         |Y              |Y
 *
 *     (2,1) -X-> (2,2) -X-> ... (2,K+1)
 *
 *      ...                        ...        ends at (K+1,K+1)
 *
 * */
#include "net/model/adaptive/adaptive.h"

#include <math.h>
#include <string.h>

enum { X, Y, MOST = ADAPTIVE_MAX_SIDE / 4 + 2 };
enum { WE, NE, NS, WS, WAITS };

/* A sweep stops as saturated when a wait would be infinite. */
typedef struct {
    const AdaptiveProblem *problem;
    unsigned n;              /* K, hops in a dimension */
    double alpha, beta, gap; /* shares that turn, that go straight; change of a pass */
    double gaps;             /* 1/tau: messages a cycle and quadrant */
    double busy[2], wait[WAITS];
    double split[2]; /* f: shares of the messages at a node that continue in X, in Y */
    double flow[2][MOST][MOST], time[2][MOST][MOST], held[2][MOST][MOST];
    double straight[2][MOST], straight_held[2][MOST]; /* by hops left */
} Recursion;

static void find_flows(Recursion *r) {
    const unsigned n = r->n;
    const double both = 1 - r->busy[X] * r->busy[Y];
    r->split[X] = (1 - r->busy[X]) / both;
    r->split[Y] = r->busy[X] * (1 - r->busy[Y]) / both;
    memset(r->flow, 0, sizeof r->flow);
    for (unsigned i = 1; i <= n + 1; i++)
        for (unsigned j = 1; j <= n + 1; j++) {
            const double in = i == 1 && j == 1
                                  ? r->alpha * r->gaps
                                  : r->flow[X][i][j - 1] + r->flow[Y][i - 1][j];
            if (j <= n)
                r->flow[X][i][j] = i <= n ? in * r->split[X] : in;
            if (i <= n)
                r->flow[Y][i][j] = j <= n ? in * r->split[Y] : in;
        }
}

/* Expected value behind a node where a message may continue either way: after `x` or
 * `y` cycles, when both channels are busy, after the shorter of two waits. */
static double expected(const Recursion *r, double x, double y, double first,
                       double second) {
    const double px = r->busy[X], py = r->busy[Y];
    const double wait = first <= second ? first : second;
    const double time = first <= second ? x : y;
    const double both = r->problem->product ? wait * time : wait + time;
    return 1 + (1 - px) * x + px * (1 - py) * y + px * py * both;
}

/* Computes residual times backwards from the end. Waits and times are paired as
 * printed. */
static void find_times(Recursion *r) {
    const unsigned n = r->n;
    const double *w = r->wait, end = r->problem->length + 1;
    r->time[X][n + 1][n] = r->time[Y][n][n + 1] = end;
    for (unsigned j = n - 1; j >= 1; j--) {
        r->time[X][n + 1][j] = w[WE] + r->time[X][n + 1][j + 1] + 1;
        r->time[Y][j][n + 1] = w[NS] + r->time[Y][j + 1][n + 1] + 1;
    }
    for (unsigned i = n; i >= 1; i--)
        for (unsigned j = n; j >= 1; j--) {
            r->time[X][i][j] = j == n ? w[WS] + r->time[Y][i][j + 1] + 1
                                      : expected(r, r->time[X][i][j + 1],
                                                 r->time[Y][i][j + 1], w[WE], w[WS]);
            r->time[Y][i][j] = i == n ? w[NE] + r->time[X][i + 1][j] + 1
                                      : expected(r, r->time[X][i + 1][j],
                                                 r->time[Y][i + 1][j], w[NS], w[NE]);
        }
    for (unsigned way = X; way <= Y; way++) {
        r->straight[way][1] = end;
        for (unsigned j = 2; j <= n; j++)
            r->straight[way][j] = w[way == X ? WE : NS] + r->straight[way][j - 1] + 1;
    }
}

/* Holding times (28) to (31): residual times without the hops after the link. The
 * printed tables need one cycle more than the printed equations give. */
static void find_holding(Recursion *r) {
    const unsigned n = r->n;
    const double less = r->problem->printed_holding ? 2 : 1;
    for (unsigned way = X; way <= Y; way++)
        for (unsigned i = 1; i <= n + 1; i++)
            for (unsigned j = 1; j <= n + 1; j++)
                r->held[way][i][j] = r->time[way][i][j] - (2.0 * n - i - j + less);
    for (unsigned way = X; way <= Y; way++)
        for (unsigned j = 1; j <= n; j++)
            r->straight_held[way][j] = r->straight[way][j] - (j - 2.0 + less);
}

/* ---- waits ----------------------------------------------------------------------- */

/* Streams that compete for a channel: sums of rate, and of rate times second moment. */
typedef struct {
    const Recursion *r;
    double load, moment;
} Streams;

static void stream(Streams *s, double rate, double held) {
    const AdaptiveProblem *problem = s->r->problem;
    const double length = problem->length;
    const double wait = held - length - (problem->printed_holding ? 0 : 1);
    const double moment = problem->lengths_apart
                              ? held * held + wait * wait + length * length
                              : 2 * held * held;
    s->load += 2 * rate * held;
    s->moment += rate * moment;
}

/* Their wait for each other (21); infinite from a load of 1 on. */
static double wait_of(const Streams *s) {
    return s->load < 1 ? s->moment / (1 - s->load) : INFINITY;
}

/* Adds streams that start at this node: straight ones with `hops` to go, and those that
 * turn later. */
static void starting(Streams *s, unsigned way, unsigned hops) {
    const Recursion *r = s->r;
    stream(s, r->beta * r->gaps, r->straight_held[way][hops]);
}

static void turning(Streams *s, unsigned way) {
    const Recursion *r = s->r;
    stream(s, r->alpha * r->gaps * r->split[way], r->held[way][1][1]);
}

static double wait_we(const Recursion *r) {
    Streams s = {.r = r};
    const unsigned n = r->n;
    for (unsigned j = 1; j <= n; j++) {
        stream(&s, r->flow[Y][n][j], r->held[X][n + 1][j]);
        for (unsigned i = 2; i <= n; i++)
            stream(&s, r->split[X] * r->flow[Y][i - 1][j], r->held[X][i][j]);
    }
    starting(&s, X, n);
    turning(&s, X);
    return wait_of(&s);
}

static double wait_ne(const Recursion *r) {
    Streams s = {.r = r};
    const unsigned n = r->n, way = r->problem->printed_flow ? Y : X;
    for (unsigned j = 1; j < n; j++) {
        stream(&s, r->flow[X][n + 1][j], r->held[X][n + 1][j + 1]);
        for (unsigned i = 1; i <= n; i++)
            stream(&s, r->split[X] * r->flow[way][i][j], r->held[X][i][j + 1]);
        starting(&s, X, j);
    }
    turning(&s, X);
    return wait_of(&s);
}

static double wait_ns(const Recursion *r) {
    Streams s = {.r = r};
    const unsigned n = r->n;
    for (unsigned i = 1; i <= n; i++) {
        stream(&s, r->flow[X][i][n], r->held[Y][i][n + 1]);
        for (unsigned j = 1; j < n; j++)
            stream(&s, r->split[Y] * r->flow[X][i][j], r->held[Y][i][j + 1]);
    }
    starting(&s, Y, n);
    turning(&s, Y);
    return wait_of(&s);
}

static double wait_ws(const Recursion *r) {
    Streams s = {.r = r};
    const unsigned n = r->n;
    for (unsigned i = 1; i <= n; i++)
        starting(&s, Y, i);
    for (unsigned i = 1; i < n; i++) {
        stream(&s, r->flow[Y][i][n + 1], r->held[Y][i + 1][n + 1]);
        for (unsigned j = 1; j <= n; j++)
            stream(&s, r->split[Y] * r->flow[Y][i][j], r->held[Y][i + 1][j]);
    }
    turning(&s, Y);
    return wait_of(&s);
}

/* The share of time that a channel of a dimension is held. */
static double busy_share(const Recursion *r, unsigned way) {
    double sum = 0;
    for (unsigned i = 1; i <= r->n + 1; i++)
        for (unsigned j = 1; j <= r->n + 1; j++)
            sum += 2 * r->flow[way][i][j] * r->held[way][i][j];
    for (unsigned j = 1; j <= r->n; j++)
        sum += 2 * r->beta * r->gaps * r->straight_held[way][j];
    return sum;
}

/* ---- the iteration --------------------------------------------------------------- */

/* Stores a new value and records the largest change. */
static void put(Recursion *r, double *place, double value) {
    r->gap = fmax(r->gap, fabs(value - *place));
    *place = value;
}

/* One pass. False: the network is saturated. */
static bool pass(Recursion *r) {
    find_flows(r);
    find_times(r);
    find_holding(r);
    const double wait[WAITS] = {
        [WE] = wait_we(r), [NE] = wait_ne(r), [NS] = wait_ns(r), [WS] = wait_ws(r)};
    const double busy[2] = {busy_share(r, X), busy_share(r, Y)};
    r->gap = 0;
    for (unsigned i = 0; i < WAITS; i++)
        put(r, &r->wait[i], wait[i]);
    for (unsigned way = X; way <= Y; way++)
        put(r, &r->busy[way], busy[way]);
    return isfinite(r->gap) && busy[X] < 1 && busy[Y] < 1;
}

static double latency_of(const Recursion *r) {
    const double *w = r->wait, px = r->busy[X], py = r->busy[Y];
    const double x = w[WE] + w[NE], y = w[NS] + w[WS];
    const double least = x < y ? x + r->time[X][1][1] : y + r->time[Y][1][1];
    const double turning_time = (1 - px) * r->time[X][1][1] +
                                px * (1 - py) * r->time[Y][1][1] + px * py * least;
    return r->alpha * turning_time + r->beta * (r->straight[X][r->n] + x) +
           r->beta * (r->straight[Y][r->n] + y);
}

static bool check(const AdaptiveProblem *problem, JmError *error) {
    if (problem->side < 4 || problem->side > ADAPTIVE_MAX_SIDE || problem->side % 4)
        return jm_fail(error, NULL,
                       "a side of %u: multiples of 4 up to %d are expected",
                       problem->side, ADAPTIVE_MAX_SIDE);
    if (!(problem->rate >= 0 && problem->rate <= 1))
        return jm_fail(error, NULL, "a rate of %g: 0 to 1 is expected", problem->rate);
    return (problem->length >= 1 && problem->length <= 1e6) ||
           jm_fail(error, NULL, "a length of %g flits: 1 to 1000000 is expected",
                   problem->length);
}

bool net_adaptive_solve(const AdaptiveProblem *problem, AdaptiveResult *result,
                        JmError *error) {
    static const double tolerance = 1e-11; /* a change that ends the iteration */
    enum { MOST_ITERATIONS = 20000 };
    const double k = problem->side;
    *result = (AdaptiveResult){.state = MODEL_NOT_CONVERGED, .latency = NAN};
    if (!check(problem, error))
        return false;
    Recursion r = {.problem = problem,
                   .n = problem->side / 4,
                   .alpha = (k - 1) / (k + 1),
                   .beta = 1 / (k + 1),
                   .gaps = problem->rate / 4};
    result->zero_load =
        r.alpha * (problem->length + k / 2) + 2 * r.beta * (problem->length + k / 4);
    while (result->state == MODEL_NOT_CONVERGED &&
           result->iterations < MOST_ITERATIONS) {
        result->iterations++;
        if (!pass(&r))
            result->state = MODEL_SATURATED;
        else if (r.gap < tolerance)
            result->state = MODEL_SOLVED;
    }
    const bool solved = result->state == MODEL_SOLVED;
    result->latency = solved ? latency_of(&r) : NAN;
    for (unsigned i = 0; i < 2; i++)
        result->busy[i] = solved ? r.busy[i] : NAN;
    for (unsigned i = 0; i < WAITS; i++)
        result->wait[i] = solved ? r.wait[i] : NAN;
    return true;
}
