/* The engines that run programs. Internal to net/programs. */
#ifndef JM_NET_PROGRAMS_ENGINES_H
#define JM_NET_PROGRAMS_ENGINES_H

#include "net/graph/graph.h"
#include "net/programs/players.h"

/* A run: what it has, and what it leaves. */
typedef struct {
    const NetReplay *replay;
    NetGraph *graph;
    NetReplayFigures *figures;
    NetReplayChannel *channel; /* by channel; NULL: not wanted */
    NetPlayersPlan plan;       /* without the network */
    JmError *error;
    bool good;
} Replay;

/* Work in a heap: see heap_run(). `context` is the run. The graph of replay_flits() is
 * taken over by its network. */
void replay_flits(Heap *heap, void *context);
void replay_worms(Heap *heap, void *context);

/* Says why a topology cannot run programs as it is, and which parameters it takes. */
bool replay_refuse_network(const Replay *run, const NetTopology *topology,
                           const char *why);

bool replay_worms_run(const NetGraph *graph, const NetParams *params, JmError *error);

#endif
