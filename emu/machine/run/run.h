/* Running a machine: functions for the files of this room, the loaders of programs, and
 * emu/debug. */
#ifndef JM_MACHINE_RUN_RUN_H
#define JM_MACHINE_RUN_RUN_H

#include "emu/machine/machine.h"

/* ---- outside.c: between two runs ------------------------------------------------- */

/* Watches a machine, in place of an observer; NULL ends the watch. `watch` stays the
 * caller's and may change between runs; call this again after a change. False: no
 * memory, and there is no watch. */
bool machine_watch(JmMachine *machine, const MachineWatch *watch);
/* Must be called after a change of a node from outside: wakes it and recomputes all
 * that may follow from the change. A stopped machine can continue. */
void machine_touch(JmMachine *machine, unsigned node);
/* Starts a node that has never been started. */
void machine_start(JmMachine *machine, unsigned node);

/* ---- cycle.c --------------------------------------------------------------------- */

/* Makes slabs for at most `threads` threads, so that each has `least` nodes or more.
 * NULL if that is one slab, or without memory: the machine then runs with one
 * thread. */
Slabs *slabs_create(JmMachine *machine, unsigned threads, unsigned least);
void slabs_destroy(Slabs *slabs); /* NULL is ignored */

/* ---- send.c: from nodes to the network ------------------------------------------- */

/* Implements NodeEnv.send for one thread. */
NodeSendResult netif_send(void *machine, Node *node, unsigned priority,
                          const JmWord *words, unsigned count, bool opens, bool end);
/* Implements NodeEnv.room for one thread. */
unsigned netif_room(void *machine, const Node *node, unsigned priority,
                    const JmWord *routing);
/* Whether the words of a SEND would be taken: the first half of netif_send(). */
NodeSendResult netif_can_send(const JmMachine *machine, const Node *node,
                              unsigned priority, const JmWord *words, unsigned count,
                              bool opens);
/* Takes the words of a SEND that netif_can_send() has accepted. If memory runs out the
 * machine is starved. */
void netif_take(JmMachine *machine, const Node *node, const NodeSend *send);

/* ---- netif_state.c --------------------------------------------------------------- */

/* Saves the network and the messages in transit. As net_save(). */
void netif_save(const JmMachine *machine, Archive *archive);
/* Restores them. As net_restore(), which explains `trusted`. */
bool netif_restore(JmMachine *machine, Archive *archive, bool trusted);

#endif
