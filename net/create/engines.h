/* The engines there are. For create.c. */
#ifndef JM_NET_CREATE_ENGINES_H
#define JM_NET_CREATE_ENGINES_H

#include "net/messages/state.h"

/* The engine called `name`, or for "auto" the first that can run `graph` with `params`.
 * NULL and the reason in `error` if it cannot, or if there is none of that name. */
const NetEngine *net_find_engine(const char *name, const NetGraph *graph,
                                 const NetParams *params, JmError *error);

/* The engine that stands in for one that reports no flits, while there is a hook. */
const NetEngine *net_watching_engine(void);

#endif
