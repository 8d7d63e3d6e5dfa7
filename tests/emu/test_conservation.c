/* Conservation: under every cure, when a machine is idle, each message has been handled
 * once, nothing is reserved or held back, and counts of one quantity in two places
 * agree. The observer's counts are computed separately from those of the nodes. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/rng.h"
#include "tests/emu/rig.h"

enum { NODES = 4, CHAINS = 4, HOPS = 20, GOT = 0x11, SENT = 0x12, HIGH = 0x20 };

/* Every node starts CHAINS chains of messages, each of HOPS more to nodes drawn at
 * random, of 5 or 9 words, at either priority. Low memory has the seed at 10, and
 * counts at 11 and 12; priority 1 has its own. */
static const char chains[] = "        handle_faults\n"
                             "        .macro count place\n"
                             "        move [\\place,a0],r2\n"
                             "        add r2,1,r2\n"
                             "        move r2,[\\place,a0]\n"
                             "        .endm\n"
                             "        .macro emit words, priority\n"
                             "        count 0x12\n"
                             "        move [0x13,a0],r2\n"
                             "        .msg work,\\words,U\n"
                             "        send2 r1,r0,\\priority\n"
                             "        send2 r2,r3,\\priority\n"
                             "        .rept \\words - 5\n"
                             "        send r3,\\priority\n"
                             "        .endr\n"
                             "        send2e r3,r3,\\priority\n"
                             "        .endm\n"
                             "        .macro send_on\n"
                             "        move [0x10,a0],r3\n"
                             "        .word INT:0x343FD\n"
                             "        mul r3,r0,r3\n"
                             "        .word INT:0x269EC3\n"
                             "        add r3,r0,r3\n"
                             "        move r3,[0x10,a0]\n"
                             "        lsh r3,-9,r1\n"
                             "        .word INT:0x21\n"
                             "        and r1,r0,r1\n"
                             "        lsh r3,-14,r2\n"
                             "        and r2,3,r2\n"
                             "        bz r2,^.long\\@\n"
                             "        sub r2,1,r2\n"
                             "        bz r2,^.high\\@\n"
                             "        emit 5,0\n"
                             "        br ^.done\\@\n"
                             ".high\\@: emit 5,1\n"
                             "        br ^.done\\@\n"
                             ".long\\@: emit 9,0\n"
                             ".done\\@:\n"
                             "        .endm\n"
                             "        .ip begin,U\n"
                             "        ldip r0\n"
                             "begin:  queues 63, 127\n"
                             "        move true,r0\n"
                             "        move r0,i\n"
                             "        peek 0xFFF0F,r3\n"
                             "        poke r3,0x10\n"
                             "        poke r3,0x30\n"
                             "        move 0,r1\n"
                             "        poke r1,0x11\n"
                             "        poke r1,0x12\n"
                             "        poke r1,0x31\n"
                             "        poke r1,0x32\n"
                             "        move 4,r1\n"
                             "next:   poke r1,0x14\n"
                             "        move true,r0\n"
                             "        move r0,i\n"
                             "        .word INT:20\n"
                             "        move r0,[0x13,a0]\n"
                             "        send_on\n"
                             "        peek 0x14,r1\n"
                             "        sub r1,1,r1\n"
                             "        bnz r1,^next\n"
                             "        move false,r0\n"
                             "        move r0,i\n"
                             "        rest\n"
                             "        .text\n"
                             "work:   move [0,a3],r1\n"
                             "        and r1,15,r1\n"
                             "        sub r1,1,r1\n"
                             "        move [r1,a3],r3\n"
                             "        count 0x11\n"
                             "        and r3,0xFF,r2\n"
                             "        or r2,1,r2\n"
                             "pause:  sub r2,1,r2\n"
                             "        bnz r2,^pause\n"
                             "        move [1,a3],r2\n"
                             "        bz r2,^.ended\n"
                             "        sub r2,1,r2\n"
                             "        move r2,[0x13,a0]\n"
                             "        send_on\n"
                             ".ended: suspend\n";

/* The events that an observer has seen. */
typedef struct {
    const Rig *rig;
    uint64_t opened[2], redirected, spilled, returned;
    uint64_t braked[NODES], brake_on[NODES]; /* cycles; since when, or 0 */
} Seen;

static uint64_t value_of(const Rig *rig, const char *name) {
    unsigned row = 0;
    while (strcmp(jm_parameter(row)->name, name) != 0)
        row++;
    return jm_config_get(jm_config(rig->machine), row);
}

/* The mark is compared with the queue in the cycle of the SEND. */
static void see_send(Seen *seen, const JmEvent *e) {
    const uint64_t mark = value_of(seen->rig, "hwm_mark");
    if (!e->opens)
        return;
    seen->opened[e->priority]++;
    seen->redirected += e->redirected != JM_NOT_REDIRECTED;
    if (e->redirected == JM_BY_MARK || e->priority == 0)
        cr_expect_eq(e->redirected == JM_BY_MARK,
                     mark && jm_queue_words(seen->rig->machine, e->node, 0) > mark);
}

static bool see(void *context, const JmEvent *e) {
    Seen *seen = context;
    if (e->kind == JM_EVENT_SEND)
        see_send(seen, e);
    seen->spilled += e->kind == JM_EVENT_SPILL;
    seen->returned += e->kind == JM_EVENT_RETURN;
    if (e->kind == JM_EVENT_BRAKE && e->count)
        seen->brake_on[e->node] = e->cycle;
    else if (e->kind == JM_EVENT_BRAKE)
        seen->braked[e->node] += e->cycle - seen->brake_on[e->node];
    return false;
}

static uint64_t count_at(const Rig *rig, uint32_t place) {
    uint64_t sum = 0;
    for (unsigned node = 0; node < NODES; node++)
        sum += jm_data(jm_read(rig->machine, node, place)) +
               jm_data(jm_read(rig->machine, node, place + HIGH));
    return sum;
}

/* The invariants of each node at rest. A released brake continues to count, and no
 * event reports when it is off. */
static void check_node(const Rig *rig, const Seen *seen, unsigned node,
                       const char *what) {
    const JmNodeStatistics s = rig_statistics(rig, node);
    cr_expect_eq(s.rts_reserved, 0u, "%s: reserved", what);
    cr_expect_eq(s.spilled_now, 0u, "%s: in the ring", what);
    cr_expect_eq(s.returns_in, s.resent, "%s: sent again", what);
    if (value_of(rig, "rts")) {
        cr_expect_eq(s.acks_in, s.messages_out[0], "%s: acknowledged", what);
        cr_expect_eq(s.acks_out, s.messages_in[0], "%s: accepted", what);
    }
    if (value_of(rig, "brake_patience") > jm_now(rig->machine))
        cr_expect_eq(s.brake_cycles, seen->braked[node], "%s: braked", what);
    for (unsigned p = 0; p < 2; p++) {
        cr_expect_eq(s.dispatches[p], s.messages_in[p], "%s: dispatched", what);
        cr_expect_eq(jm_queue_words(rig->machine, node, p), 0u, "%s: queued", what);
    }
}

/* Adds up a field of all nodes' statistics, both priorities if it has two. */
#define SUM(field)                                                                     \
    ({                                                                                 \
        uint64_t sum = 0;                                                              \
        for (unsigned node = 0; node < NODES; node++)                                  \
            sum += rig_statistics(rig, node).field;                                    \
        sum;                                                                           \
    })

static void check_sums(const Rig *rig, const Seen *seen, const char *what) {
    const uint64_t ack_words = value_of(rig, "rts_ack_words");
    JmNetworkStatistics net;
    jm_network_statistics(rig->machine, &net);
    const uint64_t sent = count_at(rig, SENT), got = count_at(rig, GOT);
    cr_expect_eq(got, (uint64_t)NODES * CHAINS * (HOPS + 1), "%s: %u handled", what,
                 (unsigned)got);
    cr_expect_eq(sent, got, "%s: %u sent, seen %u", what, (unsigned)sent,
                 (unsigned)(seen->opened[0] + seen->opened[1]));
    cr_expect_eq(seen->opened[0] + seen->opened[1], sent, "%s: seen", what);
    cr_expect_eq(SUM(marked) + SUM(escaped), seen->redirected, "%s: redirected", what);
    cr_expect_eq(SUM(spilled), 4 * seen->spilled, "%s: spilled", what);
    cr_expect_eq(SUM(returns_out), seen->returned, "%s: returned", what);
    cr_expect_eq(SUM(returns_in), seen->returned, "%s: come back", what);
    cr_expect_eq(SUM(acks_in), SUM(acks_out), "%s: acknowledgements", what);
    for (unsigned p = 0; p < 2; p++) {
        const uint64_t in = p ? SUM(messages_in[1]) : SUM(messages_in[0]);
        const uint64_t out = p ? SUM(messages_out[1]) : SUM(messages_out[0]);
        const uint64_t units = p ? SUM(returns_out) + SUM(acks_out) : SUM(returns_out);
        if (value_of(rig, "virtual_channels") == 1) /* others lead to queue 1 */
            cr_expect_eq(in, out, "%s: in and out at %u", what, p);
        cr_expect_eq(out, seen->opened[p], "%s: out and seen at %u", what, p);
        cr_expect_eq(net.messages_opened[p], out + units, "%s: opened at %u", what, p);
        cr_expect_eq(net.messages_delivered[p], net.messages_opened[p]);
        cr_expect_eq(net.words_delivered[p], net.words_offered[p]);
    }
    if (value_of(rig, "virtual_channels") > 1)
        return;
    const uint64_t back = net.words_delivered[0] - SUM(words_in[0]);
    cr_expect_eq(net.words_delivered[1],
                 SUM(words_in[1]) + back + ack_words * SUM(acks_out), "%s: words",
                 what);
}

enum { SETTINGS_MAX = 8 };

/* Runs the chains. What must end idle does; other settings may also be such that
 * nothing can move, or messages are too long. Returns what was seen of the cures. */
static uint64_t run_with(const Setting *settings, bool must_end, uint64_t seed) {
    JmConfig config = jm_config_default();
    char what[200] = "";
    config.size_x = config.size_y = 2;
    config.seed = seed;
    config.deadlock_cycles = 20000;
    for (const Setting *s = settings; s->name; s++) {
        cr_assert(jm_config_set(&config, s->name, s->value, NULL), "%s", s->name);
        snprintf(what + strlen(what), sizeof what - strlen(what), "%s=%u ", s->name,
                 (unsigned)s->value);
    }
    JmMachine *machine = jm_create(&config, NULL);
    jm_destroy(machine);
    if (!machine)
        return 0; /* settings that do not go together */
    Rig *rig = rig_open_with(&config, chains);
    Seen seen = {.rig = rig};
    jm_observe(rig->machine, UINT32_MAX & ~(1u << JM_EVENT_FLIT), see, &seen);
    const JmStop stop = jm_run(rig->machine, 3000000);
    if (must_end)
        cr_expect_eq(stop, JM_STOP_IDLE, "%s: %s", what, jm_stop_name(stop));
    cr_expect(stop == JM_STOP_IDLE || stop == JM_STOP_DEADLOCK ||
                  stop == JM_STOP_STOPPED,
              "%s: %s", what, jm_stop_name(stop));
    if (stop == JM_STOP_IDLE) {
        check_sums(rig, &seen, what);
        for (unsigned node = 0; node < NODES; node++)
            check_node(rig, &seen, node, what);
    }
    const uint64_t cured =
        seen.redirected + seen.spilled + seen.returned + SUM(brake_cycles);
    rig_close(rig);
    return cured;
}

Test(emu_conservation, every_cure) {
    static const Setting cures[][SETTINGS_MAX] = {
        {{"spill_mark", 16}},
        {{"spill_mark", 28}, {"spill_cycles", 0}},
        {{"spill_mark", 16}, {"hwm_mark", 8}},
        {{"spill_mark", 16},
         {"brake_mark", 40},
         {"brake_ring", 1},
         {"escape_mark", 8},
         {"brake_patience", 500}},
        {{"brake_mark", 20}, {"hwm_mark", 12}, {"escape_mark", 8}, {"open_words", 8}},
        {{"rts", 1}},
        {{"rts", 1}, {"rts_backoff", 70}, {"rts_ack_words", 4}},
        {{"rts", 1}, {"rts_backoff", 500}, {"rts_window", 24}, {"send_faults", 0}},
    };
    for (size_t i = 0; i < sizeof cures / sizeof cures[0]; i++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            cr_expect_gt(run_with(cures[i], true, seed), 0u, "cure %u", (unsigned)i);
}

/* One to three rows of the tables of parameters, whichever there are. */
static void draw_settings(JmRng *rng, Setting *settings) {
    static const uint64_t values[] = {0, 1, 2, 3, 4, 8, 12, 20, 28, 60, 300, 2000};
    unsigned rows = 0, drawn = 0;
    while (jm_parameter(rows))
        rows++;
    for (unsigned n = 1 + (unsigned)(jm_rng_next(rng) % 3); drawn < n;) {
        const JmParameter *row = jm_parameter((unsigned)(jm_rng_next(rng) % rows));
        const uint64_t value =
            values[jm_rng_next(rng) % (sizeof values / sizeof values[0])];
        if (value >= row->minimum && value <= row->maximum)
            settings[drawn++] = (Setting){row->name, value};
    }
}

Test(emu_conservation, any_parameters) {
    JmRng rng = jm_rng(1);
    static const Setting bases[][SETTINGS_MAX] = {
        {{NULL, 0}},
        {{"rts", 1}, {"rts_backoff", 100}},
        {{"spill_mark", 12}},
        {{"hwm_mark", 4}, {"brake_mark", 24}}};
    for (unsigned run = 0; run < 48; run++) {
        Setting settings[SETTINGS_MAX + 4];
        memcpy(settings, bases[run % 4], sizeof bases[0]);
        unsigned at = 0;
        while (settings[at].name)
            at++;
        draw_settings(&rng, settings + at);
        run_with(settings, false, 1 + run);
    }
}
