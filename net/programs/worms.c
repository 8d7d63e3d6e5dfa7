/* Runs programs by worms: events concern heads, and the cycles of tails follow
 * (times.c). A worm takes two events per channel, however long it is. Within a cycle,
 * nodes first learn what happened in the previous cycle; then heads come to the front;
 * then free channels choose among them. */
#include "net/programs/worms.h"

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

void worm_head_enters(Worms *worms, uint64_t number, uint64_t cycle) {
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

void worm_tail_enters(Worms *worms, uint64_t number, uint32_t place, uint64_t cycle) {
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

void replay_worms(Heap *heap, void *context) {
    Replay *run = context;
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
    run->good = go(&worms);
    if (run->good)
        write_figures(&worms);
    else
        net_players_explain(worms.players, run->error);
}
