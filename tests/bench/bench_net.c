/* Speed of the network alone, 8x8x8, 4-word messages to random nodes: saturated (every
 * node sends as fast as it can) and light (one cycle in a hundred a node has a message
 * to send). Network cycles per second of CPU time, and per million dependent additions
 * of a plain loop run beside it, which is what to compare between hosts. */
#include <stdio.h>
#include <time.h>

#include "emu/core/rng.h"
#include "net/net.h"

enum { SIDE = 8, WORDS = 4, WARM_CYCLES = 2000, BATCH_CYCLES = 2000, BATCHES = 9 };

static double cpu_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Dependent additions per CPU second. */
static double plain_loop_rate(void) {
    enum { ADDITIONS = 50000000 };
    const double start = cpu_seconds();
    uint64_t sum = 1;
    for (uint64_t i = 0; i < ADDITIONS; i++) {
        sum += i;
        __asm__ volatile("" : "+r"(sum)); /* keeps each addition */
    }
    return ADDITIONS / (cpu_seconds() - start);
}

/* A message, if there is room for all of it and the draw says so. */
static void maybe_send(Net *net, JmRng *rng, uint32_t node, uint32_t one_in) {
    if (net_room(net, node, 0) < WORDS + 1)
        return;
    if (one_in > 1 && jm_rng_below(rng, one_in) != 0)
        return;
    net_open(net, node, 0, jm_rng_below(rng, net_node_count(net)));
    net_offer(net, node, 0, 2, false);
    net_offer(net, node, 0, 2, true);
}

static void run(Net *net, JmRng *rng, uint32_t one_in, unsigned cycles) {
    const uint32_t nodes = net_node_count(net);
    for (unsigned cycle = 0; cycle < cycles; cycle++) {
        for (uint32_t node = 0; node < nodes; node++)
            maybe_send(net, rng, node, one_in);
        net_step(net);
    }
}

/* Cycles per CPU second: the median of some batches. */
static double network_rate(Net *net, uint32_t one_in) {
    JmRng rng = jm_rng(1);
    double rates[BATCHES];
    run(net, &rng, one_in, WARM_CYCLES);
    for (int batch = 0; batch < BATCHES; batch++) {
        const double start = cpu_seconds();
        run(net, &rng, one_in, BATCH_CYCLES);
        const double rate = BATCH_CYCLES / (cpu_seconds() - start);
        int place = batch;
        for (; place > 0 && rates[place - 1] > rate; place--)
            rates[place] = rates[place - 1];
        rates[place] = rate;
    }
    return rates[BATCHES / 2];
}

static int report(const char *name, uint32_t one_in, double additions) {
    const NetParams params = net_params_default();
    JmError error;
    Net *net = net_create_mesh(SIDE, SIDE, SIDE, &params, &error);
    if (!net) {
        fprintf(stderr, "bench_net: %s\n", error.text);
        return 1;
    }
    const double rate = network_rate(net, one_in);
    const NetStatistics *statistics = net_statistics(net);
    const double cycles = (double)net_now(net);
    printf("network 8x8x8 %-10s %9.0f cycles/s %8.1f per million additions; "
           "%.3f flits/cycle/node in, bisection %.3f\n",
           name, rate, rate / additions * 1e6,
           (double)statistics->flits_injected[0] / cycles / net_node_count(net),
           (double)statistics->bisection_flits[0] / cycles /
               (double)statistics->bisection_wires[0]);
    net_destroy(net);
    return 0;
}

int main(void) {
    const double additions = plain_loop_rate();
    printf("plain loop               %9.0f million dependent additions/s\n",
           additions / 1e6);
    return report("saturated", 1, additions) || report("light", 1000, additions);
}
