/* The machine inside: its structure, and the functions that all rooms of emu/machine
 * share. For emu/machine and emu/debug only; front ends use emu/jm.h. Each room
 * includes only rooms below it:
 *
 *     run         creation, cycles, threads, checkpoints
 *     link        between nodes and network: sends, arrivals, messages in transit, what
 *                 network interfaces do by themselves        stop, load
 *     here        the structure, the wheel, output
 *
 *   jm_run -> cycle: nodes of this cycle's wheel slot execute
 *                    network moves flits on the state at the start of the cycle
 *                    delivered words become rows of queues, sleepers wake */
#ifndef JM_MACHINE_MACHINE_H
#define JM_MACHINE_MACHINE_H

#include <stdatomic.h>

#include "emu/core/archive.h"
#include "emu/core/heap.h"
#include "emu/jm.h"
#include "emu/node/env.h"

/* Cycles that nodes may run ahead. With the longest instruction they stay below the
 * wheel's 1,024 slots. */
enum { AHEAD_CYCLES = 960 };

/* LOOK_AHEAD: a node is prefetched when this many others are due before it. DUE_ROOM:
 * room for the due entries of 64 nodes and the padding behind their list. */
enum { LOOK_AHEAD = 2, DUE_ROOM = 64 + LOOK_AHEAD };

typedef struct Netif Netif;
typedef struct Program Program;
typedef struct Slabs Slabs; /* run/cycle.c */

/* The timing wheel: the nodes with a boundary in each of the next cycles. A slot holds
 * a cycle modulo the number of slots, with one bit for each node. */
typedef struct {
    unsigned slots;     /* power of two, more than cycles to the farthest boundary */
    unsigned words;     /* uint64_t in a slot */
    uint64_t *bits;     /* boundaries: slots * words */
    uint64_t *sends;    /* the next send that each node has issued ahead, likewise */
    _Atomic bool *used; /* a slot may have bits set; slabs set this concurrently */
    uint32_t awake;     /* nodes on the wheel */
} Wheel;

/* A debugger's watch on a machine that runs ahead: it sees events of instructions that
 * are not plain (dispatches, sends, faults, suspends, arrivals), and those at marks. */
typedef struct {
    NodeMarks marks;
    uint32_t kinds; /* kinds of events that go to the observer */
    JmObserver *observer;
    /* Called before a marked instruction of `node` that is due in this cycle. True
     * stops the run before the cycle (JM_STOP_BREAK). It may inspect only `node` and
     * nodes that may not run ahead (NodeMarks.lockstep): others may be ahead of the
     * cycle. */
    bool (*before)(void *context, unsigned node);
    /* NULL, or called after every cycle in which something may have changed, with the
     * same restriction. True stops the run. */
    bool (*after)(void *context);
    /* `after` is called in every cycle, even if nothing happens */
    bool every_cycle;
    void *context;   /* first argument of before(), after() and the observer */
    uint64_t passed; /* cycle for which `before` must not be called again */
} MachineWatch;

enum { OUTPUT_LINE_MAX = 4096, OUTPUT_NOBODY = UINT32_MAX };

/* The part of an unfinished line that a node has written. */
typedef struct {
    char *bytes;
    uint32_t count;
    size_t capacity;
} OutputLine;

/* The output of the nodes to the host (output.c). */
typedef struct {
    JmOutput *writer; /* gets the text; NULL: it is dropped */
    void *context;    /* first argument of writer() */
    bool raw;         /* characters are written at once, without lines */
    bool several;     /* more than one node has written */
    uint32_t first;   /* the node that wrote first, or OUTPUT_NOBODY */
    uint32_t open;    /* node whose line writer() gets or has begun; OUTPUT_NOBODY */
    uint64_t bytes;   /* written so far, even if dropped */
    OutputLine *line; /* of each node */
} Output;

/* ---- alarms ---------------------------------------------------------------------- */

#define NO_ALARM UINT64_MAX

/* Actions that a node's network interface will take by itself in a later cycle, such as
 * releasing a brake. At most one per node. */
typedef struct {
    uint64_t next;   /* no alarm is due before this cycle */
    unsigned words;  /* of `set` */
    uint64_t *set;   /* bit per node: it has an alarm */
    uint64_t *cycle; /* by node: when it is due */
} Alarms;

void alarms_init(Alarms *alarms, Heap *heap, unsigned nodes);
void alarms_clear(Alarms *alarms);

/* Sets the alarm of a node, replacing any other; NO_ALARM: none. The caller must update
 * `next`: threads, each with its own words of `set`, may call this at the same time. */
static inline void alarms_set(Alarms *alarms, unsigned node, uint64_t cycle) {
    const uint64_t bit = UINT64_C(1) << (node % 64);
    alarms->set[node / 64] &= ~bit;
    alarms->set[node / 64] |= cycle == NO_ALARM ? 0 : bit;
    alarms->cycle[node] = cycle;
}

/* Whether some node has an alarm. */
bool alarms_any(const Alarms *alarms);

/* Limits a run to `until` so that it does not skip an alarm. */
static inline uint64_t alarms_limit(const Alarms *alarms, uint64_t until) {
    return until < alarms->next ? until : alarms->next;
}

/* Takes a node whose alarm is due by cycle `now`. Returns false, with `next` up to
 * date, if there is none. `from`: where to continue, 0 at first; then 1 + the node. */
bool alarms_take(Alarms *alarms, uint64_t now, unsigned *from);

/* ---- the machine ----------------------------------------------------------------- */

/* A machine, as jm_create() makes it. */
struct JmMachine {
    Heap *heap;       /* with everything of the machine but nodes' pages and slabs */
    JmConfig config;  /* as it was created */
    unsigned nodes;   /* number of nodes */
    uint64_t now;     /* the current cycle: those before it are done */
    Node *node;       /* by rank */
    NodeAhead *ahead; /* by rank: what the node did ahead */
    uint32_t *due;    /* room for a list of due nodes: DUE_ROOM for each 64 */
    NodeEnv env;      /* the nodes' environment, with one thread */
    Wheel wheel;      /* when each node is due next */
    Alarms alarms;    /* coming actions of network interfaces */
    const struct InterfaceUnit *unit; /* kind of unit in each interface; NULL: none */
    void *units;           /* the units' state, as their kind keeps it; NULL: none */
    Slabs *slabs;          /* in a heap of their own; NULL: one thread */
    Netif *netif;          /* the network, and messages in transit */
    Program *program;      /* the last ELF image: symbols and lines */
    char *program_name;    /* of what was loaded last */
    JmInputs inputs;       /* files it was loaded from: jm_inputs() */
    JmDecoded *code;       /* decoded instructions, JM_DECODE_PATTERNS of them */
    JmWord *nil_page;      /* the page of NILs, which all new nodes share */
    _Atomic bool *starved; /* set when a write was lost: memory_starved() */

    bool running;    /* jm_run() is running: only inspection is allowed */
    JmStop stop;     /* why the run ended, JM_STOP_NONE while it can continue */
    bool exit_seen;  /* a node has written HOST_EXIT */
    int exit_value;  /* exit value of the lowest rank that wrote it */
    bool break_seen; /* an observer asked to stop, or messages bounce without end */
    bool halt_seen;  /* a node has stopped in this cycle */
    uint64_t moved;  /* cycles done at the last progress found so far: it rules out a
                        deadlock until then */
    uint64_t closed; /* cycles done when a SEND last ended a message;
                        netif_note_closed() updates it */
    JmWrongLength wrong_length;

    Output output;
    JmMark *marks;
    size_t mark_count, mark_capacity;
    bool stops_at_marks; /* jm_stop_at_marks() */

    JmObserver *observer;
    void *observer_context;
    uint32_t observed; /* kinds of events for the observer: bit 1 << JmEventKind */
    const MachineWatch *watch; /* NULL: none; the observer is its own */
    uint64_t *at_mark; /* bit per node of a watched machine: its next instruction is
                          marked */
};

/* ---- machine.c ------------------------------------------------------------------- */

/* Records whether the next instruction of a node is marked. For a machine that is
 * watched. */
static inline void machine_note_mark(JmMachine *machine, const Node *node) {
    const uint64_t bit = UINT64_C(1) << (node->rank % 64);
    uint64_t *bits = &machine->at_mark[node->rank / 64];
    *bits = node_at_mark(node, &machine->watch->marks) ? *bits | bit : *bits & ~bit;
}

/* Whether a sleeping node has a message or an external fault that it would take (I = 0)
 * but cannot: a task of that priority has set B and never ends, or F = 1 holds the
 * fault back. */
bool machine_has_pending(const Node *node);
/* Whether a node ran and has stopped. */
static inline bool machine_node_has_stopped(const Node *node) {
    return node->stop.why != NODE_RUNS && node->stop.why != NODE_NOT_STARTED;
}

/* Does a piece of work in the machine's heap. Returns false if memory ran out in it:
 * the machine is starved. */
bool machine_work(JmMachine *machine, HeapWork *work, void *context);
/* Records that work of the machine was lost because memory ran out: it must not
 * continue. Any thread may call it. */
static inline void machine_starve(const JmMachine *machine) {
    atomic_store_explicit(machine->starved, true, memory_order_relaxed);
}

static inline bool machine_is_starved(const JmMachine *machine) {
    return atomic_load_explicit(machine->starved, memory_order_relaxed);
}

/* ---- the wheel ------------------------------------------------------------------- */

/* Makes an empty wheel that reaches `longest` cycles ahead. */
void wheel_init(Wheel *wheel, Heap *heap, unsigned nodes, unsigned longest);
/* Puts a node that was asleep or had not started on the wheel. */
void wheel_add(Wheel *wheel, unsigned node, uint64_t cycle);
/* Returns the cycles from `now` to the next slot in use. Some node must be awake. */
unsigned wheel_distance(Wheel *wheel, uint64_t now);
/* Marks the slot of a cycle as unused and returns how many nodes are in it. */
unsigned wheel_take(Wheel *wheel, uint64_t cycle);

/* Returns the sends of a cycle's slot. */
static inline uint64_t *wheel_sends(const Wheel *wheel, uint64_t cycle) {
    return wheel->sends + (cycle & (wheel->slots - 1)) * wheel->words;
}

/* Returns the boundaries of a cycle's slot. */
static inline uint64_t *wheel_slot(const Wheel *wheel, uint64_t cycle) {
    return wheel->bits + (cycle & (wheel->slots - 1)) * wheel->words;
}

/* Whether a cycle's slot may hold anything. Relaxed order suffices: threads synchronise
 * before the slot's cycle. */
static inline bool wheel_is_used(const Wheel *wheel, uint64_t cycle) {
    return atomic_load_explicit(&wheel->used[cycle & (wheel->slots - 1)],
                                memory_order_relaxed);
}

static inline void wheel_mark_used(Wheel *wheel, uint64_t cycle, bool used) {
    atomic_store_explicit(&wheel->used[cycle & (wheel->slots - 1)], used,
                          memory_order_relaxed);
}

/* Removes a send of a node. */
static inline void wheel_clear_send(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_sends(wheel, cycle)[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

/* Removes the next boundary of a node. */
static inline void wheel_clear(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_slot(wheel, cycle)[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

/* Adds the next boundary of a node that is awake and in no slot. */
static inline void wheel_set(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_slot(wheel, cycle)[node / 64] |= UINT64_C(1) << (node % 64);
    wheel_mark_used(wheel, cycle, true);
}

/* Adds the next send of a node. */
static inline void wheel_set_send(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_sends(wheel, cycle)[node / 64] |= UINT64_C(1) << (node % 64);
    wheel_mark_used(wheel, cycle, true);
}

/* ---- link/netif.c: between nodes and network ------------------------------------- */

/* Creates the network of a machine in its heap; NULL and an error. */
Netif *netif_create(Heap *heap, const JmConfig *config, JmError *error);
/* Fills in the defaults of the network's parameters. */
void netif_config_default(JmConfig *config);
/* Seeds what the network draws, from the seed of the run. */
void netif_seed(JmMachine *machine);
/* Returns row `index` of net/params.def, or NULL after the last. */
const JmParameter *netif_parameter(unsigned index);
/* Records the sender (as in Senders) and the time of completion (as in Ages) of the
 * last row of queue 0, which follows `behind` rows of its message. */
void netif_note_row(JmMachine *machine, const Node *node, uint32_t sender,
                    uint32_t behind, uint64_t age);
/* Opens or closes the network input of (node, priority); takes effect in the next
 * cycle. */
void netif_set_gate(JmMachine *machine, unsigned node, unsigned priority, bool open);
/* Returns the network itself. For emu/debug. */
const struct Net *netif_network(const JmMachine *machine);
/* Returns a word of a message that is sent and not yet delivered: `index` 0.. until
 * false. For emu/debug. */
bool netif_word(const JmMachine *machine, uint32_t message, uint32_t index,
                JmWord *word);
/* Blocks a link, between cycles, as net_block_link() does; machine_touch() makes an
 * idle machine notice. */
bool netif_block_link(JmMachine *machine, unsigned node, unsigned dimension, bool up,
                      bool blocked);
/* Makes gates that were changed between cycles take effect from the next cycle on. */
void netif_settle_gates(JmMachine *machine);
/* Moves the network's clock to `cycle`. A network that is behind must be quiet. */
void netif_skip_to(JmMachine *machine, uint64_t cycle);
/* Whether the network holds no flit and has nothing to do. */
bool netif_is_quiet(const JmMachine *machine);
/* Whether some flit is inside a channel or may leave its buffer. */
bool netif_flits_wait(const JmMachine *machine);
/* Whether no flit will move any more unless something is offered. */
bool netif_is_stuck(const JmMachine *machine);
/* Whether any message is open or not yet delivered whole. */
bool netif_has_messages(const JmMachine *machine);
/* Returns the rank of the node that sent the message at the head of a queue, or -1 if
 * unknown. */
int64_t netif_sender(const JmMachine *machine, const Node *node, unsigned priority);
/* Turns events for moves of flits on or off. False: the engine does not report them. */
bool netif_observe_flits(JmMachine *machine, bool on);
/* Sets awaited[node] for every node at which a flit waits to be ejected. */
void netif_mark_awaited(const JmMachine *machine, bool *awaited);
/* Explains who waits for whom in the network, row by row. */
void netif_explain(const JmMachine *machine, JmRowWriter *writer, void *context);

/* ---- link/rewind.c --------------------------------------------------------------- */

/* Rewinds a node that has run ahead to its first boundary at `cycle` or later. */
void machine_rewind(JmMachine *machine, NodeEnv *env, Node *node, uint64_t cycle);
/* Brings JmMachine.closed up to date. No node may be ahead. */
void netif_note_closed(JmMachine *machine);

/* ---- hostpage.c: NodeEnv.host_read and host_write -------------------------------- */

/* Implements NodeEnv.host_read. */
JmWord hostpage_read(void *machine, Node *node, uint32_t address);
/* Implements NodeEnv.host_write. */
void hostpage_write(void *machine, Node *node, uint32_t address, JmWord word);

/* ---- output.c -------------------------------------------------------------------- */

/* Writes characters of a node. */
void output_put(JmMachine *machine, uint32_t node, const char *bytes, size_t count);
/* Writes the unfinished lines, by rank. Called at the end of a run. */
void output_end(JmMachine *machine);
/* Saves or loads lines that have not ended. */
void output_archive(Archive *archive, JmMachine *machine);

/* ---- stop/explain.c -------------------------------------------------------------- */

/* Whether a node belongs to a set. */
typedef bool MachineMember(const void *set, const Node *node);
/* Writes the nodes of a set: one by its name, "node 5 (5,0,0)", several by their ranks,
 * "nodes 0-3,7,9-511", those after many ranges by their number. Returns how many there
 * are. */
unsigned machine_nodes_text(const JmMachine *machine, MachineMember *member,
                            const void *set, char *text, size_t size);

/* ---- loader.c: programs are reference-counted by machines and checkpoints -------- */

void program_hold(Program *program); /* adds a reference; NULL is ignored */
/* drops a reference, the last frees it; NULL is ignored */
void program_drop(Program *program);
/* Returns the bytes of the ELF image; NULL and size 0 without a program. */
const void *program_bytes(const Program *program, size_t *size);
/* Reads a program, with one reference; NULL and an error. */
Program *program_read(const void *bytes, size_t size, const char *name, JmError *error);
/* Sets the name of the program loaded last, in a piece of machine_work(); NULL:
 * none. */
void program_set_name(JmMachine *machine, const char *name);
/* Records when the program was made (jm_text_time()): its sources may be newer. */
void program_set_time(JmMachine *machine, int64_t made);
/* Returns the ELF image loaded last, or NULL. For emu/debug. */
const struct AsmObject *program_image(const JmMachine *machine);

#endif
