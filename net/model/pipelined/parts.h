/* The parts of the node simulator: input streams, a simulation, tallies. Internal to
 * this folder. */
#ifndef JM_NET_MODEL_PIPELINED_PARTS_H
#define JM_NET_MODEL_PIPELINED_PARTS_H

#include "emu/core/heap.h"
#include "emu/core/rng.h"
#include "net/model/pipelined/node.h"

enum { TYPES = 2, KINDS = 4 };

/* Kinds of packets; the first two are requests, which are switched and acknowledged. */
typedef enum { PACKET_ADDRESS, PACKET_DATA, PACKET_ACK, PACKET_NACK } PacketKind;

/* Arrivals over the links and from the processor, in packets a cycle. */
typedef struct {
    double link[PIPELINED_MAX_DIMENSIONS][KINDS];
    /* Of the requests, those dropped before. */
    double again[PIPELINED_MAX_DIMENSIONS][TYPES];
    double processor;
} Streams;

typedef struct {
    double sum, count;
} Mean;

/* Tallies of a batch of cycles, for an address and a data packet each. The letters are
 * those of (16); times run from the decoded head's arrival to its departure, including
 * both cycles. */
typedef struct {
    Mean alpha[TYPES], beta[TYPES], gamma[TYPES], delta[TYPES];
    double offered[TYPES]; /* packets for this node, at its input queue */
    double dropped[TYPES]; /* of these */
} DimensionTally;

typedef struct {
    DimensionTally dimension[PIPELINED_MAX_DIMENSIONS];
    Mean entry[TYPES]; /* beta_0: from the processor to the first link */
    double born, sent; /* packets of the processor; those whose head is on a link */
    double link_flits;
    double cycles;
} Tally;

/* Simulates the node from empty with these streams, and tallies into `batches`. */
void pipelined_run(Heap *heap, const PipelinedLoad *load, const Streams *streams,
                   uint64_t seed, Tally batches[PIPELINED_BATCHES]);

#endif
