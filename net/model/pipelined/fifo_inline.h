/* Growing queues of packets for the node simulator; their owners bound them, in
 * flits. */
#ifndef JM_NET_MODEL_PIPELINED_FIFO_INLINE_H
#define JM_NET_MODEL_PIPELINED_FIFO_INLINE_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of packets; the first two are requests, which are switched and acknowledged. */
typedef enum { PACKET_ADDRESS, PACKET_DATA, PACKET_ACK, PACKET_NACK } PacketKind;

typedef struct {
    uint64_t since;       /* cycle from which its latency in this node counts */
    unsigned flits;       /* in total */
    unsigned present;     /* flits that have entered the queue */
    unsigned sent;        /* of these, flits that have left */
    uint8_t kind;         /* PacketKind */
    uint8_t from, target; /* input and output of the switch */
    bool waits;           /* `since` is that of an acknowledged packet */
} Packet;

typedef struct {
    Packet *items; /* a ring of `room` entries, a power of two */
    unsigned first, count, room;
} Fifo;

/* Adds a packet; NULL if out of memory. The pointer is valid until the next push. */
Packet *fifo_push(Fifo *fifo, Packet packet);
void fifo_pop(Fifo *fifo);
void fifo_free(Fifo *fifo);

/* The first packet; NULL if empty. */
static inline Packet *fifo_front(const Fifo *fifo) {
    return fifo->count ? &fifo->items[fifo->first] : 0;
}

/* The last packet; NULL if empty. */
static inline Packet *fifo_last(const Fifo *fifo) {
    return fifo->count
               ? &fifo->items[(fifo->first + fifo->count - 1) & (fifo->room - 1)]
               : 0;
}

#endif
