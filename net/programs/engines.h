/* The engines that run programs. Internal to net/programs. */
#ifndef JM_NET_PROGRAMS_ENGINES_H
#define JM_NET_PROGRAMS_ENGINES_H

#include "net/graph/graph.h"
#include "net/programs/players.h"

/* A run: its inputs and results. */
typedef struct {
    const NetReplay *replay;
    NetGraph *graph;
    NetReplayFigures *figures;
    NetReplayChannel *channel; /* by channel; NULL: not requested */
    NetPlayersPlan plan;       /* except for the network */
    JmError *error;
    bool good;
} Replay;

/* Jobs for heap_run(); `context` is the run. The network of replay_flits() takes over
 * the graph. */
void replay_flits(Heap *heap, void *context);
void replay_worms(Heap *heap, void *context);

/* Reports why a topology cannot run programs as it is, and which parameters it
 * needs. */
bool replay_refuse_network(const Replay *run, const NetTopology *topology,
                           const char *why);

bool replay_worms_run(const NetGraph *graph, const NetParams *params, JmError *error);

#endif
