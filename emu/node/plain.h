/* A run of plain instructions of one node: instructions that touch nothing but
 * registers of their own context and memory of their node (plain/plain.c). For
 * emu/node; emu/machine makes the table. */
#ifndef JM_NODE_PLAIN_H
#define JM_NODE_PLAIN_H

#include "emu/node/ahead.h"
#include "emu/node/marks.h"

typedef struct NodeEnv NodeEnv;
typedef struct NodeOp NodeOp;
typedef struct NodeStretches NodeStretches; /* plain/stretch.h */

/* NodeCodePage.key: tags are checked; code lies in external memory; rows may hold
 * marks. */
enum { RUN_CHECKED = 1, RUN_EXTERNAL = 2, RUN_PICKS = 4 };

/* Added to JmDecoded.mode of instructions that do not read op0 as a value, so that the
 * node can read operands before it looks at the opcode. */
enum { NODE_MODE_BY_BODY = 8 };

/* The addresses of both queues of a node. Most nodes of a machine agree. */
typedef struct {
    uint32_t qbm[2]; /* of the priorities */
    uint32_t low;    /* first word of the smallest range that holds both */
    uint32_t words;  /* words of that range */
    bool guarded;    /* the network may write them during the run */
} NodeQueues;

/* A page that code is fetched from, as seen by all nodes with the same queues. */
typedef struct {
    JmWord ip;         /* IP of its word 0 */
    uint32_t row;      /* number of its first row */
    uint32_t row_cost; /* cycles to fetch a row of it */
    uint8_t key;       /* RUN_ bits: what translations depend on */
    bool checked;      /* U flag of the IP is 0: tags are checked */
} NodeCodePage;

enum {
    NODE_KNOWN_PAGES = 16,
    /* In cycles: with one more instruction, of at most 4 * 1000 (timing.def), they must
     * fit a lane of NodeCharge. */
    NODE_LONGEST_RUN = 1 << 15
};

/* The state of a run. Code is fetched from one page at a time. `pc`: the host's address
 * of the word that holds an instruction, + 4 for the second of a word. */
typedef struct {
    Node *node;                           /* node that runs */
    uint64_t last;                        /* cycle after which the run issues nothing */
    uintptr_t page;                       /* host address of the page's word 0 */
    uint32_t row;                         /* number of the remembered row */
    uint32_t row_onchip;                  /* cycles to fetch a row on chip */
    uint32_t row_external;                /* cycles to fetch a row of external memory */
    NodeCodePage from;                    /* that page */
    NodeCodePage known[NODE_KNOWN_PAGES]; /* pages on chip that runs have fetched from,
                                             by number; NO_PAGE: none */
    uintptr_t paid_pc;   /* pc of the last fetch that paid for its row */
    uint64_t paid_left;  /* cycles left at that fetch */
    uint32_t row_before; /* remembered row before that fetch */
    /* Of translated code: */
    uintptr_t at;         /* host address of the row that is executed */
    uintptr_t last_row;   /* host address of the page's last row */
    uintptr_t row_from;   /* host address of the row before, if translated code left it:
                           `row`, `row_before`, `paid_` are out of date then; else 0 */
    NodeOp *entered;      /* the instruction at which the row was paid for, until the
                           row is left or branches to itself; NULL: there is none */
    int32_t left;         /* cycles left of the run after all charges: to `last` */
    uint32_t queue_low;   /* first word of memory that the network may write */
    uint32_t queue_words; /* words from there to the last; 0: none */
    NodeQueues queues;    /* the addresses of the last queues seen */
    const Priority *task; /* of a task whose A3 points into its queue: its priority;
                             NULL: A3 is an ordinary register */
    uint32_t guard_low;   /* first word of the network's memory and marked data */
    uint32_t guard_words; /* words from there to the last; 0: none */
    const NodeMarks *marks; /* what is marked in this node; NULL: nothing */
    bool spied;             /* marks: the node's registers are watched */
    bool exact;             /* the run goes on as long as an instruction is due */
    bool picks;             /* marks: rows with marks are not translated */
    NodeAhead *ahead;       /* record of the run; NULL: it need not be undone */
    NodeWrite *record;      /* where the next overwritten word is recorded */
    NodeWrite *record_end;  /* end of the room for them */
    NodeSend *send;         /* where the next SEND is recorded */
    NodeSend *send_end;     /* end of the room for them */
    JmWord *word;           /* where its words are */
    bool continues[2];      /* by priority: the run has opened or continued a message
                               last, whose next SEND needs nothing but room here */
    /* Of a SEND, from the function of its operand form to that of its opcode: */
    JmWord send_op0;                     /* its operand */
    uint32_t send_mar;                   /* MAR after it */
    NodeCharge charged;                  /* to the run so far */
    NodeWrite unused[NODE_AHEAD_WRITES]; /* record of a run that need not be undone */
#ifndef JM_TAIL_CALLS
    NodeOp *next; /* the run continues with it; NULL: it has ended */
#endif
} NodeRun;

/* Fills NodeEnv.code's table: jm_decode() of every pattern, modes marked as above. */
void node_code_table(JmDecoded *table);

/* Issues plain instructions from node->ready on. Ends before the first that is not
 * plain, or faults, or is due at `until` or later, which must be at most
 * NODE_LONGEST_RUN cycles away. The node must run, be awake, and need no attention.
 * With `ahead`, also issues SENDs that are certain to be taken, but ends before more
 * writes and sends than `ahead` can record. */
void node_run_plain(Node *node, NodeEnv *env, uint64_t until, NodeAhead *ahead);

/* Adds the charges of a run to the statistics of its node. */
void node_charge_run(Node *node, const NodeCharge *charged);
/* Subtracts the charges of a run from the statistics of its node. */
void node_uncharge_run(Node *node, const NodeCharge *charged);

#endif
