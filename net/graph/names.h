/* Names in the specifications of networks and workloads. For the rooms that read
 * them. */
#ifndef JM_NET_GRAPH_NAMES_H
#define JM_NET_GRAPH_NAMES_H

#include "emu/core/status.h"

/* Returns the place of `wanted` among `count` names; those that are NULL are skipped.
 * If it is not there, -1 and an error: the specification `text` has no such `kind`, the
 * nearest name, and all of `forms`, which are the names as people write them. */
int net_name_find(const char *text, const char *kind, const char *wanted,
                  const char *const *names, const char *const *forms, unsigned count,
                  JmError *error);

#endif
