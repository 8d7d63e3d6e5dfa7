/* Waits for wires and for channels. */
#include <math.h>

#include "net/model/amva_parts.h"

/* Bounds that keep an iteration from diverging; a solution touches none. */
static const double LEAST_WIRE = 0.02, LEAST_ROOM = 0.02, LEAST_IDLE = 1e-3,
                    LEAST_PASSING = 1e-3, MOST_WAIT = 1e6;

/* Returns `value` or, counted in *guard, `bound` if that is larger. */
static double at_least(double value, double bound, unsigned *guard) {
    if (value >= bound)
        return value;
    ++*guard;
    return bound;
}

/* ---- wires (A.11 to A.13) -------------------------------------------------------- */

/* Sets the flits a cycle of each channel. */
static void set_loads(const AmvaLayout *layout, const AmvaSums *sums, double *load) {
    for (uint32_t c = 0; c < layout->channel_orbits; c++) {
        load[c] = 0;
        for (uint32_t i = layout->ports.start[c]; i < layout->ports.start[c + 1]; i++)
            for (unsigned kind = 0; kind < layout->kinds; kind++)
                load[c] += layout->customers * layout->length[kind] *
                           sums->rate[layout->ports.item[i] * layout->kinds + kind];
    }
}

void amva_wire_waits(const AmvaLayout *layout, const AmvaSums *sums, double *load,
                     double *waits, AmvaGuards *guards) {
    set_loads(layout, sums, load);
    for (uint32_t c = 0; c < layout->channel_orbits; c++) {
        double others = 0;
        for (uint32_t i = layout->others.start[c]; i < layout->others.start[c + 1]; i++)
            others += load[layout->others.item[i]];
        const double left = at_least(1 - others, LEAST_WIRE, &guards->wire);
        waits[c] = (1 - left) / left;
    }
}

/* ---- channels -------------------------------------------------------------------- */

/* Adds the contribution of a kind: shares of time u, o and times a of its flits (A.8 to
 * A.10). */
static void add_kind(const AmvaLayout *layout, unsigned kind, double rate,
                     const double *stay, const double *before, AmvaTraffic *traffic) {
    const unsigned length = layout->length[kind];
    double tail = 0;
    for (unsigned k = length; k-- > 0;) {
        const double u = layout->customers * stay[k], a = stay[k] / rate;
        traffic->held += u * (a / 2 + tail);
        traffic->busy += u;
        if (k + 1 == length) {
            traffic->tail += u * a / 2;
            traffic->last += u;
        }
        tail += a;
    }
    traffic->come += layout->customers * before[0];
    traffic->come_all += layout->customers * before[0] * tail;
}

/* Returns the share of time for which the feeder holds messages, of all kinds, that
 * continue over the edge. */
static double held_before(const AmvaLayout *layout, const AmvaSums *sums,
                          uint32_t edge) {
    double held = 0;
    for (unsigned kind = 0; kind < layout->kinds; kind++) {
        const double *before =
            sums->before + edge * sums->stride + kind * layout->flits;
        for (unsigned k = 0; k < layout->length[kind]; k++)
            held += layout->customers * before[k];
    }
    return held;
}

static void set_traffic(const AmvaLayout *layout, const AmvaSums *sums, uint32_t edge,
                        AmvaTraffic *traffic, AmvaGuards *guards) {
    *traffic = (AmvaTraffic){0};
    for (unsigned kind = 0; kind < layout->kinds; kind++) {
        const size_t at = edge * sums->stride + kind * layout->flits;
        const double rate = sums->rate[edge * layout->kinds + kind];
        if (rate > 0)
            add_kind(layout, kind, rate, sums->stay + at, sums->before + at, traffic);
    }
    traffic->room =
        at_least(1 - (traffic->busy - traffic->last), LEAST_ROOM, &guards->own_worm);
    if (layout->problem.fair)
        return;
    /* A head that comes after an idle feeder, or right after another (5.19). */
    const double idle =
        at_least(1 - held_before(layout, sums, edge), LEAST_IDLE, &guards->idle);
    const double seen = traffic->come + layout->alpha * idle;
    traffic->runs = traffic->come / seen;
    traffic->runs_all = traffic->come_all / seen;
}

/* Returns z: the cycles that successive heads of higher precedence take (5.22). */
static double passing_time(const AmvaRival *rival, const AmvaRival *end,
                           const AmvaTraffic *traffic, AmvaGuards *guards) {
    double free_of_all = 1, time = 0;
    for (; rival < end; rival++)
        if (rival->precedence > 0) {
            free_of_all *= at_least(1 - traffic[rival->edge].runs, LEAST_PASSING,
                                    &guards->passing);
            time += traffic[rival->edge].runs_all;
        }
    return (1 - free_of_all) / free_of_all * time;
}

/* Returns w of a port (A.7; unfair 5.23): a worm of another port holds the channel, or
 * the last flit of one of its own does, or another waiting head goes first. */
static double port_wait(const AmvaLayout *layout, uint32_t edge,
                        const AmvaTraffic *traffic, AmvaGuards *guards) {
    const AmvaRival *first = layout->rival + layout->rival_start[edge];
    const AmvaRival *end = layout->rival + layout->rival_start[edge + 1];
    const bool fair = layout->problem.fair;
    const double z = fair ? 0 : passing_time(first, end, traffic, guards);
    const AmvaTraffic *own = &traffic[edge];
    double wait = (own->tail + own->last * z) / own->room;
    for (const AmvaRival *rival = first; rival < end; rival++) {
        const AmvaTraffic *other = &traffic[rival->edge];
        wait += other->held + other->busy * z;
        if (fair || rival->precedence > 0 ||
            (rival->precedence == 0 && !layout->problem.equal_aside))
            wait += other->come_all + other->come * z;
    }
    return wait;
}

void amva_channel_waits(const AmvaLayout *layout, const AmvaSums *sums,
                        AmvaTraffic *traffic, double *waits, AmvaGuards *guards) {
    for (uint32_t edge = 0; edge < layout->edge_orbits; edge++)
        set_traffic(layout, sums, edge, &traffic[edge], guards);
    for (uint32_t edge = 0; edge < layout->edge_orbits; edge++) {
        waits[edge] = port_wait(layout, edge, traffic, guards);
        if (waits[edge] > MOST_WAIT) {
            waits[edge] = MOST_WAIT;
            guards->wait++;
        }
    }
}
