/* The machine inside: for emu/machine and emu/debug only. Front ends use emu/jm.h.
 *
 *     jm_run -> cycle: nodes of this cycle's wheel slot execute
 *                      network moves flits on the state at the start of the cycle
 *                      delivered words become rows of queues, sleepers wake
 */
#ifndef JM_MACHINE_MACHINE_H
#define JM_MACHINE_MACHINE_H

#include <stdatomic.h>

#include "emu/core/archive.h"
#include "emu/jm.h"
#include "emu/machine/slab.h"
#include "emu/node/env.h"

/* How far nodes may run ahead: with the longest instruction below 256, slots of the
 * wheel. */
enum { AHEAD_CYCLES = 192 };

typedef struct Netif Netif;
typedef struct Program Program;

/* Which nodes have a boundary in which of the next cycles: one bit per node and slot.
 */
typedef struct {
    unsigned slots; /* power of two, above the longest instruction */
    unsigned words; /* uint64_t a slot */
    uint64_t *bits;
    uint64_t *sends; /* sends that nodes have issued ahead: a bit per node and slot */
    _Atomic bool *used; /* slot may have bits set: slabs may say so at the same time */
    uint32_t awake;     /* nodes on the wheel */
} Wheel;

/* What a debugger wants to see of a machine that runs ahead all the same: events of
 * instructions that are not plain (dispatches, sends, faults, suspends, arrivals), and
 * what is marked. */
typedef struct {
    NodeMarks marks;
    uint32_t kinds; /* kinds of events that go to the observer */
    JmObserver *observer;
    /* A marked instruction is due at `node` in this cycle. True stops the run before
     * the cycle (JM_STOP_BREAK). Of other nodes only those may be looked at that may
     * not run ahead (NodeMarks.lockstep). */
    bool (*before)(void *context, unsigned node);
    /* NULL, or called after every cycle in which something can have changed; of nodes
     * the same holds. True stops the run. */
    bool (*after)(void *context);
    bool every_cycle; /* the number of the cycle is such a change */
    void *context;
    uint64_t passed; /* the cycle for which `before` has been asked enough */
} MachineWatch;

enum { OUTPUT_LINE_MAX = 4096, OUTPUT_NOBODY = UINT32_MAX };

/* What a node has written of a line that has not ended. */
typedef struct {
    char *bytes;
    uint32_t count, capacity;
} OutputLine;

/* What the nodes write to the host (output.c). */
typedef struct {
    JmOutput *writer; /* NULL: nobody wants it */
    void *context;
    bool raw;         /* characters as they come */
    bool several;     /* more than one node has written */
    uint32_t first;   /* the node that wrote first, or OUTPUT_NOBODY */
    uint32_t open;    /* whose line has been begun and not ended, or OUTPUT_NOBODY */
    uint64_t bytes;   /* written so far, wanted or not */
    OutputLine *line; /* of each node; NULL: nothing has been written */
} Output;

struct JmMachine {
    JmConfig config;
    unsigned nodes;
    uint64_t now;
    Node *node;
    NodeAhead *ahead; /* one for each node */
    uint32_t *due;    /* room for the ranks of all */
    NodeEnv env;
    Wheel wheel;
    Slabs *slabs; /* NULL: one thread */
    Netif *netif;
    Program *program;   /* the last ELF image: symbols and lines */
    char *program_name; /* of what was loaded last */
    NodeCode *code;
    JmWord *nil_page;
    _Atomic bool *starved; /* memory_starved() of it */

    JmStop stop;     /* why the run ended, JM_STOP_NONE while it can go on */
    bool exit_seen;  /* a node has written HOST_EXIT in this cycle */
    int exit_value;  /* exit value of the lowest rank that wrote it */
    bool break_seen; /* an observer asked to stop */
    bool halt_seen;  /* a node stopped in this cycle */
    uint64_t moved;  /* cycles done when something last counted against a deadlock, as
                        far as that has been looked into */
    uint64_t closed; /* cycles done when a SEND last ended a message */
    JmWrongLength wrong_length;

    Output output;
    JmMark *marks;
    size_t mark_count, mark_capacity;

    JmObserver *observer;
    void *observer_context;
    uint32_t observed; /* kinds of events for the observer: bit 1 << JmEventKind */
    const MachineWatch *watch; /* NULL: none; the observer is its own */
    uint64_t *at_mark;         /* bit per node: its next instruction is marked */
};

/* Watches a machine, in the place of an observer; NULL ends it. `watch` stays the
 * caller's and may change between runs, after which this is to be called again. False,
 * and nobody watches, if there is no memory. */
bool machine_watch(JmMachine *machine, const MachineWatch *watch);

/* ---- machine.c, create.c --------------------------------------------------------- */

/* After a change from outside: wakes a node and looks at everything again. */
void machine_touch(JmMachine *machine, unsigned node);
/* Takes a node that has run ahead back to its first boundary at `cycle` or later. */
void machine_rewind(JmMachine *machine, NodeEnv *env, Node *node, uint64_t cycle);
/* The nodes of a slab that are due in this cycle, and plain instructions after them
 * that are due before `until`. */
void machine_run_slab(JmMachine *machine, Slab *slab, uint64_t until);
/* Whether for `deadlock_cycles` no flit moved, some flit wanted to, and no node that
 * could have ended its message did anything for it. To be asked when by `moved` it may
 * be so; brings that up to date. deadlock.c */
bool machine_is_deadlocked(JmMachine *machine);
/* Starts a node that is not started. */
void machine_start(JmMachine *machine, unsigned node);
/* A sleeping node that would take a message or an external fault (I = 0), but cannot: a
 * task of that priority has set B and never ends, or F = 1 holds the fault off. */
bool machine_has_pending(const Node *node);
/* Grows an array of items of `size` bytes so that `count` + 1 fit; `items` is the place
 * of the pointer to it. False, and it is as before, if there is no memory. */
bool machine_grow(void *items, size_t count, size_t *capacity, size_t size);

/* Something that the machine had to do is lost for want of memory: it runs no more. Any
 * thread may say so. */
static inline void machine_starve(const JmMachine *machine) {
    atomic_store_explicit(machine->starved, true, memory_order_relaxed);
}

static inline bool machine_is_starved(const JmMachine *machine) {
    return atomic_load_explicit(machine->starved, memory_order_relaxed);
}

/* ---- wheel.c --------------------------------------------------------------------- */

/* False if there is no memory; to be freed in any case. */
bool wheel_init(Wheel *wheel, unsigned nodes, unsigned longest);
void wheel_free(Wheel *wheel);
/* Puts a node that was off the wheel on it. */
void wheel_add(Wheel *wheel, unsigned node, uint64_t cycle);
/* Cycles from `now` to the next occupied slot; some node must be awake. */
unsigned wheel_distance(Wheel *wheel, uint64_t now);
/* Marks the slot of a cycle as no longer used, and counts what is in it. */
unsigned wheel_take(Wheel *wheel, uint64_t cycle);

static inline uint64_t *wheel_sends(const Wheel *wheel, uint64_t cycle) {
    return wheel->sends + (cycle & (wheel->slots - 1)) * wheel->words;
}

static inline uint64_t *wheel_slot(const Wheel *wheel, uint64_t cycle) {
    return wheel->bits + (cycle & (wheel->slots - 1)) * wheel->words;
}

static inline bool wheel_is_used(const Wheel *wheel, uint64_t cycle) {
    return atomic_load_explicit(&wheel->used[cycle & (wheel->slots - 1)],
                                memory_order_relaxed);
}

static inline void wheel_mark_used(Wheel *wheel, uint64_t cycle, bool used) {
    atomic_store_explicit(&wheel->used[cycle & (wheel->slots - 1)], used,
                          memory_order_relaxed);
}

static inline void wheel_clear_send(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_sends(wheel, cycle)[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

static inline void wheel_clear(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_slot(wheel, cycle)[node / 64] &= ~(UINT64_C(1) << (node % 64));
}

/* Sets the next boundary of a node that is awake and in no slot. */
static inline void wheel_set(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_slot(wheel, cycle)[node / 64] |= UINT64_C(1) << (node % 64);
    wheel_mark_used(wheel, cycle, true);
}

/* Notes that a node has a send for this cycle. */
static inline void wheel_set_send(Wheel *wheel, unsigned node, uint64_t cycle) {
    wheel_sends(wheel, cycle)[node / 64] |= UINT64_C(1) << (node % 64);
    wheel_mark_used(wheel, cycle, true);
}

/* ---- netif.c: what goes between nodes and network -------------------------------- */

Netif *netif_create(const JmConfig *config, JmError *error);
void netif_destroy(Netif *netif);
void netif_config_default(JmConfig *config);
const JmParameter *netif_parameter(unsigned index);
/* NodeEnv.send */
NodeSendResult netif_send(void *machine, Node *node, unsigned priority,
                          const JmWord *words, unsigned count, bool opens, bool end);
/* NodeEnv.will_take */
bool netif_will_take(void *machine, const Node *node, unsigned priority,
                     unsigned places, const JmWord *routing);
/* The two halves of netif_send(): whether it would be taken; and taking it, `place` as
 * in NodeSend. */
NodeSendResult netif_can_send(const JmMachine *machine, const Node *node,
                              unsigned priority, const JmWord *words, unsigned count,
                              bool opens);
void netif_take(JmMachine *machine, const Node *node, unsigned priority,
                const JmWord *words, unsigned count, bool opens, bool end,
                uint32_t place);
void netif_set_gate(JmMachine *machine, unsigned node, unsigned priority, bool open);
/* Words of the last network cycle; those for the nodes of a slab. */
size_t netif_words_delivered(const JmMachine *machine);
void netif_deliver_slab(JmMachine *machine, Slab *slab);
/* Tells the network about the gates of a node whose queue registers changed. */
void netif_update_gates(JmMachine *machine, Node *node);
/* The network itself and the words of a message in it, sent and not yet delivered:
 * `index` 0.. until false. For emu/debug. */
const struct Net *netif_network(const JmMachine *machine);
bool netif_word(const JmMachine *machine, uint32_t message, uint32_t index,
                JmWord *word);
/* net_block_link(), between cycles; machine_touch() lets a machine at rest see it. */
bool netif_block_link(JmMachine *machine, unsigned node, unsigned dimension, bool up,
                      bool blocked);
/* Between cycles: gates that were changed from outside hold from the next cycle. */
void netif_settle_gates(JmMachine *machine);
/* One network cycle; rows of the words it delivers go to the nodes. */
void netif_step(JmMachine *machine);
/* Gives the nodes also the words of rows that are not whole yet, for who looks in. */
void netif_hand_over(JmMachine *machine);
/* Brings the network, which must be quiet if it is behind, to `cycle`. */
void netif_skip_to(JmMachine *machine, uint64_t cycle);
bool netif_is_quiet(const JmMachine *machine);
/* Some flit is inside a channel or may leave its buffer. */
bool netif_flits_wait(const JmMachine *machine);
/* No flit will move by itself any more, given that nothing is offered. */
bool netif_is_stuck(const JmMachine *machine);
/* Messages opened and not yet delivered whole. */
bool netif_has_messages(const JmMachine *machine);
/* The network and the words on their way, as an archive. As net_save() and
 * net_restore(). */
void netif_save(const JmMachine *machine, Archive *archive);
bool netif_restore(JmMachine *machine, Archive *archive, bool trusted);
/* The node that sent the message at the head of a queue, or -1 if that is not known. */
int64_t netif_sender(const JmMachine *machine, const Node *node, unsigned priority);
/* False, and nothing has changed, if there is no memory. */
bool netif_observe_flits(JmMachine *machine, bool on);
/* Sets awaited[node] for nodes at which a flit waits to be ejected. */
void netif_mark_awaited(const JmMachine *machine, bool *awaited);
void netif_explain(const JmMachine *machine, JmRowWriter *writer, void *context);

/* ---- hostpage.c: NodeEnv.host_read and host_write -------------------------------- */

JmWord hostpage_read(void *machine, Node *node, uint32_t address);
void hostpage_write(void *machine, Node *node, uint32_t address, JmWord word);

/* ---- output.c -------------------------------------------------------------------- */

/* Characters that a node writes. */
void output_put(JmMachine *machine, uint32_t node, const char *bytes, size_t count);
/* The end of the run: writes what has been collected, by rank. */
void output_end(JmMachine *machine);
void output_archive(Archive *archive, JmMachine *machine);
void output_free(JmMachine *machine);

/* ---- loader.c: programs know how many hold them, machines and checkpoints -------- */

void program_hold(Program *program); /* NULL is fine, here and below */
void program_drop(Program *program);
/* The ELF image it was read from; NULL and 0 without a program. */
const void *program_bytes(const Program *program, size_t *size);
/* Reads one; NULL and a message. */
Program *program_read(const void *bytes, size_t size, const char *name, JmError *error);
/* Remembers what was loaded last; NULL: nothing. False, and nothing has changed, if
 * there is no memory. */
bool program_set_name(JmMachine *machine, const char *name);
/* The ELF image loaded last, or NULL. For emu/debug. */
const struct AsmObject *program_image(const JmMachine *machine);

#endif
