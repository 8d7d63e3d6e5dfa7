/* Nodes that run message-passing programs: a processor, and a communication processor
 * that cuts messages into packets (Pimentel and Hertzberger, section 4). They are
 * independent of the network: engines report departures and arrivals, and receive
 * packets. Internal to net/programs.
 *
 *     send     `setup` cycles; then packet after packet, each handed over `packet`
 *              cycles after the tail of the previous one has left; then, for a
 *              rendezvous, waits for the acknowledgement
 *     receive  waits for a whole message; `accept` cycles, plus `reorder` if packets
 *              may overtake each other; then hands over the acknowledgement
 *
 * Messages that are not yet received are kept. All of this happens before the network's
 * cycle `now`; a packet handed over then may leave its node in cycle now + 1. */
#ifndef JM_NET_PROGRAMS_PLAYERS_H
#define JM_NET_PROGRAMS_PLAYERS_H

#include "emu/core/rng.h"
#include "net/programs/replay.h"

typedef struct {
    uint32_t from, to, flits;
    uint32_t draw;    /* see net_open_drawn() */
    uint32_t message; /* for the players */
    bool data;        /* false: an acknowledgement */
} NetPacket;

typedef struct NetPlayers NetPlayers;

/* Receives a packet that may leave its node in cycle now + 1. */
typedef void NetHandOver(void *network, const NetPacket *packet, uint64_t now);

typedef struct {
    const NetReplay *replay;
    uint32_t header_flits, draws;
    bool overtaking;      /* packets of a message may overtake each other */
    const uint32_t *turn; /* by node: whose turn supplies its draws; NULL: random */
    void *network;
    NetHandOver *hand_over;
} NetPlayersPlan;

/* Allocated from `heap`, which also frees them. */
NetPlayers *net_players_create(Heap *heap, const NetPlayersPlan *plan);
/* Starts all programs, before cycle 0. */
void net_players_start(NetPlayers *players);

/* Calls of a cycle, in this order and, for each kind, in node order: the tail of a
 * node's data packet left in the previous cycle; a packet's tail arrived in the
 * previous cycle; timers expire. */
void net_players_left(NetPlayers *players, uint32_t node, uint64_t now);
void net_players_arrived(NetPlayers *players, const NetPacket *packet, uint64_t now);
void net_players_run(NetPlayers *players, uint64_t now);
/* The next cycle with a timer; UINT64_MAX: none. */
uint64_t net_players_due(const NetPlayers *players);

bool net_players_done(const NetPlayers *players);
/* Fills in their measurements. */
void net_players_measure(const NetPlayers *players, NetReplayFigures *figures);
/* Writes who waits for whom after a deadlocked run, starting at the first node. */
void net_players_explain(const NetPlayers *players, JmError *error);

#endif
