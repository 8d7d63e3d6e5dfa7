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
#include <stdlib.h>

#include "tools/exp/run/probe.h"
#include "tools/host/memory.h"

/* WINDOW: least length of a window in cycles. BEFORE, AFTER: windows kept before and
 * after the overflow. A node has a wire on each of six sides. */
enum { WINDOW = 100, BEFORE = 20, AFTER = 60, SIDES = 6, NEAR = 1 };

typedef enum { Z_COLUMN, Y_PLANE, X_ALL, OTHERS, WIRE_CLASSES } WireClass;

static const char *const class_name[WIRE_CLASSES] = {"z_column", "y_plane", "x_towards",
                                                     "others"};

struct Jam {
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
};
enum { LOOKS = BEFORE + AFTER + 1 };

/* Records the counters of all wires in the ring. */
static void look(Jam *jam, uint64_t cycle) {
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
static bool watch(void *context, const JmEvent *event) {
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
    look(jam, event->cycle);
    return false;
}

Jam *jam_open(JmMachine *machine) {
    Jam *jam = memory_array(1, sizeof *jam);
    const size_t nodes = jm_node_count(machine);
    *jam = (Jam){.machine = machine,
                 .nodes = (unsigned)nodes,
                 .counts = memory_array(LOOKS * nodes * SIDES, sizeof(uint64_t)),
                 .messages = memory_array(LOOKS, sizeof(uint64_t)),
                 .sent = memory_array(LOOKS * nodes, sizeof(uint64_t)),
                 .times = memory_array(LOOKS, sizeof(uint64_t))};
    jm_observe(machine, 1u << JM_EVENT_FAULT, watch, jam); /* needs no memory */
    return jam;
}

/* ---- result ---------------------------------------------------------------------- */

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

json_t *jam_result(const Jam *jam) {
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

void jam_close(Jam *jam) {
    if (!jam)
        return;
    free(jam->counts);
    free(jam->messages);
    free(jam->sent);
    free(jam->times);
    free(jam);
}
