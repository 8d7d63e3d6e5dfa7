/* A recorded run of a small machine: its events, the values of a register, and the
 * state of any cycle. For the test of time travel. */
#ifndef JM_TESTS_DEBUG_RECORDED_H
#define JM_TESTS_DEBUG_RECORDED_H

#include <stddef.h>
#include <stdint.h>

#include "emu/machine/machine.h"
#include "tests/emu/rig.h"

enum {
    CYCLES = 45000,
    MOMENTS = 2 * (CYCLES + 1),
    NODES = 8,
    EVERY = 1000, /* cycles between checkpoints of the recorded run */
    MEMORY_USED = 0x1100,
    STOPS_MAX = 6,
    SPIED = 1, /* the node whose R1 of background is watched */
};

typedef struct {
    Rig *rig; /* for states; its position in the run does not matter */
    JmCheckpoint *past[CYCLES / EVERY + 1];
    uint8_t boundary[CYCLES + 1]; /* bit by node */
    JmWord spied[CYCLES + 1];     /* the watched register at the start of the cycle */
    JmEvent *events;
    size_t count, capacity;
    uint64_t cached_cycle, cached_state;
} Record;

/* A hash of all state of a machine; equal for equal states. */
uint64_t state_of(const JmMachine *machine);
uint64_t recorded_state(Record *r, uint64_t cycle);
/* A machine at its start, like the recorded one. */
Rig *new_machine(void);
Record *record_run(void);
void record_free(Record *r);

#endif
