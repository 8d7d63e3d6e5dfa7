/* Statistics, and that the same run gives the same figures however it is run. */
#include <criterion/criterion.h>
#include <string.h>

#include "emu/machine/machine.h"
#include "net/net.h"
#include "tests/emu/rig.h"
#include "tests/emu/same.h"

enum { NODES = 3 * 3 * 3 };

static Rig *open_traffic(uint64_t seed) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = 3;
    config.seed = seed;
    return rig_open_with(&config, rig_traffic);
}

static uint64_t sum_of(const uint64_t *values, unsigned count) {
    uint64_t sum = 0;
    for (unsigned k = 0; k < count; k++)
        sum += values[k];
    return sum;
}

/* Every cycle of a node is in one class, whatever happened and whenever one looks. */
Test(emu_statistics, classes_add_up_to_now) {
    Rig *rig = open_traffic(3);
    for (uint64_t until = 1; until < 20000; until = until * 5 / 4 + 1) {
        rig_run(rig, until, JM_STOP_NONE);
        for (unsigned node = 0; node < NODES; node++) {
            const JmNodeStatistics s = rig_statistics(rig, node);
            const uint64_t sum = sum_of(s.cycles, JM_CLASS_COUNT);
            cr_assert_eq(sum, until, "node %u: %u of %u cycles", node, (unsigned)sum,
                         (unsigned)until);
        }
    }
    const JmNodeStatistics to = rig_statistics(rig, 0), from = rig_statistics(rig, 1);
    cr_expect_gt(to.cycles[JM_CLASS_DISPATCH], 0u);
    cr_expect_eq(to.cycles[JM_CLASS_DISPATCH],
                 4 * (to.dispatches[0] + to.dispatches[1]));
    cr_expect_gt(to.cycles[JM_CLASS_SUSPEND], 0u);
    cr_expect_gt(from.cycles[JM_CLASS_SEND], 0u);
    cr_expect_gt(from.cycles[JM_CLASS_SEND_WAIT], 0u);
    cr_expect_gt(from.cycles[JM_CLASS_CONSTANT], 0u);
    cr_expect_gt(rig_statistics(rig, 24).cycles[JM_CLASS_IDLE], 10000u);
    rig_close(rig);
}

/* Also where nodes are started later than others: until then they are idle. */
Test(emu_statistics, nodes_started_later) {
    JmConfig config = jm_config_default();
    config.size_x = 4;
    JmMachine *machine = jm_create(&config, NULL);
    Rig *rig = rig_open(1, 1, 1,
                        "here:   nop\n"
                        "        nop\n"
                        "        br ^here\n"
                        "        nop\n");
    for (uint32_t at = 0x1000; at < 0x1002; at++)
        jm_write_all(machine, at, jm_read(rig->machine, 0, at));
    for (unsigned node = 0; node < 4; node++) {
        jm_start(machine, node);
        jm_run(machine, 100 * (node + 1));
        for (unsigned i = 0; i < 4; i++) {
            JmNodeStatistics s;
            jm_node_statistics(machine, i, &s);
            cr_expect_eq(s.cycles[JM_CLASS_IDLE], 100 * (i > node ? node + 1 : i));
            cr_expect_eq(sum_of(s.cycles, JM_CLASS_COUNT), 100 * (node + 1));
        }
    }
    jm_destroy(machine);
    rig_close(rig);
}

/* The workload is what it should be: all the hard cases occur. */
Test(emu_statistics, traffic_meets_every_fault) {
    Rig *rig = open_traffic(3);
    uint64_t faults[JM_FAULT_COUNT] = {0}, sent = 0, received = 0;
    rig_run(rig, 60000, JM_STOP_NONE);
    for (unsigned node = 0; node < NODES; node++) {
        const JmNodeStatistics s = rig_statistics(rig, node);
        for (unsigned k = 0; k < JM_FAULT_COUNT; k++)
            faults[k] += s.faults[k];
        sent += s.messages_out[0] + s.messages_out[1];
        received += s.messages_in[0] + s.messages_in[1];
    }
    cr_expect_gt(faults[JM_FAULT_SEND], 0u);
    cr_expect_gt(faults[JM_FAULT_EARLY], 0u);
    cr_expect_gt(faults[JM_FAULT_QUEUE], 0u);
    cr_expect_geq(sent, received);
    cr_expect_lt(sent - received, 27u * 30);
    cr_expect_gt(received, 1000u);
    rig_close(rig);
}

/* Two machines in one process do not meet. */
Test(emu_statistics, machines_are_apart) {
    Rig *alone = open_traffic(9), *a = open_traffic(9), *b = open_traffic(10);
    rig_run(alone, 3000, JM_STOP_NONE);
    for (uint64_t cycle = 100; cycle <= 3000; cycle += 100) {
        rig_run(a, cycle, JM_STOP_NONE);
        rig_run(b, cycle, JM_STOP_NONE);
    }
    expect_same(alone, a, 9);
    rig_close(alone);
    rig_close(a);
    rig_close(b);
}

/* A branch to itself can sleep, two branches to each other cannot: same counts. Node 2
 * keeps the machine going. */
Test(emu_statistics, sleep_counts_its_instructions) {
    Rig *rig = rig_open(3, 1, 1,
                        "        peek 0xFFF0E,r1\n"
                        "        bz r1,^self\n"
                        "        sub r1,1,r1\n"
                        "        bz r1,^pair\n"
                        "work:   add r1,1,r1\n"
                        "        br ^work\n"
                        "        .align 4\n"
                        "self:   br ^self\n"
                        "        .align 4\n"
                        "pair:   br ^back\n"
                        "back:   br ^pair\n");
    uint64_t first[2] = {0};
    for (uint64_t cycle = 50; cycle < 5000; cycle += 98) {
        rig_run(rig, cycle, JM_STOP_NONE);
        for (unsigned node = 0; node < 2; node++) {
            const uint64_t count = rig_statistics(rig, node).instructions;
            if (cycle == 50)
                first[node] = count;
            cr_assert_eq(count - first[node], (cycle - 50) / 2, "node %u at %u", node,
                         (unsigned)cycle);
        }
    }
    cr_expect_gt(rig_statistics(rig, 0).cycles[JM_CLASS_IDLE], 4800u);
    rig_close(rig);
}

/* Time-weighted mean and high-water mark of a queue that the test sets. */
Test(emu_statistics, queue_mean) {
    Rig *rig = rig_open(1, 1, 1,
                        "work:   add r1,1,r1\n"
                        "        br ^work\n");
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QBM, jm_addr(0x800, 63));
    rig_run(rig, 100, JM_STOP_NONE);
    jm_set_register(rig->machine, 0, JM_CONTEXT_0, JM_REG_QHL, jm_addr(0x800, 40));
    rig_run(rig, 400, JM_STOP_NONE);
    const JmNodeStatistics s = rig_statistics(rig, 0);
    cr_expect_float_eq(s.queue_mean_words[0], 40 * 300 / 400.0, 0.2, "%f",
                       s.queue_mean_words[0]);
    cr_expect_eq(s.queue_max_words[0], 40u);
    cr_expect_eq(s.overflows[0], 0u); /* by arriving rows only */
    rig_close(rig);
}

/* The shares of the wires' time, from flits and the wires of a mesh; the parts of the
 * distribution of latencies. */
Test(emu_statistics, network) {
    JmConfig config = jm_config_default();
    config.size_x = 4;
    config.size_y = config.size_z = 2;
    Rig *rig = rig_open_with(&config, rig_traffic);
    const double size[] = {4, 2, 2};
    JmNetworkStatistics n;
    rig_run(rig, 20000, JM_STOP_NONE);
    jm_network_statistics(rig->machine, &n);
    for (unsigned d = 0; d < 3; d++) {
        const double rows = 16 / size[d], time = 20000;
        cr_expect_gt(n.bisection_flits[d], 0u);
        cr_expect_float_eq(n.bisection_utilisation[d],
                           (double)n.bisection_flits[d] / rows / time, 1e-12);
        cr_expect_float_eq(n.wire_utilisation[d],
                           (double)n.flits[d] / (rows * (size[d] - 1)) / time, 1e-12);
    }
    const NetHistogram *h = &net_statistics(netif_network(rig->machine))->latency;
    uint64_t below = 0;
    for (uint64_t cycles = 0; cycles < n.latency.p90; cycles++)
        below += h->exact[cycles];
    cr_expect_lt(n.latency.p50, n.latency.p90);
    cr_expect_lt(n.latency.p90, n.latency.p99);
    cr_expect_lt((double)below, 0.9 * (double)h->count);
    cr_expect_geq((double)(below + h->exact[n.latency.p90]), 0.9 * (double)h->count);
    rig_close(rig);
}
