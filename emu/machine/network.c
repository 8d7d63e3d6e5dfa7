/* Translates the network's parameters and statistics for the library's public
 * functions. */
#include "emu/machine/network.h"
#include "emu/machine/calls_inline.h"

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

NetParams network_params(const JmConfig *config) {
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

uint64_t jm_link_flits(const JmMachine *machine, unsigned node, unsigned dimension,
                       bool up) {
    call_node(machine, node);
    assert(dimension < NET_DIMENSIONS);
    return net_link_flits(netif_network(machine), node, dimension, up);
}
