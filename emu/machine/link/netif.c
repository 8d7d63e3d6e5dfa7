/* Between the machine and the network.
 *
 * Flits carry no data. The words of a message stay here, by the network's message
 * number: the sender appends (send.c), the receiver takes the k-th word when the
 * network says that its k-th word has been ejected (deliver.c).
 */
#include <stdlib.h>
#include <string.h>

#include "emu/core/rng.h"
#include "emu/machine/calls_inline.h"
#include "emu/machine/link/netif.h"
#include "emu/machine/machine.h"

/* ---- configuration --------------------------------------------------------------- */

/* Rows of net/params.def, as the public interface shows them. */
static const JmParameter NETWORK_PARAMETERS[] = {
#define NET_PARAM(name, standard, minimum, maximum, text, source)                      \
    {#name, text, source, standard, minimum, maximum},
#include "net/params.def"
#undef NET_PARAM
};

/* The index of each parameter in JmConfig.network. */
enum {
#define NET_PARAM(name, ...) NETWORK_##name,
#include "net/params.def"
#undef NET_PARAM
    NETWORK_COUNT
};

_Static_assert((int)NETWORK_COUNT <= (int)JM_NETWORK_PARAMS, "one place for each row");

const JmParameter *netif_parameter(unsigned index) {
    return index < NETWORK_COUNT ? &NETWORK_PARAMETERS[index] : NULL;
}

void netif_config_default(JmConfig *config) {
    for (unsigned i = 0; i < NETWORK_COUNT; i++)
        config->network[i] = (uint32_t)NETWORK_PARAMETERS[i].standard;
}

static void set_params(JmConfig *config, const NetParams *params) {
#define NET_PARAM(name, ...) config->network[NETWORK_##name] = params->name;
#include "net/params.def"
#undef NET_PARAM
}

bool jm_config_topology(JmConfig *config, const char *specification, JmError *error) {
    assert(config && specification);
    NetParams params = netif_params(config);
    unsigned size[NET_DIMENSIONS];
    if (strlen(specification) >= sizeof config->topology)
        return jm_fail(error, "topology",
                       "the specification has more than %d characters",
                       JM_TOPOLOGY_TEXT - 1);
    if (!net_specification_machine(specification, &params, size, error))
        return false;
    memcpy(config->topology, specification, strlen(specification) + 1);
    set_params(config, &params);
    config->size_x = size[0];
    config->size_y = size[1];
    config->size_z = size[2];
    return true;
}

NetParams netif_params(const JmConfig *config) {
    return (NetParams){
#define NET_PARAM(name, ...) .name = config->network[NETWORK_##name],
#include "net/params.def"
#undef NET_PARAM
    };
}

/* ---- statistics ------------------------------------------------------------------ */

/* Condenses a histogram of cycles. */
static JmDistribution distribution(const NetHistogram *h) {
    if (!h->count)
        return (JmDistribution){.count = 0};
    return (JmDistribution){.count = h->count,
                            .min = h->min,
                            .max = h->max,
                            .p50 = net_histogram_percentile(h, 0.50),
                            .p90 = net_histogram_percentile(h, 0.90),
                            .p99 = net_histogram_percentile(h, 0.99),
                            .mean = (double)h->sum / (double)h->count};
}

/* Returns flits per wire and cycle, 0 to 1; 0 without wires. */
static double utilisation(uint64_t flits, uint64_t wires, uint64_t cycles) {
    return wires && cycles ? (double)flits / ((double)wires * (double)cycles) : 0.0;
}

void jm_network_statistics(const JmMachine *machine, JmNetworkStatistics *out) {
    call_looks(machine);
    assert(out);
    const NetStatistics *s = net_statistics(netif_network(machine));
    *out = (JmNetworkStatistics){.blocked_cycles = s->blocked_cycles,
                                 .latency = distribution(&s->latency),
                                 .transit = distribution(&s->transit)};
    for (int p = 0; p < NET_PRIORITIES; p++) {
        out->messages_opened[p] = s->messages_opened[p];
        out->messages_delivered[p] = s->messages_delivered[p];
        out->words_offered[p] = s->words_offered[p];
        out->words_delivered[p] = s->words_delivered[p];
        out->flits_injected += s->flits_injected[p];
        out->flits_ejected += s->flits_ejected[p];
        out->flits_dropped += s->flits_dropped[p];
    }
    for (int d = 0; d < NET_DIMENSIONS; d++) {
        out->flits[d] = s->wire_flits[d];
        out->bisection_flits[d] = s->bisection_flits[d];
        out->wire_utilisation[d] =
            utilisation(s->wire_flits[d], s->wires[d], machine->now);
        out->bisection_utilisation[d] =
            utilisation(s->bisection_flits[d], s->bisection_wires[d], machine->now);
    }
}

bool jm_messages_overtake(const JmMachine *machine) {
    call_looks(machine);
    return net_may_overtake(netif_network(machine));
}

bool jm_has_link(const JmMachine *machine, unsigned node, unsigned dimension, bool up) {
    call_node(machine, node);
    assert(dimension < NET_DIMENSIONS);
    return net_has_link(netif_network(machine), node, dimension, up);
}

uint64_t jm_link_flits(const JmMachine *machine, unsigned node, unsigned dimension,
                       bool up) {
    call_node(machine, node);
    assert(dimension < NET_DIMENSIONS);
    return net_link_flits(netif_network(machine), node, dimension, up);
}

/* ---- life ------------------------------------------------------------------------ */

static void end_net(void *net) {
    net_destroy(net);
}

/* Makes the tables for the ends (node, priority) of a network, which it takes over.
 * `by_age`: routers arbitrate by age. */
static Netif *make(Heap *heap, Net *net, bool by_age) {
    const size_t ends = (size_t)net_node_count(net) * 2;
    heap_at_end(heap, end_net, net);
    Netif *netif = heap_alloc(heap, sizeof *netif);
    netif->heap = heap;
    netif->net = net;
    netif->start_words = net_start_words(net);
    netif->header_flits = net_header_flits(net);
    netif->word_flits = net_flits_per_word(net);
    netif->open = heap_alloc(heap, ends * sizeof *netif->open);
    netif->arriving = heap_alloc(heap, ends * sizeof *netif->arriving);
    netif->senders = heap_alloc(heap, ends * sizeof *netif->senders);
    netif->closed = heap_alloc(heap, ends / 2 * sizeof *netif->closed);
    netif->ages = by_age ? heap_alloc(heap, ends * sizeof *netif->ages) : NULL;
    return netif;
}

Netif *netif_create(Heap *heap, const JmConfig *config, JmError *error) {
    const NetParams params = netif_params(config);
    Net *net =
        *config->topology
            ? net_create_machine(config->topology, &params, config->engine, error)
            : net_create_mesh_with(config->size_x, config->size_y, config->size_z,
                                   &params, config->engine, error);
    return net ? make(heap, net, params.age != 0) : NULL;
}

/* Doubles the room for messages. Messages are aligned to cache lines, so heap_grow()
 * cannot be used. */
static void grow(Netif *netif) {
    const size_t capacity = netif->capacity ? netif->capacity * 2 : 16;
    Message *more = heap_adopt(netif->heap, memory_large(capacity * sizeof *more));
    if (netif->messages) {
        memcpy(more, netif->message, netif->messages * sizeof *more);
        heap_keep(netif->heap, netif->message);
        free(netif->message);
    }
    netif->message = more;
    netif->capacity = capacity;
}

void netif_make_room(Netif *netif, uint32_t number) {
    while (netif->messages <= number) {
        if (netif->messages == netif->capacity)
            grow(netif);
        netif->message[netif->messages++] = message_new();
    }
}

void netif_seed(JmMachine *machine) {
    Net *net = machine->netif->net;
    net_seed(net, jm_rng_mix(machine->config.seed, 1));
    net_draw_by(net, jm_rng_mix(machine->config.seed, 2));
}

/* ---- rows in queues -------------------------------------------------------------- */

int64_t netif_sender(const JmMachine *machine, const Node *node, unsigned priority) {
    Senders *senders = &machine->netif->senders[node->rank * 2 + priority];
    return (int64_t)*sender_of(senders, &node->priority[priority], 0) - 1;
}

void netif_note_row(JmMachine *machine, const Node *node, uint32_t sender,
                    uint32_t behind, uint64_t age) {
    Netif *netif = machine->netif;
    const Priority *queue = &node->priority[0];
    const uint32_t length = node_queue_length(node, 0);
    *sender_of(&netif->senders[node->rank * 2], queue, length - NODE_ROW_WORDS) =
        sender;
    if (netif->ages)
        *age_of(&netif->ages[node->rank * 2], queue,
                length - (behind + 1) * NODE_ROW_WORDS) = age;
}

/* ---- gates ----------------------------------------------------------------------- */

void netif_set_gate(JmMachine *machine, unsigned node, unsigned priority, bool open) {
    net_set_gate(machine->netif->net, node, priority, open);
}

void netif_settle_gates(JmMachine *machine) {
    net_settle_gates(machine->netif->net);
}

/* ---- the network's clock and state ----------------------------------------------- */

void netif_skip_to(JmMachine *machine, uint64_t cycle) {
    Net *net = machine->netif->net;
    if (net_now(net) < cycle)
        net_skip(net, cycle - net_now(net));
}

bool netif_is_quiet(const JmMachine *machine) {
    return net_is_quiet(machine->netif->net);
}

bool netif_flits_wait(const JmMachine *machine) {
    return net_flits_wait(machine->netif->net);
}

bool netif_is_stuck(const JmMachine *machine) {
    const Net *net = machine->netif->net;
    return net_is_quiet(net) || !net_moved(net);
}

bool netif_has_messages(const JmMachine *machine) {
    const NetStatistics *s = net_statistics(machine->netif->net);
    return s->messages_opened[0] + s->messages_opened[1] !=
           s->messages_delivered[0] + s->messages_delivered[1];
}

/* ---- inspection ------------------------------------------------------------------ */

/* Turns a flit's move into an event. */
static void on_flit(void *context, uint64_t cycle, uint32_t message, uint32_t flit,
                    int32_t from, int32_t channel, uint32_t node) {
    (void)from;
    JmMachine *machine = context;
    machine->env.observe(machine, &(JmEvent){.kind = JM_EVENT_FLIT,
                                             .cycle = cycle,
                                             .node = node,
                                             .word = {flit},
                                             .count = (uint32_t)(channel + 1),
                                             .message = message});
}

bool netif_observe_flits(JmMachine *machine, bool on) {
    return net_set_flit_hook(machine->netif->net, on ? on_flit : NULL, machine);
}

const Net *netif_network(const JmMachine *machine) {
    return machine->netif->net;
}

bool netif_block_link(JmMachine *machine, unsigned node, unsigned dimension, bool up,
                      bool blocked) {
    return net_block_link(machine->netif->net, node, dimension, up, blocked);
}

bool netif_word(const JmMachine *machine, uint32_t message, uint32_t index,
                JmWord *word) {
    const Netif *netif = machine->netif;
    if (message >= netif->messages)
        return false;
    Message *m = &netif->message[message];
    if (index >= m->sent - m->delivered)
        return false;
    *word = *message_word(m, m->delivered + index);
    return true;
}

enum { EXPLAINED_CHAINS = 16 };

void netif_explain(const JmMachine *machine, JmRowWriter *writer, void *context) {
    net_explain_all(machine->netif->net, EXPLAINED_CHAINS, writer, context);
}

void netif_mark_awaited(const JmMachine *machine, bool *awaited) {
    const Net *net = machine->netif->net;
    for (uint32_t c = 0; c < net_channel_count(net); c++) {
        const NetChannelState state = net_channel_state(net, c);
        if (state.flits && state.next < 0)
            awaited[state.node] = true;
    }
}
