/* Statistics of nodes and network that are not computed again in test_reckoning.c. */
#include <criterion/criterion.h>

#include "tests/emu/rig.h"
#include "tests/emu/same.h"

enum { NODES = 3 * 3 * 3 };

static Rig *open_traffic(uint64_t seed) {
    JmConfig config = jm_config_default();
    config.size_x = config.size_y = config.size_z = 3;
    config.seed = seed;
    return rig_open_with(&config, rig_traffic);
}

/* Nodes that are started later than others are idle until then. */
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
            uint64_t sum = 0;
            for (unsigned c = 0; c < JM_CLASS_COUNT; c++)
                sum += s.cycles[c];
            cr_expect_eq(s.cycles[JM_CLASS_IDLE], 100 * (i > node ? node + 1 : i));
            cr_expect_eq(sum, 100 * (node + 1));
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

/* The shares of the wires' time, from flits and the wires of a mesh. */
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
    rig_close(rig);
}
