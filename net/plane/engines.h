/* The plane engine, for the choice of engines: one that uses the widest vectors of this
 * processor, and one for each width. */
#ifndef JM_NET_PLANE_ENGINES_H
#define JM_NET_PLANE_ENGINES_H

#include "net/messages/state.h"

extern const NetEngine net_plane_engine, net_plane_plain, net_plane_sse2,
    net_plane_avx2, net_plane_avx512;

#endif
