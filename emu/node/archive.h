/* A node's state as an archive (emu/core/archive.h). For emu/machine. */
#ifndef JM_NODE_ARCHIVE_H
#define JM_NODE_ARCHIVE_H

#include "emu/core/archive.h"
#include "emu/node/node.h"

/* Saves or loads all of a node but its rank and its memory. The node must not be ahead
 * of the machine, in which `now` cycles have been done. */
void node_archive(Archive *archive, Node *node, uint64_t now);

/* A row in transit, in an archive. */
void node_archive_row(Archive *archive, NodeRow *row);

#endif
