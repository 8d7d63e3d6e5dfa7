/* Messages that are offered before their words are due: a network that gets each word
 * in its cycle, and a twin that gets messages whole, or the rest of one, deliver the
 * same words in the same cycles; also if the last words are taken back and come
 * later. */
#include "rig.h"

enum { NODES = 16, CYCLES = 4000, WORDS = 4 };

/* A message of a sender, and the cycles in which its words are due. */
typedef struct {
    bool under_way;
    uint32_t to;
    uint64_t due[WORDS];
    unsigned offered; /* words that the twin has been given */
} Sending;

typedef struct {
    Net *plain, *early;
    JmRng random;
    Sending sending[NODES];
} Twins;

static unsigned below(Twins *twins, unsigned limit) {
    return jm_rng_below(&twins->random, limit);
}

/* Begins a message whose words come in quick succession. The third of them, with the
 * routing word, meets the start rule. */
static void begin(Twins *twins, unsigned node) {
    Sending *s = &twins->sending[node];
    *s = (Sending){.under_way = true, .to = below(twins, NODES)};
    uint64_t cycle = net_now(twins->plain);
    for (unsigned i = 0; i < WORDS; i++)
        s->due[i] = cycle += 1 + below(twins, 3);
    net_open(twins->plain, node, 0, s->to);
    if (below(twins, 2)) {
        net_send(twins->early, node, 0, s->to, WORDS, s->due[2]);
        s->offered = WORDS;
    } else {
        net_open(twins->early, node, 0, s->to);
    }
}

/* Gives the twin the word that is due, or all that are left. */
static void offer_early(Twins *twins, unsigned node, unsigned word) {
    Sending *s = &twins->sending[node];
    if (word < s->offered)
        return;
    const bool all = word < 2 && below(twins, 2);
    s->offered = all ? WORDS : word + 1;
    if (all)
        net_offer_rest(twins->early, node, 0, WORDS - word, s->due[2]);
    else
        net_offer(twins->early, node, 0, 1, word + 1 == WORDS);
}

static void send(Twins *twins, unsigned node) {
    Sending *s = &twins->sending[node];
    const uint64_t now = net_now(twins->plain);
    const unsigned room = net_room(twins->plain, node, 0);
    if (!s->under_way && room > WORDS && below(twins, 4) == 0)
        begin(twins, node);
    for (unsigned i = 0; s->under_way && i < WORDS; i++) {
        if (s->due[i] != now)
            continue;
        net_offer(twins->plain, node, 0, 1, i + 1 == WORDS);
        offer_early(twins, node, i);
        s->under_way = i + 1 < WORDS;
    }
}

/* Between two steps: takes back what is not due yet. */
static void take_back(Twins *twins, unsigned node) {
    Sending *s = &twins->sending[node];
    unsigned words = 0;
    while (s->under_way && words < s->offered &&
           s->due[s->offered - 1 - words] >= net_now(twins->plain))
        words++;
    if (words == 0 || s->offered != WORDS)
        return;
    net_take_back(twins->early, node, 0, words);
    s->offered -= words;
}

static void compare(const Twins *twins) {
    size_t count, others;
    const NetDelivery *a = net_deliveries(twins->plain, &count);
    const NetDelivery *b = net_deliveries(twins->early, &others);
    cr_assert_eq(count, others);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(a[i].node, b[i].node);
        cr_assert_eq(a[i].message, b[i].message);
        cr_assert_eq(a[i].tail, b[i].tail);
    }
}

ENGINE_TEST(early, nobody_can_tell_when_words_were_offered) {
    Twins twins = {.plain = net_by(engine, "mesh=4x2x2", ""),
                   .early = net_by(engine, "mesh=4x2x2", ""),
                   .random = jm_rng(5)};
    for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
        for (unsigned node = 0; node < NODES; node++)
            send(&twins, node);
        net_step(twins.plain);
        net_step(twins.early);
        compare(&twins);
        for (unsigned node = 0; node < NODES; node++)
            if (below(&twins, 4) == 0)
                take_back(&twins, node);
    }
    cr_assert_gt(net_statistics(twins.early)->messages_delivered[0], 1000);
    cr_assert(net_check(twins.early, NULL));
    cr_assert_eq(net_statistics(twins.plain)->flits_injected[0],
                 net_statistics(twins.early)->flits_injected[0]);
    net_destroy(twins.plain);
    net_destroy(twins.early);
}
