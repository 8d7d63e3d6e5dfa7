/* Shared memory (Adve and Vernon 1994, section III): a closed workload. Each node has a
 * processor and a memory. A processor serves its customers one at a time; after service
 * the customer becomes a request to another node's memory, which serves requests in
 * order of arrival. The reply brings the customer back. */
#include <math.h>

#include "net/traffic/traffic.h"

enum {
    N_OUT,
    TAU,
    F_NN,
    F_HOT,
    D_MEM,
    READ,
    WRITE,
    P_1,
    L_MSG1,
    L_RESP1,
    L_MSG2,
    L_RESP2,
    MOST_OUT = 512
};

static const char av[] = "Adve and Vernon 1994, table II";
#define FLITS NET_TRAFFIC_MIN_FLITS, NET_TRAFFIC_MAX_FLITS, NET_OPTION_WHOLE

static const NetOption options[] = {
    {"n_out", 1, 1, MOST_OUT, NET_OPTION_WHOLE,
     "requests that a processor may have out", av, NULL},
    {"tau", 25, 1.001, 1e6, NET_OPTION_REAL,
     "mean cycles of a service between requests", av, NULL},
    {"f_nn", 0, 0, 1, NET_OPTION_REAL, "share of requests that go to a neighbour", av,
     NULL},
    {"f_hot", 0, 0, 1, NET_OPTION_REAL,
     "share of requests that go to node 2,2; 2,2,0 of a mesh", av, NULL},
    {"d_mem", 4, 1, 1000, NET_OPTION_WHOLE,
     "cycles that a request keeps the memory busy", av, NULL},
    {"read", 4, 1, 1000, NET_OPTION_WHOLE,
     "cycles from when that begins to the reply to a read",
     "choice; 9 in table III-A and IV, found by fitting", NULL},
    {"write", 4, 1, 1000, NET_OPTION_WHOLE, "the same for a write",
     "choice; 11 in table III-A, found by fitting", NULL},
    {"p_1", 0.8, 0, 1, NET_OPTION_REAL, "share of reads", av, NULL},
    {"l_msg1", 3, FLITS, "flits of a read; 2 on one-way tori", av, NULL},
    {"l_resp1", 9, FLITS, "flits of the reply to a read; 5 on one-way tori", av, NULL},
    {"l_msg2", 11, FLITS, "flits of a write; 6 on one-way tori", av, NULL},
    {"l_resp2", 3, FLITS, "flits of the reply to a write; 2 on one-way tori", av, NULL},
    {0},
};

enum {
    EFFICIENCY,
    MAX_EFFICIENCY,
    MIN_EFFICIENCY,
    RATIO,
    RESIDENCE,
    RESPONSE,
    RESPONSE_HOT,
    RESPONSE_OTHER,
    HOT_FLITS_RATE
};

static const NetMeasure measures[] = {
    {"processor_efficiency", "percent", "share of cycles in which processors serve",
     false},
    {"max_efficiency", "percent", "of the busiest processor", true},
    {"min_efficiency", "percent", "of the least busy one", true},
    {"max_min_ratio", "1", "of these two", true},
    {"network_residence_time", "cycles", "from birth to arrival, request plus reply",
     false},
    {"response_time", "cycles", "from the birth of a request to the reply's arrival",
     false},
    {"response_time_hot", "cycles", "of requests to node 2,2", false},
    {"response_time_other", "cycles", "of requests to other nodes", false},
    {"hot_flit_rate", "flits/cycle/processor", "flits of requests that reach node 2,2",
     false},
    {0},
};

enum { WAYS = 2 * NET_MAX_DIMENSIONS }; /* to neighbours: up and down */

/* Accumulated sums; the busy cycles of each processor follow. */
enum {
    CYCLES,
    REQUESTS,
    REQUEST_TIME,
    REPLIES,
    REPLY_TIME,
    HOT,
    HOT_TIME,
    OTHER,
    OTHER_TIME,
    HOT_FLITS,
    SUMS
};

typedef struct {
    uint32_t waiting; /* customers behind the one in service */
    bool serving;
    uint64_t end;         /* of the current service */
    uint64_t busy;        /* cycles of all services started so far */
    uint64_t memory_free; /* first cycle in which the memory is free */
} Node;

/* An event at a node: a service ends, or a reply is sent. */
typedef struct {
    uint64_t cycle, tag;
    uint32_t node, to;
    bool reply;
} Event;

typedef struct {
    Heap *heap;
    double values[NET_OPTIONS];
    uint32_t nodes, hot;
    Node *node;
    uint32_t *neighbours; /* by node * WAYS: its neighbours, then NET_NONE */
    Event *events;        /* a heap with the earliest event on top */
    uint32_t event_count;
    size_t event_room;
    double sums[SUMS];
} Memory;

/* ---- events ---------------------------------------------------------------------- */

static bool precedes(const Event *a, const Event *b) {
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle;
    if (a->node != b->node)
        return a->node < b->node;
    return a->reply != b->reply ? b->reply : a->tag < b->tag;
}

static void add_event(Memory *memory, Event event) {
    memory->events = heap_grow(memory->heap, memory->events, memory->event_count,
                               &memory->event_room, sizeof event);
    uint32_t at = memory->event_count++;
    for (; at > 0 && precedes(&event, &memory->events[(at - 1) / 2]); at = (at - 1) / 2)
        memory->events[at] = memory->events[(at - 1) / 2];
    memory->events[at] = event;
}

static Event take_event(Memory *memory) {
    Event *events = memory->events;
    const Event first = events[0], last = events[--memory->event_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child + 1 < memory->event_count &&
            precedes(&events[child + 1], &events[child]))
            child++;
        if (child >= memory->event_count || !precedes(&events[child], &last))
            break;
        events[at] = events[child];
        at = child;
    }
    events[at] = last;
    return first;
}

/* ---- processors ------------------------------------------------------------------ */

/* Fields of a message tag: whether it is a reply, its type, and its cycle of birth. */
enum { TAG_REPLY = 1, TAG_WRITE = 2, TAG_BORN_SHIFT = 2 };

static void start_service(Memory *memory, NetTraffic *traffic, uint32_t number,
                          uint64_t at) {
    Node *node = &memory->node[number];
    const uint64_t cycles =
        net_traffic_geometric(net_traffic_rng(traffic), memory->values[TAU]);
    node->serving = true;
    node->end = at + cycles;
    node->busy += cycles;
    add_event(memory, (Event){.cycle = node->end - 1, .node = number});
}

static bool chance(JmRng *rng, double probability) {
    return net_traffic_uniform(rng) < probability;
}

static uint32_t other_node(const Memory *memory, JmRng *rng, uint32_t number) {
    const uint32_t other = jm_rng_below(rng, memory->nodes - 1);
    return other + (other >= number);
}

static uint32_t destination(const Memory *memory, JmRng *rng, uint32_t number) {
    if (memory->values[F_HOT] > 0 && number != memory->hot &&
        chance(rng, memory->values[F_HOT]))
        return memory->hot;
    if (memory->values[F_NN] > 0 && chance(rng, memory->values[F_NN])) {
        const uint32_t *neighbours = &memory->neighbours[WAYS * number];
        uint32_t count = 0;
        while (count < WAYS && neighbours[count] != NET_NONE)
            count++;
        return neighbours[jm_rng_below(rng, count)];
    }
    return other_node(memory, rng, number);
}

static unsigned flits_of(const Memory *memory, uint64_t tag) {
    const unsigned reply = tag & TAG_REPLY ? 1 : 0;
    return (unsigned)memory->values[(tag & TAG_WRITE ? L_MSG2 : L_MSG1) + reply];
}

static void end_service(Memory *memory, NetTraffic *traffic, uint32_t number,
                        uint64_t born) {
    Node *node = &memory->node[number];
    JmRng *rng = net_traffic_rng(traffic);
    const uint64_t tag =
        born << TAG_BORN_SHIFT | (chance(rng, memory->values[P_1]) ? 0 : TAG_WRITE);
    const uint32_t to = destination(memory, rng, number);
    node->serving = false;
    net_traffic_send(traffic, number, to, flits_of(memory, tag), tag);
    if (node->waiting == 0)
        return;
    node->waiting--;
    start_service(memory, traffic, number, born);
}

static void cycle(void *self, NetTraffic *traffic, uint64_t now) {
    Memory *memory = self;
    while (memory->event_count > 0 && memory->events[0].cycle <= now) {
        const Event event = take_event(memory);
        if (event.reply)
            net_traffic_send(traffic, event.node, event.to, flits_of(memory, event.tag),
                             event.tag);
        else
            end_service(memory, traffic, event.node, now + 1);
    }
}

/* ---- memories -------------------------------------------------------------------- */

static void serve_request(Memory *memory, const NetArrival *request, uint64_t now) {
    Node *node = &memory->node[request->to];
    const uint64_t start = now > node->memory_free ? now : node->memory_free;
    const double cycles = memory->values[request->tag & TAG_WRITE ? WRITE : READ];
    node->memory_free = start + (uint64_t)memory->values[D_MEM];
    memory->sums[REQUESTS]++;
    memory->sums[REQUEST_TIME] += (double)(now - request->born);
    memory->sums[HOT_FLITS] += request->to == memory->hot ? request->flits : 0;
    add_event(memory, (Event){.cycle = start + (uint64_t)cycles - 1,
                              .tag = request->tag | TAG_REPLY,
                              .node = request->to,
                              .to = request->from,
                              .reply = true});
}

static void come_back(Memory *memory, NetTraffic *traffic, const NetArrival *reply,
                      uint64_t now) {
    const uint64_t born = reply->tag >> TAG_BORN_SHIFT;
    const bool hot = reply->from == memory->hot;
    memory->sums[REPLIES]++;
    memory->sums[REPLY_TIME] += (double)(now - reply->born);
    memory->sums[hot ? HOT : OTHER]++;
    memory->sums[hot ? HOT_TIME : OTHER_TIME] += (double)(now - born);
    Node *node = &memory->node[reply->to];
    if (node->serving)
        node->waiting++;
    else
        start_service(memory, traffic, reply->to, now);
}

static void arrived(void *self, NetTraffic *traffic, const NetArrival *message,
                    uint64_t now) {
    if (message->tag & TAG_REPLY)
        come_back(self, traffic, message, now);
    else
        serve_request(self, message, now);
}

/* ---- measures -------------------------------------------------------------------- */

static unsigned counters(const void *self) {
    const Memory *memory = self;
    return SUMS + memory->nodes;
}

static void count(const void *self, uint64_t now, double *sums) {
    const Memory *memory = self;
    for (unsigned i = 0; i < SUMS; i++)
        sums[i] = memory->sums[i];
    sums[CYCLES] = (double)now;
    for (uint32_t i = 0; i < memory->nodes; i++) {
        const Node *node = &memory->node[i];
        const uint64_t ahead = node->serving && node->end > now ? node->end - now : 0;
        sums[SUMS + i] = (double)(node->busy - ahead);
    }
}

static void measure(const void *self, const double *sums, double *values) {
    const Memory *memory = self;
    double all = 0, most = 0, least = INFINITY;
    for (uint32_t i = 0; i < memory->nodes; i++) {
        const double busy = 100 * sums[SUMS + i] / sums[CYCLES];
        all += busy;
        most = busy > most ? busy : most;
        least = busy < least ? busy : least;
    }
    values[EFFICIENCY] = all / memory->nodes;
    values[MAX_EFFICIENCY] = most;
    values[MIN_EFFICIENCY] = least;
    values[RATIO] = most / least;
    values[RESIDENCE] =
        sums[REQUEST_TIME] / sums[REQUESTS] + sums[REPLY_TIME] / sums[REPLIES];
    values[RESPONSE] = (sums[HOT_TIME] + sums[OTHER_TIME]) / (sums[HOT] + sums[OTHER]);
    values[RESPONSE_HOT] = sums[HOT_TIME] / sums[HOT];
    values[RESPONSE_OTHER] = sums[OTHER_TIME] / sums[OTHER];
    values[HOT_FLITS_RATE] =
        memory->hot == NET_NONE ? NAN : sums[HOT_FLITS] / sums[CYCLES] / memory->nodes;
}

static void map(const void *self, const double *sums, double *values) {
    const Memory *memory = self;
    for (uint32_t i = 0; i < memory->nodes; i++)
        values[i] = 100 * sums[SUMS + i] / sums[CYCLES];
}

/* ---- creation -------------------------------------------------------------------- */

/* Lists the neighbours of each processor. False and `error` if one has none. */
static bool find_neighbours(Memory *memory, const NetTraffic *traffic, JmError *error) {
    for (uint32_t number = 0; number < memory->nodes; number++) {
        uint32_t *at = &memory->neighbours[WAYS * number];
        unsigned found = 0;
        for (unsigned way = 0; way < WAYS; way++) {
            at[way] = NET_NONE;
            const uint32_t other =
                net_traffic_neighbour(traffic, number, way / 2, way % 2);
            if (other != NET_NONE)
                at[found++] = other;
        }
        if (found == 0)
            return jm_fail(error, NULL, "f_nn=%g: processor %u has no neighbour",
                           memory->values[F_NN], number);
    }
    return true;
}

static void start(Memory *memory, NetTraffic *traffic) {
    for (uint32_t number = 0; number < memory->nodes; number++) {
        memory->node[number].waiting = (uint32_t)memory->values[N_OUT] - 1;
        start_service(memory, traffic, number, 0);
    }
}

/* The hot node: row 2, column 2; in a three-dimensional mesh, of the lowest plane. */
static uint32_t find_hot(const NetTraffic *traffic) {
    const uint32_t flat = net_traffic_named(traffic, "2,2");
    return flat == NET_NONE ? net_traffic_named(traffic, "2,2,0") : flat;
}

static void *create(NetTraffic *traffic, const NetOptionValues *given, JmError *error) {
    const double *values = given->number;
    const uint32_t nodes = net_traffic_processors(traffic);
    if (nodes < 2) {
        jm_fail(error, NULL, "shared memory needs two nodes, there is one");
        return NULL;
    }
    const unsigned lengths[] = {(unsigned)values[L_MSG1], (unsigned)values[L_RESP1],
                                (unsigned)values[L_MSG2], (unsigned)values[L_RESP2]};
    if (!net_traffic_fits(traffic, lengths, sizeof lengths / sizeof lengths[0], error))
        return NULL;
    const uint32_t hot = find_hot(traffic);
    if (values[F_HOT] > 0 && hot == NET_NONE) {
        jm_fail(
            error, NULL,
            "f_hot=%g: this network has no node 2,2: it takes three rows and columns",
            values[F_HOT]);
        return NULL;
    }
    Heap *heap = net_traffic_heap(traffic);
    Memory *memory = heap_alloc(heap, sizeof *memory);
    memory->heap = heap;
    memory->nodes = nodes;
    memory->hot = hot;
    for (unsigned i = 0; options[i].name; i++)
        memory->values[i] = values[i];
    memory->node = heap_alloc(heap, nodes * sizeof *memory->node);
    memory->neighbours = heap_alloc(heap, WAYS * nodes * sizeof *memory->neighbours);
    if (values[F_NN] > 0 && !find_neighbours(memory, traffic, error))
        return NULL;
    start(memory, traffic);
    return memory;
}

/* ---- bytes ----------------------------------------------------------------------- */

static void archive_node(Archive *a, Node *node) {
    jm_archive_u32(a, &node->waiting, MOST_OUT);
    jm_archive_bool(a, &node->serving);
    jm_archive_u64(a, &node->end, UINT64_MAX);
    jm_archive_u64(a, &node->busy, UINT64_MAX);
    jm_archive_u64(a, &node->memory_free, UINT64_MAX);
}

static void archive_event(Archive *a, const Memory *memory, Event *event) {
    jm_archive_u64(a, &event->cycle, UINT64_MAX);
    jm_archive_u64(a, &event->tag, UINT64_MAX);
    jm_archive_below(a, &event->node, memory->nodes);
    jm_archive_below(a, &event->to, memory->nodes);
    jm_archive_bool(a, &event->reply);
}

/* Events are totally ordered, so the heap's layout does not matter. */
static void archive_workload(void *self, Archive *a) {
    Memory *memory = self;
    for (unsigned i = 0; i < SUMS; i++)
        net_traffic_archive_real(a, &memory->sums[i]);
    for (uint32_t i = 0; i < memory->nodes && archive_good(a); i++)
        archive_node(a, &memory->node[i]);
    uint32_t number = memory->event_count;
    jm_archive_count(a, &number);
    if (!a->saving)
        memory->event_count = 0;
    for (uint32_t i = 0; i < number && archive_good(a); i++) {
        Event event = {0};
        if (a->saving)
            event = memory->events[i];
        archive_event(a, memory, &event);
        if (!a->saving && archive_good(a))
            add_event(memory, event);
    }
}

const NetWorkload net_workload_memory = {
    .name = "memory",
    .text = "shared memory: processors with some requests out each (Adve and Vernon)",
    .options = options,
    .measures = measures,
    .create = create,
    .cycle = cycle,
    .arrived = arrived,
    .counters = counters,
    .count = count,
    .measure = measure,
    .archive = archive_workload,
    .map = map,
};
