#include "emu/machine/message.h"

#include <stdlib.h>

void message_free(Message *message) {
    free(message->more);
}

void message_enlarge(Message *message) {
    const uint32_t capacity = message->capacity * 2;
    JmWord *words = malloc(capacity * sizeof *words);
    if (!words)
        abort(); /* out of memory: nothing sensible can go on */
    for (uint32_t i = message->delivered; i != message->sent; i++)
        words[i & (capacity - 1)] = *message_word(message, i);
    free(message->more);
    message->more = words;
    message->capacity = capacity;
}
