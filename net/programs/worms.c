/* The engine "worms": runs programs by events of heads and tails alone, and skips the
 * flits between (Pimentel and Hertzberger, section 3.1). A worm takes two events per
 * channel, however long it is: the cycles of tails follow from those of heads. Within a
 * cycle, nodes first learn what happened in the previous cycle; then heads come to the
 * front; then free channels choose among them.
 *
 * A worm is a packet in flight. Its step j is its j-th channel; the last is the sink. A
 * worm that has ended is kept until all worms are younger than its end: until then the
 * flits of others may have had to wait for its own. */
#include "net/programs/engines.h"
#include "net/programs/keys_inline.h"

#define WORM_NEVER UINT64_MAX /* a cycle that is not known yet */

typedef struct {
    uint32_t point;      /* channel or sink */
    uint32_t step_ahead; /* of the worm ahead: its step at this channel */
    uint64_t ahead;      /* the worm that took the channel before; NEVER: none */
    uint64_t behind;     /* the worm that took it next and has entered; NEVER */
    /* Counting all flits through the channel: number of the first. */
    uint64_t first;
    uint64_t head; /* the cycle in which the head enters it */
    uint64_t tail; /* the same of the tail */
} WormStep;

/* The subject of a question: the cycle in which a flit enters the channel of a step. */
typedef enum { ASK_ROOM, ASK_TAIL } WormAsk;

/* A question that waits for a head to move on. */
typedef struct {
    uint64_t worm; /* the asking worm */
    uint32_t step; /* its step */
    WormAsk ask;
    uint64_t at;               /* the worm that the chain of steps has come to */
    uint32_t at_step, at_flit; /* its step and flit */
    uint64_t best;             /* lower bound on the answer so far */
    uint32_t next;             /* of the questions waiting for the same worm */
} WormQuestion;

typedef struct {
    NetPacket packet;
    uint32_t address;
    uint64_t start, end;  /* when it came to the front of its source; its tail's end */
    uint64_t since;       /* when its head came to the front of its channel */
    uint64_t next;        /* of the worms waiting for the same channel */
    uint64_t follower;    /* the next worm of its source; NEVER: none yet */
    uint32_t steps, size; /* known; allocated */
    uint32_t tails;       /* leading steps whose tail is known or asked about */
    uint32_t questions;   /* waiting for its head to move on; NET_NONE */
    WormStep *step;
} Worm;

typedef struct {
    uint64_t flits; /* of all worms that took it */
    uint64_t last;  /* the worm that last took it */
    uint32_t last_step;
    uint64_t free_at; /* the first cycle it can be taken; NEVER: unknown */
    uint64_t waiting, last_waiting; /* worms that want it, by `since`; NEVER: none */
    uint64_t decides;               /* the cycle of its last event */
} WormChannel;

typedef struct {
    uint64_t first, last;       /* worms in its source; NEVER: none */
    uint64_t free_at;           /* the first cycle its first worm may be in front */
    uint64_t leaving, arriving; /* the subjects of its next events */
} WormNode;

typedef struct {
    Replay *run;
    Heap *heap;
    NetPlayers *players;
    const NetGraph *graph;
    /* Heads of one cycle: by the number of their points, otherwise random. */
    bool by_number;
    JmRng rng;
    uint64_t now;
    Worm *worms;                   /* a ring by number */
    uint64_t oldest, young, count; /* the oldest kept, the oldest alive, the next one */
    uint32_t mask;
    WormChannel *channel; /* channels and sinks, by point */
    uint64_t *front;      /* by point: the worm whose head is coming to its front */
    WormNode *node;
    WormQuestion *questions;
    uint32_t question_count, free_question;
    size_t question_room;
    Keys events;
    double total, effective; /* cycles that heads of data waited */
} Worms;

static inline Worm *worm_of(const Worms *worms, uint64_t number) {
    return &worms->worms[number & worms->mask];
}

/* Whether a worm is kept. */
static inline bool worm_is_kept(const Worms *worms, uint64_t number) {
    return number != WORM_NEVER && number >= worms->oldest;
}

/* Places of a channel; more than any packet if packets are stored. */
static inline uint32_t worm_places(const Worms *worms, uint32_t channel) {
    enum { STORED = 1 << 20 };
    return worms->run->replay->stored
               ? STORED
               : net_graph_places(worms->graph, worms->run->replay->params, channel);
}

static void worm_head_enters(Worms *worms, uint64_t number, uint64_t cycle);
static void worm_tail_enters(Worms *worms, uint64_t number, uint32_t step,
                             uint64_t cycle);

/* ---- which networks, and which channel ------------------------------------------- */

/* Whether the last flit that entered a channel has left it. Its cycle is known if it
 * was before this one, since everything it depends on was. */
static bool is_empty(const Worms *worms, const WormChannel *channel) {
    if (!worm_is_kept(worms, channel->last))
        return true;
    const Worm *last = worm_of(worms, channel->last);
    const uint32_t beyond = channel->last_step + 1;
    return beyond < last->steps && last->step[beyond].tail < worms->now;
}

/* A free channel, also idle as wires have no lanes, with an empty buffer. */
static bool is_idle(const Worms *worms, uint32_t number) {
    const WormChannel *channel = &worms->channel[number];
    return number >= worms->graph->channels ||
           (channel->free_at <= worms->now && is_empty(worms, channel));
}

/* The first idle choice, otherwise the first. */
static uint32_t worm_way(const Worms *worms, const Worm *worm, uint32_t point) {
    uint32_t choice[NET_MAX_CHOICES];
    const unsigned count =
        net_graph_choices(worms->graph, point, worm->address, choice);
    for (unsigned i = 0; i < count; i++)
        if (is_idle(worms, choice[i]))
            return choice[i];
    return choice[0];
}

static bool has_own_wires(const NetGraph *graph, JmError *error) {
    uint32_t sharing = 0;
    for (uint32_t c = 0; c < graph->channels; c++)
        sharing += graph->wire[c] != NET_NONE;
    return sharing == graph->wires ||
           jm_fail(error, NULL, "its %u wires are shared by %u channels", graph->wires,
                   sharing);
}

bool replay_worms_run(const NetGraph *graph, const NetParams *params, JmError *error) {
    enum { FIRST_COME = 1, IDLE_WIRE = 1 };
    if (!params->through || params->heads != FIRST_COME)
        return jm_fail(error, NULL, "it needs through=1 and heads=1");
    if (params->atomic)
        return jm_fail(error, NULL, "it does not support atomic=1");
    if (graph->choices && (!params->commit || params->select > IDLE_WIRE))
        return jm_fail(error, NULL, "where heads choose it needs commit=1, select=1");
    if (graph->terminal || (graph->processor && graph->processors != graph->nodes))
        return jm_fail(error, NULL, "it needs one terminal for a processor");
    if (graph->copies > 1)
        return jm_fail(error, NULL, "it has no virtual channels");
    if (graph->delay)
        return jm_fail(error, NULL, "it has no wires of several cycles");
    return has_own_wires(graph, error);
}

/* ---- when flits enter channels --------------------------------------------------- */

/* Computes when flits enter channels. With H(j) the cycle in which a worm's head enters
 * its j-th channel, and B its places, flit k enters in cycle
 *
 *     E(j,k) = max( H(j) + k,                        a flit a cycle
 *                   E(j+1, k - B)   if k >= B,       when flit k - B frees its place
 *                   E of the flit B before it, if that belongs to a worm ahead )
 *
 * That flits come no faster than from the previous channel adds nothing: the head came
 * that way too, and waits only make a worm denser. If k >= B a worm ahead adds nothing
 * either, as this one's head has moved on behind its tail. So a question is a chain of
 * steps, each of which needs a head's cycle; if that is not known yet, the question
 * waits for that worm. */

/* Moves to the flit `back` flits before the first of a worm in the channel of a step,
 * and on to where that flit goes next. False if it does not matter: there was none, or
 * it left long ago. */
static bool go_ahead(const Worms *worms, WormQuestion *q, uint64_t number) {
    const WormStep *step = &worm_of(worms, q->at)->step[q->at_step];
    while (worm_is_kept(worms, step->ahead)) {
        const WormStep *ahead = &worm_of(worms, step->ahead)->step[step->step_ahead];
        if (number >= ahead->first) {
            q->at = step->ahead;
            q->at_step = step->step_ahead + 1;
            q->at_flit = (uint32_t)(number - ahead->first);
            return true;
        }
        step = ahead;
    }
    return false;
}

/* Moves from flit `at_flit` entering `at_step` to the flit whose place it needs. */
static bool go_to_place(const Worms *worms, WormQuestion *q) {
    const WormStep *step = &worm_of(worms, q->at)->step[q->at_step];
    if (step->point >= worms->graph->channels)
        return false;
    const uint32_t places = worm_places(worms, step->point);
    if (q->at_flit >= places) {
        q->at_flit -= places;
        q->at_step++;
        return true;
    }
    return step->first + q->at_flit >= places &&
           go_ahead(worms, q, step->first + q->at_flit - places);
}

/* Follows the chain. True if the answer is known: `best`. */
static bool follow(const Worms *worms, WormQuestion *q) {
    do {
        const Worm *worm = worm_of(worms, q->at);
        if (q->at_step >= worm->steps || worm->step[q->at_step].head == WORM_NEVER)
            return false;
        const uint64_t head = worm->step[q->at_step].head + q->at_flit;
        if (head > q->best)
            q->best = head;
        if (worm->end <= q->best)
            return true; /* all of it has left before */
    } while (go_to_place(worms, q));
    return true;
}

static void keep(Worms *worms, const WormQuestion *q) {
    uint32_t place = worms->free_question;
    if (place != NET_NONE) {
        worms->free_question = worms->questions[place].next;
    } else {
        worms->questions =
            heap_grow(worms->heap, worms->questions, worms->question_count,
                      &worms->question_room, sizeof *worms->questions);
        place = worms->question_count++;
    }
    Worm *worm = worm_of(worms, q->at);
    worms->questions[place] = *q;
    worms->questions[place].next = worm->questions;
    worm->questions = place;
}

static void work_on(Worms *worms, WormQuestion *q) {
    if (!follow(worms, q))
        keep(worms, q);
    else if (q->ask == ASK_ROOM)
        worm_head_enters(worms, q->worm, q->best);
    else
        worm_tail_enters(worms, q->worm, q->step, q->best);
}

/* Asks for the first cycle, not before `from`, with room for the head of a worm that
 * has taken its last step. The answer may come later. */
static void worm_ask_room(Worms *worms, uint64_t number, uint64_t from) {
    const Worm *worm = worm_of(worms, number);
    const WormStep *step = &worm->step[worm->steps - 1];
    WormQuestion q = {.worm = number,
                      .step = worm->steps - 1,
                      .ask = ASK_ROOM,
                      .at = number,
                      .at_step = worm->steps - 1,
                      .best = from};
    const bool full =
        step->point < worms->graph->channels &&
        step->first >= worm_places(worms, step->point) &&
        go_ahead(worms, &q, step->first - worm_places(worms, step->point));
    if (full)
        work_on(worms, &q);
    else
        worm_head_enters(worms, number, from);
}

/* Asks for the cycles in which a worm's tail enters the steps whose heads are known. A
 * tail's cycle depends on the head at each step that its worm then covers, so it is
 * asked for only once the known steps cover the worm or reach the sink. */
static void worm_ask_tails(Worms *worms, uint64_t number) {
    Worm *worm = worm_of(worms, number);
    const uint32_t last = worm->packet.flits - 1;
    while (worm->tails < worm->steps) {
        uint32_t covered = 0, step = worm->tails;
        for (; covered <= last && step < worm->steps; step++) {
            if (worm->step[step].point >= worms->graph->channels)
                break;
            covered += worm_places(worms, worm->step[step].point);
        }
        if (step == worm->steps && covered <= last)
            return;
        WormQuestion q = {.worm = number,
                          .step = worm->tails,
                          .ask = ASK_TAIL,
                          .at = number,
                          .at_step = worm->tails,
                          .at_flit = last};
        worm->tails++;
        work_on(worms, &q);
    }
}

/* Answers the questions that waited for the head of a worm to move on. */
static void worm_answer(Worms *worms, uint64_t number) {
    uint32_t next = worm_of(worms, number)->questions;
    worm_of(worms, number)->questions = NET_NONE;
    while (next != NET_NONE) {
        WormQuestion q = worms->questions[next];
        const uint32_t place = next;
        next = q.next;
        worms->questions[place].next = worms->free_question;
        worms->free_question = place;
        work_on(worms, &q);
    }
}

/* ---- events ---------------------------------------------------------------------- */

enum { SAY_LEFT, SAY_ARRIVED, COME, DECIDE, SORT_SHIFT = 21 };

static void add_event(Worms *worms, uint64_t cycle, unsigned sort, uint32_t number) {
    keys_add(worms->heap, &worms->events, key_of(cycle, sort << SORT_SHIFT | number));
}

/* ---- channels -------------------------------------------------------------------- */

static void decide_later(Worms *worms, uint32_t number) {
    WormChannel *channel = &worms->channel[number];
    if (channel->free_at == WORM_NEVER || channel->waiting == WORM_NEVER)
        return;
    const uint64_t cycle =
        channel->free_at > worms->now ? channel->free_at : worms->now;
    if (channel->decides == cycle)
        return;
    channel->decides = cycle;
    add_event(worms, cycle, DECIDE, number);
}

static void wait_for(Worms *worms, uint32_t number, uint64_t worm) {
    WormChannel *channel = &worms->channel[number];
    worm_of(worms, worm)->next = WORM_NEVER;
    if (channel->waiting == WORM_NEVER)
        channel->waiting = worm;
    else
        worm_of(worms, channel->last_waiting)->next = worm;
    channel->last_waiting = worm;
}

/* Removes one of the longest-waiting worms from the list. */
static uint64_t next_served(Worms *worms, WormChannel *channel) {
    const uint64_t first = channel->waiting;
    const uint64_t since = worm_of(worms, first)->since;
    uint32_t equals = 0, place = 0;
    for (uint64_t i = first; i != WORM_NEVER && worm_of(worms, i)->since == since;
         i = worm_of(worms, i)->next)
        equals++;
    if (equals > 1 && !worms->by_number)
        place = jm_rng_below(&worms->rng, equals);
    uint64_t before = WORM_NEVER, served = first;
    for (; place > 0; place--) {
        before = served;
        served = worm_of(worms, served)->next;
    }
    const uint64_t next = worm_of(worms, served)->next;
    if (before == WORM_NEVER)
        channel->waiting = next;
    else
        worm_of(worms, before)->next = next;
    if (channel->last_waiting == served)
        channel->last_waiting = before;
    return served;
}

/* ---- heads ----------------------------------------------------------------------- */

static void take(Worms *worms, uint64_t number, uint32_t point) {
    Worm *worm = worm_of(worms, number);
    WormChannel *channel = &worms->channel[point];
    if (worm->steps == worm->size) {
        worm->size = worm->size ? 2 * worm->size : 12;
        worm->step =
            heap_resize(worms->heap, worm->step, worm->size * sizeof *worm->step);
    }
    worm->step[worm->steps++] = (WormStep){.point = point,
                                           .ahead = channel->last,
                                           .step_ahead = channel->last_step,
                                           .behind = WORM_NEVER,
                                           .first = channel->flits,
                                           .head = WORM_NEVER,
                                           .tail = WORM_NEVER};
    channel->flits += worm->packet.flits;
    channel->last = number;
    channel->last_step = worm->steps - 1;
    channel->free_at = WORM_NEVER;
    worm_ask_room(worms, number, worms->now);
}

static void decide(Worms *worms, uint32_t number) {
    WormChannel *channel = &worms->channel[number];
    if (channel->waiting == WORM_NEVER || channel->free_at > worms->now)
        return;
    const uint64_t served = next_served(worms, channel);
    const Worm *worm = worm_of(worms, served);
    const uint64_t waited = worms->now - worm->since;
    if (worms->run->channel)
        worms->run->channel[number].effective += waited;
    if (worm->packet.data)
        worms->effective += (double)waited;
    take(worms, served, number);
}

/* Handles a worm's head coming to the front of a point. */
static void come(Worms *worms, uint32_t point) {
    const uint64_t number = worms->front[point];
    Worm *worm = worm_of(worms, number);
    worm->since = worms->now;
    const uint32_t way = worm_way(worms, worm, point);
    if (way >= worms->graph->channels) {
        take(worms, number, way);
        return;
    }
    wait_for(worms, way, number);
    decide_later(worms, way);
}

static void come_at(Worms *worms, uint32_t point, uint64_t number, uint64_t cycle) {
    worms->front[point] = number;
    add_event(worms, cycle, COME, point);
}

/* When the head comes to the front of its channel: at the earliest the cycle after it
 * entered, or after the tail ahead of it left. */
static void come_behind(Worms *worms, uint64_t number, uint64_t tail_ahead) {
    const Worm *worm = worm_of(worms, number);
    const WormStep *step = &worm->step[worm->steps - 1];
    uint64_t cycle = step->head;
    if (worms->run->replay->stored)
        cycle += worm->packet.flits - 1;
    come_at(worms, step->point, number, (cycle > tail_ahead ? cycle : tail_ahead) + 1);
}

static void find_front(Worms *worms, uint64_t number) {
    const WormStep *step =
        &worm_of(worms, number)->step[worm_of(worms, number)->steps - 1];
    if (!worm_is_kept(worms, step->ahead)) {
        come_behind(worms, number, 0);
        return;
    }
    Worm *ahead = worm_of(worms, step->ahead);
    const uint32_t beyond = step->step_ahead + 1;
    if (beyond < ahead->steps && ahead->step[beyond].tail != WORM_NEVER)
        come_behind(worms, number, ahead->step[beyond].tail);
    else
        ahead->step[step->step_ahead].behind = number;
}

static void note_wait(Worms *worms, const Worm *worm) {
    const WormStep *step = &worm->step[worm->steps - 1];
    if (step->point >= worms->graph->channels)
        return;
    const uint64_t came = worm->steps > 1 ? step[-1].head + 1 : worm->start;
    if (worms->run->channel) {
        worms->run->channel[step->point].total += step->head - came;
        worms->run->channel[step->point].packets++;
    }
    if (worm->packet.data)
        worms->total += (double)(step->head - came);
}

static void worm_head_enters(Worms *worms, uint64_t number, uint64_t cycle) {
    Worm *worm = worm_of(worms, number);
    WormStep *step = &worm->step[worm->steps - 1];
    step->head = cycle;
    note_wait(worms, worm);
    if (step->point < worms->graph->channels)
        find_front(worms, number);
    worm_answer(worms, number);
    worm_ask_tails(worms, number);
}

/* ---- tails ----------------------------------------------------------------------- */

static void leave_source(Worms *worms, uint64_t number, uint64_t cycle) {
    const Worm *worm = worm_of(worms, number);
    const uint32_t from = worm->packet.from;
    WormNode *node = &worms->node[from];
    if (worm->packet.data) {
        node->leaving = number;
        add_event(worms, cycle + 1, SAY_LEFT, from);
    }
    node->free_at = cycle + 1;
    node->first = worm->follower;
    if (node->first == WORM_NEVER)
        return;
    const uint64_t start = worm_of(worms, node->first)->start;
    come_at(worms, net_graph_source(worms->graph, from, 0), node->first,
            start > node->free_at ? start : node->free_at);
}

static void worm_tail_enters(Worms *worms, uint64_t number, uint32_t place,
                             uint64_t cycle) {
    Worm *worm = worm_of(worms, number);
    WormStep *step = &worm->step[place];
    step->tail = cycle;
    if (place == 0)
        leave_source(worms, number, cycle);
    else if (step[-1].behind != WORM_NEVER)
        come_behind(worms, step[-1].behind, cycle);
    worms->channel[step->point].free_at = cycle + 1;
    if (step->point < worms->graph->channels) {
        decide_later(worms, step->point);
        return;
    }
    worm->end = cycle;
    worms->node[worm->packet.to].arriving = number;
    add_event(worms, cycle + 1, SAY_ARRIVED, worm->packet.to);
}

/* ---- packets --------------------------------------------------------------------- */

/* Discards worms that ended before any worm in flight started. */
static void forget(Worms *worms) {
    while (worms->young < worms->count &&
           worm_of(worms, worms->young)->end < worms->now)
        worms->young++;
    const uint64_t start =
        worms->young < worms->count ? worm_of(worms, worms->young)->start : worms->now;
    while (worms->oldest < worms->young && worm_of(worms, worms->oldest)->end < start)
        worms->oldest++;
}

static void grow(Worms *worms) {
    const uint32_t size = worms->worms ? 2 * (worms->mask + 1) : 256;
    Worm *grown = heap_alloc(worms->heap, size * sizeof *grown);
    for (uint64_t i = worms->oldest; i < worms->count; i++)
        grown[i & (size - 1)] = *worm_of(worms, i);
    heap_free(worms->worms);
    worms->worms = grown;
    worms->mask = size - 1;
}

/* Allocates a worm; the memory of its steps stays with its slot in the ring. */
static Worm *new_worm(Worms *worms) {
    forget(worms);
    if (!worms->worms || worms->count - worms->oldest > worms->mask)
        grow(worms);
    return worm_of(worms, worms->count++);
}

static void take_over(void *network, const NetPacket *packet, uint64_t now) {
    Worms *worms = network;
    WormNode *node = &worms->node[packet->from];
    worms->now = now;
    Worm *worm = new_worm(worms);
    const uint64_t number = worms->count - 1;
    *worm = (Worm){.packet = *packet,
                   .address = net_graph_address(worms->graph, packet->from, packet->to,
                                                packet->draw),
                   .start = now + 1,
                   .end = WORM_NEVER,
                   .follower = WORM_NEVER,
                   .size = worm->size,
                   .step = worm->step,
                   .questions = NET_NONE};
    if (node->first != WORM_NEVER)
        worm_of(worms, node->last)->follower = number;
    node->last = number;
    if (node->first != WORM_NEVER)
        return;
    node->first = number;
    come_at(worms, net_graph_source(worms->graph, packet->from, 0), number,
            now + 1 > node->free_at ? now + 1 : node->free_at);
}

/* ---- the run --------------------------------------------------------------------- */

/* Processes all events of this cycle before those of kind `end`. */
static void do_events(Worms *worms, unsigned end) {
    const uint64_t limit = key_of(worms->now, end << SORT_SHIFT);
    while (worms->events.count > 0 && worms->events.key[0] < limit) {
        const uint32_t event = key_number(keys_take(&worms->events));
        const uint32_t number = event & ((1u << SORT_SHIFT) - 1);
        switch (event >> SORT_SHIFT) {
        case SAY_LEFT:
            net_players_left(worms->players, number, worms->now);
            break;
        case SAY_ARRIVED: {
            const NetPacket packet =
                worm_of(worms, worms->node[number].arriving)->packet;
            net_players_arrived(worms->players, &packet, worms->now);
            break;
        }
        case COME:
            come(worms, number);
            break;
        default:
            decide(worms, number);
        }
    }
}

static uint64_t next_cycle(const Worms *worms) {
    const uint64_t event = keys_first_time(&worms->events);
    const uint64_t due = net_players_due(worms->players);
    return event < due ? event : due;
}

/* Runs to the end of the programs or to the cycle limit; false if all nodes wait. */
static bool go(Worms *worms) {
    while (!net_players_done(worms->players)) {
        const uint64_t next = next_cycle(worms);
        if (next == WORM_NEVER)
            return false;
        if (next >= worms->run->replay->most_cycles)
            return true;
        worms->now = next;
        do_events(worms, COME);
        net_players_run(worms->players, next);
        if (!net_players_done(worms->players))
            do_events(worms, DECIDE + 1);
    }
    return true;
}

static void write_figures(const Worms *worms) {
    NetReplayFigures *figures = worms->run->figures;
    net_players_measure(worms->players, figures);
    const double packets = figures->packets ? (double)figures->packets : 1;
    figures->engine = "worms";
    figures->blocking_total = worms->total / packets;
    figures->blocking_effective = worms->effective / packets;
}

static void create(Worms *worms) {
    const NetGraph *graph = worms->graph;
    const uint32_t points = net_graph_points(graph);
    worms->channel = heap_alloc(worms->heap, points * sizeof *worms->channel);
    worms->front = heap_alloc(worms->heap, points * sizeof *worms->front);
    worms->node = heap_alloc(worms->heap, graph->nodes * sizeof *worms->node);
    for (uint32_t point = 0; point < points; point++)
        worms->channel[point] = (WormChannel){
            .last = WORM_NEVER, .waiting = WORM_NEVER, .decides = WORM_NEVER};
    for (uint32_t node = 0; node < graph->nodes; node++)
        worms->node[node] = (WormNode){.first = WORM_NEVER};
}

bool replay_worms(Heap *heap, Replay *run) {
    Worms worms = {
        .run = run,
        .heap = heap,
        .graph = run->graph,
        .by_number = run->replay->params->ties,
        .rng = jm_rng(jm_rng_mix(run->replay->seed, 1)),
        .free_question = NET_NONE,
    };
    create(&worms);
    run->plan.network = &worms;
    run->plan.hand_over = take_over;
    worms.players = net_players_create(heap, &run->plan);
    net_players_start(worms.players);
    const bool good = go(&worms);
    if (good)
        write_figures(&worms);
    else
        net_players_explain(worms.players, run->error);
    return good;
}
