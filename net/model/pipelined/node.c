/* A node of a pipelined k-ary n-cube, flit by flit.
 *
 *   link in --> decode --> this node? -- no --> ring buffer ---------------> link out
 *                            | yes                   ^ acknowledgement          ^
 *                            |  room? -- no: negative acknowledgement           |
 *                            v yes                                              |
 *                       input queue --> switch --> output queue of a dimension -+
 *   processor --> its queue --> |           \--> output queue of the processor
 *
 * A cycle moves flits in over the links, then out onto the links, then through the
 * switch. So a flit passes a node in one cycle, PIPELINED_PASS, and changes dimension
 * in two, PIPELINED_SWITCH. Decoding takes equally long for all and is omitted. */
#include <math.h>
#include <string.h>

#include "net/model/pipelined/parts.h"

/* ---- queues of packets; their owners bound them, in flits ------------------------ */

typedef struct {
    uint64_t since;       /* cycle from which its latency in this node counts */
    unsigned flits;       /* in total */
    unsigned present;     /* flits that have entered the queue */
    unsigned sent;        /* of these, flits that have left */
    uint8_t kind;         /* PacketKind */
    uint8_t from, target; /* input and output of the switch */
    bool waits;           /* `since` is that of an acknowledged packet */
} Packet;

typedef struct {
    Packet *items; /* a ring of `room` entries, a power of two */
    size_t first, count, room;
} Fifo;

static void grow(Heap *heap, Fifo *fifo) {
    enum { FIRST_ROOM = 16 };
    const size_t room = fifo->room ? 2 * fifo->room : FIRST_ROOM;
    Packet *const items = heap_alloc(heap, room * sizeof *items);
    for (size_t i = 0; i < fifo->count; i++)
        items[i] = fifo->items[(fifo->first + i) & (fifo->room - 1)];
    heap_free(fifo->items);
    *fifo = (Fifo){items, 0, fifo->count, room};
}

static void fifo_pop(Fifo *fifo) {
    fifo->first = (fifo->first + 1) & (fifo->room - 1);
    fifo->count--;
}

/* The first packet; NULL if empty. */
static Packet *fifo_front(const Fifo *fifo) {
    return fifo->count ? &fifo->items[fifo->first] : NULL;
}

/* The last packet; NULL if empty. */
static Packet *fifo_last(const Fifo *fifo) {
    return fifo->count
               ? &fifo->items[(fifo->first + fifo->count - 1) & (fifo->room - 1)]
               : NULL;
}

/* ---- the node -------------------------------------------------------------------- */

enum { NOBODY = 255, PORTS = PIPELINED_MAX_DIMENSIONS + 1 };

/* Where the flits of the packet on a link go. */
typedef enum { TO_RING, TO_QUEUE, TO_ACK, TO_NOWHERE } Way;
/* Which queue the packet on a link comes from. */
typedef enum { FROM_NONE, FROM_RING, FROM_AGAIN, FROM_OUTPUT } Origin;

typedef struct {
    /* link in */
    double next;      /* arrival of the next packet */
    unsigned left;    /* remaining flits of the arriving packet */
    unsigned to_ring; /* of these, flits for the ring buffer */
    Way way;
    double rate, kinds[KINDS]; /* of its stream, packets a cycle; cumulative shares */
    double data_again;         /* share of data packets in those sent again */
    /* link out */
    Fifo ring, again;
    unsigned ring_flits;
    Origin origin;
} Link;

typedef struct {
    Heap *heap; /* of its queues */
    const PipelinedLoad *load;
    JmRng rng;
    unsigned n, flits[KINDS];
    unsigned ring_room, input_room, output_room; /* flits */
    double stays; /* 2/k: share of packets for this node */
    Link links[PIPELINED_MAX_DIMENSIONS];
    /* The switch: input and output n are those of the processor. */
    Fifo input[PORTS], output[PORTS];
    unsigned input_flits[PORTS]; /* present or arriving */
    unsigned output_flits[PORTS];
    uint8_t holder[PORTS];  /* by output: the input sending to it, or NOBODY */
    uint8_t sending[PORTS]; /* by input: whether it is sending */
    uint8_t turn[PORTS];    /* by output: the input with the turn */
    double next;            /* when the processor generates its next packet */
    double rate;
    uint64_t now;
    Tally *tally; /* of this batch */
} Node;

static double uniform(Node *node) { /* in (0, 1] */
    return ((double)(jm_rng_next(&node->rng) >> 11) + 1) * 0x1p-53;
}

static double gap(Node *node, double rate) {
    return rate > 0 ? -log(uniform(node)) / rate : INFINITY;
}

static void push(Node *node, Fifo *fifo, Packet packet) {
    if (fifo->count == fifo->room)
        grow(node->heap, fifo);
    fifo->items[(fifo->first + fifo->count++) & (fifo->room - 1)] = packet;
}

static void count_time(const Node *node, Mean *mean, uint64_t since) {
    mean->sum += (double)(node->now - since + 1);
    mean->count++;
}

/* ---- routes ---------------------------------------------------------------------- */

/* Returns the output for a packet leaving dimension `from`, counted from 0: dimension
 * from + j with (k-1)/k^j, otherwise the processor, n. (Printed: (k-1)/(k-1)^j, which
 * adds up to more than 1.) */
static uint8_t next_dimension(Node *node, unsigned from) {
    const uint32_t k = node->load->cube.radix;
    unsigned to = from + 1;
    while (to < node->n && jm_rng_below(&node->rng, k) == 0)
        to++;
    return (uint8_t)to;
}

/* The first dimension of a packet from the processor, which is not for itself. */
static uint8_t first_dimension(Node *node) {
    const uint32_t k = node->load->cube.radix;
    unsigned to;
    do {
        to = 0;
        while (to < node->n && jm_rng_below(&node->rng, k) == 0)
            to++;
    } while (to == node->n);
    return (uint8_t)to;
}

/* ---- links in -------------------------------------------------------------------- */

static PacketKind draw_kind(Node *node, const Link *link) {
    const double draw = uniform(node);
    unsigned kind = 0;
    while (kind + 1 < KINDS && draw > link->kinds[kind])
        kind++;
    return (PacketKind)kind;
}

/* Sends the answer to a packet addressed to this node. */
static void acknowledge(Node *node, Link *link, bool accepted, PacketKind type) {
    push(node, &link->ring,
         (Packet){.since = node->now,
                  .flits = node->flits[PACKET_ACK],
                  .kind = accepted ? PACKET_ACK : PACKET_NACK,
                  .from = (uint8_t)type,
                  .waits = accepted});
    link->to_ring = node->flits[PACKET_ACK];
}

/* Puts a request for this node into the input queue if all of it fits. */
static void receive(Node *node, unsigned d, PacketKind type) {
    Link *link = &node->links[d];
    DimensionTally *tally = &node->tally->dimension[d];
    const bool accepted = node->input_room - node->input_flits[d] >= node->flits[type];
    tally->offered[type]++;
    tally->dropped[type] += !accepted;
    link->way = accepted ? TO_QUEUE : TO_ACK;
    acknowledge(node, link, accepted, type);
    if (!accepted)
        return;
    node->input_flits[d] += node->flits[type];
    push(node, &node->input[d],
         (Packet){.since = node->now,
                  .flits = node->flits[type],
                  .kind = (uint8_t)type,
                  .from = (uint8_t)d,
                  .target = next_dimension(node, d)});
}

/* Handles a negative acknowledgement for this node: sends the packet again. */
static void send_again(Node *node, Link *link) {
    const PacketKind type =
        uniform(node) <= link->data_again ? PACKET_DATA : PACKET_ADDRESS;
    push(node, &link->again,
         (Packet){.since = node->now,
                  .flits = node->flits[type],
                  .present = node->flits[type],
                  .kind = (uint8_t)type});
}

/* Handles an arriving, decoded packet head. */
static void begin_packet(Node *node, unsigned d) {
    Link *link = &node->links[d];
    const PacketKind kind = draw_kind(node, link);
    const bool here = uniform(node) <= node->stays;
    link->left = node->flits[kind];
    link->to_ring = 0;
    link->way = TO_NOWHERE;
    if (here && kind <= PACKET_DATA)
        receive(node, d, kind);
    else if (here && kind == PACKET_NACK)
        send_again(node, link);
    else if (!here) {
        link->way = TO_RING;
        link->to_ring = link->left;
        push(node, &link->ring,
             (Packet){.since = node->now, .flits = link->left, .kind = (uint8_t)kind});
    }
}

static void take_flit(Node *node, unsigned d) {
    Link *link = &node->links[d];
    if (link->to_ring) {
        fifo_last(&link->ring)->present++;
        link->ring_flits++;
        link->to_ring--;
    }
    if (link->way == TO_QUEUE)
        fifo_last(&node->input[d])->present++;
    link->left--;
}

/* Packets that arrive while the link is busy wait upstream, uncounted. */
static void links_in(Node *node) {
    for (unsigned d = 0; d < node->n; d++) {
        Link *link = &node->links[d];
        if (!link->left && link->next <= (double)node->now) {
            begin_packet(node, d);
            link->next += gap(node, link->rate);
        }
        if (link->left)
            take_flit(node, d);
    }
}

static void processor_in(Node *node) {
    while (node->next <= (double)node->now) {
        const PacketKind type =
            uniform(node) <= node->load->cube.data_share ? PACKET_DATA : PACKET_ADDRESS;
        push(node, &node->input[node->n],
             (Packet){.since = (uint64_t)fmax(0, ceil(node->next)),
                      .flits = node->flits[type],
                      .present = node->flits[type],
                      .kind = (uint8_t)type,
                      .from = (uint8_t)node->n,
                      .target = first_dimension(node)});
        node->tally->born++;
        node->next += gap(node, node->rate);
    }
}

/* ---- links out ------------------------------------------------------------------- */

/* Counts the time of a departing packet head. */
static void count_departure(Node *node, unsigned d, const Packet *packet) {
    Tally *tally = node->tally;
    const unsigned type = packet->kind;
    switch (node->links[d].origin) {
    case FROM_RING:
        if (type <= PACKET_DATA)
            count_time(node, &tally->dimension[d].alpha[type], packet->since);
        else if (packet->waits)
            count_time(node, &tally->dimension[d].gamma[packet->from], packet->since);
        break;
    case FROM_AGAIN:
        count_time(node, &tally->dimension[d].delta[type], packet->since);
        break;
    default:
        if (packet->from < node->n) {
            count_time(node, &tally->dimension[packet->from].beta[type], packet->since);
            break;
        }
        count_time(node, &tally->entry[type], packet->since);
        tally->sent++;
    }
}

/* Packets from this node take precedence over the ring buffer if it can hold what
 * arrives in the meantime. */
static void choose_packet(Node *node, unsigned d) {
    Link *link = &node->links[d];
    const Packet *again = fifo_front(&link->again);
    const Packet *local = again ? again : fifo_front(&node->output[d]);
    const Packet *ring = fifo_front(&link->ring);
    link->origin = FROM_NONE;
    if (local && local->present > 0 &&
        node->ring_room >= link->ring_flits + local->flits)
        link->origin = again ? FROM_AGAIN : FROM_OUTPUT;
    else if (ring && ring->present > 0)
        link->origin = FROM_RING;
}

static Fifo *origin_of(Node *node, unsigned d) {
    Link *link = &node->links[d];
    return link->origin == FROM_RING    ? &link->ring
           : link->origin == FROM_AGAIN ? &link->again
                                        : &node->output[d];
}

static void links_out(Node *node) {
    for (unsigned d = 0; d < node->n; d++) {
        Link *link = &node->links[d];
        if (link->origin == FROM_NONE)
            choose_packet(node, d);
        if (link->origin == FROM_NONE)
            continue;
        Fifo *fifo = origin_of(node, d);
        Packet *packet = fifo_front(fifo);
        if (packet->sent == packet->present)
            continue;
        if (packet->sent++ == 0)
            count_departure(node, d, packet);
        node->tally->link_flits++;
        link->ring_flits -= link->origin == FROM_RING;
        node->output_flits[d] -= link->origin == FROM_OUTPUT;
        if (packet->sent == packet->flits) {
            fifo_pop(fifo);
            link->origin = FROM_NONE;
        }
    }
}

/* The processor accepts a flit a cycle. */
static void processor_out(Node *node) {
    const unsigned n = node->n;
    Packet *packet = fifo_front(&node->output[n]);
    if (!packet || packet->sent == packet->present)
        return;
    if (packet->sent++ == 0)
        count_time(node, &node->tally->dimension[packet->from].beta[packet->kind],
                   packet->since);
    node->output_flits[n]--;
    if (packet->sent == packet->flits)
        fifo_pop(&node->output[n]);
}

/* ---- the switch ------------------------------------------------------------------ */

/* Grants each free output to the first input, in round-robin order, that wants it. */
static void connect(Node *node) {
    const unsigned ports = node->n + 1;
    uint8_t best[PORTS], distance[PORTS];
    memset(distance, NOBODY, sizeof distance);
    for (unsigned in = 0; in < ports; in++) {
        const Packet *packet = fifo_front(&node->input[in]);
        if (node->sending[in] || !packet || packet->present == 0)
            continue;
        const unsigned out = packet->target;
        const unsigned far = (in + ports - node->turn[out]) % ports;
        if (node->holder[out] == NOBODY && far < distance[out]) {
            distance[out] = (uint8_t)far;
            best[out] = (uint8_t)in;
        }
    }
    for (unsigned out = 0; out < ports; out++) {
        if (distance[out] == NOBODY)
            continue;
        const unsigned in = best[out];
        Packet packet = *fifo_front(&node->input[in]);
        packet.present = packet.sent = 0;
        push(node, &node->output[out], packet);
        node->holder[out] = (uint8_t)in;
        node->sending[in] = true;
        node->turn[out] = (uint8_t)((in + 1) % ports);
    }
}

static void switch_flits(Node *node) {
    for (unsigned out = 0; out <= node->n; out++) {
        const unsigned in = node->holder[out];
        if (in == NOBODY || node->output_flits[out] >= node->output_room)
            continue;
        Packet *packet = fifo_front(&node->input[in]);
        if (packet->sent == packet->present)
            continue;
        packet->sent++;
        node->input_flits[in] -= in < node->n;
        fifo_last(&node->output[out])->present++;
        node->output_flits[out]++;
        if (packet->sent == packet->flits) {
            fifo_pop(&node->input[in]);
            node->holder[out] = NOBODY;
            node->sending[in] = false;
        }
    }
}

/* ---- a simulation ---------------------------------------------------------------- */

static void start_link(Node *node, Link *link, const double rates[KINDS],
                       const double again[TYPES]) {
    double sum = 0;
    for (unsigned kind = 0; kind < KINDS; kind++)
        sum += rates[kind];
    double below = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        below += rates[kind];
        link->kinds[kind] = sum > 0 ? below / sum : 1;
    }
    const double all = again[PACKET_ADDRESS] + again[PACKET_DATA];
    link->rate = sum;
    link->data_again = all > 0 ? again[PACKET_DATA] / all : 0;
    link->next = gap(node, sum);
}

static unsigned room_of(const PipelinedCube *cube, unsigned given, unsigned least) {
    const unsigned flits = given ? given : PIPELINED_QUEUE_BITS / cube->width;
    return flits > least ? flits : least;
}

static void start(Node *node, Heap *heap, const PipelinedLoad *load,
                  const Streams *streams, uint64_t seed) {
    const PipelinedCube *cube = &load->cube;
    const unsigned data = net_pipelined_flits(cube, PIPELINED_DATA_BITS);
    const unsigned ack = net_pipelined_flits(cube, PIPELINED_ACK_BITS);
    *node = (Node){
        .heap = heap,
        .load = load,
        .rng = jm_rng(seed),
        .n = cube->dimensions,
        .flits = {net_pipelined_flits(cube, PIPELINED_ADDRESS_BITS), data, ack, ack},
        .ring_room = room_of(cube, load->ring_buffer, data),
        .input_room = room_of(cube, load->input_queue, data),
        .output_room = room_of(cube, load->output_queue, 1),
        .stays = 2.0 / cube->radix,
        .rate = streams->processor};
    memset(node->holder, NOBODY, sizeof node->holder);
    for (unsigned d = 0; d < node->n; d++)
        start_link(node, &node->links[d], streams->link[d], streams->again[d]);
    node->next = gap(node, node->rate);
}

static void run_cycles(Node *node, uint64_t cycles, Tally *tally) {
    node->tally = tally;
    for (uint64_t i = 0; i < cycles; i++, node->now++) {
        links_in(node);
        processor_in(node);
        links_out(node);
        processor_out(node);
        connect(node);
        switch_flits(node);
    }
    tally->cycles += (double)cycles;
}

void pipelined_run(Heap *heap, const PipelinedLoad *load, const Streams *streams,
                   uint64_t seed, Tally batches[PIPELINED_BATCHES]) {
    HeapMark *const mark = heap_mark(heap);
    Node node;
    Tally unused = {0};
    start(&node, heap, load, streams, seed);
    run_cycles(&node, load->cycles / 10, &unused);
    for (unsigned i = 0; i < PIPELINED_BATCHES; i++) {
        batches[i] = (Tally){0};
        run_cycles(&node, load->cycles / PIPELINED_BATCHES, &batches[i]);
    }
    heap_release(heap, mark);
}
