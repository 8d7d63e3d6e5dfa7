/* Parameters of a node's network interface. This header is part of the public interface
 * (emu/jm.h). */
#ifndef JM_NODE_INTERFACE_H
#define JM_NODE_INTERFACE_H

#include <stdint.h>

/* One field per row of interface.def. */
typedef struct {
#define NODE_PARAM(name, ...) uint32_t name;
#include "emu/node/interface.def"
#undef NODE_PARAM
} JmInterface;

#endif
