/* Return to sender (rts; thesis 6.2.3): a message of priority 0 that finds no room at
 * its destination travels back at priority 1 and is sent again; an accepted one is
 * acknowledged. The sender reserves room for messages that may come back.
 *
 * The structures are for rts.c and rts_unit.c alone. */
#ifndef JM_MACHINE_RTS_H
#define JM_MACHINE_RTS_H

#include "emu/machine/link/interface.h"
#include "emu/machine/link/netif.h"

extern const InterfaceUnit interface_returns;

/* A message held by a unit. */
typedef struct {
    uint8_t kind;      /* MessageKind, as it will be sent */
    uint32_t to;       /* rank of its destination */
    uint32_t reserved; /* words of the sender's return memory */
    uint64_t due;      /* not to be sent before this cycle */
    JmWord *word;      /* NULL: `words` NILs */
    uint32_t words;
    size_t capacity;
} Parcel;

typedef struct {
    Parcel *parcel; /* oldest first */
    size_t count, capacity;
} Parcels;

typedef struct {
    uint32_t reserved; /* words of the return memory in use */
    uint32_t peak;     /* maximum of `reserved` */
    bool holds;        /* a routing word waits for its header */
    JmWord held;       /* the waiting routing word */
    bool turns;        /* `turning` is arriving, or waits for priority 1 */
    Parcel turning;
    Parcel coming; /* the return that is arriving */
    Parcels acks;
    Parcels again;       /* returned messages, to be sent again */
    bool sends[2];       /* by priority: the unit has a message open */
    Parcel sending[2];   /* the open message */
    uint32_t offered[2]; /* words of it offered so far */
    uint32_t message[2]; /* its number in the network */
    uint64_t acks_sent, acks_in, returns_sent, returns_in, resent;
} Unit;

typedef struct {
    uint64_t returned;  /* messages returned by all units */
    uint64_t last;      /* cycle of the last return */
    uint64_t looked;    /* `returned` at the last check */
    uint64_t looked_at; /* cycle of that check */
    uint64_t since;     /* `returned` when the bouncing began: a check found a
                           SUSPEND */
    uint64_t since_at;  /* cycle of that check */
    uint64_t suspends;  /* cycles of SUSPENDs found by it, over all nodes */
    bool fresh;         /* a message was returned in this cycle */
    Unit unit[];
} Rts;

static inline Rts *rts_of(const JmMachine *machine) {
    return machine->units;
}

static inline Unit *rts_unit(const JmMachine *machine, unsigned node) {
    return &rts_of(machine)->unit[node];
}

/* Implement InterfaceUnit.create and archive. */
void rts_create(JmMachine *machine);
void rts_archive(Archive *archive, JmMachine *machine, uint32_t numbers);
/* Returns the words held by a node's unit, including a routing word that waits for its
 * header. */
uint32_t rts_words_kept(const JmMachine *machine, const Node *node);
/* Appends a word to a parcel in `heap`. */
void rts_add_word(Parcel *parcel, Heap *heap, JmWord word);
/* Appends a parcel to a list in `heap`; its words then belong to the list. */
void rts_add_parcel(Parcels *parcels, Heap *heap, const Parcel *parcel);

#endif
