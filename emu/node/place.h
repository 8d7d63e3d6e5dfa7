/* The place of an instruction as one number: twice its address, and 1 more if it is the
 * second of its word. For emu/node and emu/machine. */
#ifndef JM_NODE_PLACE_H
#define JM_NODE_PLACE_H

#include "emu/node/node.h"

/* Stands for the place of a SEND that was issued just now. The IP still lies right
 * after it, so code that needs the place calls node_place_behind() before the node
 * continues. */
#define NODE_PLACE_BEHIND UINT32_MAX

static inline uint32_t node_place(uint32_t address, bool low) {
    return address * 2 + low;
}

/* Returns the place of the instruction before the running context's IP. */
static inline uint32_t node_place_behind(const Node *node) {
    bool low;
    const uint32_t address = node_issue_address(node, true, &low);
    return node_place(address, low);
}

#endif
