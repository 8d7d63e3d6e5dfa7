/* The words of a message that have been sent and not yet handed over to their node.
 * They are a ring, because the network holds only so many, and fill one cache line with
 * the rest while they are few. */
#ifndef JM_MACHINE_MESSAGE_H
#define JM_MACHINE_MESSAGE_H

#include "emu/core/archive.h"
#include "emu/jm.h"
#include "emu/node/place.h"

enum { MESSAGE_FEW_WORDS = 4 }; /* as many as a row of a queue */

/* Whose message it is: a task's, or one that a unit of return to sender makes (rts). */
typedef enum { MESSAGE_DATA, MESSAGE_ACK, MESSAGE_RETURN } MessageKind;

/* A message in the network. Word k of it lies at k modulo `capacity`. */
typedef struct {
    uint32_t sent, delivered; /* words that were sent and handed over */
    uint32_t capacity;        /* words that the ring holds: a power of two */
    uint32_t handler;         /* handler's address by its header */
    uint16_t source;          /* rank of the sender */
    uint16_t promised;        /* length by its header; 0: it has none, or has ended */
    uint16_t reserved;        /* words of the sender's return memory (rts) */
    uint8_t kind;             /* MessageKind */
    JmWord *more;             /* NULL: they are in `few` */
    JmWord few[MESSAGE_FEW_WORDS];
} Message;

static inline Message message_new(void) {
    return (Message){.capacity = MESSAGE_FEW_WORDS};
}

/* Begins a message under a number that has been another's: only its ring stays. */
static inline void message_begin(Message *message, uint32_t source, MessageKind kind,
                                 uint32_t reserved) {
    message->sent = message->delivered = message->handler = 0;
    message->source = (uint16_t)source;
    message->promised = 0;
    message->reserved = (uint16_t)reserved;
    message->kind = (uint8_t)kind;
}

/* Frees the ring. */
void message_free(Message *message);
/* Saves the words that are there, or appends loaded ones to a message that has none. */
void message_archive(Archive *archive, Message *message);
/* Counts a message whose header says another length than was sent, when it ends, and
 * keeps the first of them. `place` is that of its last SEND, as in NodeSend. */
void message_note_length(const Message *message, const Node *node, unsigned priority,
                         uint64_t cycle, uint32_t place, JmWrongLength *wrong);
/* Doubles the room. False: no memory, and nothing has changed. */
bool message_enlarge(Message *message);

/* Returns where the word with a number lies; it must be one of those that are there. */
static inline JmWord *message_word(Message *message, uint32_t number) {
    JmWord *words = message->more ? message->more : message->few;
    return &words[number & (message->capacity - 1)];
}

/* Returns where `count` words lie from `number` on, all of one row of a queue. Rows do
 * not wrap, as the ring is a multiple of their size. */
static inline const JmWord *message_words(Message *message, uint32_t number,
                                          unsigned count) {
    JM_HOT_ASSERT(number % MESSAGE_FEW_WORDS + count <= MESSAGE_FEW_WORDS);
    (void)count;
    return message_word(message, number);
}

/* Appends a word. False: no memory, and the word is lost. */
static inline bool message_append(Message *message, JmWord word) {
    if (message->sent - message->delivered == message->capacity &&
        !message_enlarge(message))
        return false;
    *message_word(message, message->sent++) = word;
    return true;
}

#endif
