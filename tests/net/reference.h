/* A second network, written independently of net/ and without regard for speed:
 * explicit coordinates, every channel examined in every cycle, decisions on a copy of
 * the state. The tests run it beside the engines and compare every flit. */
#ifndef JM_TESTS_NET_REFERENCE_H
#define JM_TESTS_NET_REFERENCE_H

#include "net/net.h"

typedef struct Reference Reference;

/* A channel as named by both sides: node * 18 + priority * 9 + dimension * 3 + kind, or
 * -1 for an output buffer or the ejection. */
typedef int ReferencePlace;

/* One flit moved: `serial` is the message's index in order of opening. */
typedef void ReferenceHook(void *context, uint64_t cycle, uint32_t serial,
                           uint32_t flit, ReferencePlace from, ReferencePlace to,
                           uint32_t node);

typedef struct {
    uint32_t node, serial;
    unsigned priority;
    bool tail;
} ReferenceDelivery;

Reference *reference_create(unsigned x, unsigned y, unsigned z,
                            const NetParams *params);
void reference_destroy(Reference *reference);

unsigned reference_room(const Reference *reference, unsigned node, unsigned priority);
void reference_open(Reference *reference, unsigned node, unsigned priority,
                    unsigned destination, uint64_t born);
void reference_offer(Reference *reference, unsigned node, unsigned priority,
                     unsigned words, bool end);
void reference_set_gate(Reference *reference, unsigned node, unsigned priority,
                        bool open);
/* Blocks a direction of the wire that leaves `node`, or frees it. */
void reference_block(Reference *reference, unsigned node, unsigned dimension, bool up,
                     bool blocked);
void reference_step(Reference *reference, ReferenceHook *hook, void *context);

const ReferenceDelivery *reference_deliveries(const Reference *reference,
                                              size_t *count);
/* Flits that waited at the head of a channel, times cycles. */
uint64_t reference_blocked(const Reference *reference);

#endif
