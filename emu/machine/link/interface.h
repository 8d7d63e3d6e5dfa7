/* What the nodes' network interfaces do by themselves (emu/node/interface.def). For
 * emu/machine. */
#ifndef JM_MACHINE_INTERFACE_H
#define JM_MACHINE_INTERFACE_H

#include "emu/machine/slab.h"
#include "net/net.h"

/* A row of queue 0 that has arrived. */
typedef struct {
    NodeRow row;
    uint32_t sender; /* rank + 1 if the row begins a message, else 0 */
    uint32_t behind; /* rows of its message before it */
    uint64_t came;   /* the cycle after it arrived */
} ArrivedRow;

/* What a SEND gives to the network: its words, after a routing word that an earlier
 * SEND may have named. */
typedef struct {
    bool opens; /* with `routing` in front */
    JmWord routing;
    const JmWord *words;
    unsigned count;
    uint32_t reserved; /* words of return memory for the message that opens */
} Offer;

enum { INTERFACE_UNIT_PLACES = 2 };

/* A unit that interfaces may have besides the brake: the hooks by which machines call
 * it. A machine has at most one kind, JmMachine.unit; the parameters of different kinds
 * exclude each other. A hook may be NULL where a kind has no part. Hooks may allocate
 * in the machine's heap, so they are called by one thread. */
typedef struct InterfaceUnit {
    /* Whether the parameters ask for such a unit. */
    bool (*wanted)(const JmInterface *interface);
    /* Makes the units of all nodes in the machine's heap. */
    void (*create)(JmMachine *machine);
    /* The NODE_SHUT_ bit of a unit that shuts the input of queue 0, and why it does. */
    uint8_t shut_by;
    const char *shut;
    /* Where words of messages can be left at a node at rest: `words` returns how many
     * will not move by themselves, and `text` is printed after "N words". */
    struct {
        const char *text;
        uint32_t (*words)(const JmMachine *machine, const Node *node);
    } place[INTERFACE_UNIT_PLACES];
    /* Returns the words of room that a SEND needs in the output buffer; UINT_MAX: it
     * must wait. NULL: the units send nothing. */
    unsigned (*room_to_send)(const JmMachine *machine, const Node *node,
                             unsigned priority, const JmWord *words, unsigned count,
                             bool opens);
    /* Changes the offer of a SEND that may go; afterwards the offer is empty if it
     * neither opens a message nor has words. NULL if room_to_send() is. */
    void (*offers)(JmMachine *machine, const Node *node, unsigned priority,
                   Offer *offer);
    /* Whether a task has a message open at an end. NULL if room_to_send() is. */
    bool (*task_is_open)(const JmMachine *machine, unsigned node, unsigned priority);
    /* Takes a word that has arrived, unless it is for a queue. */
    bool (*takes_word)(JmMachine *machine, Node *node, const NetDelivery *delivery);
    /* Takes a row of message `number` that has arrived in this cycle, unless it belongs
     * in queue 0. */
    bool (*takes_row)(JmMachine *machine, Node *node, uint32_t number,
                      const ArrivedRow *row);
    /* The cycle of the next action for a node, or NO_ALARM. */
    uint64_t (*alarm)(const JmMachine *machine, const Node *node);
    /* Acts for a node at the start of this cycle. */
    void (*act)(JmMachine *machine, Node *node);
    /* Looks at the machine after all nodes' units have acted in a cycle. */
    void (*look)(JmMachine *machine);
    /* Whether messages move without end, which makes a machine deadlocked; writes how
     * into `how`, if there is room. */
    bool (*livelock)(const JmMachine *machine, char *how, size_t size);
    /* Save or load the units: after the nodes, or after the network, if they hold
     * numbers of messages, which are below `numbers`. */
    void (*archive)(Archive *archive, JmMachine *machine);
    void (*archive_numbered)(Archive *archive, JmMachine *machine, uint32_t numbers);
    void (*statistics)(const JmMachine *machine, unsigned node, JmNodeStatistics *out);
} InterfaceUnit;

/* Whether units send messages of their own, and decide when tasks may. */
static inline bool interface_sends(const JmMachine *machine) {
    return machine->unit && machine->unit->room_to_send;
}

/* Whether messages move without end; InterfaceUnit.livelock. */
static inline bool interface_livelock(const JmMachine *machine, char *how,
                                      size_t size) {
    return machine->unit && machine->unit->livelock &&
           machine->unit->livelock(machine, how, size);
}

/* Makes the units that the configuration asks for. */
void interface_create(JmMachine *machine);
/* Sets the alarm of a node whose queue registers have changed; `next` as in Alarms: the
 * machine's, or that of a slab. */
void interface_note_alarm(JmMachine *machine, const Node *node, uint64_t *next);
/* Updates the network's gates for a node whose queue registers changed. With a slab, by
 * its thread, what is shared is only recorded. */
void interface_update_gates(JmMachine *machine, Slab *slab, Node *node);
/* Handles the alarms of the cycle that begins; there are some. */
void interface_ring(JmMachine *machine);
/* Handles the alarms of the cycle that begins, at no cost while there are none. */
static inline void interface_look(JmMachine *machine) {
    if (__builtin_expect(machine->alarms.next <= machine->now, false))
        interface_ring(machine);
}
/* Sets the alarms that follow from the nodes' state. */
void interface_restore(JmMachine *machine);
/* Reports an action of an interface on `message` at priority 0, or that its input is
 * shut (count 1) or open, if the observer wants events of this kind. */
static inline void interface_observe(const JmMachine *machine, const Node *node,
                                     JmEventKind kind, uint32_t message,
                                     uint32_t count) {
    if (!(machine->observed >> kind & 1))
        return;
    machine->env.observe(machine->env.machine,
                         &(JmEvent){.kind = kind,
                                    .cycle = machine->now,
                                    .node = node->rank,
                                    .context = (JmContext)node->running,
                                    .message = message,
                                    .count = count,
                                    .by_network = true});
}
/* Whether an interface will take an action that can move a flit. */
bool interface_acts(const JmMachine *machine);

#endif
