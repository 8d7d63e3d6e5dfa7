/* A workload that fills queues, with the kernel, whose handler empties those that are
 * full. In bursts, messages of two lengths and both priorities hop around, half of them
 * to node 1, until the network is empty. */
#ifndef TESTS_EMU_JAM_H
#define TESTS_EMU_JAM_H

#include "tests/emu/rig.h"

/* Starts it on a mesh whose sizes are powers of two, with queues of 32 words.
 * NULL if there is no such machine. */
Rig *jam_open(const JmConfig *config);
/* Sets a word of the program or the kernel on all nodes: jam_count, the messages that
 * each node starts in a burst, kernel_queue0, kernel_queue1. */
void jam_set(Rig *rig, const char *symbol, int32_t value);

#endif
