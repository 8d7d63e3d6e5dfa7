#include "reference.h"

#include <stdlib.h>
#include <string.h>

enum {
    P = 0,
    N = 1,
    R = 2,
    PER_PRIORITY = 9,
    PER_NODE = 18,
    NOBODY = -1,
    EJECT = -2,
    NOWHERE = -3,
    MAX_FLITS = 8
};

typedef struct {
    int message, index; /* message: its serial number */
} Flit;

typedef struct {
    int count, owner; /* owner: message that is coming in */
    int turn;         /* fair: 0 P-side or straight on, 1 N-side, 2 entering */
    int side;         /* of the last head over a wire: 0 P-side, 1 N-side */
    Flit flit[MAX_FLITS];
} Channel;

typedef struct {
    unsigned from, to, priority;
    uint64_t born;
    unsigned words, words_seen; /* offered, and visible */
    bool closed, closed_seen;
    bool seen;          /* a step has passed since it was opened */
    unsigned sent, out; /* flits that have left the buffer, data flits ejected */
} Message;

typedef struct {
    unsigned room;
    int first;  /* the message leaving */
    int newest; /* message last opened */
    bool gate, next_gate;
} End;

struct Reference {
    int size[3], stride[3], nodes;
    NetParams params;
    uint64_t cycle, blocked;
    Channel *channel; /* nodes * PER_NODE */
    Channel *old;     /* the same at the start of the cycle */
    End *end;         /* node * 2 + priority */
    bool *shut;       /* by channel: its wire is blocked */
    char *down_last;  /* wire above node: node * 3 + dimension; fits both kinds */
    char *goes;       /* channels, then ends: moves in this cycle */
    Message *message;
    int messages, capacity;
    ReferenceDelivery *delivery;
    size_t deliveries;
};

/* Geometry. */

static int at(const Reference *r, int node, int dimension) {
    return node / r->stride[dimension] % r->size[dimension];
}

static int number(int node, int priority, int dimension, int kind) {
    return node * PER_NODE + priority * PER_PRIORITY + dimension * 3 + kind;
}

static int node_of(const Reference *r, int place) {
    const int channels = r->nodes * PER_NODE;
    return place < channels ? place / PER_NODE : (place - channels) / 2;
}

static bool is_buffer(const Reference *r, int place) {
    return place >= r->nodes * PER_NODE;
}

static int priority_of(const Reference *r, int place) {
    return is_buffer(r, place) ? place % 2 : place % PER_NODE / PER_PRIORITY;
}

/* -1 for a buffer, so that dimension + 1 comes next. */
static int dimension_of(const Reference *r, int place) {
    return is_buffer(r, place) ? -1 : place % PER_PRIORITY / 3;
}

static int kind_of(const Reference *r, int place) {
    return is_buffer(r, place) ? R : place % 3;
}

/* Returns where a message to `to` goes from `place`: a channel or EJECT. */
static int after(const Reference *r, int place, int to) {
    int node = node_of(r, place);
    int dimension = dimension_of(r, place);
    const int kind = kind_of(r, place), priority = priority_of(r, place);
    if (kind != R) {
        node += kind == P ? r->stride[dimension] : -r->stride[dimension];
        const bool there = at(r, node, dimension) == at(r, to, dimension);
        return number(node, priority, dimension, there ? R : kind);
    }
    if (++dimension == 3)
        return EJECT;
    const int left = at(r, to, dimension) - at(r, node, dimension);
    return number(node, priority, dimension, left == 0 ? R : left > 0 ? P : N);
}

/* The place in slot 0 (P-side or straight-on P), 1 (N-side or straight-on N) or 2
 * (entering) of channel `target`; NOWHERE if there is none. */
static int feeder(const Reference *r, int target, int slot) {
    const int node = node_of(r, target), priority = priority_of(r, target);
    const int dimension = dimension_of(r, target), kind = kind_of(r, target);
    if (slot == 2 && dimension == 0)
        return r->nodes * PER_NODE + node * 2 + priority;
    if (slot == 2)
        return number(node, priority, dimension - 1, R);
    if ((slot == 0 && kind == N) || (slot == 1 && kind == P))
        return NOWHERE;
    const int x = at(r, node, dimension) + (slot == 0 ? -1 : 1);
    if (x < 0 || x >= r->size[dimension])
        return NOWHERE;
    const int other = node + (slot == 0 ? -r->stride[dimension] : r->stride[dimension]);
    return number(other, priority, dimension, slot == 0 ? P : N);
}

/* All of it is there, or enough, or as much as there are places for. */
static bool may_start(const Reference *r, const Message *m) {
    const unsigned here = m->seen ? 1 + m->words_seen : 0;
    return m->closed_seen || here >= r->params.start_words ||
           here >= r->params.buffer_words;
}

static int front(const Reference *r, int place) {
    if (!is_buffer(r, place))
        return r->old[place].count ? r->old[place].flit[0].message : NOBODY;
    const int first = r->end[place - r->nodes * PER_NODE].first;
    if (first == NOBODY)
        return NOBODY;
    const Message *m = &r->message[first];
    if (m->sent == 0 && !may_start(r, m))
        return NOBODY;
    return m->sent < r->params.header_flits + 2 * m->words_seen ? first : NOBODY;
}

/* Returns the channel or EJECT that the front of a place wants at the start of the
 * cycle; NOWHERE if there is none. */
static int wants(const Reference *r, int place) {
    const int message = r->shut[place] ? NOBODY : front(r, place);
    return message == NOBODY ? NOWHERE : after(r, place, (int)r->message[message].to);
}

static bool is_head(const Reference *r, int place) {
    const int target = wants(r, place);
    return target >= 0 && r->old[target].owner != front(r, place);
}

static bool head_waits_for(const Reference *r, int place, int target) {
    return place != NOWHERE && wants(r, place) == target && is_head(r, place);
}

static bool can_move(const Reference *r, int place) {
    const int target = wants(r, place);
    if (target == NOWHERE)
        return false;
    if (target == EJECT)
        return r->end[node_of(r, place) * 2 + priority_of(r, place)].gate;
    if (r->old[target].count == (int)r->params.channel_capacity)
        return false;
    return !is_head(r, place) || r->old[target].owner == NOBODY;
}

/* Fair: the waiting head whose turn it is. */
static int pick(const Reference *r, int target) {
    for (int i = 0; i < 3; i++) {
        const int place = feeder(r, target, (r->old[target].turn + i) % 3);
        if (head_waits_for(r, place, target))
            return place;
    }
    return NOWHERE;
}

static uint64_t born(const Reference *r, int place) {
    return r->message[front(r, place)].born;
}

/* Whether no waiting head is older than that of `place`, and none of equal age is in an
 * earlier slot. */
static bool is_oldest(const Reference *r, int place, int target) {
    bool behind = false;
    for (int slot = 0; slot < 3; slot++) {
        const int other = feeder(r, target, slot);
        if (other == place) {
            behind = true;
        } else if (head_waits_for(r, other, target)) {
            if (born(r, other) < born(r, place) + (behind ? 0 : 1))
                return false;
        }
    }
    return true;
}

/* Whether entering heads precede straight-on ones at `target` in this cycle. */
static bool yields(const Reference *r, int target) {
    return !r->params.fair && !r->params.age && r->params.yield &&
           r->cycle % r->params.yield == 0 && kind_of(r, target) != R &&
           (r->params.yield_dims & 1u << dimension_of(r, target));
}

static bool bids(const Reference *r, int place) {
    if (!can_move(r, place))
        return false;
    if (!is_head(r, place))
        return true;
    const int target = wants(r, place);
    if (r->params.age)
        return is_oldest(r, place, target);
    if (yields(r, target) && head_waits_for(r, feeder(r, target, 2), target))
        return false;
    if (r->params.fair)
        return pick(r, target) == place;
    const int slot = place == feeder(r, target, 0) ? 0 : 1;
    if (!head_waits_for(r, feeder(r, target, 1 - slot), target))
        return true;
    return slot == (r->params.r_order ? 1 - r->old[target].side : 0);
}

/* The priority that goes over wires first in this cycle, or second. */
static int by_turn(const Reference *r, int turn) {
    const int first = r->params.rts_priority == 0   ? 1
                      : r->params.rts_priority == 2 ? 0
                                                    : (int)(r->cycle & 1);
    return turn == 0 ? first : 1 - first;
}

static void choose_shared(Reference *r, int node, int dimension) {
    const int above = node + r->stride[dimension];
    char *down_last = &r->down_last[node * 3 + dimension];
    for (int turn = 0; turn < 2; turn++) {
        const int priority = by_turn(r, turn);
        const int up = number(node, priority, dimension, P);
        const int down = number(above, priority, dimension, N);
        const bool up_bids = bids(r, up), down_bids = bids(r, down);
        if (!up_bids && !down_bids)
            continue;
        bool take_down = down_bids && !(up_bids && *down_last);
        if (r->params.age == 2 && up_bids && down_bids && born(r, up) != born(r, down))
            take_down = born(r, down) < born(r, up);
        r->goes[take_down ? down : up] = 1;
        *down_last = take_down;
        return;
    }
}

static void choose_separate(Reference *r, int node, int dimension) {
    const int above = node + r->stride[dimension];
    for (int kind = P; kind <= N; kind++)
        for (int turn = 0; turn < 2; turn++) {
            const int place =
                number(kind == P ? node : above, by_turn(r, turn), dimension, kind);
            if (!bids(r, place))
                continue;
            r->goes[place] = 1;
            break;
        }
}

static void choose_wires(Reference *r) {
    for (int node = 0; node < r->nodes; node++)
        for (int dimension = 0; dimension < 3; dimension++) {
            if (at(r, node, dimension) + 1 == r->size[dimension])
                continue;
            if (r->params.shared_wires)
                choose_shared(r, node, dimension);
            else
                choose_separate(r, node, dimension);
        }
}

static bool may_enter(const Reference *r, int place) {
    if (!can_move(r, place))
        return false;
    const int target = wants(r, place);
    if (target == EJECT || !is_head(r, place))
        return true;
    if (r->params.age)
        return is_oldest(r, place, target);
    bool straight_waits = false;
    for (int slot = 0; slot < 2; slot++) {
        const int other = feeder(r, target, slot);
        if (!head_waits_for(r, other, target))
            continue;
        if (r->goes[other])
            return false;
        straight_waits = true;
    }
    if (r->params.fair && pick(r, target) == place)
        return true;
    return !straight_waits || r->params.enter_on_lost_wire || yields(r, target);
}

static void choose_entering(Reference *r) {
    const int places = r->nodes * (PER_NODE + 2);
    for (int place = 0; place < places; place++)
        if (kind_of(r, place) == R && may_enter(r, place))
            r->goes[place] = 2;
}

/* Moving. */

static bool is_tail(const Reference *r, Flit flit) {
    const Message *m = &r->message[flit.message];
    return m->closed_seen &&
           flit.index + 1 == (int)(r->params.header_flits + 2 * m->words_seen);
}

static Flit take_from_buffer(Reference *r, End *end) {
    Message *m = &r->message[end->first];
    const Flit flit = {end->first, (int)m->sent++};
    const unsigned headers = r->params.header_flits;
    if (headers ? m->sent == headers : m->sent == 1)
        end->room++;
    if (m->sent > headers && (m->sent - headers) % 2 == 0)
        end->room++;
    if (!is_tail(r, flit))
        return flit;
    const unsigned from = m->from, priority = m->priority;
    for (end->first++; end->first < r->messages; end->first++)
        if (r->message[end->first].from == from &&
            r->message[end->first].priority == priority)
            return flit;
    end->first = NOBODY;
    return flit;
}

static Flit take(Reference *r, int place) {
    if (is_buffer(r, place))
        return take_from_buffer(r, &r->end[place - r->nodes * PER_NODE]);
    Channel *c = &r->channel[place];
    const Flit flit = c->flit[0];
    c->count--;
    memmove(c->flit, c->flit + 1, (size_t)c->count * sizeof c->flit[0]);
    return flit;
}

static void eject(Reference *r, unsigned node, Flit flit) {
    Message *m = &r->message[flit.message];
    if (flit.index < (int)r->params.header_flits)
        return;
    if (++m->out % 2 == 0)
        r->delivery[r->deliveries++] = (ReferenceDelivery){
            node, (uint32_t)flit.message, m->priority, is_tail(r, flit)};
}

static void enter(Reference *r, int place, int target, Flit flit, bool head) {
    Channel *c = &r->channel[target];
    if (head) {
        c->owner = flit.message;
        for (int slot = 0; slot < 3; slot++)
            if (feeder(r, target, slot) == place)
                c->turn = (slot + 1) % 3;
        if (kind_of(r, place) != R)
            c->side = kind_of(r, place);
    }
    if (is_tail(r, flit))
        c->owner = NOBODY;
    if (!(head && kind_of(r, target) == R && r->params.header_flits == 3))
        c->flit[c->count++] = flit;
}

static void move(Reference *r, int place, ReferenceHook *hook, void *context) {
    const int target = wants(r, place);
    const bool head = is_head(r, place);
    const Flit flit = take(r, place);
    const int node = target == EJECT ? node_of(r, place) : node_of(r, target);
    hook(context, r->cycle, (uint32_t)flit.message, (uint32_t)flit.index,
         is_buffer(r, place) ? -1 : place, target == EJECT ? -1 : target,
         (uint32_t)node);
    if (target == EJECT)
        eject(r, (unsigned)node, flit);
    else
        enter(r, place, target, flit, head);
}

static void show_offers(Reference *r) {
    for (int i = 0; i < r->messages; i++) {
        r->message[i].words_seen = r->message[i].words;
        r->message[i].closed_seen = r->message[i].closed;
        r->message[i].seen = true;
    }
    for (int end = 0; end < 2 * r->nodes; end++)
        r->end[end].gate = r->end[end].next_gate;
}

void reference_step(Reference *r, ReferenceHook *hook, void *context) {
    const int channels = r->nodes * PER_NODE, places = channels + 2 * r->nodes;
    memcpy(r->old, r->channel, (size_t)channels * sizeof *r->old);
    memset(r->goes, 0, (size_t)places);
    r->deliveries = 0;
    choose_wires(r);
    choose_entering(r);
    for (int place = 0; place < channels; place++)
        r->blocked += r->old[place].count > 0 && !r->goes[place];
    /* Buffers last: taking from one affects only its own `wants`. */
    for (int place = 0; place < places; place++)
        if (r->goes[place])
            move(r, place, hook, context);
    show_offers(r);
    r->cycle++;
}

/* The client's side. */

Reference *reference_create(unsigned x, unsigned y, unsigned z,
                            const NetParams *params) {
    Reference *r = calloc(1, sizeof *r);
    const int size[3] = {(int)x, (int)y, (int)z};
    const int stride[3] = {1, size[0], size[0] * size[1]};
    memcpy(r->size, size, sizeof size);
    memcpy(r->stride, stride, sizeof stride);
    r->nodes = size[0] * size[1] * size[2];
    r->params = *params;
    const size_t channels = (size_t)r->nodes * PER_NODE, ends = (size_t)r->nodes * 2;
    r->channel = calloc(channels, sizeof *r->channel);
    r->old = calloc(channels, sizeof *r->old);
    r->end = calloc(ends, sizeof *r->end);
    r->shut = calloc(channels + ends, sizeof *r->shut);
    r->down_last = malloc((size_t)r->nodes * 3);
    r->goes = calloc(channels + ends, 1);
    r->delivery = calloc(ends, sizeof *r->delivery);
    memset(r->down_last, 1, (size_t)r->nodes * 3);
    for (size_t i = 0; i < channels; i++)
        r->channel[i] = (Channel){.owner = NOBODY, .side = 1};
    for (size_t i = 0; i < ends; i++)
        r->end[i] = (End){params->buffer_words, NOBODY, NOBODY, true, true};
    return r;
}

void reference_destroy(Reference *r) {
    free(r->channel);
    free(r->old);
    free(r->end);
    free(r->shut);
    free(r->down_last);
    free(r->goes);
    free(r->message);
    free(r->delivery);
    free(r);
}

unsigned reference_room(const Reference *r, unsigned node, unsigned priority) {
    return r->end[node * 2 + priority].room;
}

void reference_open(Reference *r, unsigned node, unsigned priority,
                    unsigned destination, uint64_t born) {
    if (r->messages == r->capacity) {
        r->capacity = 2 * r->capacity + 64;
        r->message = realloc(r->message, (size_t)r->capacity * sizeof *r->message);
    }
    End *end = &r->end[node * 2 + priority];
    end->newest = r->messages++;
    if (end->first == NOBODY)
        end->first = end->newest;
    end->room--;
    r->message[end->newest] =
        (Message){.from = node, .to = destination, .priority = priority, .born = born};
}

void reference_offer(Reference *r, unsigned node, unsigned priority, unsigned words,
                     bool end) {
    End *buffer = &r->end[node * 2 + priority];
    Message *m = &r->message[buffer->newest];
    m->words += words;
    m->closed = end;
    buffer->room -= words;
}

void reference_set_gate(Reference *r, unsigned node, unsigned priority, bool open) {
    r->end[node * 2 + priority].next_gate = open;
}

void reference_block(Reference *r, unsigned node, unsigned dimension, bool up,
                     bool blocked) {
    for (int priority = 0; priority < 2; priority++)
        r->shut[number((int)node, priority, (int)dimension, up ? P : N)] = blocked;
}

const ReferenceDelivery *reference_deliveries(const Reference *r, size_t *count) {
    *count = r->deliveries;
    return r->delivery;
}

uint64_t reference_blocked(const Reference *r) {
    return r->blocked;
}
