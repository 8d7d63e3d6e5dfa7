/* Events that observers of a node can see. Part of the public face (emu/jm.h). */
#ifndef JM_ISA_EVENT_H
#define JM_ISA_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts, as an index. */
typedef enum { JM_CONTEXT_0, JM_CONTEXT_1, JM_CONTEXT_BACKGROUND } JmContext;

typedef enum {
    JM_EVENT_INSTRUCTION, /* about to issue; address, instruction */
    JM_EVENT_DISPATCH,    /* address = handler, word = header, priority */
    JM_EVENT_SEND,        /* words taken by the output buffer; word = first, count */
    JM_EVENT_FAULT,       /* fault taken; word = operand; address of the instruction, or
                             the IP's offset for a fault that none raised */
    JM_EVENT_SUSPEND,     /* a task ended; priority */
    JM_EVENT_ARRIVE,      /* a message's tail row was written to a queue */
    JM_EVENT_FLIT,        /* a flit moved: word = flit number, count = channel + 1 */
    JM_EVENT_READ,        /* an operand was read; address, word; `where`: instruction */
    JM_EVENT_WRITE,       /* the same, written; by a row from the network: message */
    JM_EVENT_OVERFLOW,    /* a row that arrived made a queue full; priority */
    JM_EVENT_COUNT
} JmEventKind;

typedef struct {
    JmEventKind kind;
    uint64_t cycle;
    uint32_t node;     /* rank */
    JmContext context; /* running context */
    uint32_t address;  /* word address */
    uint32_t
        where;  /* READ, WRITE: address of the instruction; DISPATCH: of the header */
    bool opens; /* SEND: the first words of a message, */
    uint32_t destination; /* which goes to this node */
    bool by_network;      /* WRITE: no instruction did it */
    uint32_t instruction; /* 17 bits */
    unsigned priority;
    unsigned fault; /* JmFault */
    JmWord word;
    uint32_t count;
    uint32_t message; /* SEND, ARRIVE, FLIT: the network's number of the message */
} JmEvent;

#ifdef __cplusplus
}
#endif

#endif
