/* Events that an observer of a node receives. This header is part of the public
 * interface (emu/jm.h). */
#ifndef JM_ISA_EVENT_H
#define JM_ISA_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The three register sets of a node, as an index: priority 0, priority 1, background.
 */
typedef enum { JM_CONTEXT_0, JM_CONTEXT_1, JM_CONTEXT_BACKGROUND } JmContext;

/* After the semicolon: the fields of JmEvent that hold something for this kind. Cycle,
 * node and context are always set. */
typedef enum {
    JM_EVENT_INSTRUCTION, /* an instruction is about to issue; address, instruction */
    JM_EVENT_DISPATCH,    /* a message was dispatched; address = handler, word = header,
                             where = address of the header, priority */
    JM_EVENT_SEND,        /* the output buffer took words; address = the instruction's,
                             word = the first one, count, opens, destination, priority,
                             message */
    JM_EVENT_FAULT,       /* a fault was taken; word = operand; address = that of the
                             instruction, or the IP's offset if none raised it */
    JM_EVENT_SUSPEND,     /* a task ended; priority */
    JM_EVENT_ARRIVE,      /* a message's tail row was written to a queue; message */
    JM_EVENT_FLIT,        /* a flit moved; word = flit number, count = channel + 1; from
                             JmConfig.engine "graph" alone; no tool asks for these */
    JM_EVENT_READ,        /* a word was read; address, word, where, access */
    JM_EVENT_WRITE,       /* a word was written; address, word, old, access, and where,
                             or message if the network wrote it as part of a row */
    JM_EVENT_OVERFLOW,    /* a row that arrived made a queue full; priority, message */
    JM_EVENT_RETURN, /* a message that found no room has arrived whole and will go back
                        to its sender; message */
    JM_EVENT_SPILL,  /* a row of a message went to the ring; message */
    JM_EVENT_BRAKE,  /* count = 1: the brake has shut the input, 0: it is open again */
    JM_EVENT_EXECUTED, /* an instruction has been executed, or an inline constant been
                          loaded into R0; address, word (that holds it), low,
                          instruction, count = cycles to the next boundary. Comes after
                          its READ, WRITE and SEND; one that faults, waits for room or
                          stops the node is not executed */
    JM_EVENT_COUNT
} JmEventKind;

/* The purpose of a memory access. Fetching instructions is not an access. */
typedef enum {
    JM_ACCESS_OPERAND,      /* also if the instruction then faulted */
    JM_ACCESS_TABLE,        /* a word of a row of the translation table */
    JM_ACCESS_CALL_VECTOR,  /* by CALL */
    JM_ACCESS_FAULT_VECTOR, /* by a fault; where = the instruction that raised it */
    JM_ACCESS_HEADER,       /* by a dispatch; where = handler */
    JM_ACCESS_ROW           /* by the network */
} JmAccess;

/* Why a message that a program opens at priority 0 goes out at priority 1. */
typedef enum {
    JM_NOT_REDIRECTED,
    JM_BY_MARK,  /* hwm_mark: the node's own queue is long */
    JM_BY_ESCAPE /* escape_mark: the output buffer also has no room */
} JmRedirection;

typedef struct {
    JmEventKind kind;
    uint64_t cycle;
    uint32_t node;        /* rank of the node */
    JmContext context;    /* context that ran */
    uint32_t address;     /* word address; see JmEventKind */
    uint32_t where;       /* READ, WRITE: word address of the instruction, but see
                             JmAccess; DISPATCH: of the message header in the queue */
    bool opens;           /* SEND: these words open a message */
    uint32_t destination; /* SEND that opens a message: rank of the receiving node */
    bool by_network;      /* WRITE, OVERFLOW: the network did it, not an instruction */
    uint32_t instruction; /* the 17 bits of the instruction */
    bool low;             /* EXECUTED: in the low half of its word */
    unsigned priority;    /* 0 or 1 */
    unsigned fault;       /* FAULT: JmFault */
    JmWord word;
    JmWord old;          /* WRITE: previous contents. ROM keeps them */
    JmAccess access;     /* READ, WRITE */
    uint32_t count;      /* SEND: words taken; FLIT: channel + 1, 0 for ejection;
                            EXECUTED: cycles */
    unsigned redirected; /* SEND: JmRedirection of its message */
    uint32_t message;    /* SEND, ARRIVE, FLIT, WRITE and OVERFLOW by the network: the
                         network's number for the message */
} JmEvent;

/* A selection of events, as traces make. */
typedef struct {
    uint64_t *nodes;   /* a bit for each rank, the caller's; NULL: all nodes */
    uint32_t kinds;    /* bit 1 << JmEventKind */
    uint64_t from, to; /* cycles from..to-1 */
} JmEventFilter;

/* Whether a filter selects a node, a cycle or a kind. */
static inline bool jm_filter_node(const JmEventFilter *filter, uint32_t node) {
    return !filter->nodes || (filter->nodes[node / 64] >> node % 64 & 1);
}
static inline bool jm_filter_cycle(const JmEventFilter *filter, uint64_t cycle) {
    return cycle >= filter->from && cycle < filter->to;
}
static inline bool jm_filter_kind(const JmEventFilter *filter, JmEventKind kind) {
    return filter->kinds >> kind & 1;
}

#ifdef __cplusplus
}
#endif

#endif
