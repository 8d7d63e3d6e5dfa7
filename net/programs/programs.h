/* Message-passing programs: what each node computes, sends and receives. A text form,
 * and generators of the programs of Pimentel and Hertzberger (section 4). Front ends
 * may include this header.
 *
 *     # two nodes: one round trip of 128 bytes
 *     programs 1            format and its version: the first line
 *     nodes 2
 *     node 0                what follows is done by node 0, in order
 *       send 1 128          to node 1; goes on when it has been received (rendezvous)
 *       receive 1           waits for a message of node 1; `receive any`: of anyone
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
    uint32_t node;   /* sends: to whom; receives: from whom, NET_NONE for anyone */
    uint32_t amount; /* bytes of a send, cycles of a compute */
    uint32_t line;   /* of the text it was read from; 0: none */
} NetOp;

typedef struct {
    uint32_t nodes;
    uint32_t *start; /* by node, one more at the end: its first operation in `ops` */
    NetOp *ops;
    const char *file; /* that it was read from; NULL: none */
    Heap *heap;       /* of all this */
} NetPrograms;

void net_programs_destroy(NetPrograms *programs); /* NULL is fine */

/* Reads the text form. NULL and `error`, with file, line and column, if it is
 * malformed. */
NetPrograms *net_programs_read(const char *file, const char *text, size_t size,
                               JmError *error);

/* A line of the text form, without its end. False stops the writing. */
typedef bool NetProgramsWriter(void *context, const char *line);
/* False if the writer has stopped it. */
bool net_programs_write(const NetPrograms *programs, NetProgramsWriter *writer,
                        void *context);

/* Pimentel and Hertzberger, section 4. */
typedef enum {
    NET_PROGRAM_PING_PONG, /* `from` to `to` and back, `rounds` times */
    NET_PROGRAM_EQUAL,     /* equal-dist: partner (p + N/2) mod N, taking turns */
    NET_PROGRAM_UNEQUAL,   /* unequal-dist: partner N - 1 - p */
    NET_PROGRAM_ROOTED,    /* all-to-all: each in turn sends to all the others */
    NET_PROGRAM_SHIFTED    /* all-to-all: p sends to p + 1, p + 2, ... all at once */
} NetProgramKind;

typedef struct {
    NetProgramKind kind;
    uint32_t nodes, bytes;
    uint32_t rounds; /* pairwise: messages that each node sends, 4096/N in the paper;
                        all-to-all: exchanges of all pairs, 32 in the paper */
    uint32_t from, to;
} NetProgramPlan;

/* What the paper runs of a kind. */
uint32_t net_program_rounds(NetProgramKind kind, uint32_t nodes);
/* NULL and `error` if the plan does not make sense, or there is no memory. */
NetPrograms *net_programs_generate(const NetProgramPlan *plan, JmError *error);

/* Makes programs of what a run of the machine has recorded (jm run --trace, as text): a
 * message is a post of `word_bytes` for each word behind the routing word, at the cycle
 * of its last word, and a receive from its sender where it is dispatched; between these
 * the node computes for as long as it did there. Messages of a node to itself, and
 * those that do not arrive, are left out; one that arrives and is not dispatched is not
 * received. NULL and `error`, with line and column, if a line is no record. */
NetPrograms *net_programs_convert(const char *file, const char *text, size_t size,
                                  uint32_t nodes, uint32_t word_bytes, JmError *error);

/* For those that make programs: nodes in order, and the operations of each. */
typedef struct {
    NetPrograms *programs;
    uint32_t size, count, node; /* operations; the node that is being written */
} NetProgramsMaker;

/* `heap` is that of the programs, which is owned by them. */
void net_programs_begin(NetProgramsMaker *maker, Heap *heap, uint32_t nodes);
/* Operations of `node` follow; not below the one before. */
void net_programs_node(NetProgramsMaker *maker, uint32_t node);
void net_programs_add(NetProgramsMaker *maker, NetOp op);
NetPrograms *net_programs_end(NetProgramsMaker *maker);

#endif
