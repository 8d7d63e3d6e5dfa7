/* Counts the timed part of a program: counts at its last mark less those at the first.
 */
#include "tools/exp/run/timed.h"

#include <math.h>
#include <stdlib.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"

static double both(const uint64_t by_priority[2]) {
    return (double)(by_priority[0] + by_priority[1]);
}

/* Cycles of SENDs, and from a SEND that found no room to the one that did. */
static double sending(const uint64_t cycles[JM_CLASS_COUNT]) {
    return (double)(cycles[JM_CLASS_SEND] + cycles[JM_CLASS_SEND_WAIT] +
                    cycles[JM_CLASS_FAULT + JM_FAULT_SEND]);
}

/* Cycles of entering faults, except SEND and QUEUE: these are counted as sending and as
 * overflow. */
static double faults(const uint64_t cycles[JM_CLASS_COUNT]) {
    double sum = 0;
    for (unsigned i = 0; i < JM_FAULT_COUNT; i++)
        if (i != JM_FAULT_SEND && i != JM_FAULT_QUEUE)
            sum += (double)cycles[JM_CLASS_FAULT + i];
    return sum;
}

/* Counts that are sums over nodes: name, and value by the statistics `s` of a node. */
#define NODE_COUNTS(COUNT)                                                             \
    COUNT(instructions, (double)s->instructions)                                       \
    COUNT(tasks, both(s->dispatches))                                                  \
    COUNT(messages, both(s->messages_out))                                             \
    COUNT(words, both(s->words_out))                                                   \
    COUNT(overflows, both(s->overflows))                                               \
    COUNT(sending, sending(s->cycles))                                                 \
    COUNT(dispatch, (double)s->cycles[JM_CLASS_DISPATCH])                              \
    COUNT(idle, (double)s->cycles[JM_CLASS_IDLE])                                      \
    COUNT(faults, faults(s->cycles))

/* All counts at a mark. */
typedef struct {
#define COUNT(name, value) double name;
    NODE_COUNTS(COUNT)
#undef COUNT
    double cycles, flits, overflow;
    double longest; /* no sum */
} Counts;

struct Timed {
    JmMachine *machine;
    const ProbeState *probe;
    unsigned marks;
    Counts first, last; /* at these marks */
};

Timed *timed_open(JmMachine *machine, const ProbeState *probe) {
    Timed *timed = memory_array(1, sizeof *timed);
    *timed = (Timed){.machine = machine, .probe = probe};
    return timed;
}

static void add_node(Counts *counts, const JmNodeStatistics *s) {
#define COUNT(name, value) counts->name += value;
    NODE_COUNTS(COUNT)
#undef COUNT
    counts->longest = fmax(counts->longest, s->queue_max_words[0]);
}

static Counts count(const Timed *timed) {
    const unsigned nodes = jm_node_count(timed->machine);
    JmNetworkStatistics network;
    Counts counts = {.cycles = (double)nodes * (double)jm_now(timed->machine)};
    jm_network_statistics(timed->machine, &network);
    counts.flits = (double)network.bisection_flits[0];
    counts.overflow = probe_overflow_cycles(timed->probe);
    for (unsigned node = 0; node < nodes; node++) {
        JmNodeStatistics statistics;
        jm_node_statistics(timed->machine, node, &statistics);
        add_node(&counts, &statistics);
    }
    return counts;
}

void timed_mark(Timed *timed) {
    if (!timed)
        return;
    timed->last = count(timed);
    if (timed->marks++ == 0)
        timed->first = timed->last;
}

static void put(json_t *tree, const char *name, double value) {
    if (!isnan(value))
        json_object_set_new(tree, name, json_integer((json_int_t)value));
}

void timed_result(const Timed *timed, Result *result) {
    if (!timed)
        return;
    json_t *tree = json_object();
    const Counts *first = &timed->first, *last = &timed->last;
    if (timed->marks > 1) {
#define COUNT(name, value) put(tree, #name, last->name - first->name);
        NODE_COUNTS(COUNT)
        COUNT(cycles, )
        COUNT(flits, )
        COUNT(overflow, )
#undef COUNT
        put(tree, "longest", last->longest);
    }
    result_add_tree(result, "timed", tree);
}

void timed_close(Timed *timed) {
    free(timed);
}
