/* Sources of a ring under tornado traffic, as queues: messages come at random times,
 * and the service is the time for which a message keeps its source. */
#include <math.h>
#include <string.h>

#include "rig.h"

enum { NODES = 8, LENGTH = 8, BIRTHS = 1024, WARM_UP = 2000 };

typedef struct {
    double due;            /* the next birth */
    uint64_t born[BIRTHS]; /* a ring of the cycles of births */
    unsigned births, offered, gone;
    uint64_t free; /* first cycle behind its last tail */
} Source;

static struct {
    Net *net;
    Source source[NODES];
    double waits, service, squares, messages; /* of those that have left */
} run;

/* Takes a tail that leaves its source. */
static void note(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                 int32_t from, int32_t to, uint32_t node) {
    NetMessageState state;
    (void)context, (void)to, (void)node;
    if (from >= 0 || flit + 1 < LENGTH)
        return;
    cr_assert(net_message_state(run.net, message, &state));
    Source *source = &run.source[state.source];
    const uint64_t born = source->born[source->gone++ % BIRTHS];
    const uint64_t start = born > source->free ? born : source->free;
    const double service = (double)(cycle + 1 - start);
    source->free = cycle + 1;
    if (cycle < WARM_UP)
        return;
    run.waits += (double)(start - born);
    run.service += service;
    run.squares += service * service;
    run.messages++;
}

/* Messages are born when they are due, in whole cycles, and may leave then. */
static void bear(JmRng *rng, double rate) {
    for (unsigned i = 0; i < NODES; i++) {
        Source *source = &run.source[i];
        for (; source->due <= (double)(net_now(run.net) + 1); source->births++) {
            source->born[source->births % BIRTHS] = net_now(run.net) + 1;
            source->due -= log1p(-(double)(jm_rng_next(rng) >> 11) * 0x1p-53) / rate;
        }
        cr_assert_lt(source->births - source->gone, BIRTHS);
        for (; source->offered < source->births; source->offered++) {
            if (net_room(run.net, i, 0) < LENGTH)
                break;
            net_open_drawn(run.net, i, 0, (i + NODES / 2 - 1) % NODES, 0);
            net_offer_rest(run.net, i, 0, LENGTH - 1, net_now(run.net));
        }
    }
}

/* The mean wait beside that of Pollaczek and Khinchine for the measured service. */
static void expect_law(const char *topology, double rate, double service,
                       double within) {
    enum { CYCLES = 600000 };
    JmRng rng = jm_rng(9);
    memset(&run, 0, sizeof run);
    run.net = net_of(topology, "");
    net_set_flit_hook(run.net, note, NULL);
    while (net_now(run.net) < CYCLES) {
        bear(&rng, rate);
        net_step(run.net);
    }
    const double mean = run.service / run.messages, used = rate * mean;
    const double wait = rate * run.squares / run.messages / (2 * (1 - used));
    cr_expect_float_eq(run.waits / run.messages, wait, within * wait,
                       "%s: %g cycles, not %g; service %g, used %g", topology,
                       run.waits / run.messages, wait, mean, used);
    if (service > 0)
        cr_expect_float_eq(mean, service, 1e-9);
    net_destroy(run.net);
}

/* All messages go one way, over three wires, at 30 % of what these allow; and where
 * no messages share a wire the service is the length. */
Test(queue_law, sources_wait_as_pollaczek_and_khinchine_say) {
    expect_law("torus=8,lanes=2,places=4", 0.3 / 3 / LENGTH, 0, 0.05);
    expect_law("torus=8,lanes=8,places=8", 0.3 / 3 / LENGTH, 0, 0.05);
}
