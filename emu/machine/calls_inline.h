/* Checks that emu/jm.h demands of every call; a violation stops the program. For the
 * functions that jm.h declares. */
#ifndef JM_MACHINE_CALLS_INLINE_H
#define JM_MACHINE_CALLS_INLINE_H

#include <assert.h>

#include "emu/machine/machine.h"

/* A call that reads a machine. */
static inline void call_looks(const JmMachine *machine) {
    assert(machine);
}

/* A call that changes, runs or checkpoints a machine: an observer must not. */
static inline void call_changes(const JmMachine *machine) {
    assert(machine && !machine->running);
}

static inline void call_node(const JmMachine *machine, unsigned node) {
    assert(machine && node < machine->nodes);
}

/* A rank, or JM_ALL_NODES. */
static inline void call_nodes(const JmMachine *machine, int node) {
    assert(machine &&
           (node == JM_ALL_NODES || (node >= 0 && (unsigned)node < machine->nodes)));
}

static inline void call_address(uint32_t address) {
    assert(address <= JM_ADDRESS_MASK);
}

/* A word has a tag of 4 bits. */
static inline void call_word(JmWord word) {
    assert(word.bits <= JM_WORD_MASK);
}

static inline void call_register(JmContext context, JmReg reg) {
    assert(context <= JM_CONTEXT_BACKGROUND && reg < JM_REG_COUNT);
}

#endif
