/* The words of a message that have been sent but not yet delivered. They are a ring,
 * because the network holds only so many, and share one cache line with the other
 * fields while they are few. */
#ifndef JM_MACHINE_MESSAGE_H
#define JM_MACHINE_MESSAGE_H

#include "emu/core/archive.h"
#include "emu/core/heap.h"
#include "emu/jm.h"
#include "emu/node/place.h"

enum { MESSAGE_FEW_WORDS = 4 }; /* as many as a row of a queue */

/* The origin of a message: a task, or a return-to-sender unit (rts). */
typedef enum { MESSAGE_DATA, MESSAGE_ACK, MESSAGE_RETURN } MessageKind;

/* A message in the network. Word k of it lies at k modulo `capacity`. */
typedef struct {
    uint32_t sent, delivered; /* words sent and delivered */
    uint32_t capacity;        /* words that the ring holds: a power of two */
    uint32_t handler;         /* the handler's address from its header */
    uint16_t source;          /* rank of the sender */
    uint16_t promised;        /* length from its header; 0: no header yet */
    uint16_t reserved;        /* words of the sender's return memory (rts) */
    uint8_t kind;             /* MessageKind */
    JmWord *more;             /* NULL: the words are in `few` */
    JmWord few[MESSAGE_FEW_WORDS];
} Message;

static inline Message message_new(void) {
    return (Message){.capacity = MESSAGE_FEW_WORDS};
}

/* Begins a message under a reused number; only the ring is kept. */
static inline void message_begin(Message *message, uint32_t source, MessageKind kind,
                                 uint32_t reserved) {
    message->sent = message->delivered = message->handler = 0;
    message->source = (uint16_t)source;
    message->promised = 0;
    message->reserved = (uint16_t)reserved;
    message->kind = (uint8_t)kind;
}

/* Saves the undelivered words, or appends loaded ones to an empty message, whose ring
 * is in `heap`. `open`: it has not ended. */
void message_archive(Archive *archive, Message *message, Heap *heap, bool open);
/* Called when a message ends. Counts it if its header gives a length other than the
 * words sent, and records the first such message. `place` is that of its last SEND, as
 * in NodeSend. */
void message_note_length(const Message *message, const Node *node, unsigned priority,
                         uint64_t cycle, uint32_t place, JmWrongLength *wrong);
/* Doubles the capacity of a ring in `heap`. */
void message_enlarge(Message *message, Heap *heap);

/* Returns the address of a word by number; it must still be undelivered. */
static inline JmWord *message_word(Message *message, uint32_t number) {
    JmWord *words = message->more ? message->more : message->few;
    return &words[number & (message->capacity - 1)];
}

/* Returns the address of `count` words from `number` on, all of one row of a queue.
 * Rows do not wrap, as the ring is a multiple of their size. */
static inline const JmWord *message_words(Message *message, uint32_t number,
                                          unsigned count) {
    JM_HOT_ASSERT(number % MESSAGE_FEW_WORDS + count <= MESSAGE_FEW_WORDS);
    (void)count;
    return message_word(message, number);
}

/* Appends a word to a message whose ring is in `heap`. */
static inline void message_append(Message *message, Heap *heap, JmWord word) {
    if (message->sent - message->delivered == message->capacity)
        message_enlarge(message, heap);
    *message_word(message, message->sent++) = word;
}

/* Appends words, for which there is room. */
static inline void message_fill(Message *message, const JmWord *words, uint32_t count) {
    JmWord *ring = message->more ? message->more : message->few;
    const uint32_t mask = message->capacity - 1, sent = message->sent;
    for (uint32_t i = 0; i < count; i++)
        ring[(sent + i) & mask] = words[i];
    message->sent = sent + count;
}

#endif
