#include "watched.h"

#include <criterion/criterion.h>
#include <stdio.h>

#include "rig.h"

NetProcessorsPlan to_and_from_one(unsigned words) {
    return (NetProcessorsPlan){.load = LOAD,
                               .hops = 8,
                               .words = words,
                               .handler = 90,
                               .home_every = 2,
                               .imbalance = 1e6,
                               .hot = HOT,
                               .queue = {80, 80},
                               .traps = 3,
                               .brake_patience = 100000,
                               .seed = 4};
}

Watched watch(unsigned nodes, const NetProcessorsPlan *plan) {
    char topology[20];
    JmError error = {.text = ""};
    Watched w = {.node = plan->hot, .load = plan->load, .here = plan->load};
    snprintf(topology, sizeof topology, "mesh=%u", nodes);
    w.net = net_of(topology, "");
    w.processors = net_processors_create(w.net, plan, &error);
    cr_assert_not_null(w.processors, "%s", error.text);
    for (unsigned i = 0; i < plan->load; i++)
        w.came[w.came_count++] = w.node;
    return w;
}

NetProcessorsState watched_cycle(Watched *w) {
    const NetProcessorsState result = net_processors_run(w->processors, 1);
    NetMessageState state;
    size_t count;
    const bool was_open = w->is_open;
    w->is_open = net_is_open(w->net, w->node, 0);
    if (w->is_open && !was_open) {
        const uint32_t message = net_open_message(w->net, w->node, 0);
        cr_assert(net_message_state(w->net, message, &state));
        w->opened[w->went_count] = net_now(w->net) - 1;
        w->went[w->went_count++] = state.destination;
    }
    w->here -= was_open && !w->is_open;
    const NetDelivery *words = net_deliveries(w->net, &count);
    for (size_t i = 0; i < count; i++) {
        if (words[i].node != w->node || words[i].priority || !words[i].tail)
            continue;
        cr_assert(net_message_state(w->net, words[i].message, &state));
        w->came[w->came_count++] = state.source;
        w->here++;
    }
    cr_assert(w->came_count < WATCHED_MOST && w->went_count < WATCHED_MOST);
    return result;
}

NetProcessorsCounts unwatch(Watched *w) {
    const NetProcessorsCounts counts = net_processors_counts(w->processors);
    net_processors_destroy(w->processors);
    net_destroy(w->net);
    return counts;
}
