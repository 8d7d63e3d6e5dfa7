/* Runs programs on the network's own engine, flit by flit. */
#include <math.h>

#include "net/programs/engines.h"
#include "net/topology/topology.h"

typedef struct Waiting Waiting;
struct Waiting {
    NetPacket packet;
    Waiting *next;
};

/* A packet is opened when the whole of the previous one is in the buffer. */
typedef struct {
    Waiting *first, *last; /* packets not yet wholly in the buffer */
    uint32_t words;        /* words of the first one still to offer; 0: not opened */
    uint64_t offered;      /* places taken in total */
    uint64_t data_end;     /* the same up to the last word of the data packet */
    bool data_inside;      /* a data packet in the buffer has not left */
} Terminal;

typedef struct {
    Replay *run;
    Heap *heap;
    Net *net;
    NetPlayers *players;
    Terminal *terminal;
    uint32_t *first; /* by processor: its first terminal */
    Waiting *spare;
    uint32_t terminals;
    NetPacket *record; /* by message of the network */
    uint32_t records;
    uint64_t waiting; /* packets in lists */
    uint32_t inside;  /* terminals whose buffer holds a data packet */
} Flits;

static void take_over(void *network, const NetPacket *packet, uint64_t now) {
    Flits *flits = network;
    uint32_t number = net_terminal(flits->net, flits->first[packet->from],
                                   flits->first[packet->to], packet->draw);
    if (number == NET_NONE)
        number = flits->first[packet->from];
    Terminal *terminal = &flits->terminal[number];
    Waiting *waiting = flits->spare;
    (void)now;
    if (waiting)
        flits->spare = waiting->next;
    else
        waiting = heap_alloc(flits->heap, sizeof *waiting);
    *waiting = (Waiting){.packet = *packet};
    if (terminal->first)
        terminal->last->next = waiting;
    else
        terminal->first = waiting;
    terminal->last = waiting;
    flits->waiting++;
}

bool replay_refuse_network(const Replay *run, const NetTopology *topology,
                           const char *why) {
    return jm_fail(
        run->error, NULL, "'%s': %s: give --param %s", run->replay->topology, why,
        topology && topology->byte_params ? topology->byte_params
                                          : "flits_per_word=1,buffer_words=64");
}

/* ---- offering -------------------------------------------------------------------- */

static void open_packet(Flits *flits, uint32_t number) {
    Terminal *terminal = &flits->terminal[number];
    const NetPacket *packet = &terminal->first->packet;
    const uint32_t message =
        net_open_drawn(flits->net, number, 0, flits->first[packet->to], packet->draw);
    if (message == NET_NONE)
        heap_fail(flits->heap);
    if (message >= flits->records) {
        flits->records = 2 * message + 64;
        flits->record = heap_resize(flits->heap, flits->record,
                                    flits->records * sizeof *flits->record);
    }
    flits->record[message] = *packet;
    terminal->words = packet->flits - flits->run->plan.header_flits;
    terminal->offered++;
}

/* Handles the offer of the first packet's last word. */
static void close_packet(Flits *flits, Terminal *terminal) {
    Waiting *waiting = terminal->first;
    if (waiting->packet.data) {
        flits->inside += !terminal->data_inside;
        terminal->data_inside = true;
        terminal->data_end = terminal->offered;
    }
    terminal->first = waiting->next;
    waiting->next = flits->spare;
    flits->spare = waiting;
    flits->waiting--;
}

static void fill_buffer(Flits *flits, uint32_t number) {
    Terminal *terminal = &flits->terminal[number];
    unsigned room;
    while (terminal->first && (room = net_room(flits->net, number, 0)) > 0) {
        if (terminal->words == 0) {
            open_packet(flits, number);
            continue;
        }
        const unsigned words = room > 1 && terminal->words > 1 ? 2 : 1;
        terminal->words -= words;
        terminal->offered += words;
        net_offer(flits->net, number, 0, words, terminal->words == 0);
        if (terminal->words == 0)
            close_packet(flits, terminal);
    }
}

/* ---- the cycle ------------------------------------------------------------------- */

static void report_departures(Flits *flits, uint64_t now) {
    for (uint32_t number = 0; flits->inside && number < flits->terminals; number++) {
        Terminal *terminal = &flits->terminal[number];
        if (!terminal->data_inside)
            continue;
        const uint64_t inside =
            net_buffer_words(flits->net) - net_room(flits->net, number, 0);
        if (terminal->offered - inside < terminal->data_end)
            continue;
        terminal->data_inside = false;
        flits->inside--;
        net_players_left(flits->players, net_processor(flits->net, number), now);
    }
}

static void report_arrivals(Flits *flits, uint64_t now) {
    size_t count;
    const NetDelivery *deliveries = net_deliveries(flits->net, &count);
    for (size_t i = 0; i < count; i++)
        if (deliveries[i].tail)
            net_players_arrived(flits->players, &flits->record[deliveries[i].message],
                                now);
}

/* Runs to the end of the programs or to the cycle limit; false if all nodes wait. */
static bool go(Flits *flits) {
    const uint64_t most = flits->run->replay->most_cycles;
    bool stepped = false;
    for (uint64_t now = 0; now < most; now = net_now(flits->net)) {
        report_departures(flits, now);
        if (stepped)
            report_arrivals(flits, now);
        net_players_run(flits->players, now);
        if (net_players_done(flits->players))
            return true;
        stepped = flits->waiting > 0 || !net_is_quiet(flits->net);
        if (stepped) {
            for (uint32_t i = 0; flits->waiting > 0 && i < flits->terminals; i++)
                fill_buffer(flits, i);
            net_step(flits->net);
            continue;
        }
        const uint64_t due = net_players_due(flits->players);
        if (due == UINT64_MAX)
            return false;
        net_skip(flits->net, due - now);
    }
    return true;
}

static void write_figures(const Flits *flits) {
    const Replay *run = flits->run;
    net_players_measure(flits->players, run->figures);
    run->figures->engine = "flits";
    run->figures->blocking_total = run->figures->blocking_effective = NAN;
    for (uint32_t c = 0; run->channel && c < run->graph->channels; c++) {
        const NetChannelCounts counts = net_channel_counts(flits->net, c);
        run->channel[c].packets = counts.messages;
        run->channel[c].effective = counts.wait_cycles;
    }
}

static void end_net(void *net) {
    net_destroy(net);
}

bool replay_flits(Heap *heap, Replay *run) {
    const NetTopology *topology = run->graph->topology;
    JmError why;
    Flits flits = {.run = run, .heap = heap};
    heap_keep(heap, run->graph);
    flits.net = net_create_on(run->graph, run->replay->params, "auto", &why);
    if (!flits.net && why.memory)
        heap_fail(heap);
    if (!flits.net)
        return replay_refuse_network(run, topology, why.text);
    heap_at_end(heap, end_net, flits.net);
    net_seed(flits.net, jm_rng_mix(run->replay->seed, 1));
    flits.terminals = net_node_count(flits.net);
    flits.terminal = heap_alloc(heap, flits.terminals * sizeof *flits.terminal);
    flits.first = heap_alloc(heap, flits.terminals * sizeof *flits.first);
    for (uint32_t number = flits.terminals; number-- > 0;)
        flits.first[net_processor(flits.net, number)] = number;
    run->plan.network = &flits;
    run->plan.hand_over = take_over;
    flits.players = net_players_create(heap, &run->plan);
    net_players_start(flits.players);
    const bool good = go(&flits);
    if (good)
        write_figures(&flits);
    else
        net_players_explain(flits.players, run->error);
    return good;
}
