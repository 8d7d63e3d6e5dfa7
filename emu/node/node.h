/* One Message-Driven Processor: its registers, queues, statistics and memory, and
 * operations on them from outside. For emu/node and emu/machine. A node knows nothing
 * of other nodes or the network.
 *
 *     node.h    the processor's state
 *     marks.h   a debugger's marks in it
 *     ahead.h   what a node did ahead of the machine's cycle and may have to undo
 *     plain.h   a run of plain instructions, from the first fetch to the last
 *     env.h     the node's environment, and steps in it
 *
 * Each header includes only those above it. */
#ifndef JM_NODE_NODE_H
#define JM_NODE_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/core/word.h"
#include "emu/isa/event.h"
#include "emu/isa/isa.h"
#include "emu/node/interface.h"
#include "emu/node/memory.h"

enum {
    NODE_CONTEXTS = 3, /* indexed by JmContext */
    NODE_ROW_WORDS = 4,
    NODE_NO_ROW = -1,
    NODE_NO_KEY = JM_IP_PHASE,   /* not the key of any row */
    NODE_QUEUE_MAX_WORDS = 1020, /* QHL.length has 10 bits and grows by rows */
    NODE_SWITCHED = 0x40,        /* addresses below are switched by priority */
    NODE_VECTORS = 0x40,         /* address of the fault vectors of priority 0 */
    NODE_VECTORS_PER_PRIORITY = 0x20,
    NODE_CALL_VECTORS = 0x80,   /* address of the vectors of CALL */
    NODE_RESET_OFFSET = 0x1000, /* of the IP after reset: the first word of ROM */
    NODE_HOST_PAGE = 0xFFF00,   /* address of the words for host I/O */
    NODE_HOST_WORDS = 16,
    NODE_LINE_BYTES = 64 /* of a cache: hundreds of nodes do not fit L1 */
};

/* The registers of which each of the three contexts has its own. */
typedef struct {
    JmWord ip;
    JmWord fip;
    JmWord r[4];
    JmWord a[4];
} Context;

/* The queue of one priority and its task. Kept small for the cache: every task touches
 * it. */
typedef struct {
    uint32_t qbm;    /* data of QBM (queue base and mask), shaped like an ADDR word */
    uint32_t qhl;    /* data of QHL (queue head and length), shaped like an ADDR word */
    uint8_t qbm_tag; /* tag written with QBM */
    uint8_t qhl_tag; /* tag written with QHL */
    bool q;          /* Q flag: A3 is queue-relative */
    bool active;     /* a task of this priority runs or is interrupted */
    bool over_b;     /* priority 1: the B flag its dispatch interrupted */
    bool gate;       /* network input open, as last reported to the network */
    uint8_t gathered; /* words of the row that is still arriving (PriorityWords) */
    bool whole;       /* the last row that arrived ended its message */
    uint32_t came;    /* words of the last row's message that have come in rows */
} Priority;

/* State of a priority that few tasks touch. */
typedef struct {
    JmWord row[NODE_ROW_WORDS]; /* row buffer: words that have arrived, below a row */
    JmWord id[4];               /* ID0-ID3 */
    JmWord fir;                 /* FIR: instruction that faulted last */
    JmWord fop0;                /* FOP0: its first operand */
    JmWord fop1;                /* FOP1: its second operand */
} PriorityWords;

/* Why a node stopped. */
typedef enum {
    NODE_RUNS,
    NODE_NOT_STARTED,
    NODE_CATASTROPHE,        /* no vector for the fault nor for CATASTROPHE */
    NODE_BACKGROUND_SUSPEND, /* SUSPEND in background */
    NODE_BAD_ROUTE,          /* routing word names no node of the machine */
    NODE_SHORT_MESSAGE,      /* EARLY forever: the message has arrived whole, but is
                                too short */
    NODE_LONG_MESSAGE        /* the header promises more words than a mark lets in */
} NodeHalt;

/* Where and how a node stopped. */
typedef struct {
    NodeHalt why;
    JmContext context; /* the running context */
    JmFault fault;     /* CATASTROPHE: the fault that became one */
    bool in_fault;     /* it was taken with F=1; else its vector was not an IP word */
    bool noted;        /* Node.fault holds it, or the one whose handler it ended */
    uint32_t address;  /* of the word that holds the instruction, or of the next one
                          for a fault that no instruction raised */
    bool low;          /* the instruction is the second of its word */
    JmWord word;       /* BAD_ROUTE: the routing word; CATASTROPHE: the vector found;
                          LONG_MESSAGE: the header */
    uint64_t cycle;    /* cycle in which the node stopped */
} NodeStop;

/* The last fault that a context took outside the handler of another. It is kept for
 * reports, because the handler may overwrite what the processor saved. */
typedef struct {
    bool taken;       /* a fault has been taken; else the other fields are
                         meaningless */
    bool low;         /* the instruction is the second of its word */
    JmFault fault;    /* which fault */
    uint32_t address; /* of the word that holds the instruction, as in NodeStop */
    uint64_t cycle;   /* cycle in which the fault was taken */
    JmWord fip, fir, fop0, fop1; /* registers as the processor saved them */
    uint32_t again; /* EARLY: times it was taken before, with the message whole */
    uint32_t task;  /* dispatches of the priority until then; 0: background */
} NodeFault;

/* Frequent counters of one priority: a cache line. */
typedef struct {
    uint64_t area;         /* sum of words in the queue * cycles, up to `since` */
    uint64_t since;        /* cycle in which the queue's length changed last */
    uint32_t max_words;    /* longest queue so far */
    uint64_t messages_in;  /* messages that have arrived whole */
    uint64_t messages_out; /* messages that have been ended by a SEND */
    uint64_t words_in;     /* words that have arrived */
    uint64_t words_out;    /* words that have been sent, routing words apart */
    uint64_t dispatches;   /* messages that have been dispatched */
} PriorityStatistics;

/* Counters of a node. */
typedef struct {
    _Alignas(NODE_LINE_BYTES) PriorityStatistics priority[2];
    uint64_t instructions;           /* next to the commonest classes, for the cache */
    uint64_t cycles[JM_CLASS_COUNT]; /* by class; charged when issued */
    uint64_t first_overflow;         /* cycle, UINT64_MAX if none */
    uint64_t overflows[2];           /* by priority: rows that made its queue full */
    uint64_t faults[JM_FAULT_COUNT]; /* faults taken, by fault */
    uint64_t marked;                 /* messages sent at priority 1 by hwm_mark */
    uint64_t escaped;                /* messages sent so by escape_mark */
    uint64_t brake_cycles; /* cycles with the brake on, up to its last release */
} NodeStatistics;

/* The brake on the network input of priority 0 (brake_mark). */
typedef enum {
    NODE_BRAKE_OFF,
    NODE_BRAKE_ON,      /* the queue is above the mark: the input is shut */
    NODE_BRAKE_RELEASED /* the queue still is, but the brake timeout has expired */
} NodeBrake;

/* Why the network input of priority 0 is shut although the queue has room: bits. */
enum { NODE_SHUT_BY_BRAKE = 1, NODE_SHUT_BY_SPILL = 2, NODE_SHUT_BY_RTS = 4 };

/* A row of a queue that has arrived, while it is stored nowhere else. */
typedef struct {
    JmWord word[NODE_ROW_WORDS];
    uint8_t words; /* in use */
    bool tail;     /* the last of them ends a message */
} NodeRow;

/* One processor. */
typedef struct {
    /* Every task touches the fields up to `memory`, which take two cache lines, the end
     * of `memory` and the context behind it, then the head of the statistics. */
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
    uint8_t redirected; /* JmRedirection of the open message that goes out at priority 1
                           though its SENDs name priority 0 */
    uint32_t running;   /* JmContext that P and B select */
    bool redirects;     /* its interface decides where or when messages open */
    uint8_t bounded;    /* NODE_SHUT_ bits: what in its interface bounds queue 0 */
    uint8_t brake;      /* NodeBrake */
    uint8_t shut;       /* NODE_SHUT_ bits */
    Context *current;   /* registers of that context */
    int32_t fetch_row;  /* remembered instruction row; NODE_NO_ROW after reset */
    uint32_t fetch_key; /* absolute IP of that row without word and phase: while the IP
                           matches, its words are at fetch_words; or NODE_NO_KEY */
    const JmWord *fetch_words; /* words of the remembered row, if fetch_key is a key */
    uint64_t ready; /* cycle of the next boundary; asleep: first one slept through */
    uint64_t saw_queue; /* ahead: cycle in which QHL was read last */
    uint32_t rank;      /* number of the node in the machine */
    uint32_t mar;       /* MAR: address of the last operand in memory */
    uint32_t rest_ip;   /* IP of the branch to itself at which it slept last */
    uint32_t posted;    /* JM_FAULT_BITs of INTERRUPT and DRAMERR that are pending */
    const JmInterface *interface; /* parameters of its network interface */
    Priority priority[2];

    _Alignas(NODE_LINE_BYTES) Memory memory;
    uint64_t busy_until;   /* with a message open: last cycle in which the node did
                              anything outside handlers of SEND faults. Updated only
                              when the running context begins to wait in such a
                              handler. */
    uint32_t sleep_period; /* asleep: cycles of one iteration of the loop */
    uint32_t tbm;          /* data of TBM: base and mask of the translation table */
    Context context[NODE_CONTEXTS];
    uint16_t nnr;         /* NNR: the node's own routing address */
    uint8_t tbm_tag;      /* tag that was written with TBM */
    bool braked;          /* the brake shut the input, which is still shut */
    uint64_t brake_since; /* cycle in which the brake went on */
    uint64_t brake_waits; /* cycle of the last SUSPEND since then, or brake_since */
    uint32_t ring;        /* words in its ring that the brake counts (brake_ring) */
    NodeStatistics statistics;
    PriorityWords words[2];
    _Alignas(NODE_LINE_BYTES) NodeFault fault[NODE_CONTEXTS];
    NodeStop stop;
} Node;

/* The outcome of offering the words of a SEND. */
typedef enum {
    NODE_SEND_TAKEN,
    NODE_SEND_NO_ROOM,
    NODE_SEND_NOWHERE /* the routing word names no node of the machine */
} NodeSendResult;

/* Gives a node in its reset state another interface, which stays the caller's. `unit`:
 * NODE_SHUT_ bit of its unit besides the brake (emu/machine/link/interface.h), or 0. */
void node_set_interface(Node *node, const JmInterface *interface, uint8_t unit);
/* Puts a node into its reset state, NNR 0, not started. `nil_page` is the machine's
 * page of NILs (memory_init). */
void node_init(Node *node, uint32_t rank, JmWord *nil_page);
/* Frees what the node allocated. */
void node_free(Node *node);

/* Whether the next boundary takes a fault or a message instead of fetching. */
bool node_attends(const Node *node);

/* ---- pieces, for the files of emu/node and for tests of state -------------------- */

/* Recomputes the state derived from flags and queues. Call after changing any. */
void node_update(Node *node);
/* Recomputes `attention` when only the I flag has changed; cheaper than
 * node_update(). */
void node_update_masked(Node *node);

/* Reads register `n` (JmReg) of context `context` as READR does, with queue registers
 * of `priority`. False if there is no register `n`. */
bool node_register_read(const Node *node, JmContext context, unsigned priority,
                        unsigned n, JmWord *value);
/* Writes register `n` as WRITER does. The caller checks tags. `now` is the current
 * cycle, for the queue statistics. False if there is no register `n`, or it is MAR. */
bool node_register_write(Node *node, JmContext context, unsigned priority, unsigned n,
                         JmWord value, uint64_t now);

/* Returns the address of a fault's vector: in the bank of the running priority; in
 * background in that of priority 0. */
uint32_t node_fault_vector(const Node *node, JmFault fault);
/* Enters `fault` in the running context: saves FIP, FIR, FOP0 and FOP1 and jumps
 * through the vector. False: there is no vector, and the node has stopped. */
bool node_enter_fault(Node *node, JmFault fault, JmWord fir, JmWord fop0, JmWord fop1,
                      uint64_t now);
/* Dispatches the message at the head of queue `priority`, or takes its MSG fault;
 * *faulted says which. False: the node has stopped. */
bool node_dispatch(Node *node, unsigned priority, bool *faulted, uint64_t now);
/* Whether the marks let in a whole message of `priority` with this header. */
bool node_can_hold(const Node *node, unsigned priority, JmWord header);
/* Executes SUSPEND outside background: removes the message and resumes what its
 * dispatch interrupted. False: the message has not all arrived (EARLY). */
bool node_suspend(Node *node, uint64_t now);
/* Stops a node. The stop's address is that of the instruction before the IP if
 * `issued`, else of the IP itself. */
void node_halt(Node *node, NodeStop stop, bool issued);

/* Receives words from the network, at most as many as the row that is arriving has room
 * for. `tail`: the last of them ends a message. True if the row was written to the
 * queue; a row of four words always is. */
bool node_receive(Node *node, unsigned priority, const JmWord *words, unsigned count,
                  bool tail, uint64_t now);
/* The two halves of node_receive() for priority 0: gathers the words into a row, true
 * if it is complete; and writes a row to a queue. */
bool node_gather(Node *node, unsigned priority, const JmWord *words, unsigned count,
                 bool tail, NodeRow *row);
void node_write_row(Node *node, unsigned priority, const NodeRow *row, uint64_t now);
/* Returns the length of queue 0, in words, above which rows are spilled. */
uint32_t node_spill_bound(const Node *node);
/* Reevaluates the brake after a change of QBM, as of cycle `now`. */
void node_update_brake(Node *node, uint64_t now);
/* Opens the input again if the brake timeout has expired by cycle `now`. */
void node_release_brake(Node *node, uint64_t now);
/* Returns the cycle of the interface's next action of its own, or UINT64_MAX. */
uint64_t node_alarm(const Node *node);
/* Returns the length in words of the longest message that the marks let into queue 0
 * whole. */
uint32_t node_longest_message(const Node *node);
/* Sets QHL and updates the queue's statistics to cycle `now`. */
void node_set_qhl(Node *node, unsigned priority, uint32_t qhl, uint64_t now);

/* Whether the running context tries to repeat a SEND that faulted. */
static inline bool node_repeats_send(const Node *node) {
    return node->send_wait >> node->running & 1;
}

/* Must be called before the running context changes, with the cycle of the change. */
static inline void node_note_busy(Node *node, uint64_t cycle) {
    if (node->send_open && !node_repeats_send(node))
        node->busy_until = cycle;
}

/* Wakes a sleeping node for the boundary at or after `cycle`, and accounts for the
 * iterations of its loop until then. */
void node_wake(Node *node, uint64_t cycle);
/* Returns how many iterations of the sleeping node's loop are issued before `cycle`. */
uint64_t node_sleep_turns(const Node *node, uint64_t cycle);

/* Returns the data bound to `key` in the translation table, or NIL. */
JmWord node_lookup(const Node *node, JmWord key);
/* Binds `data` to `key` as ENTER does: in the way that holds the key, else in the next
 * one to be replaced. */
void node_enter(Node *node, JmWord key, JmWord data);
/* Returns the address at which node_enter() would put the data; the key follows it. */
uint32_t node_enter_address(const Node *node, JmWord key);
/* Returns the physical address of the translation row of `key`. */
uint32_t node_table_row(const Node *node, JmWord key);

/* Forgets the address of the remembered row, not which row it is. */
static inline void node_forget_row(Node *node) {
    node->fetch_key = NODE_NO_KEY;
}

/* Writes memory, and forgets the address of the instruction row if its page may have
 * moved. */
static inline void node_write_memory(Node *node, uint32_t address, JmWord word) {
    const uint32_t page = address >> MEMORY_PAGE_BITS;
    if (page >= MEMORY_LOW_PAGES || !memory_owns_low(&node->memory, page))
        node_forget_row(node);
    memory_write(&node->memory, address, word);
}

/* Returns a number of words rounded up to whole rows. */
static inline uint32_t node_in_rows(uint32_t words) {
    return (words + NODE_ROW_WORDS - 1) & ~(NODE_ROW_WORDS - 1u);
}

/* Returns the length of a queue, in words. */
static inline uint32_t node_queue_length(const Node *node, unsigned priority) {
    return jm_field10(node->priority[priority].qhl);
}

/* Returns the size of a queue, in words: QBM's mask is one less. */
static inline uint32_t node_queue_size(const Node *node, unsigned priority) {
    return jm_field10(node->priority[priority].qbm) + 1;
}

/* Returns the address of word `position` of the queue of `state`, which wraps. */
static inline uint32_t node_queue_address(const Priority *state, uint32_t position) {
    return jm_field20(state->qbm) | (position & jm_field10(state->qbm));
}

/* Returns the address of the word `offset` words behind the head of a queue. */
static inline uint32_t node_queue_place(const Priority *state, uint32_t offset) {
    return node_queue_address(state, jm_field20(state->qhl) + offset);
}

static inline bool node_queue_is_full(const Node *node, unsigned priority) {
    return node_queue_length(node, priority) >= node_queue_size(node, priority);
}

/* Whether the queue of the running task is full. */
static inline bool node_queue_full(const Node *node) {
    return !node->background && node_queue_is_full(node, node->p);
}

/* Whether a message of `priority` may be dispatched now, regardless of the I flag.
 * Priority 1 preempts background and priority 0; priority 0 preempts only background
 * (MDP Architecture, version 11). */
static inline bool node_can_dispatch(const Node *node, unsigned priority) {
    const Priority *state = &node->priority[priority];
    if (state->active || jm_field10(state->qhl) < NODE_ROW_WORDS)
        return false;
    return node->background || (priority == 1 && node->p == 0);
}

/* Returns the required value of Node.attention. */
static inline bool node_needs_attention(const Node *node) {
    return !node->masked && (node->posted != 0 || node_queue_full(node) ||
                             node_can_dispatch(node, 1) || node_can_dispatch(node, 0));
}

/* node_update() inlined into the path that every task takes. */
static inline void node_update_inline(Node *node) {
    node->running = node->background ? JM_CONTEXT_BACKGROUND : node->p;
    node->current = &node->context[node->running];
    if (node->p != node->fetch_p) /* P decides the meaning of addresses below 0x40 */
        node_forget_row(node);
    node->fetch_p = node->p;
    node->attention = node_needs_attention(node);
}

/* Whether the network input of `priority` can take a row now. */
static inline bool node_gate_open(const Node *node, unsigned priority) {
    const Priority *state = &node->priority[priority];
    const uint32_t after = jm_field10(state->qhl) + NODE_ROW_WORDS;
    return !(state->qbm & JM_ADDR_INVALID) &&
           after <= node_queue_size(node, priority) && after <= NODE_QUEUE_MAX_WORDS &&
           !(priority == 0 && node->shut);
}

/* Called when the network input of priority 0 opens or shuts. Returns whether the brake
 * is the cause, or was when it shut. */
static inline bool node_input_braked(Node *node, bool open) {
    const bool braked = open ? node->braked : node->shut & NODE_SHUT_BY_BRAKE;
    node->braked = braked && !open;
    return braked;
}

/* Returns the priority at which a SEND that names `priority` actually goes out. */
static inline unsigned node_send_priority(const Node *node, unsigned priority) {
    return node->redirected ? 1 : priority;
}

/* Applies the priority switch: below 0x40 priority 1 sees address XOR 0x20, so that
 * each priority has words of its own there. */
static inline uint32_t node_physical(const Node *node, uint32_t address) {
    return address < NODE_SWITCHED ? address ^ ((uint32_t)node->p << 5) : address;
}

/* Returns the physical address of code at `offset` of an IP: relative to A0, or
 * absolute. */
static inline uint32_t node_code_address(const Node *node, uint32_t ip,
                                         uint32_t offset) {
    if (!(ip & JM_IP_ABSOLUTE))
        offset += jm_field20(jm_data(node->current->a[0]));
    return node_physical(node, offset & JM_ADDRESS_MASK);
}

/* Returns the address of the word with the instruction before the running context's IP
 * if `issued`, else of the one at the IP: reports of faults and stops ask both ways.
 * *low: it is the second of its word. */
static inline uint32_t node_issue_address(const Node *node, bool issued, bool *low) {
    const uint32_t ip = jm_data(node->current->ip);
    /* Past the instruction, the IP lies in the word behind it if its phase is 0. */
    const uint32_t offset = jm_field20(ip) - (issued && !(ip & JM_IP_PHASE));
    *low = issued != ((ip & JM_IP_PHASE) != 0);
    return node_code_address(node, ip, offset);
}

#endif
