/* Statistics computed a second time: from the events of a run, and from the queues in
 * each cycle. Runs end when the network is empty, so that sums are complete. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/link/netif.h"
#include "emu/machine/machine.h"
#include "tests/emu/jam.h"

enum {
    X = 4,
    Y = 2,
    Z = 2,
    NODES = X * Y * Z,
    CYCLES_MAX = 60000,
    MESSAGES = 4096,
    ROOM = 8
};

/* A node's last instruction, to which its cycles are charged until it issues again. */
typedef struct {
    unsigned class;
    uint64_t cycle; /* of the event that reported it, plus 1 */
    bool loops;     /* a jump of background */
    uint64_t ready; /* in which the second turn of the idle loop begins */
    bool waits[3];  /* by context: since a SEND fault */
    JmWord ip[3];   /* by context, before the cycle */
} Issue;

typedef struct {
    JmNodeStatistics node[NODES];
    uint64_t queued[NODES][2];  /* words in a queue, summed over the cycles */
    uint64_t link[NODES][3][2]; /* flits from a node by dimension, down and up */
    uint64_t opened[2];
    uint64_t blocked; /* flits at the head of a channel that stay there, by cycles */
    uint64_t *latency, *transit;
    unsigned messages; /* that have arrived */
    /* By number of a message: when it was opened, when its first flit left. */
    uint64_t opening[MESSAGES], leaving[MESSAGES];
    bool left[MESSAGES];
    uint32_t words[MESSAGES];
    uint32_t place[MESSAGES][64]; /* node of each flit, plus 1 */
    Issue issue[NODES];
    const Netif *netif; /* says whose a message is, with returns */
    unsigned headers;
} Reckoning;

static unsigned coordinate(uint32_t node, unsigned dimension) {
    const unsigned size[] = {X, Y, Z}, step[] = {1, X, X * Y};
    return node / step[dimension] % size[dimension];
}

/* A flit that was at one node and is at another has crossed the link between them. */
static void reckon_flit(Reckoning *r, const JmEvent *e) {
    const unsigned flit = (unsigned)e->word.bits;
    cr_assert(e->message < MESSAGES && flit < 64);
    uint32_t *place = &r->place[e->message][flit];
    if (!r->left[e->message]) {
        r->left[e->message] = true;
        r->leaving[e->message] = e->cycle;
    }
    r->blocked -= *place != 0; /* it was in a channel, and has left it */
    for (unsigned d = 0; *place && d < 3; d++) {
        const unsigned from = coordinate(*place - 1, d), to = coordinate(e->node, d);
        if (from != to)
            r->link[*place - 1][d][to > from]++;
    }
    *place = e->node + 1;
}

static void reckon_send(Reckoning *r, const JmEvent *e) {
    JmNodeStatistics *s = &r->node[e->node];
    s->words_out[e->priority] += e->count - e->opens;
    r->words[e->message] = e->count - e->opens + (e->opens ? 0 : r->words[e->message]);
    if (!e->opens)
        return;
    s->messages_out[e->priority]++;
    s->marked += e->redirected == JM_BY_MARK;
    s->escaped += e->redirected == JM_BY_ESCAPE;
    r->opened[e->priority]++;
    r->opening[e->message] = e->cycle;
    r->left[e->message] = false;
    memset(r->place[e->message], 0, sizeof r->place[0]);
}

static void reckon_arrival(Reckoning *r, const JmEvent *e) {
    r->node[e->node].messages_in[e->priority]++;
    r->node[e->node].words_in[e->priority] += r->words[e->message];
    r->latency[r->messages] = e->cycle - r->opening[e->message];
    r->transit[r->messages++] = e->cycle - r->leaving[e->message];
}

static void reckon_instruction(Reckoning *r, const JmEvent *e) {
    Issue *issue = &r->issue[e->node];
    const unsigned class = jm_decode(e->instruction).op_class;
    issue->cycle = e->cycle + 1;
    issue->class = issue->waits[e->context] ? JM_CLASS_SEND_WAIT : class;
    issue->loops = e->context == JM_CONTEXT_BACKGROUND && class == JM_CLASS_CONTROL;
    r->node[e->node].instructions++;
}

/* An instruction that faults is not counted. */
static void reckon_fault(Reckoning *r, const JmEvent *e) {
    Issue *issue = &r->issue[e->node];
    r->node[e->node].faults[e->fault]++;
    r->node[e->node].instructions -= issue->cycle == e->cycle + 1;
    issue->cycle = e->cycle + 1;
    issue->class = JM_CLASS_FAULT + e->fault;
    issue->loops = false;
    issue->waits[e->context] |= e->fault == JM_FAULT_SEND;
}

static void reckon_dispatch(Reckoning *r, const JmEvent *e) {
    Issue *issue = &r->issue[e->node];
    issue->cycle = e->cycle + 1;
    issue->class = JM_CLASS_DISPATCH;
    issue->loops = issue->waits[e->priority] = false;
    r->node[e->node].dispatches[e->priority]++;
}

/* Whether another turn of the idle loop began in the cycle that is over. Only the first
 * one has an event; the next begins when its node is ready, the others behind it. */
static bool is_turn(const Rig *rig, const Issue *issue) {
    const uint64_t cycle = jm_now(rig->machine) - 1;
    return issue->class == JM_CLASS_IDLE && cycle >= issue->ready &&
           (cycle - issue->ready) % jm_config(rig->machine)->timing.jump == 0;
}

/* Charges the past cycle by what each node is doing. Inline constants have no event:
 * they move an IP. */
static void reckon_cycle(Reckoning *r, const Rig *rig) {
    for (unsigned i = 0; i < NODES; i++) {
        Issue *issue = &r->issue[i];
        bool moved[3];
        for (unsigned c = 0; c < 3; c++) {
            const JmWord ip = jm_register(rig->machine, i, (JmContext)c, JM_REG_IP);
            moved[c] = !jm_same(ip, issue->ip[c]);
            issue->ip[c] = ip;
        }
        const bool told = issue->cycle == jm_now(rig->machine);
        if (told && issue->loops && !moved[JM_CONTEXT_BACKGROUND]) {
            issue->class = JM_CLASS_IDLE;
            issue->ready = rig->machine->node[i].ready;
        }
        if (!told && (moved[0] || moved[1] || moved[2]))
            issue->class = JM_CLASS_CONSTANT;
        r->node[i].instructions += is_turn(rig, issue);
        r->node[i].cycles[issue->class]++;
    }
}

/* The last flit of a message that leaves the network, with returns. */
static void reckon_end(Reckoning *r, const JmEvent *e) {
    const Message *message = &r->netif->message[e->message];
    JmNodeStatistics *from = &r->node[message->source], *to = &r->node[e->node];
    r->words[e->message] = ((uint32_t)e->word.bits + 1 - r->headers) / 2;
    if (message->kind == MESSAGE_DATA) {
        from->resent++;
    } else if (message->kind == MESSAGE_RETURN) {
        to->returns_in++;
    } else {
        from->acks_out++;
        to->acks_in++;
        to->rts_reserved -= ROOM;
    }
}

static void reckon_ejection(Reckoning *r, const JmEvent *e) {
    NetMessageState state;
    if (!net_message_state(r->netif->net, e->message, &state) || !state.closed)
        return;
    if (e->word.bits + 1 == r->headers + UINT64_C(2) * state.words_offered)
        reckon_end(r, e);
}

/* A message that a task opens has ROOM words reserved, as all of the jam take two rows,
 * and is sent once by the task. */
static void reckon_reserved(JmNodeStatistics *s, const JmEvent *e) {
    s->resent--;
    if (e->priority == 0)
        s->rts_reserved += ROOM;
    if (s->rts_reserved > s->rts_peak)
        s->rts_peak = s->rts_reserved;
}

static bool reckon(void *context, const JmEvent *e) {
    Reckoning *r = context;
    JmNodeStatistics *s = &r->node[e->node];
    switch (e->kind) {
    case JM_EVENT_INSTRUCTION:
        reckon_instruction(r, e);
        break;
    case JM_EVENT_FLIT:
        reckon_flit(r, e);
        if (r->netif && !e->count)
            reckon_ejection(r, e);
        break;
    case JM_EVENT_SEND:
        reckon_send(r, e);
        r->issue[e->node].waits[e->context] = false;
        r->issue[e->node].class = JM_CLASS_SEND;
        if (r->netif && e->opens)
            reckon_reserved(s, e);
        break;
    case JM_EVENT_ARRIVE:
        reckon_arrival(r, e);
        break;
    case JM_EVENT_DISPATCH:
        reckon_dispatch(r, e);
        break;
    case JM_EVENT_FAULT:
        reckon_fault(r, e);
        break;
    case JM_EVENT_SPILL:
        s->spilled += 4;
        break;
    case JM_EVENT_RETURN:
        s->returns_out++;
        break;
    case JM_EVENT_OVERFLOW:
        if (s->first_overflow_cycle == UINT64_MAX)
            s->first_overflow_cycle = e->cycle;
        s->overflows[e->priority]++;
        break;
    default:
        break;
    }
    return false;
}

/* Counts the words in the queues at the start of a cycle; the brake is on while one
 * more row would exceed its mark. */
static void reckon_queues(Reckoning *r, const Rig *rig) {
    const JmInterface *interface = &jm_config(rig->machine)->interface;
    for (unsigned i = 0; i < NODES; i++) {
        JmNodeStatistics *s = &r->node[i];
        const uint64_t ring = rig_statistics(rig, i).spilled_now;
        for (unsigned p = 0; p < 2; p++) {
            const uint32_t words = jm_queue_words(rig->machine, i, p);
            r->queued[i][p] += words;
            if (words > s->queue_max_words[p])
                s->queue_max_words[p] = words;
        }
        const uint64_t held =
            jm_queue_words(rig->machine, i, 0) + (interface->brake_ring ? ring : 0);
        s->brake_cycles +=
            interface->brake_mark != 0 && held + 4 > interface->brake_mark;
        if (ring > s->spill_peak)
            s->spill_peak = ring;
    }
}

/* The channels that hold a flit at the start of a cycle. */
static void reckon_channels(Reckoning *r, const Rig *rig) {
    const Net *net = netif_network(rig->machine);
    for (uint32_t c = 0; !net_is_quiet(net) && c < net_channel_count(net); c++)
        r->blocked += net_channel_state(net, c).flits != 0;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void expect_distribution(const JmDistribution *d, uint64_t *times,
                                unsigned count, const char *what) {
    double sum = 0;
    qsort(times, count, sizeof *times, by_size);
    for (unsigned i = 0; i < count; i++)
        sum += (double)times[i];
    cr_expect_eq(d->count, count, "%s", what);
    cr_expect_eq(d->min, times[0], "%s: %u", what, (unsigned)d->min);
    cr_expect_eq(d->max, times[count - 1], "%s: %u", what, (unsigned)d->max);
    cr_expect_float_eq(d->mean, sum / count, 1e-9, "%s: %f", what, d->mean);
    const uint64_t shown[] = {d->p50, d->p90, d->p99};
    const double share[] = {0.5, 0.9, 0.99};
    for (unsigned i = 0; i < 3; i++) {
        /* Above 1,023 cycles a percentile is the end of its power of two. */
        const uint64_t exact = times[(size_t)ceil(share[i] * count) - 1];
        cr_expect(exact < 1024 ? shown[i] == exact
                               : shown[i] >= exact && shown[i] < 2 * exact,
                  "%s: %u, not %u", what, (unsigned)shown[i], (unsigned)exact);
    }
}

#define EXPECT(field) cr_expect_eq(s->field, t->field, "node %u: " #field, node)

/* Expects the counters that are valid also in the middle of an instruction. */
static void expect_classes(const Reckoning *r, const Rig *rig, unsigned node) {
    const JmNodeStatistics all = rig_statistics(rig, node);
    const JmNodeStatistics *s = &all, *t = &r->node[node];
    for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
        cr_expect_eq(s->cycles[c], t->cycles[c], "node %u: %u cycles of %s, not %u",
                     node, (unsigned)s->cycles[c], jm_class_key(c),
                     (unsigned)t->cycles[c]);
    EXPECT(instructions);
}

static void expect_node(const Reckoning *r, const Rig *rig, unsigned node) {
    const JmNodeStatistics all = rig_statistics(rig, node);
    const JmNodeStatistics *s = &all, *t = &r->node[node];
    for (unsigned p = 0; p < 2; p++) {
        EXPECT(messages_in[p]);
        EXPECT(messages_out[p]);
        EXPECT(words_in[p]);
        EXPECT(words_out[p]);
        EXPECT(dispatches[p]);
        EXPECT(queue_max_words[p]);
        EXPECT(overflows[p]);
        cr_expect_float_eq(s->queue_mean_words[p],
                           (double)r->queued[node][p] / (double)jm_now(rig->machine),
                           1e-9, "node %u", node);
    }
    for (unsigned f = 0; f < JM_FAULT_COUNT; f++)
        EXPECT(faults[f]);
    EXPECT(first_overflow_cycle);
    EXPECT(marked);
    EXPECT(escaped);
    EXPECT(brake_cycles);
    EXPECT(spilled);
    EXPECT(spill_peak);
    EXPECT(returns_out);
    if (!r->netif)
        return;
    EXPECT(returns_in);
    EXPECT(resent);
    EXPECT(acks_out);
    EXPECT(acks_in);
    EXPECT(rts_reserved);
    EXPECT(rts_peak);
}

/* A word is two flits; a message has its headers in front of them. */
static void expect_flits(const Reckoning *r, const JmNetworkStatistics *n,
                         const Rig *rig) {
    const NetParams params = netif_params(jm_config(rig->machine));
    uint64_t words[2] = {0};
    for (unsigned i = 0; i < NODES * 2; i++)
        words[i % 2] += r->node[i / 2].words_out[i % 2];
    const uint64_t headers = (r->opened[0] + r->opened[1]) * params.header_flits;
    for (unsigned p = 0; p < 2; p++) {
        cr_expect_eq(n->messages_opened[p], r->opened[p]);
        cr_expect_eq(n->messages_delivered[p], r->opened[p]);
        cr_expect_eq(n->words_offered[p], words[p]);
        cr_expect_eq(n->words_delivered[p], words[p]);
    }
    cr_expect_eq(n->flits_ejected, 2 * (words[0] + words[1]));
    cr_expect_eq(n->flits_dropped, headers);
    cr_expect_eq(n->flits_injected, n->flits_ejected + headers);
}

static void expect_network(const Reckoning *r, const Rig *rig) {
    JmNetworkStatistics n;
    jm_network_statistics(rig->machine, &n);
    const unsigned size[] = {X, Y, Z};
    uint64_t flits[3] = {0}, bisection[3] = {0};
    for (unsigned i = 0; i < NODES * 6; i++) {
        const unsigned node = i / 6, d = i / 2 % 3, up = i % 2;
        cr_expect_eq(jm_link_flits(rig->machine, node, d, up), r->link[node][d][up],
                     "link of node %u, dimension %u, %s", node, d, up ? "up" : "down");
        flits[d] += r->link[node][d][up];
        if (coordinate(node, d) == size[d] / 2 - up)
            bisection[d] += r->link[node][d][up];
    }
    for (unsigned d = 0; d < 3; d++) {
        cr_expect_eq(n.flits[d], flits[d]);
        cr_expect_eq(n.bisection_flits[d], bisection[d], "dimension %u", d);
    }
    expect_flits(r, &n, rig);
    cr_expect_eq(n.blocked_cycles, r->blocked, "blocked: %u, not %u",
                 (unsigned)n.blocked_cycles, (unsigned)r->blocked);
    expect_distribution(&n.latency, r->latency, r->messages, "latency");
    expect_distribution(&n.transit, r->transit, r->messages, "transit");
}

static Rig *machine_with(const Setting *cure) {
    JmConfig config = jm_config_default();
    config.size_x = X;
    config.size_y = Y;
    config.size_z = Z;
    config.engine = "graph"; /* it reports flits */
    rig_configure(&config, cure);
    Rig *rig = jam_open(&config);
    cr_assert_not_null(rig);
    return rig;
}

static void reckon_run(const Setting *cure, JmNodeStatistics *all) {
    Rig *rig = machine_with(cure);
    Reckoning *r = calloc(1, sizeof *r);
    r->latency = calloc(MESSAGES, sizeof *r->latency);
    r->transit = calloc(MESSAGES, sizeof *r->transit);
    if (jm_config(rig->machine)->interface.rts)
        r->netif = rig->machine->netif;
    r->headers = netif_params(jm_config(rig->machine)).header_flits;
    for (unsigned i = 0; i < NODES; i++) {
        r->node[i].first_overflow_cycle = UINT64_MAX;
        for (unsigned c = 0; c < 3; c++)
            r->issue[i].ip[c] = jm_register(rig->machine, i, (JmContext)c, JM_REG_IP);
    }
    cr_assert(jm_observe(rig->machine, UINT32_MAX, reckon, r));
    JmStop stop = JM_STOP_NONE;
    while (stop == JM_STOP_NONE && jm_now(rig->machine) < CYCLES_MAX) {
        reckon_queues(r, rig);
        reckon_channels(r, rig);
        stop = jm_run(rig->machine, jm_now(rig->machine) + 1);
        reckon_cycle(r, rig);
        for (unsigned i = 0; i < NODES && jm_now(rig->machine) % 97 == 0; i++)
            expect_classes(r, rig, i);
    }
    cr_expect_eq(stop, JM_STOP_IDLE, "%s: %s", cure->name ? cure->name : "none",
                 jm_stop_name(stop));
    for (unsigned i = 0; i < NODES; i++) {
        expect_node(r, rig, i);
        expect_classes(r, rig, i);
        all->returns_in += r->node[i].returns_in;
        for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
            all->cycles[c] += r->node[i].cycles[c];
    }
    if (!r->netif)
        expect_network(r, rig);
    free(r->latency);
    free(r->transit);
    free(r);
    rig_close(rig);
}

Test(emu_reckoning, from_events) {
    const Setting *const cures[] = {
        SETTINGS({NULL, 0}),
        SETTINGS({"hwm_mark", 12}),
        SETTINGS({"brake_mark", 24}, {"escape_mark", 8}, {"open_words", 8}),
        SETTINGS({"spill_mark", 16}),
        SETTINGS({"spill_mark", 16}, {"brake_mark", 16}, {"brake_ring", 1},
                 {"open_words", 8}, {"escape_mark", 8}),
        SETTINGS({"fair", 1}, {"header_flits", 1}),
        SETTINGS({"rts", 1}, {"rts_backoff", 300}, {"rts_window", 256}),
    };
    JmNodeStatistics all = {0};
    for (size_t i = 0; i < sizeof cures / sizeof cures[0]; i++)
        reckon_run(cures[i], &all);
    cr_expect_gt(all.returns_in, 0u);
    for (unsigned c = 0; c < JM_CLASS_FAULT; c++)
        cr_expect(all.cycles[c] || c == JM_CLASS_TAG, "no cycles of %s",
                  jm_class_key(c));
}
