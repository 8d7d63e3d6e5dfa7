/* Chooses an engine for programs and sets it up. */
#include "net/programs/replay.h"

#include <stdlib.h>

#include "net/programs/engines.h"
#include "net/topology/topology.h"

const NetNodeTimes net_node_times = {NET_SETUP_CYCLES, NET_ACCEPT_CYCLES,
                                     NET_PACKET_CYCLES, NET_REORDER_CYCLES};

static bool check(const Replay *run) {
    const NetReplay *replay = run->replay;
    const NetGraph *graph = run->graph;
    if (replay->params->flits_per_word != 1 || replay->params->buffer_words < 16)
        return replay_refuse_network(
            run, graph->topology,
            "programs need flits_per_word=1 and 16 or more buffer_words");
    if (replay->programs->nodes <= net_graph_processors(graph))
        return true;
    return jm_fail(run->error, replay->programs->file,
                   "the programs have %u nodes, '%s' has %u", replay->programs->nodes,
                   replay->topology, net_graph_processors(graph));
}

/* Chooses between the engine that moves flits and the faster one that moves whole worms
 * but runs only some networks. False and an error if the replay requires worms and they
 * cannot run it. */
static bool choose_worms(const Replay *run, bool *worms) {
    *worms = false;
    if (run->replay->engine == NET_REPLAY_FLITS && !run->replay->stored)
        return true;
    JmError why;
    *worms = replay_worms_run(run->graph, run->replay->params, &why);
    if (*worms || (run->replay->engine == NET_REPLAY_AUTO && !run->replay->stored))
        return true;
    return jm_fail(run->error, NULL, "the engine worms cannot run '%s': %s",
                   run->replay->topology, why.text);
}

/* Records the location of each channel, for reports of its waits. */
static void note_places(const Replay *run) {
    for (uint32_t c = 0; run->channel && c < run->graph->channels; c++) {
        run->channel[c].node = run->graph->label[c].node;
        run->channel[c].has_wire = run->graph->wire[c] != NET_NONE;
    }
}

static void end_graph(void *graph) {
    net_graph_destroy(graph);
}

static bool replay_on_graph(Heap *heap, Replay *run) {
    bool worms;
    const NetReplay *replay = run->replay;
    if (!check(run) || !choose_worms(run, &worms))
        return false;
    run->plan = (NetPlayersPlan){
        .replay = replay,
        .header_flits = replay->params->header_flits,
        .draws = run->graph->address_from ? run->graph->draws : 1,
        .overtaking = run->graph->choices || run->graph->draws > 1,
        .turn = run->graph->turn,
    };
    note_places(run);
    return worms ? replay_worms(heap, run) : replay_flits(heap, run);
}

static bool replay(Heap *heap, void *context) {
    Replay *run = context;
    run->graph =
        net_topology_build(run->replay->topology, run->replay->params, run->error);
    if (!run->graph)
        return false;
    const uint32_t channels = run->graph->channels;
    heap_at_end(heap, end_graph, run->graph);
    if (run->channels) {
        run->channel = heap_need(heap, calloc(channels, sizeof *run->channel));
        heap_at_end(heap, free, run->channel);
    }
    if (!replay_on_graph(heap, run))
        return false;
    if (run->channels) {
        heap_keep(heap, run->channel);
        *run->channels = (NetReplayChannels){channels, run->channel};
    }
    return true;
}

bool net_replay(const NetReplay *wanted, NetReplayFigures *figures,
                NetReplayChannels *channels, JmError *error) {
    Replay run = {
        .replay = wanted, .figures = figures, .channels = channels, .error = error};
    *figures = (NetReplayFigures){0};
    if (channels)
        *channels = (NetReplayChannels){0};
    return heap_do(replay, &run, error, NULL, "a run of programs of %u nodes",
                   wanted->programs->nodes);
}
