/* Shared by tests of the network interface: a task that sends messages to a node that
 * does not read them. */
#ifndef TESTS_EMU_SENDING_H
#define TESTS_EMU_SENDING_H

#include "tests/emu/rig.h"

enum { BASE0 = 0x800, BASE1 = 0xC00 };

/* Programs begin so: a task of priority 0 on node 0, which the test puts into its
 * queue, sends `count` messages of 6 words for `handler` to node 1. What follows is in
 * .data. */
#define SENDING(handler, count)                                                        \
    "        handle_faults\n"                                                          \
    "        peek 0xFFF0E,r1\n"                                                        \
    "        bnz r1,^wait\n"                                                           \
    "        move false,r0\n"                                                          \
    "        move r0,i\n"                                                              \
    "wait:   rest\n"                                                                   \
    "        .text\n"                                                                  \
    "task:   peek count,r3\n"                                                          \
    "        move 1,r2\n"                                                              \
    "more:   bz r3,^ended\n"                                                           \
    "        .msg " handler ",6\n"                                                     \
    "        send2 r2,r0,0\n"                                                          \
    "        send2 11,r3,0\n"                                                          \
    "        send2 12,r3,0\n"                                                          \
    "        sende 13,0\n"                                                             \
    "        sub r3,1,r3\n"                                                            \
    "        br ^more\n"                                                               \
    "ended:  rest\n"                                                                   \
    "        .data\n"                                                                  \
    "count:  .word INT:" count "\n"

/* A task of priority 0 on node 0 sends `count` messages of 6 words to node 1, where
 * nobody reads them, and never ends: so its queue keeps what the test put into it. */
extern const char sender[];

/* Gives a node a queue of `mask` + 1 words with `words` of them in use. */
void set_queue(Rig *rig, unsigned node, JmContext priority, uint32_t mask,
               uint32_t words);
/* Puts the task of `sender` at the head of node 0's queue, which has `words` in use. */
void start(Rig *rig, int count, uint32_t words);
/* Takes the message at the head of node 1's queue out, which has 32 words. Returns the
 * number that it carries; 0: there is none. */
int take_message(Rig *rig);

#endif
