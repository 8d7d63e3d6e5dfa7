/* What tests of the network interface have in common: a task that sends messages to a
 * node where nobody reads them. */
#ifndef TESTS_EMU_SENDING_H
#define TESTS_EMU_SENDING_H

#include "tests/emu/rig.h"

enum { BASE0 = 0x800, BASE1 = 0xC00, NOBODY = 0x444 };

/* A task of priority 0 on node 0 sends `count` messages of 6 words to node 1, where
 * nobody reads them, and never ends: so its queue keeps what the test put into it. */
extern const char sender[];

typedef struct {
    const char *name;
    uint64_t value;
} Setting;

#define SETTINGS(...)                                                                  \
    (const Setting[]) {                                                                \
        __VA_ARGS__, {                                                                 \
            NULL, 0                                                                    \
        }                                                                              \
    }

/* Nodes in a row with the settings up to one without a name. */
Rig *rig_set(unsigned x, const char *source, const Setting *settings);
/* Gives a node a queue of `mask` + 1 words with `words` of them in use. */
void set_queue(Rig *rig, unsigned node, JmContext priority, uint32_t mask,
               uint32_t words);
/* Puts the task of `sender` at the head of node 0's queue, which has `words` in use. */
void start(Rig *rig, int count, uint32_t words);

#endif
