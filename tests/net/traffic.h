/* Random traffic over a network, watched, with or without the reference network beside
 * it. Any violation is a failed Criterion assertion. */
#ifndef JM_TESTS_NET_TRAFFIC_H
#define JM_TESTS_NET_TRAFFIC_H

#include "emu/core/rng.h"
#include "net/net.h"
#include "reference.h"

/* Chances are per mille and cycle. */
typedef struct {
    unsigned x, y, z;
    const char *engine; /* "graph", watched flit by flit; or another, by what arrives */
    uint64_t seed;
    unsigned open_chance;   /* an idle sender (node and priority) opens a message */
    unsigned offer_chance;  /* a sender in mid-message offers a word or two */
    unsigned gate_chance;   /* some gate is closed, for 1 to 100 cycles */
    unsigned hot_chance;    /* a message goes to the last node, not to a random one */
    unsigned longest_words; /* messages have 1 to this many words */
    bool with_reference;
    NetParams params;
} TrafficPlan;

TrafficPlan traffic_plan(unsigned x, unsigned y, unsigned z);

typedef struct Traffic Traffic;

Traffic *traffic_create(const TrafficPlan *plan);
void traffic_destroy(Traffic *traffic);
Net *traffic_net(Traffic *traffic);

/* Sends randomly for some cycles; net_check every `check_every` (0: never). */
void traffic_run(Traffic *traffic, uint64_t cycles, uint64_t check_every);
/* Opens all gates, finishes open messages, and steps until nothing is left; fails if
 * that does not happen. Checks that all that was sent has arrived. */
void traffic_drain(Traffic *traffic);
/* A digest of every flit moved: cycle, message, flit, from where, to where. 0 for
 * engines that are not watched flit by flit. */
uint64_t traffic_hash(const Traffic *traffic);

#endif
