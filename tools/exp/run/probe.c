/* Probes: dispatches to costs.c and jam.c, keeps frames of all queues, and times tasks.
 */
#include "tools/exp/run/probe.h"

#include <math.h>
#include <stdlib.h>

#include "tools/exp/run/costs.h"
#include "tools/host/memory.h"

/* Offsets in words from overflow_queue0 (kernel/overflow.s): where the addresses of the
 * overflow buffer's next free word and of its first word are kept. The buffer is a ring
 * of RING_WORDS. */
enum { IN_PLACE, OUT_PLACE, RING_WORDS = 0x20000 };

/* What a node has done. */
typedef struct {
    uint64_t busy, tasks; /* cycles in which it did not idle; messages dispatched */
} Work;

struct ProbeState {
    Probe kind;
    JmMachine *machine;
    Costs *costs;
    Jam *jam;
    json_t *frames; /* [[cycle, [[node, queue words, buffer words]...]]...] */
    Work *work;     /* of each node, until the first mark */
    uint64_t start; /* cycle of the first mark */
    uint32_t queue; /* address of overflow_queue0 */
};

bool probe_open(ProbeState **probe, const Settings *settings, JmMachine *machine,
                JmError *error) {
    const Probe kind = (Probe)settings_number(settings, "probe");
    if (kind == PROBE_NONE)
        return true;
    ProbeState *state = *probe = memory_array(1, sizeof *state);
    *state = (ProbeState){.kind = kind, .machine = machine};
    switch (kind) {
    case PROBE_COSTS:
        return (state->costs = costs_open(machine, error)) != NULL;
    case PROBE_JAM:
        state->jam = jam_open(machine);
        return true;
    case PROBE_TASKS:
        state->work = memory_array(jm_node_count(machine), sizeof *state->work);
        return true;
    default:
        state->frames = json_array();
        return jm_symbol(machine, "overflow_queue0", &state->queue) ||
               jm_fail(error, "jm exp", "the program has no overflow_queue0");
    }
}

static Work work_of(const ProbeState *probe, unsigned node) {
    JmNodeStatistics s;
    jm_node_statistics(probe->machine, node, &s);
    return (Work){jm_now(probe->machine) - s.cycles[JM_CLASS_IDLE],
                  s.dispatches[0] + s.dispatches[1]};
}

void probe_start(ProbeState *probe, uint64_t cycle) {
    if (!probe)
        return;
    probe->start = cycle;
    for (unsigned node = 0; probe->work && node < jm_node_count(probe->machine); node++)
        probe->work[node] = work_of(probe, node);
}

/* Returns the number of words in a node's overflow buffer. */
static uint32_t buffer_words(const ProbeState *probe, unsigned node) {
    const uint32_t in = jm_data(jm_read(probe->machine, node, probe->queue + IN_PLACE));
    const uint32_t out =
        jm_data(jm_read(probe->machine, node, probe->queue + OUT_PLACE));
    return (in - out) & (RING_WORDS - 1);
}

/* Nodes with an empty queue and buffer are left out of a frame. */
void probe_sample(ProbeState *probe) {
    if (!probe || !probe->frames)
        return;
    json_t *nodes = json_array();
    for (unsigned node = 0; node < jm_node_count(probe->machine); node++) {
        const uint32_t words = jm_queue_words(probe->machine, node, 0);
        const uint32_t held = buffer_words(probe, node);
        if (words || held)
            json_array_append_new(
                nodes, json_pack("[i, i, i]", (int)node, (int)words, (int)held));
    }
    const json_int_t time = (json_int_t)(jm_now(probe->machine) - probe->start);
    json_array_append_new(probe->frames, json_pack("[I, o]", time, nodes));
}

double probe_overflow_cycles(const ProbeState *probe) {
    if (!probe || !probe->costs)
        return NAN;
    double cycles = 0;
    for (int i = 0; i < COST_HEADINGS; i++)
        cycles += (double)costs_cycles(probe->costs, (CostHeading)i);
    return cycles;
}

/* Appends the mean cycles of a node's tasks since the first mark, times 100; 0 if there
 * were none. */
static void add_handling(const ProbeState *probe, unsigned node, Result *result) {
    const Work first = probe->work[node], last = work_of(probe, node);
    const double tasks = (double)(last.tasks - first.tasks);
    const double busy = (double)(last.busy - first.busy);
    result_push(result_add_list(result, "handling"),
                &(double){tasks > 0 ? floor(busy / tasks * 100 + 0.5) : 0});
}

void probe_result(ProbeState *probe, Result *result) {
    if (!probe)
        return;
    if (probe->frames)
        result_add_tree(result, "frames", json_incref(probe->frames));
    if (probe->costs)
        result_add_tree(result, "costs", costs_result(probe->costs));
    if (probe->jam)
        result_add_tree(result, "jam", jam_result(probe->jam));
    for (unsigned node = 0; probe->work && node < jm_node_count(probe->machine); node++)
        add_handling(probe, node, result);
}

void probe_close(ProbeState *probe) {
    if (!probe)
        return;
    json_decref(probe->frames);
    costs_close(probe->costs);
    jam_close(probe->jam);
    free(probe->work);
    free(probe);
}
