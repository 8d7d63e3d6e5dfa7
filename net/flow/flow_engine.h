/* The flow engine's interface, for the choice of engines. */
#ifndef JM_NET_FLOW_FLOW_ENGINE_H
#define JM_NET_FLOW_FLOW_ENGINE_H

#include "net/messages/state.h"

extern const NetEngine net_flow_engine;

#endif
