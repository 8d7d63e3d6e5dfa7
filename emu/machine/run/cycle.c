/* Runs nodes and network in lock step: one cycle after the other or, where no one can
 * see the difference, many instructions of a node at once. */
#include "emu/machine/calls_inline.h"
#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"
#include "emu/machine/link/rts.h"
#include "emu/machine/run/run.h"
#include "emu/machine/slab.h"
#include "emu/machine/stop/deadlock.h"
#include "emu/machine/team.h"
#include "emu/node/place.h"
#include "emu/node/plain/stretch.h"

/* Nodes of a slab that pay for another thread; its barriers cost about a
 * microsecond. */
enum { SLAB_NODES = 2048 };

/* ---- the network's cycle --------------------------------------------------------- */

/* Least work that pays for another thread, because a barrier costs about a microsecond:
 * nodes due in a cycle for each slab; words delivered in a cycle for each slab.
 * WORD_NODES are the nodes of one word of the wheel. */
enum { SLAB_DUE = 64, SLAB_WORDS = 64, WORD_NODES = 64 };

/* All slabs of a machine. */
struct Slabs {
    Heap *heap;
    JmMachine *machine;
    Team *team;
    unsigned count;
    uint64_t until; /* how far nodes may run ahead in this cycle */
    Slab slab[];
};

/* Delivers one member's share of the words. */
static void deliver_slab(void *context, unsigned member) {
    Slabs *slabs = context;
    netif_deliver_slab(slabs->machine, &slabs->slab[member]);
}

/* Does every slab's part of some work: with the team if that pays, else in this
 * thread. */
static void work(Slabs *slabs, TeamWork *part, bool together) {
    if (together) {
        team_work(slabs->team, part, slabs);
        return;
    }
    for (unsigned i = 0; i < slabs->count; i++)
        part(slabs, i);
}

/* Executes the recorded calls of a slab's nodes, in order. */
static void do_calls(JmMachine *machine, Slab *slab) {
    for (size_t i = 0; i < slab->calls; i++) {
        const SlabCall *call = &slab->call[i];
        Node *node = &machine->node[call->node];
        if (call->address)
            hostpage_write(machine, node, call->address, call->word[0]);
        else
            netif_take(machine, node, &call->send, call->word);
    }
    slab->calls = 0;
}

/* Finishes the work of one slab after the other, and so in the order of ranks. */
static void join(Slabs *slabs) {
    JmMachine *machine = slabs->machine;
    for (unsigned i = 0; i < slabs->count; i++) {
        Slab *slab = &slabs->slab[i];
        do_calls(machine, slab);
        for (size_t g = 0; g < slab->gates; g++)
            netif_set_gate(machine, slab->gate[g].node, slab->gate[g].priority,
                           slab->gate[g].open);
        slab->gates = 0;
        machine->wheel.awake += slab->woken;
        machine->halt_seen |= slab->halted;
        if (slab->alarm < machine->alarms.next)
            machine->alarms.next = slab->alarm;
        slab->woken = 0;
        slab->halted = false;
        slab->alarm = NO_ALARM;
    }
}

/* Delivers the words of the network cycle, each slab by netif_deliver_slab(). */
static void slabs_deliver(Slabs *slabs) {
    size_t words;
    net_deliveries(slabs->machine->netif->net, &words);
    if (words == 0)
        return;
    work(slabs, deliver_slab, words >= SLAB_WORDS * slabs->count);
    join(slabs);
}

/* Does one network cycle and gives the rows that its words complete to the nodes. */
static void netif_step(JmMachine *machine) {
    Net *net = machine->netif->net;
    net_step(net);
    if (machine->slabs && !machine->observer && !machine->unit)
        slabs_deliver(machine->slabs);
    else
        netif_deliver(machine);
    net_settle_gates(net);
    if (net_progressed(net))
        machine->moved = machine->now + 1;
}

/* ---- threads --------------------------------------------------------------------- */

/* Threads inside one machine. The nodes are cut into slabs by rank, each with a thread
 * of its own, for the two parts of a cycle in which nodes do not see each other:
 *
 *              slab 0         slab 1           alone
 *     nodes    |......|       |.....|            calls
 *                             then, by slab:          |...| network |....|
 *     words    |..|           |...|              gates     (of what was delivered)
 *
 * A slab records what its nodes do to shared state (a send, a write to the host, its
 * gates), and it is done when all slabs have finished: slab by slab, within a slab in
 * the order of recording. That is the order of ranks, as without threads, so results do
 * not depend on the number of threads. */

/* ---- what the nodes of a slab call ----------------------------------------------- */

/* Records a call, to be executed when all slabs have finished. */
static void note_call(Slab *slab, const SlabCall *call) {
    JM_HOT_ASSERT(slab->calls < slab->end - slab->first);
    slab->call[slab->calls++] = *call;
}

/* Records a send that the network will take. */
static void slab_note_send(Slab *slab, unsigned node, const NodeSend *send,
                           const JmWord *words) {
    note_call(slab,
              &(SlabCall){.node = node,
                          .send = *send,
                          .word = {words[0], send->count > 1 ? words[1] : JM_NIL}});
}

/* Implements NodeEnv.send for a slab. A node sends at most once a cycle, so if there is
 * room now there is room when the call is done. */
static NodeSendResult send(void *context, Node *node, unsigned priority,
                           const JmWord *words, unsigned count, bool opens, bool end) {
    Slab *slab = context;
    const NodeSendResult result =
        netif_can_send(slab->machine, node, priority, words, count, opens);
    if (result != NODE_SEND_TAKEN)
        return result;
    const NodeSend taken = {.priority = (uint8_t)priority,
                            .count = (uint8_t)count,
                            .opens = opens,
                            .end = end,
                            .place = end ? node_place_behind(node) : 0};
    slab_note_send(slab, node->rank, &taken, words);
    return result;
}

/* Implements NodeEnv.host_read: reading changes nothing that others see. */
static JmWord host_read(void *context, Node *node, uint32_t address) {
    const Slab *slab = context;
    return hostpage_read(slab->machine, node, address);
}

/* Implements NodeEnv.host_write for a slab. */
static void host_write(void *context, Node *node, uint32_t address, JmWord word) {
    note_call(context,
              &(SlabCall){.node = node->rank, .address = address, .word = {word}});
}

/* ---- life ------------------------------------------------------------------------ */

/* Gives slab `index` its share of the nodes, in whole words of the wheel, so that no
 * two threads write to the same word. */
static void cut(Slabs *slabs, unsigned index) {
    JmMachine *machine = slabs->machine;
    const unsigned words = machine->wheel.words;
    const unsigned first = words * index / slabs->count * WORD_NODES;
    const unsigned end = words * (index + 1) / slabs->count * WORD_NODES;
    Slab *slab = &slabs->slab[index];
    *slab = (Slab){.machine = machine,
                   .env = machine->env,
                   .alarm = NO_ALARM,
                   .first = first,
                   .end = end < machine->nodes ? end : machine->nodes};
    slab->call = heap_alloc(slabs->heap, (slab->end - first) * sizeof *slab->call);
    slab->gate = heap_alloc(slabs->heap,
                            (slab->end - first) * SLAB_NODE_GATES * sizeof *slab->gate);
    slab->env.machine = slab;
    slab->env.stretches = heap_adopt(slabs->heap, node_stretches_new());
    slab->env.send = send;
    slab->env.host_read = host_read;
    slab->env.host_write = host_write;
}

/* What slabs are made of. */
typedef struct {
    JmMachine *machine;
    unsigned threads;
} Plan;

static void *cut_all(Heap *heap, const void *plan) {
    const Plan *p = plan;
    Slabs *slabs = heap_lines(heap, sizeof *slabs + p->threads * sizeof slabs->slab[0]);
    slabs->heap = heap;
    slabs->machine = p->machine;
    slabs->team = team_create(heap, p->threads);
    slabs->count = team_members(slabs->team);
    for (unsigned i = 0; i < slabs->count; i++)
        cut(slabs, i);
    return slabs;
}

Slabs *slabs_create(JmMachine *machine, unsigned threads, unsigned least) {
    const unsigned most = machine->nodes / least;
    const Plan plan = {machine, threads < most ? threads : most};
    return plan.threads < 2 ? NULL : heap_make(cut_all, &plan, NULL, NULL, "slabs");
}

void slabs_destroy(Slabs *slabs) {
    heap_delete(slabs ? slabs->heap : NULL);
}

/* ---- nodes that are due ---------------------------------------------------------- */

ALWAYS_INLINE void visit(JmMachine *machine, NodeEnv *env, Node *node, uint64_t until) {
    node_run_ahead(node, env, &machine->ahead[node->rank], until);
}

/* In a list of due nodes: a send. LOOK_AHEAD more entries follow a list, so that
 * prefetching need not test for its end. */
enum { DUE_SEND_BIT = 31, DUE_SEND = 1u << 31 };

/* Removes from this cycle's slot, words [first, end), all due nodes and sends, by rank,
 * and lists them in `due`, which has room for all their nodes and the padding. They
 * must be removed before they run, because a next boundary may be a whole turn of the
 * wheel later. Returns how many there are. */
static inline unsigned take_due(JmMachine *machine, unsigned first, unsigned end,
                                uint32_t *due) {
    uint64_t *slot = wheel_slot(&machine->wheel, machine->now);
    uint64_t *sends = wheel_sends(&machine->wheel, machine->now);
    unsigned count = 0;
    for (unsigned w = first; w < end; w++) {
        const uint64_t sending = sends[w];
        uint64_t bits = slot[w] | sending;
        if (!bits)
            continue;
        slot[w] = sends[w] = 0;
        for (; bits; bits &= bits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(bits);
            due[count++] = (uint32_t)(sending >> bit) << DUE_SEND_BIT | (w * 64 + bit);
        }
    }
    for (unsigned i = 0; i < LOOK_AHEAD; i++)
        due[count + i] = DUE_SEND;
    return count;
}

/* Puts the next send that a node has issued ahead on the wheel. */
static inline void schedule_send(JmMachine *machine, unsigned rank) {
    const NodeAhead *ahead = &machine->ahead[rank];
    if (ahead->sent < ahead->sends)
        wheel_set_send(&machine->wheel, rank, ahead->send[ahead->sent].cycle);
}

/* Rewinds a node that has sent ahead words for which there is no room now. It must be
 * visited in this cycle: the SEND will fault or wait. */
static __attribute__((noinline)) void refuse_send(JmMachine *machine, Slab *slab,
                                                  Node *node) {
    machine_rewind(machine, slab ? &slab->env : &machine->env, node, machine->now);
    wheel_clear(&machine->wheel, node->rank, machine->now);
    JM_HOT_ASSERT(node->ready == machine->now);
    node->not_plain = true;
}

/* Offers to the network the words that a node has sent ahead for this cycle, and those
 * after them that can be offered with them. False: there is no room, and the node has
 * been rewound. */
static inline bool offer_send(JmMachine *machine, Slab *slab, unsigned rank) {
    NodeAhead *ahead = &machine->ahead[rank];
    Node *node = &machine->node[rank];
    const NodeSend *send = &ahead->send[ahead->sent];
    JM_HOT_ASSERT(send->cycle == machine->now);
    const unsigned room = node_room(&machine->env, node, send->priority);
    if (__builtin_expect(room < send->count, false)) {
        refuse_send(machine, slab, node);
        return false;
    }
    if (slab) {
        slab_note_send(slab, rank, send, &ahead->word[ahead->words]);
        node_note_taken(ahead, 1, send->count);
    } else {
        netif_take_ahead(machine, node, ahead, room);
    }
    schedule_send(machine, rank);
    return true;
}

/* Schedules the sends that a node has issued ahead; one that is due now has room. */
ALWAYS_INLINE void schedule_sends(JmMachine *machine, Slab *slab, const Node *node) {
    const NodeAhead *ahead = &machine->ahead[node->rank];
    if (ahead->sends && ahead->send[0].cycle == machine->now)
        offer_send(machine, slab, node->rank);
    else
        schedule_send(machine, node->rank);
}

/* Handles what a node's step left to the machine. The node is in no slot. Other threads
 * run other slabs, so a slab records its work on shared state. */
ALWAYS_INLINE void after_step(JmMachine *machine, Slab *slab, Node *node) {
    if (node->ahead)
        schedule_sends(machine, slab, node);
    if (node->gate_changed)
        interface_update_gates(machine, slab, node);
    if (!node->runs)
        *(slab ? &slab->halted : &machine->halt_seen) = true;
    if (node->asleep || !node->runs)
        --*(slab ? &slab->woken : &machine->wheel.awake);
    else
        wheel_set(&machine->wheel, node->rank, node->ready);
}

/* Prefetches the first lines of a node that is due soon: hundreds of nodes do not fit
 * the host's L1 cache. */
static inline void prefetch_node(const Node *node) {
    __builtin_prefetch(node);
    __builtin_prefetch(node->priority);
    __builtin_prefetch(node->statistics.cycles);
}

static inline void prefetch_run(const Node *node, const NodeAhead *ahead) {
    const char *context = (const char *)node->current;
    const char *saved = (const char *)ahead;
    __builtin_prefetch(node->fetch_words);
    __builtin_prefetch(context);
    __builtin_prefetch(context + NODE_LINE_BYTES);
    __builtin_prefetch(saved, 1);
    __builtin_prefetch(saved + NODE_LINE_BYTES, 1);
    __builtin_prefetch(saved + 2 * NODE_LINE_BYTES, 1);
}

/* Executes a node's boundary, and the plain instructions after it that are due before
 * `until`. */
typedef void Visit(JmMachine *machine, NodeEnv *env, Node *node, uint64_t until);

/* Runs the due nodes. `slab` is a constant, so that the compiler specialises the
 * function; NULL with one thread. */
ALWAYS_INLINE void run_due(JmMachine *machine, Slab *slab, const uint32_t *due,
                           unsigned count, uint64_t until, Visit *visit_node) {
    NodeEnv *env = slab ? &slab->env : &machine->env;
    Node *nodes = machine->node;
    for (unsigned i = 0; i < count; i++) {
        if (!(due[i + LOOK_AHEAD] & DUE_SEND))
            prefetch_node(&nodes[due[i + LOOK_AHEAD]]);
        if (!(due[i + 1] & DUE_SEND))
            prefetch_run(&nodes[due[i + 1]], &machine->ahead[due[i + 1]]);
        const uint32_t rank = due[i] & ~DUE_SEND;
        if (due[i] & DUE_SEND && offer_send(machine, slab, rank))
            continue;
        visit_node(machine, env, &nodes[rank], until);
        after_step(machine, slab, &nodes[rank]);
    }
}

/* Runs the nodes of a member's slab that are due in this cycle, and plain instructions
 * after them that are due before `until`. Called by the slab's thread. */
static void run_slab(void *context, unsigned member) {
    Slabs *slabs = context;
    JmMachine *machine = slabs->machine;
    Slab *slab = &slabs->slab[member];
    uint32_t *due = machine->due + slab->first / 64 * DUE_ROOM;
    const unsigned count =
        take_due(machine, slab->first / 64, (slab->end + 63) / 64, due);
    slab->env.now = machine->now;
    run_due(machine, slab, due, count, slabs->until, visit);
}

/* Runs the nodes that are due in this cycle, each slab by run_slab(). */
static void slabs_run(Slabs *slabs, uint64_t until) {
    JmMachine *machine = slabs->machine;
    const unsigned due = wheel_take(&machine->wheel, machine->now);
    if (due == 0)
        return;
    slabs->until = until;
    work(slabs, run_slab, due >= SLAB_DUE * slabs->count);
    join(slabs);
}

/* ---- one cycle ------------------------------------------------------------------- */

ALWAYS_INLINE void visit_watched(JmMachine *machine, NodeEnv *env, Node *node,
                                 uint64_t until) {
    visit(machine, env, node, until);
    machine_note_mark(machine, node);
}

/* Visits a node of an observed machine: one boundary, so that events come in the order
 * of cycles. */
ALWAYS_INLINE void visit_observed(JmMachine *machine, NodeEnv *env, Node *node,
                                  uint64_t until) {
    (void)machine, (void)until;
    node_step_observed(node, env);
}

ALWAYS_INLINE void run_nodes(JmMachine *machine, uint64_t until, Visit *visit_node) {
    Wheel *wheel = &machine->wheel;
    if (!wheel_is_used(wheel, machine->now))
        return;
    wheel_mark_used(wheel, machine->now, false);
    const unsigned count = take_due(machine, 0, wheel->words, machine->due);
    run_due(machine, NULL, machine->due, count, until, visit_node);
}

/* Returns why the machine must stop after the cycle just done, or JM_STOP_NONE. The
 * order decides which of several reasons is reported. */
static JmStop judge(JmMachine *machine) {
    if (__builtin_expect(machine_is_starved(machine), false))
        return JM_STOP_MEMORY;
    if (machine->exit_seen)
        return JM_STOP_EXIT;
    if (machine->halt_seen && !machine->config.keep_going)
        return JM_STOP_STOPPED;
    machine->halt_seen = false;
    if (machine->wheel.awake == 0 && netif_is_stuck(machine) &&
        !interface_acts(machine))
        return machine_is_left(machine) ? JM_STOP_DEADLOCK : JM_STOP_IDLE;
    if (machine->now - machine->moved >= machine->config.deadlock_cycles &&
        machine_is_deadlocked(machine))
        return JM_STOP_DEADLOCK;
    if (machine->break_seen) {
        machine->break_seen = false;
        return interface_livelock(machine, NULL, 0) ? JM_STOP_DEADLOCK : JM_STOP_BREAK;
    }
    return JM_STOP_NONE;
}

/* Begins a later cycle and handles its alarms: the only way to begin one. It may skip
 * cycles only if nothing is due in them and the network is quiet. Returns why the
 * machine must stop, or JM_STOP_NONE. */
static inline JmStop go_to(JmMachine *machine, uint64_t cycle) {
    if (netif_is_quiet(machine)) {
        netif_skip_to(machine, cycle);
        machine->moved = cycle;
    } else {
        netif_step(machine);
    }
    machine->now = cycle;
    machine->env.now = cycle;
    interface_look(machine);
    return judge(machine);
}

/* Returns the first cycle, from now on and at most `until`, in which a node has a
 * boundary or a send, or an alarm is due. The current cycle if the network is not
 * quiet. */
static inline uint64_t next_due(JmMachine *machine, uint64_t until) {
    Wheel *wheel = &machine->wheel;
    if (wheel_is_used(wheel, machine->now) || !netif_is_quiet(machine))
        return machine->now;
    const uint64_t due = machine->now + wheel_distance(wheel, machine->now);
    until = alarms_limit(&machine->alarms, until);
    return due < until ? due : until;
}

/* Cycles that a node may run alone before the machine checks whether it is starved. */
enum { ALONE_CYCLES = 1 << 20 };

/* Runs the only awake node while the network is empty: nothing can disturb it, so it
 * continues until the rest of the machine can see what it does. Ends in the cycle of
 * the last instruction issued, before the network's part of it. */
static void run_alone(JmMachine *machine, Node *node, uint64_t until) {
    NodeEnv *env = &machine->env;
    const uint64_t start = machine->now;
    wheel_slot(&machine->wheel, start)[node->rank / 64] = 0; /* it is the only one */
    env->boundary = false;
    until = alarms_limit(&machine->alarms, until);
    node_run(node, env, until - start > ALONE_CYCLES ? start + ALONE_CYCLES : until);
    machine->now = machine->moved = env->now;
    netif_skip_to(machine, machine->now);
    if (machine->watch)
        machine_note_mark(machine, node);
    after_step(machine, NULL, node);
}

/* Returns the node of this cycle's slot if it is the only one awake and the network is
 * quiet, else NULL. */
static Node *only_node(JmMachine *machine) {
    if (machine->wheel.awake != 1 || !netif_is_quiet(machine) || machine->unit)
        return NULL;
    const uint64_t *slot = wheel_slot(&machine->wheel, machine->now);
    for (unsigned w = 0; w < machine->wheel.words; w++)
        if (slot[w])
            return &machine->node[w * 64 + (unsigned)__builtin_ctzll(slot[w])];
    return NULL;
}

/* Returns the cycle that nodes may run ahead to: the wheel must hold their next
 * boundary. */
static inline uint64_t horizon(const JmMachine *machine, uint64_t until) {
    const uint64_t far = machine->now + AHEAD_CYCLES;
    return far < until ? far : until;
}

/* Brings every node to its state at the end of a run, for callers that inspect it.
 * Nodes need rewinding only if the run ends `early`: otherwise none has issued anything
 * due at the end of the run or later. */
static void settle_nodes(JmMachine *machine, bool early) {
    for (unsigned i = 0; i < machine->nodes; i++) {
        Node *node = &machine->node[i];
        if (early && node->ahead)
            machine_rewind(machine, &machine->env, node, machine->now);
        node->ahead = false;
    }
    netif_note_closed(machine);
    netif_hand_over(machine);
}

/* Whether the debugger wants to stop before some marked instruction that is due in this
 * cycle. Marked instructions checked here are executed as single steps, so that no run
 * ahead passes them. */
static bool stops_before(JmMachine *machine) {
    const MachineWatch *watch = machine->watch;
    const Wheel *wheel = &machine->wheel;
    const bool passed = watch->passed == machine->now;
    bool stops = false;
    if (!wheel_is_used(wheel, machine->now))
        return false;
    const uint64_t *slot = wheel_slot(wheel, machine->now);
    for (unsigned w = 0; w < wheel->words; w++) {
        for (uint64_t bits = slot[w] & machine->at_mark[w]; bits; bits &= bits - 1) {
            const unsigned rank = w * 64 + (unsigned)__builtin_ctzll(bits);
            if (node_attends(&machine->node[rank]))
                continue;
            machine->node[rank].not_plain = true;
            if (!passed)
                stops |= watch->before(watch->context, rank);
        }
    }
    return stops;
}

/* Records which nodes are at marks, before a watched run: the caller may have changed
 * nodes or marks since the last one. */
static void note_marks(JmMachine *machine) {
    for (unsigned i = 0; i < machine->nodes; i++)
        machine_note_mark(machine, &machine->node[i]);
}

typedef enum { RUN_PLAIN, RUN_OBSERVED, RUN_WATCHED } RunMode;

/* Runs the nodes that are due in this cycle. */
static inline void do_cycle(JmMachine *machine, uint64_t until, RunMode mode) {
    const MachineWatch *watch = machine->watch;
    Node *alone = mode == RUN_OBSERVED ? NULL : only_node(machine);
    if (mode == RUN_WATCHED && alone &&
        (watch->after || node_at_mark(alone, machine->env.marks)))
        alone = NULL;
    if (alone)
        run_alone(machine, alone, until);
    else if (mode == RUN_OBSERVED)
        run_nodes(machine, machine->now + 1, visit_observed);
    else if (mode == RUN_PLAIN && machine->slabs)
        slabs_run(machine->slabs, horizon(machine, until));
    else if (mode == RUN_WATCHED)
        run_nodes(machine, horizon(machine, until), visit_watched);
    else
        run_nodes(machine, horizon(machine, until), visit);
}

/* Runs cycle after cycle. Compiled three times: plain; with an observer, by the
 * observing dispatcher and without running ahead, so that events come in the order of
 * cycles; and watched, where instructions without marks run ahead. */
static inline JmStop run_cycles(JmMachine *machine, uint64_t until, RunMode mode) {
    const MachineWatch *watch = machine->watch;
    const bool every_cycle = mode == RUN_WATCHED && watch->every_cycle;
    while (machine->now < until) {
        uint64_t next = machine->now;
        if (machine->wheel.awake && !every_cycle)
            next = next_due(machine, until);
        if (next <= machine->now) {
            if (mode == RUN_WATCHED && stops_before(machine))
                return JM_STOP_BREAK;
            do_cycle(machine, until, mode);
            next = machine->now + 1;
        }
        const JmStop stop = go_to(machine, next);
        if (stop != JM_STOP_NONE)
            return stop;
        if (mode == RUN_WATCHED && watch->after && watch->after(watch->context))
            return JM_STOP_BREAK;
    }
    return JM_STOP_NONE;
}

/* Writes the unfinished lines. Their cycle is the last one that was done. */
static void end_output(JmMachine *machine) {
    machine->env.now = machine->now - 1;
    output_end(machine);
    machine->env.now = machine->now;
}

/* A run as a piece of work. */
typedef struct {
    JmMachine *machine;
    uint64_t until;
    JmStop stop;
} Run;

static void run(Heap *heap, void *context) {
    Run *r = context;
    JmMachine *machine = r->machine;
    (void)heap;
    r->stop = machine->watch      ? run_cycles(machine, r->until, RUN_WATCHED)
              : machine->observer ? run_cycles(machine, r->until, RUN_OBSERVED)
                                  : run_cycles(machine, r->until, RUN_PLAIN);
    settle_nodes(machine, r->stop != JM_STOP_NONE);
    if (r->stop != JM_STOP_BREAK)
        machine->stop = r->stop;
    if (machine->stop != JM_STOP_NONE)
        end_output(machine);
}

JmStop jm_run(JmMachine *machine, uint64_t until_cycle) {
    Run r = {machine, until_cycle, JM_STOP_MEMORY};
    call_changes(machine);
    if (machine_is_starved(machine))
        return machine->stop = JM_STOP_MEMORY;
    if (machine->stop != JM_STOP_NONE || machine->now >= until_cycle)
        return machine->stop;
    machine->env.now = machine->now;
    if (machine->watch)
        note_marks(machine);
    machine->running = true;
    if (!machine_work(machine, run, &r))
        machine->stop = JM_STOP_MEMORY;
    machine->running = false;
    return r.stop;
}

void jm_set_threads(JmMachine *machine, unsigned threads) {
    call_changes(machine);
    assert(threads >= 1);
    slabs_destroy(machine->slabs);
    machine->slabs = slabs_create(machine, threads, SLAB_NODES);
}
