/* Runs message-passing programs on a network. Front ends may include this header.
 *
 * Two engines do it, with the same outcome in every cycle: "flits" moves each flit, by
 * the network's own engine, on any topology; "worms" computes when heads and tails
 * move, for networks whose wires are each for one channel (worms.c). */
#ifndef JM_NET_PROGRAMS_REPLAY_H
#define JM_NET_PROGRAMS_REPLAY_H

#include "net/programs/programs.h"

typedef enum { NET_REPLAY_AUTO, NET_REPLAY_FLITS, NET_REPLAY_WORMS } NetReplayEngine;

/* Cycles of the nodes. The paper takes them from an early specification of its machine
 * and prints none: all are choices, with those that are standard. */
typedef struct {
    uint32_t setup;   /* 300: before a message is sent */
    uint32_t accept;  /* 100: before one that has arrived is acknowledged */
    uint32_t packet;  /* 400: between packets of a message */
    uint32_t reorder; /* 100: with each message that is received, where its packets may
                         go by several layers */
} NetNodeTimes;

extern const NetNodeTimes net_node_times; /* the standard ones */

enum { NET_PACKET_BYTES = 128, NET_ACKNOWLEDGEMENT_FLITS = 8 };

typedef struct {
    const NetPrograms *programs;
    const char *topology;    /* a specification */
    const NetParams *params; /* of the network */
    NetNodeTimes times;
    NetReplayEngine engine;
    bool stored; /* worms: routers store whole packets before they pass them on, and
                    have room for all */
    uint64_t seed, most_cycles;
} NetReplay;

typedef struct {
    const char *engine; /* that did it */
    bool complete;      /* all programs have ended; else the run's cycles have */
    uint64_t cycles;    /* until the last program had ended, T */
    uint64_t messages, packets; /* packets of data */
    double send_away; /* cycles from handing a data packet over until its tail has left
                          its node, mean */
    double
        receive_idle; /* cycles that a node has waited for messages, mean over nodes */
    /* Cycles for which heads of data packets waited at routers, mean of a packet: in
     * all, from entering the router's buffer to leaving it, less one; and effective: in
     * front of it, while their channel was held by others. */
    double blocking_total, blocking_effective; /* NaN with flits */
} NetReplayFigures;

/* A channel of the network: packets of all sorts through it, and the cycles that their
 * heads waited for it at the router that it leaves. */
typedef struct {
    uint64_t packets, effective, total; /* total: 0 with flits */
    uint32_t
        node; /* the first of those at the router that it leaves, if it is a wire's */
    bool has_wire;
} NetReplayChannel;

/* Of all channels, allocated by net_replay() if wanted; the caller frees them. */
typedef struct {
    uint32_t count;
    NetReplayChannel *items;
} NetReplayChannels;

/* False and `error`: topology or parameters are wrong, the engine cannot run them, or
 * the programs wait for each other: then the first node that waits is named, with the
 * line of its program. `channels` may be NULL. */
bool net_replay(const NetReplay *replay, NetReplayFigures *figures,
                NetReplayChannels *channels, JmError *error);

#endif
