/* Spilling: rows of queue 0 that find no room go to a ring of the node's interface,
 * outside the address space, and come back in order as soon as there is room
 * (spill_mark, spill_cycles). The processor is not involved. */
#ifndef JM_MACHINE_SPILL_H
#define JM_MACHINE_SPILL_H

#include "emu/machine/machine.h"

/* A row in the ring. */
typedef struct {
    NodeRow row;
    uint32_t sender; /* rank + 1 if the row begins a message, else 0 */
    uint32_t behind; /* rows of its message before it */
    uint64_t came;   /* the cycle after it arrived */
} SpillRow;

/* The ring of a node, and the one port through which rows go out and in. */
typedef struct Spill {
    SpillRow *row;  /* ring of `capacity` rows, a power of two, or NULL */
    uint32_t first; /* the oldest row */
    uint32_t count, capacity;
    bool reading;     /* the port is bringing the oldest row back */
    uint64_t read;    /* the row arrives in this cycle */
    uint64_t busy;    /* the port is busy until this cycle, also with a row going out */
    uint64_t spilled; /* words spilled, in whole rows */
    uint32_t peak;    /* most words ever held */
} Spill;

/* The rings of all nodes; NULL if there is no memory. */
Spill *spill_create(unsigned nodes);
void spill_destroy(Spill *spills, unsigned nodes); /* NULL is ignored */

/* Takes a row that has arrived in this cycle if it must go to the ring; false: it
 * belongs in the queue. Threads may do this for different nodes. */
bool spill_takes(JmMachine *machine, Node *node, const SpillRow *row);
/* The cycle of the port's next action, or NO_ALARM. */
uint64_t spill_alarm(const JmMachine *machine, const Node *node);
/* Lets the port act at the start of this cycle. */
void spill_answer(JmMachine *machine, Node *node);
void spill_archive(Archive *archive, JmMachine *machine);

#endif
