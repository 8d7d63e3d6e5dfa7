/* The words of a message that have been sent and not yet handed over to their node: a
 * ring, for the network holds only so many. A cache line while they are few. */
#ifndef JM_MACHINE_MESSAGE_H
#define JM_MACHINE_MESSAGE_H

#include "emu/core/archive.h"
#include "emu/jm.h"
#include "emu/node/place.h"

enum { MESSAGE_FEW_WORDS = 4 };

typedef struct {
    uint32_t sent, delivered;
    uint32_t capacity; /* power of two; at first MESSAGE_FEW_WORDS */
    uint32_t source;   /* rank of its sender */
    uint32_t promised; /* words, by its header; 0: it has none, or has ended */
    uint32_t handler;  /* address, by its header */
    JmWord *more;      /* NULL: they are in `few` */
    JmWord few[MESSAGE_FEW_WORDS];
} Message;

static inline Message message_new(void) {
    return (Message){.capacity = MESSAGE_FEW_WORDS};
}

void message_free(Message *message);
/* The words that are there; loading adds them to a message that has none. */
void message_archive(Archive *archive, Message *message);
/* Counts a message of a node if its header says another length than was sent, at its
 * end; keeps the first of them. `place` is that of its last SEND, as in NodeSend. */
void message_note_length(const Message *message, const Node *node, unsigned priority,
                         uint64_t cycle, uint32_t place, JmWrongLength *wrong);
/* Doubles the room. False if there is no memory. */
bool message_enlarge(Message *message);

/* Where the word with a number lies. */
static inline JmWord *message_word(Message *message, uint32_t number) {
    JmWord *words = message->more ? message->more : message->few;
    return &words[number & (message->capacity - 1)];
}

/* False, and the word is lost, if there is no memory. */
static inline bool message_append(Message *message, JmWord word) {
    if (message->sent - message->delivered == message->capacity &&
        !message_enlarge(message))
        return false;
    *message_word(message, message->sent++) = word;
    return true;
}

#endif
