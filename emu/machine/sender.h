/* Remembers which node sent each message in a queue, for reports of what went wrong: a
 * message does not carry its sender. For netif.c. */
#ifndef JM_MACHINE_SENDER_H
#define JM_MACHINE_SENDER_H

#include "emu/core/archive.h"
#include "emu/node/node.h"

enum { SENDER_ROWS = 1024 / NODE_ROW_WORDS }; /* of the longest queue */

/* Senders by the rows of a queue: rank + 1 of the node that sent the message beginning
 * there, 0 where none begins. A message that a program puts there itself, as an
 * overflow handler may, has no sender. */
typedef struct {
    uint32_t of_row[SENDER_ROWS];
} Senders;

/* Returns the entry of the row that begins `offset` words behind the head of a
 * queue. */
static inline uint32_t *sender_of(Senders *senders, const Priority *queue,
                                  uint32_t offset) {
    const uint32_t place = jm_field20(queue->qhl) + offset;
    return &senders->of_row[(place & jm_field10(queue->qbm)) / NODE_ROW_WORDS];
}

/* Ages of messages by the rows of a queue: the cycle in which the message that begins
 * there was complete, 0 while it is not. A message that a program puts there has the
 * age of the network's last one in that row. */
typedef struct {
    uint64_t of_row[SENDER_ROWS];
} Ages;

static inline uint64_t *age_of(Ages *ages, const Priority *queue, uint32_t offset) {
    const uint32_t place = jm_field20(queue->qhl) + offset;
    return &ages->of_row[(place & jm_field10(queue->qbm)) / NODE_ROW_WORDS];
}

/* Saves or loads the entry of each row. */
void age_archive(Archive *archive, Ages *ages, uint64_t now);

/* Saves or loads an entry for each row that has a sender. */
void sender_archive(Archive *archive, Senders *senders, uint32_t nodes);

#endif
