/* Message-passing programs: what each node computes, sends and receives. A text form,
 * and generators of the programs of Pimentel and Hertzberger (section 4). Front ends
 * may include this header.
 *
 *     # two nodes: one round trip of 128 bytes
 *     programs 1            format and its version: the first line
 *     nodes 2
 *     node 0                what follows is done by node 0, in order
 *       send 1 128          to node 1; goes on when it has been received (rendezvous)
 *       receive 1           waits for a message from node 1; `receive any`: any node
 *     node 1
 *       receive 0
 *       compute 50          does nothing else for 50 cycles
 *       send 0 128
 *       post 0 16           to node 0; goes on when its last flit has left the node
 *
 * Blanks are free; # begins a comment. A node may be left out: it does nothing. */
#ifndef JM_NET_PROGRAMS_PROGRAMS_H
#define JM_NET_PROGRAMS_PROGRAMS_H

#include <stddef.h>

#include "emu/core/heap.h"
#include "net/net.h"

typedef enum { NET_OP_COMPUTE, NET_OP_SEND, NET_OP_POST, NET_OP_RECEIVE } NetOpKind;

enum {
    NET_PROGRAMS_MAX_NODES = 4096,
    NET_PROGRAMS_MAX_BYTES = 1 << 20, /* of a message */
    NET_PROGRAMS_MAX_CYCLES = 1000000000,
    NET_PROGRAMS_MAX_OPS = 1 << 26
};

typedef struct {
    uint16_t kind;   /* NetOpKind */
    uint16_t column; /* of the text, from 1; 0: none */
    /* Sends: the destination; receives: the source, NET_NONE for any. */
    uint32_t node;
    uint32_t amount; /* bytes of a send, cycles of a compute */
    uint32_t line;   /* of the text it was read from; 0: none */
} NetOp;

typedef struct {
    uint32_t nodes;
    uint32_t *start; /* by node, and one past the end: its first operation in `ops` */
    NetOp *ops;
    const char *file; /* the source file; NULL: none */
    Heap *heap;       /* owns all of this */
} NetPrograms;

void net_programs_destroy(NetPrograms *programs); /* NULL is ignored */

/* Reads the text form. NULL and `error`, with file, line and column, if it is
 * malformed. */
NetPrograms *net_programs_read(const char *file, const char *text, size_t size,
                               JmError *error);

/* A line of the text form, without its newline. False aborts the writing. */
typedef bool NetProgramsWriter(void *context, const char *line);
/* False if the writer aborted. */
bool net_programs_write(const NetPrograms *programs, NetProgramsWriter *writer,
                        void *context);

/* Pimentel and Hertzberger, section 4. */
typedef enum {
    NET_PROGRAM_PING_PONG, /* `from` to `to` and back, `rounds` times */
    NET_PROGRAM_EQUAL,     /* equal-dist: partner (p + N/2) mod N, taking turns */
    NET_PROGRAM_UNEQUAL,   /* unequal-dist: partner N - 1 - p */
    NET_PROGRAM_ROOTED,    /* all-to-all: each in turn sends to all others */
    NET_PROGRAM_SHIFTED    /* all-to-all: p sends to p + 1, p + 2, ... all at once */
} NetProgramKind;

typedef struct {
    NetProgramKind kind;
    uint32_t nodes, bytes;
    /* Pairwise: messages sent by each node, 4096/N in the paper; all-to-all: exchanges
     * between all pairs, 32 in the paper. */
    uint32_t rounds;
    uint32_t from, to;
} NetProgramPlan;

/* The paper's number of rounds for a kind. */
uint32_t net_program_rounds(NetProgramKind kind, uint32_t nodes);
/* NULL and `error` if the plan is invalid or memory runs out. */
NetPrograms *net_programs_generate(const NetProgramPlan *plan, JmError *error);

/* Converts the record of a machine run (jm run --trace, as text) into programs: a
 * message is a post of `word_bytes` for each word after the routing word, at the cycle
 * of its last word, and a receive from its sender where it is dispatched; between these
 * the node computes for the same time as in the run. Messages of a node to itself, and
 * those that do not arrive, are omitted; one that arrives but is not dispatched is not
 * received. NULL and `error`, with line and column, if a line is malformed. */
NetPrograms *net_programs_convert(const char *file, const char *text, size_t size,
                                  uint32_t nodes, uint32_t word_bytes, JmError *error);

/* For producers of programs: nodes in order, and the operations of each. */
typedef struct {
    NetPrograms *programs;
    uint32_t count, node; /* operations; the current node */
    size_t room;          /* for operations */
} NetProgramsMaker;

/* Begins programs, which own `heap` from now on. */
void net_programs_begin(NetProgramsMaker *maker, Heap *heap, uint32_t nodes);
/* Starts the operations of `node`, which must not be below the previous one. */
void net_programs_node(NetProgramsMaker *maker, uint32_t node);
void net_programs_add(NetProgramsMaker *maker, NetOp op);
NetPrograms *net_programs_end(NetProgramsMaker *maker);

#endif
