/* What the files that know the network share. */
#ifndef JM_MACHINE_NETWORK_H
#define JM_MACHINE_NETWORK_H

#include "emu/jm.h"
#include "net/net.h"

NetParams network_params(const JmConfig *config);

#endif
