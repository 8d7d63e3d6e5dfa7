/* Chooses an engine. For create.c. */
#ifndef JM_NET_CREATE_ENGINES_H
#define JM_NET_CREATE_ENGINES_H

#include "net/messages/state.h"

/* Returns the engine called `name`, or for "auto" the first that can run `graph` with
 * `params`. NULL and the reason in `error` if it cannot, or if there is no engine of
 * that name. The heap is for temporary memory. */
const NetEngine *net_find_engine(Heap *heap, const char *name, const NetGraph *graph,
                                 const NetParams *params, JmError *error);

#endif
