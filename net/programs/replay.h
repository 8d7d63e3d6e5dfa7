/* Runs message-passing programs on a network. Front ends may include this header.
 *
 * There are two engines with identical results in every cycle: "flits" moves each flit
 * with the network's own engine, on any topology; "worms" computes when heads and tails
 * move, for networks in which each wire has a single channel (worms.c). */
#ifndef JM_NET_PROGRAMS_REPLAY_H
#define JM_NET_PROGRAMS_REPLAY_H

#include "net/programs/programs.h"

typedef enum { NET_REPLAY_AUTO, NET_REPLAY_FLITS, NET_REPLAY_WORMS } NetReplayEngine;

/* Node times in cycles. The paper takes them from an early specification of its machine
 * and prints none: all are our choices. */
typedef struct {
    uint32_t setup;   /* before a message is sent */
    uint32_t accept;  /* before an arrived message is acknowledged */
    uint32_t packet;  /* between packets of a message */
    uint32_t reorder; /* per received message, if its packets may take several layers */
} NetNodeTimes;

enum {
    NET_SETUP_CYCLES = 300,
    NET_ACCEPT_CYCLES = 100,
    NET_PACKET_CYCLES = 400,
    NET_REORDER_CYCLES = 100
};

extern const NetNodeTimes net_node_times; /* the defaults */

enum { NET_PACKET_BYTES = 128, NET_ACKNOWLEDGEMENT_FLITS = 8 };

typedef struct {
    const NetPrograms *programs;
    const char *topology;    /* a specification */
    const NetParams *params; /* of the network */
    NetNodeTimes times;
    NetReplayEngine engine;
    /* "worms": routers store whole packets before forwarding them, and have room for
     * all. */
    bool stored;
    uint64_t seed, most_cycles;
} NetReplay;

typedef struct {
    const char *engine; /* the engine used */
    bool complete;      /* all programs ended; otherwise the cycle limit was reached */
    uint64_t cycles;    /* until the last program ended, T */
    uint64_t messages, packets; /* data packets */
    /* Mean cycles from handing over a data packet until its tail has left its node. */
    double send_away;
    double receive_idle; /* cycles that a node waited for messages, mean over nodes */
    /* Cycles that heads of data packets waited at routers, mean per packet. Total: from
     * entering the router's buffer to leaving it, less one. Effective: at the front of
     * the buffer while others held their channel. NaN with flits. */
    double blocking_total, blocking_effective;
} NetReplayFigures;

/* A channel of the network: packets of all kinds through it, and the cycles that their
 * heads waited for it at the router it leaves. */
typedef struct {
    uint64_t packets, effective, total; /* total: 0 with flits */
    uint32_t node; /* the first node at the router it leaves, if it is a wire's */
    bool has_wire;
} NetReplayChannel;

/* All channels, allocated by net_replay() on request; the caller frees them. */
typedef struct {
    uint32_t count;
    NetReplayChannel *items;
} NetReplayChannels;

/* False and `error`: topology or parameters are invalid, the engine cannot run them, or
 * the programs deadlock; then the first waiting node is named, with the line of its
 * program. `channels` may be NULL. */
bool net_replay(const NetReplay *replay, NetReplayFigures *figures,
                NetReplayChannels *channels, JmError *error);

#endif
