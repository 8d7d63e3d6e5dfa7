/* The graph engine's interface, for the choice of engines. */
#ifndef JM_NET_WORMHOLE_GRAPH_ENGINE_H
#define JM_NET_WORMHOLE_GRAPH_ENGINE_H

#include "net/messages/state.h"

extern const NetEngine net_graph_engine;

#endif
