#include "flow_reference.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1, MOST_MESSAGES = 20000 };

typedef struct {
    uint32_t source, destination, address;
    int flits, sent;
} Message;

typedef struct {
    int owner;                    /* message on its way in */
    int since;                    /* of the head in front */
    int head;                     /* message whose head waits in front */
    uint32_t target;              /* the channel to which the head keeps: commit */
    int taken;                    /* the point taken by the front message, or NOBODY */
    int queue[MOST_MESSAGES / 8]; /* source: messages, first first */
    int queued;
    unsigned turn; /* where to look first: of a channel's feeders, a head's choices */
    bool shut;     /* sink: its gate; channel: its wire is blocked */
    int flit[NET_MAX_PLACES], message[NET_MAX_PLACES], count; /* channel: contents */
} Place;

/* A flit between two channels, and the step at whose end it arrives. */
typedef struct {
    int message, flit, due;
    uint32_t to;
} Flight;

enum { MOST_FLIGHTS = 4096 };

struct FlowReference {
    const NetGraph *graph;
    NetParams params;
    JmRng rng;
    Place *place; /* by point */
    Message *message;
    int messages, points, now;
    int (*turn)[NET_PRIORITIES]; /* by wire */
    Flight flight[MOST_FLIGHTS];
    int flights;
    FlowReferenceMove *moves;
    uint32_t move_count;
    uint64_t blocked;
    uint8_t *wins, *struck, *could; /* by point, in a step */
};

static uint32_t first_source(const FlowReference *r) {
    return r->graph->channels;
}

static uint32_t first_sink(const FlowReference *r) {
    return net_graph_first_sink(r->graph);
}

static bool is_channel(const FlowReference *r, int point) {
    return (uint32_t)point < first_source(r);
}

/* The message whose flit is next to leave a point, or NOBODY. */
static int front(const FlowReference *r, int point) {
    const Place *place = &r->place[point];
    if (is_channel(r, point))
        return place->count ? place->message[0] : NOBODY;
    return place->queued ? place->queue[0] : NOBODY;
}

static int capacity(const FlowReference *r, int point) {
    return (int)net_graph_places(r->graph, &r->params, (uint32_t)point);
}

/* Flits in flight to a channel. */
static int coming(const FlowReference *r, int point) {
    int count = 0;
    for (int i = 0; i < r->flights; i++)
        count += r->flight[i].to == (uint32_t)point;
    return count;
}

static bool is_full(const FlowReference *r, int point) {
    return r->place[point].count + coming(r, point) == capacity(r, point);
}

/* Whether a head may take a point: the previous tail has arrived, or gone again. */
static bool is_free(const FlowReference *r, uint32_t point) {
    return r->place[point].owner == NOBODY && coming(r, (int)point) == 0 &&
           (!r->params.atomic || r->place[point].count == 0);
}

/* ---- heads ----------------------------------------------------------------------- */

static unsigned free_choices(const FlowReference *r, int point, uint32_t *choice) {
    const uint32_t address = r->message[r->place[point].head].address;
    uint32_t all[NET_MAX_CHOICES];
    unsigned open = 0,
             count = net_graph_choices(r->graph, (uint32_t)point, address, all);
    if (r->params.commit) {
        all[0] = r->place[point].target;
        count = 1;
    }
    for (unsigned i = 0; i < count; i++)
        if (is_free(r, all[i]))
            choice[open++] = all[i];
    return open;
}

static int held_on_wire(const FlowReference *r, uint32_t channel) {
    int held = 0;
    for (uint32_t c = 0; c < r->graph->channels; c++)
        held +=
            r->graph->wire[c] == r->graph->wire[channel] && r->place[c].owner != NOBODY;
    return r->graph->wire[channel] == NET_NONE ? 0 : held;
}

static uint32_t select_one(FlowReference *r, const uint32_t *choice, unsigned count) {
    uint32_t best = choice[0];
    if (r->params.select == 3)
        return count > 1 ? choice[jm_rng_below(&r->rng, count)] : best;
    for (unsigned i = 0; r->params.select == 1 && i < count; i++)
        if (held_on_wire(r, choice[i]) == 0)
            return choice[i];
    for (unsigned i = 1; r->params.select == 2 && i < count; i++)
        if (held_on_wire(r, choice[i]) < held_on_wire(r, best))
            best = choice[i];
    return best;
}

static bool compete(const FlowReference *r, const int *heads, int count) {
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            uint32_t of_a[NET_MAX_CHOICES], of_b[NET_MAX_CHOICES];
            const unsigned as = free_choices(r, heads[a], of_a);
            const unsigned bs = free_choices(r, heads[b], of_b);
            for (unsigned i = 0; i < as; i++)
                for (unsigned k = 0; k < bs; k++)
                    if (of_a[i] == of_b[k])
                        return true;
        }
    return false;
}

/* The first free choice from the turn of the point on. */
static uint32_t select_in_turn(FlowReference *r, int point) {
    uint32_t all[NET_MAX_CHOICES];
    const uint32_t address = r->message[r->place[point].head].address;
    const unsigned count = net_graph_choices(r->graph, (uint32_t)point, address, all);
    unsigned at = count > 1 ? r->place[point].turn % count : 0;
    while (!is_free(r, all[at]))
        at = (at + 1) % count;
    if (count > 1)
        r->place[point].turn = at + 1;
    return all[at];
}

/* The channel to which a head keeps from now on: a free one or, if there is none, any.
 * With select=1 it must be idle, its buffer empty, or it is the first of all. */
static uint32_t commit_to(FlowReference *r, int point) {
    uint32_t all[NET_MAX_CHOICES], open[NET_MAX_CHOICES];
    Place *place = &r->place[point];
    const uint32_t address = r->message[place->head].address;
    const unsigned count = net_graph_choices(r->graph, (uint32_t)point, address, all);
    unsigned idle = count, opens = 0;
    for (unsigned i = count; i-- > 0;)
        if (is_free(r, all[i]) && held_on_wire(r, all[i]) == 0 &&
            r->place[all[i]].count + coming(r, (int)all[i]) == 0)
            idle = i;
    for (unsigned i = 0; i < count; i++)
        if (is_free(r, all[i]))
            open[opens++] = all[i];
    if (r->params.select == 1)
        return all[idle % count];
    if (r->params.select == 4 && opens > 0)
        return select_in_turn(r, point);
    if (r->params.select == 4 && count > 1)
        return all[place->turn++ % count];
    return opens ? select_one(r, open, opens) : select_one(r, all, count);
}

/* Records the heads in front, with the cycle since which they are. */
static void note_heads(FlowReference *r) {
    for (int point = 0; point < (int)first_sink(r); point++) {
        Place *place = &r->place[point];
        const int message = place->taken == NOBODY ? front(r, point) : NOBODY;
        const bool comes = message != NOBODY && place->head != message;
        place->head = message;
        if (!comes)
            continue;
        place->since = r->now;
        if (r->params.commit)
            place->target = commit_to(r, point);
    }
}

/* Serves heads of one age with a channel to take, by number; equals are drawn. */
static void serve_age(FlowReference *r, int since) {
    int heads[512], count = 0;
    uint32_t choice[NET_MAX_CHOICES];
    for (int point = 0; point < (int)first_sink(r); point++)
        if (r->place[point].head != NOBODY && r->place[point].since == since &&
            r->place[point].taken == NOBODY &&
            ((r->graph->choices && !r->params.commit) ||
             free_choices(r, point, choice)))
            heads[count++] = point;
    if (count > 1 && compete(r, heads, count))
        for (int i = count; i > 1; i--) {
            const int other = (int)jm_rng_below(&r->rng, (uint32_t)i);
            const int last = heads[i - 1];
            heads[i - 1] = heads[other];
            heads[other] = last;
        }
    for (int i = 0; i < count; i++) {
        const unsigned open = free_choices(r, heads[i], choice);
        if (open == 0)
            continue;
        const uint32_t taken = r->params.commit        ? choice[0]
                               : r->params.select == 4 ? select_in_turn(r, heads[i])
                                                       : select_one(r, choice, open);
        r->place[heads[i]].taken = (int)taken;
        r->place[taken].owner = r->place[heads[i]].head;
    }
}

/* Each free channel asks its feeders, starting after the last one served. */
static void serve_in_turns(FlowReference *r) {
    const NetGraph *graph = r->graph;
    for (int t = 0; t < r->points; t++) {
        const uint32_t start = graph->feeder_start[t];
        const unsigned count = graph->feeder_start[t + 1] - start;
        Place *to = &r->place[t];
        for (unsigned k = 0; k < count && is_free(r, (uint32_t)t); k++) {
            const unsigned at = (to->turn + k) % count;
            Place *from = &r->place[graph->feeders[start + at]];
            uint32_t choice[NET_MAX_CHOICES];
            if (from->head == NOBODY || from->taken != NOBODY ||
                !free_choices(r, (int)graph->feeders[start + at], choice) ||
                choice[0] != (uint32_t)t)
                continue;
            from->taken = t;
            to->owner = from->head;
            to->turn = at + 1;
        }
    }
}

static void take_channels(FlowReference *r) {
    note_heads(r);
    if (r->params.heads == 2) {
        serve_in_turns(r);
        return;
    }
    for (int since = 0; since <= r->now; since++) {
        bool any = false;
        for (int point = 0; point < (int)first_sink(r) && !any; point++)
            any = r->place[point].head != NOBODY && r->place[point].since == since;
        if (any)
            serve_age(r, since);
    }
}

/* ---- flits ----------------------------------------------------------------------- */

/* Whether the front flit of a point could move if it had its wire: recursive. */
static bool could(const FlowReference *r, int point) {
    const int next = r->place[point].taken;
    if (front(r, point) == NOBODY || next == NOBODY || r->place[point].shut)
        return false;
    if ((uint32_t)next >= first_sink(r))
        return !r->place[next].shut;
    if (!is_full(r, next))
        return true;
    return r->params.through && could(r, next);
}

static bool shares(const FlowReference *r, int a, int b) {
    return a == b ||
           (is_channel(r, a) && is_channel(r, b) && r->graph->wire[a] != NET_NONE &&
            r->graph->wire[a] == r->graph->wire[b]);
}

static bool has_winner(const FlowReference *r, int point) {
    for (int other = 0; other < (int)first_sink(r); other++)
        if (r->wins[other] && shares(r, other, point))
            return true;
    return false;
}

/* How far a lane is behind the turn of its wire. */
static int behind_turn(const FlowReference *r, int point) {
    const uint32_t wire = is_channel(r, point) ? r->graph->wire[point] : NET_NONE;
    if (wire == NET_NONE)
        return 0;
    const int lane = (int)net_graph_lane(r->graph, (uint32_t)point);
    const unsigned priority = r->graph->label[point].priority;
    return (lane - r->turn[wire][priority] + NET_MAX_LANES) % NET_MAX_LANES;
}

/* Whether `a` has the wire they share before `b`. */
static bool goes_before(const FlowReference *r, int a, int b) {
    const unsigned of_a = r->graph->label[a].priority,
                   of_b = r->graph->label[b].priority;
    return of_a != of_b ? of_a > of_b : behind_turn(r, a) < behind_turn(r, b);
}

static bool is_first(const FlowReference *r, int point) {
    for (int other = 0; other < (int)first_sink(r); other++)
        if (other != point && shares(r, other, point) && r->could[other] &&
            !r->struck[other] && goes_before(r, other, point))
            return false;
    return true;
}

/* Each wire without a winner chooses; returns whether any did. */
static bool pick(FlowReference *r) {
    uint8_t *chosen = calloc((size_t)r->points, 1);
    bool any = false;
    for (int point = 0; point < (int)first_sink(r); point++)
        chosen[point] = r->could[point] && !r->struck[point] && !has_winner(r, point) &&
                        is_first(r, point);
    for (int point = 0; point < (int)first_sink(r); point++) {
        r->wins[point] |= chosen[point];
        any = any || chosen[point];
    }
    free(chosen);
    return any;
}

static void strike(FlowReference *r) {
    for (bool again = true; again;) {
        again = false;
        for (int point = 0; point < (int)first_sink(r); point++) {
            const int next = r->place[point].taken;
            if (!r->wins[point] || (uint32_t)next >= first_sink(r) ||
                !is_full(r, next) || r->wins[next])
                continue;
            r->wins[point] = 0;
            r->struck[point] = 1;
            again = true;
        }
    }
}

static void choose(FlowReference *r) {
    for (int point = 0; point < (int)first_sink(r); point++) {
        r->could[point] = could(r, point);
        r->wins[point] = r->struck[point] = 0;
    }
    while (pick(r))
        strike(r);
}

static void take_out(FlowReference *r, int point) {
    Place *place = &r->place[point];
    const int next = place->taken, message = front(r, point);
    int flit;
    if (is_channel(r, point)) {
        flit = place->flit[0];
        place->count--;
        memmove(place->flit, place->flit + 1, sizeof place->flit - sizeof(int));
        memmove(place->message, place->message + 1,
                sizeof place->message - sizeof(int));
    } else {
        flit = r->message[message].sent++;
    }
    r->moves[r->move_count++] = (FlowReferenceMove){
        .message = (uint32_t)message,
        .flit = (uint32_t)flit,
        .from = (uint32_t)point,
        .to = (uint32_t)next,
    };
}

static void put_in(FlowReference *r, const FlowReferenceMove *move) {
    Place *from = &r->place[move->from], *to = &r->place[move->to];
    const bool tail = (int)move->flit + 1 == r->message[move->message].flits;
    const uint32_t wire =
        move->from < first_source(r) ? r->graph->wire[move->from] : NET_NONE;
    const int delay = r->graph->delay && wire != NET_NONE ? r->graph->delay[wire] : 0;
    if (delay) {
        if (r->flights == MOST_FLIGHTS)
            abort();
        r->flight[r->flights++] = (Flight){.message = (int)move->message,
                                           .flit = (int)move->flit,
                                           .due = r->now + delay,
                                           .to = move->to};
    } else if (move->to < first_source(r)) {
        to->flit[to->count] = (int)move->flit;
        to->message[to->count++] = (int)move->message;
    }
    if (!tail)
        return;
    from->taken = NOBODY;
    to->owner = NOBODY;
    if (move->from < first_source(r))
        return;
    from->queued--;
    memmove(from->queue, from->queue + 1, (size_t)from->queued * sizeof(int));
}

/* Lands the flits that arrive in this step; those of a channel in order. */
static void land(FlowReference *r) {
    int kept = 0;
    for (int i = 0; i < r->flights; i++) {
        const Flight flight = r->flight[i];
        if (flight.due > r->now) {
            r->flight[kept++] = flight;
            continue;
        }
        Place *to = &r->place[flight.to];
        to->flit[to->count] = flight.flit;
        to->message[to->count++] = flight.message;
    }
    r->flights = kept;
}

void flow_reference_step(FlowReference *r) {
    take_channels(r);
    choose(r);
    r->move_count = 0;
    for (int point = 0; point < (int)first_sink(r); point++) {
        r->blocked += is_channel(r, point) && r->place[point].count && !r->wins[point];
        if (r->wins[point])
            take_out(r, point);
    }
    for (uint32_t i = 0; i < r->move_count; i++) {
        const uint32_t from = r->moves[i].from;
        put_in(r, &r->moves[i]);
        if (from < first_source(r) && r->graph->wire[from] != NET_NONE)
            r->turn[r->graph->wire[from]][r->graph->label[from].priority] =
                ((int)net_graph_lane(r->graph, from) + 1) % NET_MAX_LANES;
        /* A departing head and one of the same message cannot be confused, but the next
         * message of a point may come to the front in this cycle. */
        r->place[from].head = NOBODY;
    }
    land(r);
    r->now++;
}

/* ---- the rest -------------------------------------------------------------------- */

FlowReference *flow_reference_create(const NetGraph *graph, const NetParams *params,
                                     uint64_t draws) {
    FlowReference *r = calloc(1, sizeof *r);
    r->graph = graph;
    r->params = *params;
    r->rng = jm_rng(draws);
    r->points = (int)net_graph_points(graph);
    r->place = calloc((size_t)r->points, sizeof *r->place);
    r->message = calloc(MOST_MESSAGES, sizeof *r->message);
    r->turn = calloc(graph->wires + 1, sizeof *r->turn);
    r->moves = calloc((size_t)r->points, sizeof *r->moves);
    r->wins = calloc((size_t)r->points, 1);
    r->struck = calloc((size_t)r->points, 1);
    r->could = calloc((size_t)r->points, 1);
    for (int point = 0; point < r->points; point++)
        r->place[point].owner = r->place[point].head = r->place[point].taken = NOBODY;
    return r;
}

void flow_reference_destroy(FlowReference *r) {
    free(r->place);
    free(r->message);
    free(r->turn);
    free(r->moves);
    free(r->wins);
    free(r->struck);
    free(r->could);
    free(r);
}

uint32_t flow_reference_send(FlowReference *r, uint32_t source, unsigned priority,
                             uint32_t destination, uint32_t draw, unsigned flits) {
    Place *place = &r->place[net_graph_source(r->graph, source, priority)];
    if (r->messages == MOST_MESSAGES || place->queued == MOST_MESSAGES / 8)
        abort();
    r->message[r->messages] = (Message){
        .source = source,
        .destination = destination,
        .address = net_graph_address(r->graph, source, destination, draw),
        .flits = (int)flits,
    };
    place->queue[place->queued++] = r->messages;
    return (uint32_t)r->messages++;
}

void flow_reference_set_gate(FlowReference *r, uint32_t terminal, unsigned priority,
                             bool open) {
    r->place[net_graph_sink(r->graph, terminal, priority)].shut = !open;
}

void flow_reference_block(FlowReference *r, uint32_t wire, bool blocked) {
    for (uint32_t c = 0; c < r->graph->channels; c++)
        if (r->graph->wire[c] == wire)
            r->place[c].shut = blocked;
}

uint64_t flow_reference_blocked(const FlowReference *r) {
    return r->blocked;
}

const FlowReferenceMove *flow_reference_moves(const FlowReference *r, uint32_t *count) {
    *count = r->move_count;
    return r->moves;
}
