/* The state of the units of return to sender (rts.h), and saving it. Only rts.c,
 * rts_unit.c and the test of checkpoints include this header; rts.c explains what units
 * do. */
#ifndef JM_MACHINE_RTS_UNIT_H
#define JM_MACHINE_RTS_UNIT_H

#include "emu/machine/link/netif.h"
#include "emu/machine/link/rts.h"

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

struct Rts {
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
};

static inline Unit *rts_unit(const JmMachine *machine, unsigned node) {
    return &machine->rts->unit[node];
}

/* Implements InterfaceUnit.create. */
void rts_create(JmMachine *machine);
/* Appends a word to a parcel in `heap`. */
void rts_add_word(Parcel *parcel, Heap *heap, JmWord word);
/* Appends a parcel to a list in `heap`; its words then belong to the list. */
void rts_add_parcel(Parcels *parcels, Heap *heap, const Parcel *parcel);

#endif
