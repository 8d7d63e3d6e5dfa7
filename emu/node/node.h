/* One Message-Driven Processor: its whole state, and the operations on it.
 * For emu/node and emu/machine. A node knows no other node and no network; it reaches
 * everything outside itself through a NodeEnv. */
#ifndef JM_NODE_NODE_H
#define JM_NODE_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"
#include "emu/isa/event.h"
#include "emu/isa/isa.h"
#include "emu/node/memory.h"

enum {
    NODE_CONTEXTS = 3, /* indexed by JmContext */
    NODE_ROW_WORDS = 4,
    NODE_NO_ROW = -1,
    NODE_NO_KEY = JM_IP_PHASE,   /* not the key of any row */
    NODE_QUEUE_MAX_WORDS = 1020, /* QHL.length has 10 bits and grows by rows */
    NODE_SWITCHED = 0x40,        /* addresses below are switched by priority */
    NODE_VECTORS = 0x40,
    NODE_VECTORS_PER_PRIORITY = 0x20,
    NODE_CALL_VECTORS = 0x80,
    NODE_RESET_OFFSET = 0x1000,
    NODE_HOST_PAGE = 0xFFF00,
    NODE_HOST_WORDS = 16,
    NODE_LINE_BYTES = 64 /* of a cache: hundreds of nodes do not fit the first one */
};

/* Registers every context has. */
typedef struct {
    _Alignas(NODE_LINE_BYTES) JmWord ip;
    JmWord fip;
    JmWord r[4];
    JmWord a[4];
} Context;

/* Registers and state of one priority. */
typedef struct {
    uint32_t qbm, qhl;        /* data of the ADDR-shaped words */
    uint8_t qbm_tag, qhl_tag; /* the tags that were written with them */
    bool q;                   /* A3 is queue-relative */
    bool active;              /* a task runs or is interrupted */
    bool over_b;              /* priority 1: the B flag its dispatch interrupted */
    bool gate;                /* network input open, as last told to the network */
    uint8_t gathered;         /* words in the row buffer */
    bool whole;               /* the last row ended its message, of which */
    uint32_t came;            /* so many words have come in rows */
    JmWord row[NODE_ROW_WORDS];
    JmWord id[4], fir, fop0, fop1;
} Priority;

/* Why a node stopped. */
typedef enum {
    NODE_RUNS,
    NODE_NOT_STARTED,
    NODE_CATASTROPHE,        /* no vector for the fault nor for CATASTROPHE */
    NODE_BACKGROUND_SUSPEND, /* SUSPEND in background */
    NODE_BAD_ROUTE,          /* routing word names no node of the machine */
    NODE_SHORT_MESSAGE       /* EARLY for ever: the message is whole, and too short */
} NodeHalt;

typedef struct {
    NodeHalt why;
    JmContext context;
    JmFault fault;    /* CATASTROPHE: the fault that became one */
    bool in_fault;    /* it was taken with F=1; else its vector was not an IP word */
    bool noted;       /* Node.fault holds it, or the one whose handler it ended */
    uint32_t address; /* of the word that holds the instruction, or of the next one
                         for a fault that no instruction raised */
    bool low;         /* the instruction is the second of its word */
    JmWord word;      /* BAD_ROUTE: the routing word; CATASTROPHE: the vector found */
    uint64_t cycle;
} NodeStop;

/* The last fault that a context took outside fault mode. It is kept for reports,
 * because the handler may overwrite what the processor saved. */
typedef struct {
    bool taken;
    bool low; /* the instruction is the second of its word */
    JmFault fault;
    uint32_t address; /* as in NodeStop */
    uint64_t cycle;
    JmWord fip, fir, fop0, fop1; /* as saved */
    uint32_t again;              /* EARLY: how often before, with the message whole */
} NodeFault;

typedef struct {
    uint64_t area;      /* sum of words * cycles up to `since` */
    uint64_t since;     /* cycle of the last change */
    uint64_t overflows; /* arriving rows that made the queue full */
    uint32_t max_words;
    uint64_t messages_in, messages_out, words_in, words_out, dispatches;
} PriorityStatistics;

typedef struct {
    uint64_t instructions; /* next to the commonest classes, for the cache's sake */
    uint64_t cycles[JM_CLASS_COUNT]; /* charged when issued */
    uint64_t first_overflow;         /* cycle, UINT64_MAX if none */
    uint64_t faults[JM_FAULT_COUNT];
    PriorityStatistics priority[2];
} NodeStatistics;

typedef struct {
    /* Every instruction touches the fields up to `context`, which fill one cache line,
     * then its context, then the head of the statistics. */
    _Alignas(NODE_LINE_BYTES) bool attention; /* the next boundary may not be a fetch */
    bool background;                          /* B flag */
    uint8_t p;                                /* P flag: running priority, 0 or 1 */
    bool masked;                              /* I flag */
    uint8_t send_wait;  /* bit per context: a SEND fault waits for its success */
    uint8_t send_open;  /* bit per priority: a message is open */
    bool gate_changed;  /* a queue register changed: the machine must check the gates */
    bool asleep;        /* it loops in a background self-branch and is not visited */
    uint8_t last_class; /* JmClass of the last charge */
    bool replace;       /* way that ENTER replaces next */
    bool runs;          /* started and not stopped: stop.why is NODE_RUNS */
    uint8_t fetch_p;    /* P flag that fetch_key was made with */
    bool not_plain;     /* the next instruction was found not to be plain */
    bool ahead;         /* instructions that are due after env->now have been issued */
    bool was_open;      /* ahead: I was 0 at some point of the run */
    uint32_t running;   /* JmContext that P and B select */
    Context *current;   /* registers of that context */
    /* The remembered instruction row. While an absolute IP stays in it, its words are
     * at fetch_words: fetch_key is that IP without word and phase, or NODE_NO_KEY.
     */
    int32_t fetch_row; /* NODE_NO_ROW after reset */
    uint32_t fetch_key;
    const JmWord *fetch_words;
    uint64_t ready; /* cycle of the next boundary; asleep: first one slept through */
    uint64_t saw_queue; /* ahead: cycle in which QHL was read last */
    uint32_t rank;
    uint32_t mar;

    Context context[NODE_CONTEXTS];
    _Alignas(NODE_LINE_BYTES) NodeStatistics statistics;
    Priority priority[2];
    uint32_t tbm;
    uint32_t posted;       /* JM_FAULT_BITs of INTERRUPT and DRAMERR */
    uint32_t sleep_period; /* cycles of one turn of the loop */
    uint16_t nnr;
    uint8_t tbm_tag; /* tag that was written with TBM */
    /* With a message open: the end of what the node last did outside handlers of SEND
     * faults. Up to date only while the running context waits in one. */
    uint64_t busy_until;
    NodeStop stop;
    NodeFault fault[NODE_CONTEXTS];
    Memory memory;
} Node;

typedef enum { NODE_SEND_TAKEN, NODE_SEND_NO_ROOM, NODE_SEND_NOWHERE } NodeSendResult;

typedef struct NodeEnv NodeEnv;
typedef struct NodeCode NodeCode;

/* Issues one plain instruction, then those after it (plain.c). */
typedef void NodePlain(Context *context, const NodeCode *code, uintptr_t pc,
                       uint64_t left, NodeEnv *env);

/* A 17-bit pattern, decoded. */
struct NodeCode {
    NodePlain *plain;
    JmDecoded d;
};

/* A word of memory before it was overwritten. */
typedef struct {
    JmWord *where, old;
} NodeWrite;

/* A SEND that was issued ahead: the machine offers its words when it is due. */
typedef struct {
    uint64_t cycle;
    JmWord word[2];
    uint8_t priority, count;
    bool opens, end;
} NodeSend;

enum {
    NODE_AHEAD_WRITES = 12,
    NODE_AHEAD_SENDS = 8,
    NODE_PLAIN_CLASSES = JM_CLASS_CONSTANT + 1 /* classes of plain instructions */
};

/* The state of a node when it began to run ahead of the machine, and those of its
 * actions since then that must be undone or that others will see (ahead.c). */
typedef struct {
    Context context; /* registers of the context that ran */
    uint64_t ready;
    uint32_t mar;
    int32_t fetch_row;
    uint8_t last_class, send_open, p;
    bool masked, background;
    bool dispatched; /* the run began with a dispatch */
    bool over_b, q;  /* dispatched: these flags of the priority, before the dispatch */
    uint32_t dispatch_cycles; /* dispatched: cycles charged for the dispatch */
    uint8_t running;          /* context that ran: a JmContext */
    uint32_t qhl[2];          /* QHL of both queues as the node has seen them */
    bool again;            /* the run is issued again: its sends are recorded already */
    uint8_t writes, sends; /* entries of `write` and `send` in use */
    uint8_t sent;          /* sends that the machine has offered to the network */
    uint8_t places[2];     /* output buffer words that `send` takes, by priority */
    uint64_t charged[NODE_PLAIN_CLASSES]; /* as in NodeRun */
    NodeWrite write[NODE_AHEAD_WRITES];
    NodeSend send[NODE_AHEAD_SENDS];
} NodeAhead;

/* Asks the debugger about a plain instruction that touches a mark. The instruction may
 * be issued ahead of its cycle; registers and memory are as they will be in that cycle.
 */
typedef struct {
    const Node *node;
    bool done;          /* the instruction has been executed; else it is due */
    bool reads, writes; /* done: its access to a marked word */
    int8_t replay;      /* 0; or NODE_UNDONE or NODE_REDONE if it passed before */
    uint32_t address;   /* done: address of the marked word; else of the instruction */
} NodeQuestion;
enum { NODE_UNDONE = -1, NODE_REDONE = 1 };

/* The words and nodes that a debugger watches. A plain instruction that touches a mark
 * is issued only if the debugger lets it pass; else exec.c executes it in its own
 * cycle. */
typedef struct NodeMarks {
    const uint64_t *code;          /* marked instructions: a bit for each word */
    bool any_code;                 /* some bit of `code` is set */
    const uint64_t *data;          /* marked data: a bit for each word */
    uint32_t data_low, data_words; /* memory that holds all marked data; 0: none */
    const uint64_t *nodes;    /* nodes that the marks are for, a bit each; NULL: all */
    const uint64_t *spied;    /* nodes whose registers are watched; NULL: none */
    uint32_t registers;       /* R0-R3, A0-A3 watched on these: bits by JmReg */
    const uint64_t *lockstep; /* nodes that must not run ahead; NULL: none */
    bool (*passes)(void *context, const NodeQuestion *question);
    /* Called when exec.c has stepped a spied node, and when one has been rewound. */
    void (*stepped)(void *context, const Node *node);
    void (*rewound)(void *context, const Node *node);
    void *context;
} NodeMarks;

enum { NODE_MARKS = (JM_ADDRESS_MASK + 1) / 64 }; /* uint64_t in `code` and `data` */

#ifndef JM_TAIL_CALLS
/* The instruction that a run goes on with; `code` is NULL at its end. */
typedef struct {
    const NodeCode *code;
    uintptr_t pc;
    uint64_t left;
} NodeNext;
#endif

/* A run of plain instructions of one node (plain.c). Code is fetched from one page;
 * `pc` is the host's address of a word of it, + 4 for phase 1. */
typedef struct {
    Node *node;
    uint64_t until;
    uintptr_t page;       /* host address of the page's word 0 */
    uintptr_t code_low;   /* host address of the first word that may be fetched */
    uintptr_t code_bytes; /* bytes from there on that may be fetched */
    uint32_t page_row;    /* number of the page's first row */
    uint32_t row;         /* number of the remembered row */
    uint32_t row_cost, row_onchip, row_external;
    bool checked, background;
    JmWord page_ip;                  /* IP of the page's word 0 */
    uintptr_t paid_pc;               /* pc of the last fetch that paid for its row */
    uint64_t paid_left;              /* `left` at that fetch */
    uint32_t row_before;             /* remembered row before that fetch */
    uint32_t queue_low, queue_words; /* memory that the network may write */
    uint32_t guard_low, guard_words; /* range that holds this and all marked data */
    const NodeMarks *marks;          /* NULL: none; the fields below are for marks */
    const NodeCode *code;            /* env->code, or env->marked */
    bool spied;                      /* the node's registers are watched */
    bool picks;                      /* choose `code` anew for every row */
    int8_t replay;                   /* the run was issued before: as in NodeQuestion */
    uintptr_t asked_pc;              /* pc of the last instruction let pass */
    uint64_t asked_left;             /* `left` at that instruction */
    bool touches, touch_writes;      /* general(): the operand is a marked word */
    uint32_t touched;                /* general(): address of that word */
    NodeWrite wrote;                 /* general(): word that is overwritten */
    Context saved;                   /* general(): registers before */
    NodeAhead *ahead;                /* NULL: writes are not recorded */
    uint64_t charged[NODE_PLAIN_CLASSES]; /* by class: see run_inline.h */
#ifndef JM_TAIL_CALLS
    NodeNext next;
#endif
} NodeRun;

/* Everything a node reaches outside itself; one per machine. */
struct NodeEnv {
    void *machine;
    const NodeCode *code;   /* JM_DECODE_PATTERNS entries */
    const NodeCode *marked; /* table for rows with marks; NULL: no marks */
    /* Charges (plain.c) of an instruction without an operand in memory, with one read
     * or written on chip, and of a jump. */
    uint64_t charge_base, charge_read, charge_write, charge_jump;
    uint32_t cost_constant; /* cycles of an inline constant */
    bool plain;             /* none of these costs is 0, so plain.c can be used */
    NodeRun run;
    JmTiming timing;
    bool host_page;
    const NodeMarks *marks; /* NULL: none; with marks, steps of exec.c are observed */
    uint64_t now;           /* the cycle being executed */
    bool boundary;          /* set by what ends a run ahead: a send, the host, a stop */

    /* Offers `count` words (1 or 2) to the output buffer of `priority`: all or none.
     * `opens`: the first is a routing word. */
    NodeSendResult (*send)(void *machine, Node *node, unsigned priority,
                           const JmWord *words, unsigned count, bool opens, bool end);
    /* Whether send() will take `places` words whenever it is called, if the node sends
     * nothing else before. `routing`: the first of them if it is a routing word. */
    bool (*will_take)(void *machine, const Node *node, unsigned priority,
                      unsigned places, const JmWord *routing);
    JmWord (*host_read)(void *machine, Node *node, uint32_t address);
    void (*host_write)(void *machine, Node *node, uint32_t address, JmWord word);
    /* Takes an event. Only node_step_observed() calls it. */
    void (*observe)(void *machine, const JmEvent *event);
    uint32_t observed; /* kinds of events that are wanted: bit 1 << JmEventKind */
};

/* Bits by address, or by rank; NULL: none are set. */
static inline bool node_has_bit(const uint64_t *bits, uint32_t index) {
    return bits && bits[index / 64] >> (index % 64) & 1;
}

/* Whether accesses to a word are events: with marks, only to those. */
static inline bool node_sees_access(const NodeMarks *marks, uint32_t address) {
    return !marks || node_has_bit(marks->data, address);
}

static inline bool node_row_is_marked(const NodeMarks *marks, uint32_t row) {
    const uint32_t rows = 64 / NODE_ROW_WORDS; /* a uint64_t */
    const uint64_t bits = marks->code[row / rows] >> row % rows * NODE_ROW_WORDS;
    return bits & ((1u << NODE_ROW_WORDS) - 1);
}

/* Puts a node into its reset state, NNR 0, not started. `nil_page` as in memory_init.
 */
void node_init(Node *node, uint32_t rank, JmWord *nil_page);
void node_free(Node *node);

/* Added to JmDecoded.mode of instructions that do not read op0 as a value, so that the
 * node can read operands before it looks at the opcode. */
enum { NODE_MODE_BY_BODY = 8 };

/* Fills in the charges and costs of `env` from env->timing. */
void node_env_costs(NodeEnv *env);

/* Fills NodeEnv.code's table: jm_decode() of every pattern, modes marked as above. */
void node_code_table(NodeCode *table);

/* One boundary: interrupt, QUEUE fault, dispatch, or one instruction, at env->now.
 * Sets node->ready and charges the cycles. The node must run and not be asleep. */
void node_step(Node *node, NodeEnv *env);
/* As node_step(), and calls env->observe. */
void node_step_observed(Node *node, NodeEnv *env);

/* Makes the table for NodeEnv.marked from that for NodeEnv.code. */
void node_marked_table(NodeCode *table, const NodeCode *code);

/* Whether the next instruction is the first of a marked word. */
bool node_at_mark(const Node *node, const NodeMarks *marks);
/* Whether the next boundary takes a fault or a message instead of fetching. */
bool node_attends(const Node *node);

/* Issues plain instructions from node->ready on: those that touch registers of their
 * own context and memory of their node, no more. Ends before the first that is not
 * plain, or faults, or is due at `until` or later. The node must run, be awake, and
 * need no attention. With `ahead`, also SENDs that are sure to be taken; but ends
 * before more writes and sends than `ahead` can record. */
void node_run_plain(Node *node, NodeEnv *env, uint64_t until, NodeAhead *ahead);

/* Adds what a run charged to the statistics of its node, and takes it off again. */
void node_charge_run(Node *node, const uint64_t *charged);
void node_uncharge_run(Node *node, const uint64_t *charged);

/* Boundary after boundary from node->ready on, until one is due at `until` or later or
 * env->boundary is set. Nothing may arrive. env->now is left at the last cycle in which
 * nothing is to be done any more. */
void node_run(Node *node, NodeEnv *env, uint64_t until);

/* The boundary at env->now, and plain instructions after it that are due before
 * `until`: node->ahead says whether there were any. What would show that they have been
 * issued before their time calls node_rewind() first. */
void node_run_ahead(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t until);
/* Takes a node that has run ahead back to its first boundary at `cycle` or later. */
void node_rewind(Node *node, NodeEnv *env, NodeAhead *ahead, uint64_t cycle);
/* Whether a row that arrives for `priority` in cycle `now` can change what a node does
 * that has run ahead. */
bool node_row_disturbs(const Node *node, unsigned priority, uint64_t now);

/* ---- pieces, for the files of emu/node and for tests of state -------------------- */

/* Recomputes what follows from flags and queues. Call after changing any. */
void node_update(Node *node);
/* As node_update(), if only the I flag has changed. */
void node_update_masked(Node *node);

/* Register mode (mdp-isa 2): register `n` (JmReg) of context `context`, with queue
 * registers of `priority`. NULL-like results: false if `n` is no register. */
bool node_register_read(const Node *node, JmContext context, unsigned priority,
                        unsigned n, JmWord *value);
/* False if `n` is no register or MAR. Tags are the caller's to check. `now` is the
 * current cycle, for the queue statistics. */
bool node_register_write(Node *node, JmContext context, unsigned priority, unsigned n,
                         JmWord value, uint64_t now);

/* Enters `fault` in the running context: saves FIP, FIR, FOP0, FOP1, jumps through the
 * vector. False: no vector, the node has stopped. */
bool node_enter_fault(Node *node, JmFault fault, JmWord fir, JmWord fop0, JmWord fop1,
                      uint64_t now);
/* Dispatches the message at the head of queue `priority`, or enters its MSG fault.
 * *faulted says which; false: the node has stopped. */
bool node_dispatch(Node *node, unsigned priority, bool *faulted, uint64_t now);
/* The boundary that dispatches the most urgent message, whose header is sound. */
void node_dispatch_next(Node *node, NodeEnv *env);
/* Whether a message of `priority` can be dispatched now, the I flag apart. */
bool node_can_dispatch(const Node *node, unsigned priority);
/* Whether the queue of the running task is full. */
bool node_queue_full(const Node *node);
/* SUSPEND outside background: false if the message has not all arrived (EARLY). */
bool node_suspend(Node *node, uint64_t now);
/* Where the instruction before the running context's IP lies if `issued`, else the one
 * at it. *low: it is the second of its word. */
uint32_t node_issue_address(const Node *node, bool issued, bool *low);
/* Stops a node. The stop's address is that of the instruction before the IP if
 * `issued`, else of the IP itself. */
void node_halt(Node *node, NodeStop stop, bool issued);

/* Words from the network, as many as the row that is to come has room for. `tail`: the
 * last of them ends a message. True if the row was written to the queue. */
bool node_receive(Node *node, unsigned priority, const JmWord *words, unsigned count,
                  bool tail, uint64_t now);
/* Whether the network input of `priority` can take a row now. */
bool node_gate_open(const Node *node, unsigned priority);
/* Sets QHL and accounts for it. */
void node_set_qhl(Node *node, unsigned priority, uint32_t qhl, uint64_t now);

/* Whether the running context tries to repeat a SEND that faulted. */
static inline bool node_repeats_send(const Node *node) {
    return node->send_wait >> node->running & 1;
}

/* Before the running context changes, for cycle `cycle`. */
static inline void node_note_busy(Node *node, uint64_t cycle) {
    if (node->send_open && !node_repeats_send(node))
        node->busy_until = cycle;
}

/* Accounts for a node that slept until the boundary at or after `cycle`, and wakes it.
 */
void node_wake(Node *node, uint64_t cycle);
/* Turns of the sleeping loop issued before `cycle`. */
uint64_t node_sleep_turns(const Node *node, uint64_t cycle);

/* XLATE's look-up: the data bound to `key`, or NIL. */
JmWord node_lookup(const Node *node, JmWord key);
void node_enter(Node *node, JmWord key, JmWord data);
/* The physical address of the translation row of `key`. */
uint32_t node_table_row(const Node *node, JmWord key);

/* Forgets where the remembered row lies, not which row it is. */
static inline void node_forget_row(Node *node) {
    node->fetch_key = NODE_NO_KEY;
}

/* Writes memory, and forgets where the instruction row lies if its page may have moved.
 */
static inline void node_write_memory(Node *node, uint32_t address, JmWord word) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page >= MEMORY_LOW_PAGES || !memory_owns_low(&node->memory, page))
        node_forget_row(node);
    memory_write(&node->memory, address, word);
}

static inline uint32_t node_queue_length(const Node *node, unsigned priority) {
    return jm_field10(node->priority[priority].qhl);
}

static inline uint32_t node_queue_size(const Node *node, unsigned priority) {
    return jm_field10(node->priority[priority].qbm) + 1;
}

/* Where word `position` of the queue of `state` lies: it wraps. */
static inline uint32_t node_queue_address(const Priority *state, uint32_t position) {
    return jm_field20(state->qbm) | (position & jm_field10(state->qbm));
}

/* The priority switch: a < 0x40 goes to a XOR (P << 5). */
static inline uint32_t node_physical(const Node *node, uint32_t address) {
    return address < NODE_SWITCHED ? address ^ ((uint32_t)node->p << 5) : address;
}

/* Where code at `offset` lies, for a running IP: from A0 on, or absolute. */
static inline uint32_t node_code_address(const Node *node, uint32_t ip,
                                         uint32_t offset) {
    if (!(ip & JM_IP_ABSOLUTE))
        offset += jm_field20(jm_data(node->current->a[0]));
    return node_physical(node, offset & JM_ADDRESS_MASK);
}

#endif
