/* Spilling: rows of queue 0 that find no room go to a ring of the node's interface,
 * outside the address space, and come back in order as soon as there is room
 * (spill_mark, spill_cycles). The processor is not involved. */
#ifndef JM_MACHINE_SPILL_H
#define JM_MACHINE_SPILL_H

#include "emu/machine/link/interface.h"

/* The ring of a node, and the one port through which rows go out and in. */
typedef struct {
    ArrivedRow *row; /* ring of `capacity` rows, a power of two, or NULL */
    uint32_t first;  /* the oldest row */
    uint32_t count, capacity;
    bool reading;     /* the port is bringing the oldest row back */
    uint64_t read;    /* the row arrives in this cycle */
    uint64_t busy;    /* the port is busy until this cycle, also with a row going out */
    uint64_t spilled; /* words spilled, in whole rows */
    uint32_t peak;    /* most words ever held */
} Spill;

extern const InterfaceUnit interface_spills;

/* Returns the ring of a node of a machine that spills. */
static inline Spill *spill_of(const JmMachine *machine, unsigned node) {
    return (Spill *)machine->units + node;
}

#endif
