/* Shared by the files of emu/machine that know the network: netif.c and network.c. */
#ifndef JM_MACHINE_NETWORK_H
#define JM_MACHINE_NETWORK_H

#include "emu/jm.h"
#include "net/net.h"

/* Returns the network's parameters of a configuration. */
NetParams network_params(const JmConfig *config);

#endif
