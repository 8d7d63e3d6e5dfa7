/* Queues of whole messages in front of the terminals, and the delivery of arrivals. */
#include "net/traffic/traffic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message in a queue. */
typedef struct {
    uint64_t tag, born;
    uint32_t to; /* processor */
    uint16_t flits;
    uint8_t draw;
} Pending;

/* A queue: a ring whose size is a power of 2. */
typedef struct {
    Pending *items;
    uint32_t size, first, count;
    uint32_t places; /* places in a buffer that all its messages will take */
    uint32_t left;   /* words of the first message, which is open, to be offered yet */
    bool due;        /* on the list of queues to serve */
} Queue;

static const uint64_t NEVER = UINT64_MAX;

struct NetTraffic {
    Heap *heap; /* of all of it */
    Net *net;
    const NetWorkload *workload;
    void *self;
    JmRng rng;
    uint32_t header_flits, flits_per_word; /* of messages, in the network's format */
    uint32_t processors;
    uint32_t *terminal; /* by processor, and one past the end: its first terminal */
    Queue *queue;       /* by terminal */
    NetSourceUse *use;  /* by terminal, since net_traffic_begin() */
    uint64_t *since;    /* by terminal: first cycle with messages; NEVER: none */
    uint32_t *due;      /* unordered terminals with a new message or more room */
    uint32_t due_count;
    uint32_t backlog;   /* the longest queue so far, in messages */
    uint32_t *turns;    /* by turn of the network (net_turn()): its next draw */
    NetArrival *record; /* by message number in the network */
    size_t records;
    NetTrafficCounts counts;
    NetHistogram *latencies; /* of the caller; NULL: it does not want them */
};

/* ---- sending --------------------------------------------------------------------- */

/* Words of a message after its routing word, whose flits are its header. */
static uint32_t words_of(const NetTraffic *traffic, uint32_t flits) {
    return (flits - traffic->header_flits) / traffic->flits_per_word;
}

/* Buffer places that a message takes. */
static uint32_t places_of(const NetTraffic *traffic, uint32_t flits) {
    return 1 + words_of(traffic, flits);
}

static void grow_queue(Heap *heap, Queue *queue) {
    const uint32_t size = queue->size ? 2 * queue->size : 4;
    Pending *items = heap_alloc(heap, size * sizeof *items);
    for (uint32_t i = 0; i < queue->count; i++)
        items[i] = queue->items[(queue->first + i) & (queue->size - 1)];
    heap_free(queue->items);
    queue->items = items;
    queue->size = size;
    queue->first = 0;
}

static void add_due(NetTraffic *traffic, uint32_t terminal) {
    if (!traffic->queue[terminal].due)
        traffic->due[traffic->due_count++] = terminal;
    traffic->queue[terminal].due = true;
}

static void add_pending(NetTraffic *traffic, uint32_t terminal, Pending message) {
    Queue *queue = &traffic->queue[terminal];
    if (queue->count == queue->size)
        grow_queue(traffic->heap, queue);
    add_due(traffic, terminal);
    queue->items[(queue->first + queue->count++) & (queue->size - 1)] = message;
    queue->places += places_of(traffic, message.flits);
    if (queue->count > traffic->backlog)
        traffic->backlog = queue->count;
}

/* Places occupied ahead of a new message. */
static uint32_t length_of(const NetTraffic *traffic, uint32_t terminal) {
    return traffic->queue[terminal].places + net_buffer_words(traffic->net) -
           net_room(traffic->net, terminal, 0);
}

/* The terminal with the shortest queue; on a tie, the first. */
static uint32_t shortest(const NetTraffic *traffic, uint32_t processor) {
    uint32_t best = traffic->terminal[processor];
    for (uint32_t i = best + 1; i < traffic->terminal[processor + 1]; i++)
        if (length_of(traffic, i) < length_of(traffic, best))
            best = i;
    return best;
}

/* The random draw for a message of a processor. */
static unsigned draw_for(NetTraffic *traffic, uint32_t from) {
    const unsigned draws = net_draws(traffic->net);
    const uint32_t turn = net_turn(traffic->net, traffic->terminal[from]);
    if (draws < 2)
        return 0;
    if (turn == NET_NONE)
        return jm_rng_below(&traffic->rng, draws);
    const unsigned draw = traffic->turns[turn];
    traffic->turns[turn] = (draw + 1) % draws;
    return draw;
}

void net_traffic_send(NetTraffic *traffic, uint32_t from, uint32_t to, unsigned flits,
                      uint64_t tag) {
    const unsigned draw = draw_for(traffic, from);
    uint32_t terminal = net_terminal(traffic->net, traffic->terminal[from],
                                     traffic->terminal[to], draw);
    if (terminal == NET_NONE)
        terminal = shortest(traffic, from);
    traffic->counts.sent++;
    if (traffic->since[terminal] == NEVER)
        traffic->since[terminal] = net_now(traffic->net) + 1;
    add_pending(traffic, terminal,
                (Pending){
                    .tag = tag,
                    .born = net_now(traffic->net) + 1,
                    .to = to,
                    .flits = flits & UINT16_MAX,
                    .draw = draw & UINT8_MAX,
                });
}

static void keep_record(NetTraffic *traffic, uint32_t message, NetArrival record) {
    traffic->record = heap_grow(traffic->heap, traffic->record, message,
                                &traffic->records, sizeof record);
    traffic->record[message] = record;
}

/* Opens a message in a terminal's buffer. */
static void open_message(NetTraffic *traffic, uint32_t terminal,
                         const Pending *pending) {
    Net *net = traffic->net;
    const uint32_t message =
        net_open_drawn(net, terminal, 0, traffic->terminal[pending->to], pending->draw);
    if (message == NET_NONE)
        heap_fail(traffic->heap);
    traffic->queue[terminal].left = words_of(traffic, pending->flits);
    keep_record(traffic, message,
                (NetArrival){.from = net_processor(net, terminal),
                             .terminal = terminal,
                             .to = pending->to,
                             .flits = pending->flits,
                             .tag = pending->tag,
                             .born = pending->born});
}

/* Offers as many words of the open message as there is room for: all, or a part of a
 * message that is longer than the buffer. */
static void offer(NetTraffic *traffic, uint32_t terminal) {
    Net *net = traffic->net;
    Queue *queue = &traffic->queue[terminal];
    if (net_room(net, terminal, 0) >= queue->left) {
        net_offer_rest(net, terminal, 0, queue->left, net_now(net));
        queue->places -= queue->left;
        queue->left = 0;
    }
    while (queue->left > 0 && net_room(net, terminal, 0) > 0) {
        net_offer(net, terminal, 0, 1, --queue->left == 0);
        queue->places--;
    }
}

/* Moves messages from a terminal's queue into its buffer while there is room. A message
 * takes a place for each word, and enters whole if the buffer can hold it. */
static void serve(NetTraffic *traffic, uint32_t terminal) {
    Queue *queue = &traffic->queue[terminal];
    const uint32_t most = net_buffer_words(traffic->net);
    while (queue->count > 0) {
        const Pending pending = queue->items[queue->first];
        const uint32_t places = places_of(traffic, pending.flits);
        const bool opens = queue->left == 0;
        if (opens &&
            net_room(traffic->net, terminal, 0) < (places < most ? places : most))
            return;
        if (opens)
            open_message(traffic, terminal, &pending);
        queue->places -= opens;
        offer(traffic, terminal);
        if (queue->left > 0)
            return;
        queue->first = (queue->first + 1) & (queue->size - 1);
        queue->count--;
    }
}

static void serve_all(NetTraffic *traffic) {
    for (uint32_t i = 0; i < traffic->due_count; i++) {
        traffic->queue[traffic->due[i]].due = false;
        serve(traffic, traffic->due[i]);
    }
    traffic->due_count = 0;
}

/* A place in this terminal's buffer has become free; `places` are taken. */
static inline void drain(NetTraffic *traffic, uint32_t terminal, unsigned places) {
    uint64_t *since = &traffic->since[terminal];
    if (traffic->queue[terminal].count > 0)
        add_due(traffic, terminal);
    else if (places == 0 && *since != NEVER) {
        traffic->use[terminal].busy_cycles += net_now(traffic->net) - *since;
        *since = NEVER;
    }
}

static void drain_all(NetTraffic *traffic) {
    const uint64_t *drained = net_drained(traffic->net, 0);
    const uint8_t *places = net_places(traffic->net, 0);
    for (uint32_t word = 0; 64 * word < net_node_count(traffic->net); word++)
        for (uint64_t set = drained[word]; set; set &= set - 1) {
            const uint32_t terminal = 64 * word + (uint32_t)__builtin_ctzll(set);
            drain(traffic, terminal, places[terminal]);
        }
}

/* ---- receiving ------------------------------------------------------------------- */

static void receive(NetTraffic *traffic, uint32_t message) {
    const uint64_t now = net_now(traffic->net);
    const NetWorkload *workload = traffic->workload;
    NetArrival *record = &traffic->record[message];
    record->arrived = now;
    traffic->use[record->terminal].messages++;
    traffic->counts.arrived++;
    traffic->counts.latency += (double)(now - record->born);
    if (traffic->latencies)
        net_histogram_add(traffic->latencies, now - record->born);
    workload->arrived(traffic->self, traffic, record, now);
}

static void step(Heap *heap, void *context) {
    NetTraffic *traffic = context;
    Net *net = traffic->net;
    size_t count;
    const NetDelivery *deliveries = net_deliveries(net, &count);
    (void)heap;
    drain_all(traffic);
    for (size_t i = 0; i < count; i++)
        if (deliveries[i].tail)
            receive(traffic, deliveries[i].message);
    traffic->workload->cycle(traffic->self, traffic, net_now(net));
    serve_all(traffic);
    net_step(net);
}

bool net_traffic_step(NetTraffic *traffic) {
    return heap_work(traffic->heap, step, traffic);
}

/* ---- creation -------------------------------------------------------------------- */

static void allocate(NetTraffic *traffic) {
    Heap *heap = traffic->heap;
    const unsigned nodes = net_node_count(traffic->net);
    const size_t ends = traffic->processors + (size_t)1;
    traffic->terminal = heap_alloc(heap, ends * sizeof *traffic->terminal);
    traffic->queue = heap_alloc(heap, nodes * sizeof *traffic->queue);
    traffic->use = heap_alloc(heap, nodes * sizeof *traffic->use);
    traffic->since = heap_alloc(heap, nodes * sizeof *traffic->since);
    traffic->due = heap_alloc(heap, nodes * sizeof *traffic->due);
    traffic->turns = heap_alloc(heap, nodes * sizeof *traffic->turns);
    for (unsigned node = 0; node < nodes; node++)
        traffic->since[node] = NEVER;
    for (unsigned node = nodes; node-- > 0;)
        traffic->terminal[net_processor(traffic->net, node)] = node;
    traffic->terminal[traffic->processors] = nodes;
}

/* What traffic is made of. */
typedef struct {
    Net *net;
    const NetWorkload *workload;
    const NetOptionValues *values;
    uint64_t seed;
    JmError *error;
} Plan;

static void *create(Heap *heap, const void *context) {
    const Plan *plan = context;
    Net *net = plan->net;
    NetTraffic *traffic = heap_alloc(heap, sizeof *traffic);
    traffic->heap = heap;
    traffic->net = net;
    traffic->workload = plan->workload;
    traffic->rng = jm_rng(jm_rng_mix(plan->seed, 0));
    traffic->header_flits = net_header_flits(net);
    traffic->flits_per_word = net_flits_per_word(net);
    traffic->processors = net_processor_count(net);
    net_seed(net, jm_rng_mix(plan->seed, 1));
    allocate(traffic);
    traffic->self = plan->workload->create(traffic, plan->values, plan->error);
    return traffic->self ? traffic : NULL;
}

NetTraffic *net_traffic_create(Net *net, const NetWorkload *workload,
                               const NetOptionValues *values, uint64_t seed,
                               JmError *error) {
    return heap_make(create, &(Plan){net, workload, values, seed, error}, error, NULL,
                     "%u processors", net_processor_count(net));
}

void net_traffic_destroy(NetTraffic *traffic) {
    heap_delete(traffic ? traffic->heap : NULL);
}

/* ---- questions ------------------------------------------------------------------- */

NetTrafficCounts net_traffic_counts(const NetTraffic *traffic) {
    return traffic->counts;
}

uint32_t net_traffic_backlog(const NetTraffic *traffic) {
    return traffic->backlog;
}

void net_traffic_record(NetTraffic *traffic, NetHistogram *latencies) {
    traffic->latencies = latencies;
}

void net_traffic_begin(NetTraffic *traffic) {
    for (uint32_t i = 0; i < net_node_count(traffic->net); i++) {
        traffic->use[i] = (NetSourceUse){0};
        if (traffic->since[i] != NEVER)
            traffic->since[i] = net_now(traffic->net);
    }
}

/* A source's use up to the cycle that the next step performs. */
static NetSourceUse use_of(const NetTraffic *traffic, uint32_t terminal) {
    NetSourceUse use = traffic->use[terminal];
    if (traffic->since[terminal] != NEVER)
        use.busy_cycles += net_now(traffic->net) - traffic->since[terminal];
    return use;
}

NetSourceUse net_traffic_busiest(const NetTraffic *traffic) {
    NetSourceUse busiest = use_of(traffic, 0);
    for (uint32_t i = 1; i < net_node_count(traffic->net); i++) {
        const NetSourceUse use = use_of(traffic, i);
        if (use.busy_cycles > busiest.busy_cycles)
            busiest = use;
    }
    return busiest;
}

void *net_traffic_workload(NetTraffic *traffic) {
    return traffic->self;
}

JmRng *net_traffic_rng(NetTraffic *traffic) {
    return &traffic->rng;
}

Heap *net_traffic_heap(NetTraffic *traffic) {
    return traffic->heap;
}

uint32_t net_traffic_processors(const NetTraffic *traffic) {
    return traffic->processors;
}

NetGrid net_traffic_grid(const NetTraffic *traffic) {
    return net_grid(traffic->net);
}

uint32_t net_traffic_sources(const NetTraffic *traffic) {
    return traffic->terminal[1] - traffic->terminal[0];
}

uint32_t net_traffic_named(const NetTraffic *traffic, const char *name) {
    char text[32];
    for (uint32_t i = 0; i < traffic->processors; i++) {
        net_node_name(traffic->net, traffic->terminal[i], text, sizeof text);
        if (strcmp(text, name) == 0)
            return i;
    }
    return NET_NONE;
}

uint32_t net_traffic_neighbour(const NetTraffic *traffic, uint32_t processor,
                               unsigned dimension, bool up) {
    const uint32_t node =
        net_neighbour(traffic->net, traffic->terminal[processor], dimension, up);
    return node == NET_NONE ? NET_NONE : net_processor(traffic->net, node);
}

double net_traffic_uniform(JmRng *rng) {
    return (double)(jm_rng_next(rng) >> 11) * 0x1p-53;
}

uint64_t net_traffic_geometric(JmRng *rng, double mean) {
    return 1 + (uint64_t)(log1p(-net_traffic_uniform(rng)) / log1p(-1 / mean));
}

double net_traffic_exponential(JmRng *rng, double mean) {
    return -mean * log1p(-net_traffic_uniform(rng));
}

/* ---- lengths of messages --------------------------------------------------------- */

/* Whether a message is exactly `header` flits and whole words. */
static bool is_whole(uint32_t header, uint32_t word, uint32_t flits) {
    return flits > header && (flits - header) % word == 0;
}

unsigned net_traffic_whole(unsigned header, unsigned word, unsigned flits) {
    while (!is_whole(header, word, flits))
        flits++;
    return flits;
}

unsigned net_traffic_flits(const NetTraffic *traffic, unsigned flits) {
    return net_traffic_whole(traffic->header_flits, traffic->flits_per_word, flits);
}

/* Lengths of messages, in flits. */
typedef struct {
    const unsigned *flits;
    unsigned count;
} Lengths;

/* The index of the first length that is not `header` flits and whole words; `count`:
 * none. */
static unsigned first_broken(const Net *net, uint32_t header, Lengths all) {
    unsigned i = 0;
    while (i < all.count && is_whole(header, net_flits_per_word(net), all.flits[i]))
        i++;
    return i;
}

bool net_traffic_fits(const NetTraffic *traffic, const unsigned *flits, unsigned count,
                      JmError *error) {
    const Net *net = traffic->net;
    const Lengths all = {flits, count};
    const unsigned own = net_header_flits(net), word = net_flits_per_word(net);
    const unsigned broken = first_broken(net, own, all);
    if (broken == count)
        return true;
    const unsigned wrong = flits[broken];
    for (unsigned header = NET_DIMENSIONS; header-- > 0;)
        if (first_broken(net, header, all) == count)
            return jm_fail(error, NULL,
                           "messages of %u flits are not %u of header and words of %u: "
                           "give --param header_flits=%u, or lengths of %u, %u, %u... "
                           "flits",
                           wrong, own, word, header, own + word, own + 2 * word,
                           own + 3 * word);
    const char *params = net_byte_params(net);
    return jm_fail(error, NULL,
                   "messages of %u flits are not %u of header and words of %u, others "
                   "are: give --param %s, or lengths that are all odd or all even",
                   wrong, own, word, params ? params : "flits_per_word=1");
}

/* ---- bytes ----------------------------------------------------------------------- */

void net_traffic_archive_real(Archive *archive, double *value) {
    union {
        double real;
        uint64_t bits;
    } both = {.real = *value};
    jm_archive_u64(archive, &both.bits, UINT64_MAX);
    *value = both.real;
}

static void archive_pending(Archive *a, const NetTraffic *traffic, Pending *pending) {
    uint32_t flits = pending->flits;
    jm_archive_u64(a, &pending->tag, UINT64_MAX);
    jm_archive_u64(a, &pending->born, net_now(traffic->net));
    jm_archive_below(a, &pending->to, traffic->processors);
    jm_archive_u32(a, &flits, NET_TRAFFIC_MOST_FLITS);
    jm_archive_u8(a, &pending->draw, (net_draws(traffic->net) - 1) & UINT8_MAX);
    archive_demand(a, net_traffic_flits(traffic, flits) == flits);
    pending->flits = flits & UINT16_MAX;
}

/* Archives how many words of the first message are still to be offered, if its terminal
 * has one open. */
static void archive_left(Archive *a, const NetTraffic *traffic, uint32_t terminal) {
    Queue *queue = &traffic->queue[terminal];
    const bool open = net_is_open(traffic->net, terminal, 0);
    uint32_t most = 0;
    if (open && queue->count > 0)
        most = words_of(traffic, queue->items[queue->first].flits);
    jm_archive_u32(a, &queue->left, most);
    archive_demand(a, open == (queue->left > 0));
    if (!a->saving && queue->left > 0)
        queue->places -= most + 1 - queue->left;
}

static void archive_queue(Archive *a, NetTraffic *traffic, uint32_t terminal) {
    Queue *queue = &traffic->queue[terminal];
    uint32_t count = queue->count;
    jm_archive_count(a, &count);
    for (uint32_t i = 0; i < count && archive_good(a); i++) {
        Pending pending = {0};
        if (a->saving)
            pending = queue->items[(queue->first + i) & (queue->size - 1)];
        archive_pending(a, traffic, &pending);
        if (!a->saving && archive_good(a))
            add_pending(traffic, terminal, pending);
    }
    archive_left(a, traffic, terminal);
}

static void archive_use(Archive *a, NetTraffic *traffic, uint32_t terminal) {
    NetSourceUse use = use_of(traffic, terminal);
    jm_archive_u64(a, &use.busy_cycles, net_now(traffic->net));
    jm_archive_u64(a, &use.messages, UINT32_MAX);
    if (a->saving)
        return;
    const bool busy =
        traffic->queue[terminal].count > 0 || net_places(traffic->net, 0)[terminal] > 0;
    traffic->use[terminal] = use;
    traffic->since[terminal] = busy ? net_now(traffic->net) : NEVER;
}

/* All queues are marked due after a restore: the order of service does not matter,
 * since terminals do not affect each other. */
static void archive_queues(Archive *a, NetTraffic *traffic) {
    for (uint32_t i = 0; i < net_node_count(traffic->net) && archive_good(a); i++) {
        if (!a->saving)
            traffic->queue[i].count = traffic->queue[i].places =
                traffic->queue[i].left = 0;
        archive_queue(a, traffic, i);
        archive_use(a, traffic, i);
    }
}

static void archive_record(Archive *a, const NetTraffic *traffic, NetArrival *record) {
    jm_archive_below(a, &record->from, traffic->processors);
    jm_archive_below(a, &record->to, traffic->processors);
    jm_archive_u32(a, &record->flits, NET_TRAFFIC_MOST_FLITS);
    jm_archive_u64(a, &record->tag, UINT64_MAX);
    jm_archive_u64(a, &record->born, net_now(traffic->net));
}

/* Returns how many words of a message its terminal has still to offer. */
static uint32_t left_of(const NetTraffic *traffic, const NetMessageState *state) {
    return state->closed ? 0 : traffic->queue[state->source].left;
}

static void archive_records(Archive *a, NetTraffic *traffic) {
    for (uint32_t i = 0; i < net_message_numbers(traffic->net) && archive_good(a);
         i++) {
        NetArrival record = {0};
        NetMessageState state;
        if (!net_message_state(traffic->net, i, &state))
            continue;
        if (a->saving)
            record = traffic->record[i];
        archive_record(a, traffic, &record);
        record.terminal = state.source;
        archive_demand(
            a, record.from == net_processor(traffic->net, state.source) &&
                   record.to == net_processor(traffic->net, state.destination) &&
                   net_traffic_flits(traffic, record.flits) == record.flits &&
                   words_of(traffic, record.flits) ==
                       state.words_offered + left_of(traffic, &state));
        if (!a->saving && archive_good(a))
            keep_record(traffic, i, record);
    }
}

/* Traffic, and where it is saved to or restored from. */
typedef struct {
    NetTraffic *traffic;
    Archive *archive;
} Transfer;

static void archive_traffic(Heap *heap, void *context) {
    const Transfer *transfer = context;
    NetTraffic *traffic = transfer->traffic;
    Archive *a = transfer->archive;
    (void)heap;
    jm_archive_u64(a, &traffic->rng.state, UINT64_MAX);
    jm_archive_u64(a, &traffic->counts.sent, UINT64_MAX);
    jm_archive_u64(a, &traffic->counts.arrived, UINT64_MAX);
    net_traffic_archive_real(a, &traffic->counts.latency);
    jm_archive_u32(a, &traffic->backlog, UINT32_MAX);
    for (uint32_t i = 0; i < net_node_count(traffic->net) && archive_good(a); i++)
        jm_archive_below(a, &traffic->turns[i], net_draws(traffic->net));
    archive_queues(a, traffic);
    archive_records(a, traffic);
    traffic->workload->archive(traffic->self, a);
}

bool net_traffic_archive(NetTraffic *traffic, Archive *a) {
    if (a->saving)
        net_save(traffic->net, a);
    else if (!net_restore(traffic->net, a, false))
        return false;
    if (!heap_work(traffic->heap, archive_traffic, &(Transfer){traffic, a}))
        jm_archive_starve(a);
    return archive_good(a);
}
