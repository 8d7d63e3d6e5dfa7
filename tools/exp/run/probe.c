/* Records of a run beyond its statistics: the cycles of overflow handlers
 * (costs.c), frames of all queues, the growth of a jam, times of tasks, how often
 * queues exceed a length, and the counts of a program's timed part. */
#include "tools/exp/run/probe.h"

#include <math.h>
#include <stdlib.h>

#include "tools/exp/run/costs.h"
#include "tools/host/memory.h"

/* ---- jam ------------------------------------------------------------------------- */

/* Records how the contention tree grows after the first overflow (thesis 4.4). Flits
 * are counted in windows of time before and after it, by class of wire. Dimensions are
 * routed X, Y, Z, so the wires that lead towards the overflowed node are in
 *
 *     z_column     Z wires of its column
 *     y_plane      Y wires of its Y-Z plane
 *     x_towards    X wires anywhere
 *     others       all wires that do not lead towards it
 *
 * Messages that have left their nodes are counted by distance along X:
 *
 *     sent_ends    of the nodes at both ends of X
 *     sent_near    of the nodes at most NEAR from the overflowed one, but those
 */

/* WINDOW: least length of a window in cycles. BEFORE, AFTER: windows kept before and
 * after the overflow. A node has a wire on each of six sides. */
enum { WINDOW = 100, BEFORE = 20, AFTER = 60, SIDES = 6, NEAR = 1 };

typedef enum { Z_COLUMN, Y_PLANE, X_ALL, OTHERS, WIRE_CLASSES } WireClass;

static const char *const class_name[WIRE_CLASSES] = {"z_column", "y_plane", "x_towards",
                                                     "others"};

typedef struct {
    JmMachine *machine;
    unsigned nodes;
    uint64_t next;      /* cycle of the next sample */
    unsigned looks;     /* samples so far; the rings hold the last LOOKS of them */
    unsigned left;      /* samples still to come after the overflow */
    bool overflowed;    /* some node has overflowed */
    unsigned place;     /* rank of the node that overflowed first */
    uint64_t cycle;     /* cycle of the first overflow */
    uint64_t *counts;   /* flits so far, [look % LOOKS][node * SIDES + side] */
    uint64_t *messages; /* messages delivered so far, [look % LOOKS] */
    uint64_t *sent;     /* messages sent so far, [look % LOOKS][node] */
    uint64_t *times;    /* cycle of the sample, [look % LOOKS] */
} Jam;
enum { LOOKS = BEFORE + AFTER + 1 };

/* Records the counters of all wires in the ring. */
static void look_at_wires(Jam *jam, uint64_t cycle) {
    const unsigned slot = jam->looks++ % LOOKS;
    uint64_t *count = jam->counts + (size_t)slot * jam->nodes * SIDES;
    JmNetworkStatistics network;
    jm_network_statistics(jam->machine, &network);
    jam->times[slot] = cycle;
    jam->messages[slot] = network.messages_delivered[0];
    for (unsigned node = 0; node < jam->nodes; node++) {
        JmNodeStatistics s;
        jm_node_statistics(jam->machine, node, &s);
        jam->sent[(size_t)slot * jam->nodes + node] = s.messages_out[0];
        for (unsigned side = 0; side < SIDES; side++)
            *count++ = jm_link_flits(jam->machine, node, side / 2, side % 2 == 0);
    }
}

/* The observer: notes the first overflow, and samples when a window has passed. */
static bool see_fault(void *context, const JmEvent *event) {
    Jam *jam = context;
    if (event->fault == JM_FAULT_QUEUE && !jam->overflowed) {
        jam->overflowed = true;
        jam->place = event->node;
        jam->cycle = event->cycle;
        jam->left = AFTER;
    }
    /* Faults serve as the clock: near saturation SEND faults come often enough, and an
     * observer of faults costs little. */
    if (event->cycle < jam->next || (jam->overflowed && jam->left == 0))
        return false;
    jam->left -= jam->overflowed;
    jam->next = event->cycle + WINDOW;
    look_at_wires(jam, event->cycle);
    return false;
}

static Jam *open_jam(JmMachine *machine) {
    Jam *jam = memory_array(1, sizeof *jam);
    const size_t nodes = jm_node_count(machine);
    *jam = (Jam){.machine = machine,
                 .nodes = (unsigned)nodes,
                 .counts = memory_array(LOOKS * nodes * SIDES, sizeof(uint64_t)),
                 .messages = memory_array(LOOKS, sizeof(uint64_t)),
                 .sent = memory_array(LOOKS * nodes, sizeof(uint64_t)),
                 .times = memory_array(LOOKS, sizeof(uint64_t))};
    jm_observe(machine, 1u << JM_EVENT_FAULT, see_fault, jam);
    return jam;
}

/* Returns the class of the wire out of `node` on `side`: 2 d for the upward direction
 * of dimension d, 2 d + 1 for the downward one. */
static WireClass class_of(const Jam *jam, unsigned node, unsigned side) {
    unsigned at[3], to[3];
    jm_node_position(jam->machine, node, &at[0], &at[1], &at[2]);
    jm_node_position(jam->machine, jam->place, &to[0], &to[1], &to[2]);
    const unsigned d = side / 2;
    const bool towards = side % 2 == 0 ? at[d] < to[d] : at[d] > to[d];
    if (!towards)
        return OTHERS;
    if (d == 0)
        return X_ALL;
    if (d == 1)
        return at[0] == to[0] ? Y_PLANE : OTHERS;
    return at[0] == to[0] && at[1] == to[1] ? Z_COLUMN : OTHERS;
}

/* Adds the messages that nodes at the ends of X, and those near the overflowed one,
 * sent between two samples. */
static void add_sent(const Jam *jam, unsigned first, unsigned second, json_t *row) {
    const uint64_t *a = jam->sent + (size_t)(first % LOOKS) * jam->nodes;
    const uint64_t *b = jam->sent + (size_t)(second % LOOKS) * jam->nodes;
    const unsigned last = jm_config(jam->machine)->size_x - 1;
    unsigned x, to, y, z;
    json_int_t ends = 0, near = 0;
    jm_node_position(jam->machine, jam->place, &to, &y, &z);
    for (unsigned node = 0; node < jam->nodes; node++) {
        jm_node_position(jam->machine, node, &x, &y, &z);
        if (x == 0 || x == last)
            ends += (json_int_t)(b[node] - a[node]);
        else if (x + NEAR >= to && x <= to + NEAR)
            near += (json_int_t)(b[node] - a[node]);
    }
    json_object_set_new(row, "sent_ends", json_integer(ends));
    json_object_set_new(row, "sent_near", json_integer(near));
}

/* Returns the window between two samples: its end since the overflow and its length in
 * cycles, messages delivered, and flits by class. */
static json_t *window(const Jam *jam, unsigned first, unsigned second) {
    const size_t size = (size_t)jam->nodes * SIDES;
    const uint64_t *a = jam->counts + first % LOOKS * size;
    const uint64_t *b = jam->counts + second % LOOKS * size;
    json_int_t flits[WIRE_CLASSES] = {0};
    for (unsigned i = 0; i < size; i++)
        flits[class_of(jam, i / SIDES, i % SIDES)] += (json_int_t)(b[i] - a[i]);
    json_t *row = json_object();
    const json_int_t time =
        (json_int_t)jam->times[second % LOOKS] - (json_int_t)jam->cycle;
    json_object_set_new(row, "time", json_integer(time));
    json_object_set_new(row, "cycles",
                        json_integer((json_int_t)(jam->times[second % LOOKS] -
                                                  jam->times[first % LOOKS])));
    json_object_set_new(row, "messages",
                        json_integer((json_int_t)(jam->messages[second % LOOKS] -
                                                  jam->messages[first % LOOKS])));
    for (int i = 0; i < WIRE_CLASSES; i++)
        json_object_set_new(row, class_name[i], json_integer(flits[i]));
    add_sent(jam, first, second, row);
    return row;
}

static json_t *jam_result(const Jam *jam) {
    if (!jam->overflowed)
        return json_null();
    json_t *windows = json_array();
    const unsigned last = jam->looks - 1;
    const unsigned first = jam->looks > LOOKS ? jam->looks - LOOKS : 0;
    for (unsigned i = first; i < last; i++)
        json_array_append_new(windows, window(jam, i, i + 1));
    return json_pack("{s:i, s:I, s:o}", "node", (int)jam->place, "cycle",
                     (json_int_t)jam->cycle, "windows", windows);
}

static void close_jam(Jam *jam) {
    if (!jam)
        return;
    free(jam->counts);
    free(jam->messages);
    free(jam->sent);
    free(jam->times);
    free(jam);
}

/* ---- watch ----------------------------------------------------------------------- */

/* Measures how often queues exceed a number of messages (`overflow_above`) without
 * treating them differently: the count of chapter 3 of the thesis. */

/* Samples per handler time. A queue that has become too long stays so for half a
 * handler on average, so that one such period in twenty is missed. */
enum { WATCH_LOOKS = 10 };

typedef struct {
    uint32_t most;     /* words in the longest queue that is not too long */
    uint64_t every;    /* cycles between two samples; 0: nothing is watched */
    uint64_t from, to; /* from the first mark: when samples count */
    uint64_t start;    /* cycle of the first mark; 0 before */
    uint64_t looks, over, entries;
    bool was_over; /* at the last sample that counted */
} Watch;

static Watch open_watch(const Settings *settings) {
    if (!settings_text(settings, "overflow_above"))
        return (Watch){0};
    const double words = settings_number(settings, "overflow_above") *
                         (settings_number(settings, "p") + 1);
    const double handler = settings_number(settings, "h");
    const double work =
        settings_number(settings, "m") * settings_number(settings, "L") * handler;
    return (Watch){.most = (uint32_t)words,
                   .every = (uint64_t)(handler / WATCH_LOOKS) + 1,
                   .from = (uint64_t)(work / 4),
                   .to = (uint64_t)(work * 3 / 4)};
}

static bool is_over(const Watch *watch, const JmMachine *machine) {
    for (unsigned node = 0; node < jm_node_count(machine); node++)
        if (jm_queue_words(machine, node, 0) > watch->most)
            return true;
    return false;
}

static void look_at_queues(Watch *watch, const JmMachine *machine) {
    const uint64_t time = jm_now(machine) - watch->start;
    if (!watch->start || time < watch->from || time >= watch->to)
        return;
    const bool over = is_over(watch, machine);
    watch->entries += over && !watch->was_over && watch->looks > 0;
    watch->over += over;
    watch->was_over = over;
    watch->looks++;
}

/* The findings cover the middle half of the processors' minimum time, which excludes
 * the balanced start and the end. */
static void add_watch(const Watch *watch, Result *result) {
    if (!watch->looks)
        return;
    const double looks = (double)watch->looks;
    const double service = isnan(result->h_got) ? 0 : result->h_got;
    result_add(result, "p_no_overflow", 1 - (double)watch->over / looks);
    result_add(result, "overflow_rate",
               (double)watch->entries * service / (looks * (double)watch->every));
}

/* ---- timed parts ----------------------------------------------------------------- */

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

/* The counts of a named program in its timed part: those at its last mark less those at
 * the first. */
typedef struct {
    unsigned marks;
    Counts first, last; /* at these marks */
} Timed;

static void add_node(Counts *counts, const JmNodeStatistics *s) {
#define COUNT(name, value) counts->name += value;
    NODE_COUNTS(COUNT)
#undef COUNT
    counts->longest = fmax(counts->longest, s->queue_max_words[0]);
}

/* `overflow`: the cycles in the overflow handlers so far. */
static Counts count(JmMachine *machine, double overflow) {
    const unsigned nodes = jm_node_count(machine);
    JmNetworkStatistics network;
    Counts counts = {.cycles = (double)nodes * (double)jm_now(machine),
                     .overflow = overflow};
    jm_network_statistics(machine, &network);
    counts.flits = (double)network.bisection_flits[0];
    for (unsigned node = 0; node < nodes; node++) {
        JmNodeStatistics statistics;
        jm_node_statistics(machine, node, &statistics);
        add_node(&counts, &statistics);
    }
    return counts;
}

static void put(json_t *tree, const char *name, double value) {
    if (!isnan(value))
        json_object_set_new(tree, name, json_integer((json_int_t)value));
}

static void add_timed(const Timed *timed, Result *result) {
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

/* ---- all ------------------------------------------------------------------------- */

/* Offsets in words from overflow_queue0 (kernel/overflow.s): where the addresses of the
 * overflow buffer's next free word and of its first word are kept. The buffer is a ring
 * of RING_WORDS. */
enum { IN_PLACE, OUT_PLACE, RING_WORDS = 0x20000 };

/* The work that a node has done. */
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
    Watch watch;
    bool is_timed;
    Timed timed; /* if it is */
};

/* Prepares the recording that the setting `probe` selects. */
static bool attach(ProbeState *state, JmError *error) {
    switch (state->kind) {
    case PROBE_NONE:
        return true;
    case PROBE_COSTS:
        return (state->costs = costs_open(state->machine, error)) != NULL;
    case PROBE_JAM:
        state->jam = open_jam(state->machine);
        return true;
    case PROBE_TASKS:
        state->work = memory_array(jm_node_count(state->machine), sizeof *state->work);
        return true;
    default:
        state->frames = json_array();
        return jm_symbol(state->machine, "overflow_queue0", &state->queue) ||
               jm_fail(error, NULL, "the program has no overflow_queue0");
    }
}

bool probe_open(ProbeState **probe, const Settings *settings, JmMachine *machine,
                JmError *error) {
    ProbeState *state = *probe = memory_array(1, sizeof *state);
    *state = (ProbeState){.kind = (Probe)settings_number(settings, "probe"),
                          .machine = machine,
                          .watch = open_watch(settings),
                          .is_timed = settings_text(settings, "program") != NULL};
    return attach(state, error);
}

static Work work_of(const ProbeState *probe, unsigned node) {
    JmNodeStatistics s;
    jm_node_statistics(probe->machine, node, &s);
    return (Work){jm_now(probe->machine) - s.cycles[JM_CLASS_IDLE],
                  s.dispatches[0] + s.dispatches[1]};
}

void probe_start(ProbeState *probe, uint64_t cycle) {
    probe->start = probe->watch.start = cycle;
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
    if (!probe->frames)
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

/* Returns the cycles in the overflow handlers so far, on all nodes; NaN if they are not
 * measured. */
static double overflow_cycles(const ProbeState *probe) {
    return probe->costs ? (double)costs_cycles(probe->costs) : NAN;
}

void probe_mark(ProbeState *probe) {
    if (!probe->is_timed)
        return;
    probe->timed.last = count(probe->machine, overflow_cycles(probe));
    if (probe->timed.marks++ == 0)
        probe->timed.first = probe->timed.last;
}

JmStop probe_run(ProbeState *probe, uint64_t cycle) {
    Watch *watch = &probe->watch;
    JmStop stop = JM_STOP_NONE;
    if (!watch->every)
        return jm_run(probe->machine, cycle);
    while ((stop == JM_STOP_NONE || stop == JM_STOP_LIMIT) &&
           jm_now(probe->machine) < cycle) {
        const uint64_t next = jm_now(probe->machine) + watch->every;
        stop = jm_run(probe->machine, next < cycle ? next : cycle);
        look_at_queues(watch, probe->machine);
    }
    return stop;
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
    if (probe->frames)
        result_add_tree(result, "frames", json_incref(probe->frames));
    if (probe->costs)
        result_add_tree(result, "costs", costs_result(probe->costs));
    if (probe->jam)
        result_add_tree(result, "jam", jam_result(probe->jam));
    for (unsigned node = 0; probe->work && node < jm_node_count(probe->machine); node++)
        add_handling(probe, node, result);
    add_watch(&probe->watch, result);
    if (probe->is_timed)
        add_timed(&probe->timed, result);
}

void probe_close(ProbeState *probe) {
    if (!probe)
        return;
    json_decref(probe->frames);
    costs_close(probe->costs);
    close_jam(probe->jam);
    free(probe->work);
    free(probe);
}
