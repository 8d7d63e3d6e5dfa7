/* The model `confluence`: all nodes send to the last one as fast as the network
 * accepts, and streams meet on the way (thesis, fig. 5-8). */
#include <math.h>
#include <stdlib.h>

#include "tools/exp/models/parts.h"
#include "tools/host/memory.h"

enum { PRIORITY = 0, WORDS_A_CYCLE = 2 };

/* Cycles between two checks whether the result is still wanted. */
enum { PATIENCE = 4096 };

typedef struct {
    unsigned left; /* words of the open message still to be sent; 0: none is open */
    uint64_t words;
} Sender;

/* Offers what a cycle allows: the routing word goes with the first word. */
static void offer(Net *net, Sender *sender, unsigned node, unsigned last,
                  unsigned words) {
    const bool open = sender->left > 0;
    const unsigned now = open && sender->left >= WORDS_A_CYCLE ? WORDS_A_CYCLE : 1;
    if (net_room(net, node, PRIORITY) < now + !open)
        return;
    if (!open) {
        if (net_open(net, node, PRIORITY, last) == NET_NONE)
            return;
        sender->left = words;
    }
    sender->left -= now;
    sender->words += now;
    net_offer(net, node, PRIORITY, now, sender->left == 0);
}

static void run(ModelPoint *point, Net *net, Sender *senders, unsigned cycles) {
    const unsigned last = net_node_count(net) - 1;
    const unsigned words = model_whole(point->settings, "flits") / NET_FLITS_PER_WORD;
    for (unsigned now = 0; now < cycles && !point->stopped; now++) {
        for (unsigned node = 0; node < last; node++)
            offer(net, &senders[node], node, last, words);
        net_step(net);
        if (now % PATIENCE == 0)
            model_is_stopped(point);
    }
}

static void measure(ModelPoint *point, Net *net, Sender *senders, Result *record) {
    const unsigned cycles = model_whole(point->settings, "cycles");
    run(point, net, senders, cycles);
    const unsigned nodes = net_node_count(net);
    for (unsigned node = 0; node < nodes; node++)
        senders[node].words = 0;
    run(point, net, senders, cycles);
    ResultList *accepted = result_add_list(record, "accepted");
    for (unsigned node = 0; node < nodes; node++) {
        const double flits = (double)senders[node].words * NET_FLITS_PER_WORD / cycles;
        result_push(accepted, &flits);
    }
}

bool solve_confluence(ModelPoint *point, Result *record, JmError *error) {
    Net *net = model_network_of(point->settings, error);
    if (!net)
        return false;
    Sender *senders = memory_array(net_node_count(net), sizeof *senders);
    measure(point, net, senders, record);
    free(senders);
    net_destroy(net);
    return true;
}
