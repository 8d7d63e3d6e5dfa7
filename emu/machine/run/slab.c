/* The threads of one machine, each with its slab of nodes; slab.h explains the
 * cycle. */
#include "emu/machine/run/slab.h"

#include <stdlib.h>

#include "emu/machine/interface/interface.h"
#include "emu/machine/run/run.h"
#include "emu/machine/team.h"
#include "emu/node/place.h"
#include "emu/node/run/stretch.h"

/* Least work that pays for another thread, because a barrier costs about a microsecond:
 * nodes due in a cycle for each slab; words delivered in a cycle for each slab.
 * WORD_NODES are the nodes of one word of the wheel. */
enum { SLAB_DUE = 64, SLAB_WORDS = 64, WORD_NODES = 64 };

/* All slabs of a machine. */
struct Slabs {
    JmMachine *machine;
    Team *team;
    unsigned count;
    uint64_t until; /* how far nodes may run ahead in this cycle */
    Slab slab[];
};

/* ---- what the nodes of a slab call ----------------------------------------------- */

/* Records a call for when the slab's thread is alone again. */
static void note_call(Slab *slab, const SlabCall *call) {
    if (machine_grow(&slab->call, slab->calls, &slab->call_capacity,
                     sizeof *slab->call))
        slab->call[slab->calls++] = *call;
    else
        machine_starve(slab->machine);
}

void slab_note_send(Slab *slab, unsigned node, const NodeSend *send) {
    note_call(slab, &(SlabCall){.node = node, .send = *send});
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
    NodeSend taken = {.priority = (uint8_t)priority,
                      .count = (uint8_t)count,
                      .opens = opens,
                      .end = end,
                      .place = end ? node_place_behind(node) : 0};
    for (unsigned i = 0; i < count; i++)
        taken.word[i] = words[i];
    slab_note_send(slab, node->rank, &taken);
    return result;
}

/* Implements NodeEnv.room for a slab. Words that the node has sent in this visit are
 * not in the network yet, so they are subtracted: they are the slab's last calls. */
static unsigned room(void *context, const Node *node, unsigned priority,
                     const JmWord *routing) {
    const Slab *slab = context;
    const unsigned there = netif_room(slab->machine, node, priority, routing);
    unsigned places = 0;
    for (size_t i = slab->calls; i > 0 && slab->call[i - 1].node == node->rank; i--)
        if (!slab->call[i - 1].address && slab->call[i - 1].send.priority == priority)
            places += slab->call[i - 1].send.count;
    return there > places ? there - places : 0;
}

/* Implements NodeEnv.host_read: reading changes nothing that others see. */
static JmWord host_read(void *context, Node *node, uint32_t address) {
    const Slab *slab = context;
    return hostpage_read(slab->machine, node, address);
}

/* Implements NodeEnv.host_write for a slab. */
static void host_write(void *context, Node *node, uint32_t address, JmWord word) {
    note_call(context,
              &(SlabCall){.node = node->rank, .address = address, .send.word = {word}});
}

void slab_note_gates(Slab *slab, Node *node) {
    node->gate_changed = false;
    if (node->bounded)
        interface_note_alarm(slab->machine, node, &slab->alarm);
    for (unsigned p = 0; p < 2; p++) {
        const bool open = node_gate_open(node, p);
        if (open == node->priority[p].gate)
            continue;
        node->priority[p].gate = open;
        if (p == 0)
            node_input_braked(node, open);
        if (machine_grow(&slab->gate, slab->gates, &slab->gate_capacity,
                         sizeof *slab->gate))
            slab->gate[slab->gates++] =
                (SlabGate){.node = node->rank, .priority = (uint8_t)p, .open = open};
        else
            machine_starve(slab->machine);
    }
}

/* ---- life ------------------------------------------------------------------------ */

/* Gives slab `index` its share of the nodes, in whole words of the wheel, so that no
 * two threads write one word. */
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
    slab->env.machine = slab;
    slab->env.stretches = node_stretches_new();
    slab->env.send = send;
    if (!machine->rts)
        slab->env.room = room;
    slab->env.host_read = host_read;
    slab->env.host_write = host_write;
}

Slabs *slabs_create(JmMachine *machine, unsigned threads, unsigned least) {
    const unsigned most = machine->nodes / least;
    if (threads > most)
        threads = most;
    if (threads < 2)
        return NULL;
    Slabs *slabs =
        aligned_alloc(NODE_LINE_BYTES, sizeof *slabs + threads * sizeof slabs->slab[0]);
    Team *team = slabs ? team_create(threads) : NULL;
    if (!team) {
        free(slabs);
        return NULL;
    }
    slabs->machine = machine;
    slabs->team = team;
    slabs->count = team_members(slabs->team);
    bool whole = true;
    for (unsigned i = 0; i < slabs->count; i++) {
        cut(slabs, i);
        whole &= slabs->slab[i].env.stretches != NULL;
    }
    if (whole)
        return slabs;
    slabs_destroy(slabs);
    return NULL;
}

void slabs_destroy(Slabs *slabs) {
    if (!slabs)
        return;
    team_destroy(slabs->team);
    for (unsigned i = 0; i < slabs->count; i++) {
        free(slabs->slab[i].call);
        free(slabs->slab[i].gate);
        free(slabs->slab[i].env.stretches);
    }
    free(slabs);
}

/* ---- the two parts of a cycle ---------------------------------------------------- */

/* Does one member's part of the nodes. */
static void run_slab(void *context, unsigned member) {
    Slabs *slabs = context;
    Slab *slab = &slabs->slab[member];
    slab->env.now = slabs->machine->now;
    machine_run_slab(slabs->machine, slab, slabs->until);
}

/* Does one member's part of the words. */
static void deliver_slab(void *context, unsigned member) {
    Slabs *slabs = context;
    netif_deliver_slab(slabs->machine, &slabs->slab[member]);
}

/* Does the part of every slab, with the team if it pays, else in this thread. */
static void work(Slabs *slabs, TeamWork *part, bool together) {
    if (together) {
        team_work(slabs->team, part, slabs);
        return;
    }
    for (unsigned i = 0; i < slabs->count; i++)
        part(slabs, i);
}

/* Does the recorded calls of a slab's nodes, in order. */
static void do_calls(JmMachine *machine, Slab *slab) {
    for (size_t i = 0; i < slab->calls; i++) {
        const SlabCall *call = &slab->call[i];
        Node *node = &machine->node[call->node];
        if (call->address)
            hostpage_write(machine, node, call->address, call->send.word[0]);
        else
            netif_take(machine, node, &call->send);
    }
    slab->calls = 0;
}

/* Does the remaining work of slab after slab: so the order is that of ranks. */
static void join(Slabs *slabs) {
    JmMachine *machine = slabs->machine;
    for (unsigned i = 0; i < slabs->count; i++) {
        Slab *slab = &slabs->slab[i];
        do_calls(machine, slab);
        for (size_t g = 0; g < slab->gates; g++)
            netif_set_gate(machine, slab->gate[g].node, slab->gate[g].priority,
                           slab->gate[g].open);
        slab->gates = 0;
        machine->wheel.awake += (uint32_t)slab->woken;
        machine->halt_seen |= slab->halted;
        if (slab->alarm < machine->alarms.next)
            machine->alarms.next = slab->alarm;
        slab->woken = 0;
        slab->halted = false;
        slab->alarm = NO_ALARM;
    }
}

void slabs_run(Slabs *slabs, uint64_t until) {
    JmMachine *machine = slabs->machine;
    const unsigned due = wheel_take(&machine->wheel, machine->now);
    if (due == 0)
        return;
    slabs->until = until;
    work(slabs, run_slab, due >= SLAB_DUE * slabs->count);
    join(slabs);
}

void slabs_deliver(Slabs *slabs) {
    const size_t words = netif_words_delivered(slabs->machine);
    if (words == 0)
        return;
    work(slabs, deliver_slab, words >= SLAB_WORDS * slabs->count);
    join(slabs);
}
