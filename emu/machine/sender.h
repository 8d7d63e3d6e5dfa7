/* Who sent the messages in a queue. For netif.c. */
#ifndef JM_MACHINE_SENDER_H
#define JM_MACHINE_SENDER_H

#include "emu/core/archive.h"
#include "emu/node/node.h"

enum { SENDER_ROWS = 1024 / NODE_ROW_WORDS };

/* By the rows of a queue: rank + 1 of who sent the message that begins there; 0 where
 * none does. A program that puts messages there itself, as an overflow handler may,
 * tells nobody. */
typedef struct {
    uint32_t of_row[SENDER_ROWS];
} Senders;

/* For the row that begins `offset` words behind the head of a queue. */
static inline uint32_t *sender_of(Senders *senders, const Priority *queue,
                                  uint32_t offset) {
    const uint32_t place = jm_field20(queue->qhl) + offset;
    return &senders->of_row[(place & jm_field10(queue->qbm)) / NODE_ROW_WORDS];
}

void sender_archive(Archive *archive, Senders *senders, uint32_t nodes);

#endif
