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
    NetReplayChannels *channels; /* for the caller; NULL: not requested */
    NetReplayChannel *channel;   /* its items */
    NetPlayersPlan plan;         /* except for the network */
    JmError *error;
} Replay;

/* Run the programs. False and an error if they deadlock. The network of replay_flits()
 * takes over the graph. */
bool replay_flits(Heap *heap, Replay *run);
bool replay_worms(Heap *heap, Replay *run);

/* Reports why a topology cannot run programs as it is, and which parameters it
 * needs. */
bool replay_refuse_network(const Replay *run, const NetTopology *topology,
                           const char *why);

bool replay_worms_run(const NetGraph *graph, const NetParams *params, JmError *error);

#endif
