/* Running a machine: functions for the files of this room, the loaders of programs, and
 * emu/debug. */
#ifndef JM_MACHINE_RUN_RUN_H
#define JM_MACHINE_RUN_RUN_H

#include "emu/machine/machine.h"

/* ---- outside.c: between two runs ------------------------------------------------- */

/* Watches a machine, in place of an observer; NULL ends the watch. `watch` stays the
 * caller's and may change between runs; call this again after a change. */
void machine_watch(JmMachine *machine, const MachineWatch *watch);
/* Must be called after a change of a node from outside: wakes it and recomputes all
 * that may follow from the change. A stopped machine can continue. */
void machine_touch(JmMachine *machine, unsigned node);
/* Starts a node that has never been started. */
void machine_start(JmMachine *machine, unsigned node);

/* ---- cycle.c --------------------------------------------------------------------- */

/* Makes slabs, in a heap of their own, for at most `threads` threads, so that each has
 * `least` nodes or more. NULL if that is one slab, or without memory: the machine then
 * runs with one thread. */
Slabs *slabs_create(JmMachine *machine, unsigned threads, unsigned least);
void slabs_destroy(Slabs *slabs); /* NULL is ignored */

#endif
