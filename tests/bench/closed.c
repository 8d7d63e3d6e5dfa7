/* Abstract processors of a closed workload, as bit sets of nodes rather than a record
 * for each: most nodes do nothing in most cycles. */
#include "tests/bench/closed.h"

#include <assert.h>
#include <stdlib.h>

#include "emu/core/rng.h"

enum { WHEEL = 8192 }; /* cycles covered: above the longest work */

/* The cycles in which a message is sent: the routing word and the first of its four
 * words; two words; the last one. */
typedef enum { FIRST, MIDDLE, LAST, PHASES } Phase;

struct NetClosed {
    Net *net;
    unsigned work;
    JmRng rng;
    uint32_t nodes;
    size_t words;              /* of a set */
    uint16_t *queued;          /* by node: waiting messages */
    uint64_t *busy;            /* set: those with a message in hand */
    uint64_t *sending[PHASES]; /* set: those that send in the next cycle */
    uint64_t *full[PHASES];    /* set: those waiting for room in the output buffer */
    uint64_t *wheel;           /* sets by cycle % WHEEL: those done with their work */
    /* Whether a set has members: of those due and those waiting, by phase; by cycle %
     * WHEEL. */
    bool is_sending[PHASES], is_full[PHASES], turns[WHEEL];
    uint32_t *list; /* scratch: nodes, with one to spare */
    uint64_t now;   /* cycles done */
};

static void add(uint64_t *set, uint32_t node) {
    set[node / 64] |= UINT64_C(1) << (node % 64);
}

static void remove_node(uint64_t *set, uint32_t node) {
    set[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

static bool has(const uint64_t *set, uint32_t node) {
    return set[node / 64] >> (node % 64) & 1;
}

/* ---- creation -------------------------------------------------------------------- */

/* Starts the work on a message; it is sent on after `cycles` cycles. */
static void begin_work(NetClosed *p, uint32_t node, unsigned cycles) {
    add(p->busy, node);
    const size_t then = (p->now + cycles) % WHEEL;
    add(p->wheel + then * p->words, node);
    p->turns[then] = true;
}

/* calloc() that cannot fail. */
static void *zeros(size_t count, size_t size) {
    void *memory = calloc(count, size);
    assert(memory);
    return memory;
}

static void allocate(NetClosed *p) {
    p->queued = zeros(p->nodes, sizeof *p->queued);
    p->busy = zeros(p->words, sizeof *p->busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        p->sending[phase] = zeros(p->words, sizeof *p->sending[phase]);
        p->full[phase] = zeros(p->words, sizeof *p->full[phase]);
    }
    p->list = zeros((size_t)p->nodes + 1, sizeof *p->list);
    p->wheel = zeros(p->words * WHEEL, sizeof *p->wheel);
}

NetClosed *net_closed_create(Net *net, const NetClosedPlan *plan) {
    assert(plan->load >= 1 && plan->load <= UINT16_MAX);
    assert(plan->work >= NET_CLOSED_SEND_CYCLES && plan->work < WHEEL);
    NetClosed *p = zeros(1, sizeof *p);
    p->net = net;
    p->work = plan->work;
    p->rng = jm_rng(plan->seed);
    p->nodes = net_node_count(net);
    p->words = ((size_t)p->nodes + 511) / 512 * 8;
    allocate(p);
    for (uint32_t node = 0; node < p->nodes; node++) {
        p->queued[node] = (uint16_t)(plan->load - 1);
        begin_work(p, node, jm_rng_below(&p->rng, plan->work));
    }
    return p;
}

void net_closed_destroy(NetClosed *p) {
    free(p->queued);
    free(p->busy);
    for (Phase phase = 0; phase < PHASES; phase++) {
        free(p->sending[phase]);
        free(p->full[phase]);
    }
    free(p->list);
    free(p->wheel);
    free(p);
}

/* ---- a cycle --------------------------------------------------------------------- */

/* Takes the next waiting message, if any. */
static void take_next(NetClosed *p, uint32_t node) {
    remove_node(p->busy, node);
    if (p->queued[node] == 0)
        return;
    p->queued[node]--;
    begin_work(p, node, 1 + p->work - NET_CLOSED_SEND_CYCLES);
}

/* Draws a node uniformly, without a division. */
static uint32_t draw_node(NetClosed *p) {
    return (uint32_t)((jm_rng_next(&p->rng) >> 32) * p->nodes >> 32);
}

/* Performs a node's part of a sending phase that has room. */
static inline void send(NetClosed *p, uint32_t node, Phase phase) {
    if (phase == FIRST) {
        const uint32_t message = net_open(p->net, node, 0, draw_node(p));
        assert(message != NET_NONE);
    }
    net_offer(p->net, node, 0, phase == MIDDLE ? 2 : 1, phase == LAST);
    if (phase == LAST) {
        take_next(p, node);
    } else {
        add(p->sending[phase + 1], node);
        p->is_sending[phase + 1] = true;
    }
}

/* Lets nodes send in this phase: those due, and those that waited and may have room
 * again. Sets that have long been empty are skipped. */
static inline __attribute__((always_inline)) void send_all(NetClosed *p, uint64_t *due,
                                                           bool *is_due, Phase phase) {
    const uint64_t *const drained = net_drained(p->net, 0);
    const uint8_t *const places = net_places(p->net, 0);
    const unsigned most = net_buffer_words(p->net) - 2;
    uint64_t *const full = p->full[phase];
    uint64_t still_full = 0;
    if (!*is_due && !p->is_full[phase])
        return;
    *is_due = false;
    for (size_t w = 0; w < p->words; w++) {
        uint64_t nodes = due[w] | (full[w] & drained[w]), stopped = full[w] & ~nodes;
        due[w] = 0;
        for (; nodes; nodes &= nodes - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(nodes);
            const uint32_t node = (uint32_t)(w * 64) + bit;
            if (places[node] > most)
                stopped |= UINT64_C(1) << bit;
            else
                send(p, node, phase);
        }
        full[w] = stopped;
        still_full |= stopped;
    }
    p->is_full[phase] = still_full != 0;
}

/* Does the work of a cycle. Later phases go first, so that the successors of a phase
 * wait for the next cycle. */
static void work(NetClosed *p) {
    const size_t now = p->now % WHEEL;
    send_all(p, p->sending[LAST], &p->is_sending[LAST], LAST);
    send_all(p, p->sending[MIDDLE], &p->is_sending[MIDDLE], MIDDLE);
    send_all(p, p->wheel + now * p->words, &p->turns[now], FIRST);
}

/* Receives complete messages. Few words are the last of their message, so these are
 * listed first. */
static void receive(NetClosed *p) {
    size_t count, tails = 0;
    const NetDelivery *words = net_deliveries(p->net, &count);
    for (size_t i = 0; i < count; i++) {
        p->list[tails] = words[i].node;
        tails += words[i].tail;
    }
    for (size_t i = 0; i < tails; i++) {
        const uint32_t node = p->list[i];
        if (has(p->busy, node)) {
            p->queued[node]++;
        } else {
            begin_work(p, node, 1 + p->work - NET_CLOSED_SEND_CYCLES);
        }
    }
}

void net_closed_run(NetClosed *p, unsigned cycles) {
    for (; cycles > 0; cycles--, p->now++) {
        work(p);
        net_step(p->net);
        receive(p);
    }
}
