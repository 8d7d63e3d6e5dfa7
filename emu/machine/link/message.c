/* The ring that holds the words of one message. */
#include "emu/machine/link/message.h"

void message_enlarge(Message *message, Heap *heap) {
    const uint32_t capacity = message->capacity * 2;
    JmWord *words = heap_alloc(heap, capacity * sizeof *words);
    for (uint32_t i = message->delivered; i != message->sent; i++)
        words[i & (capacity - 1)] = *message_word(message, i);
    heap_free(message->more);
    message->more = words;
    message->capacity = capacity;
}

/* The first wrong length is recorded; later ones are only counted. */
void message_note_length(const Message *message, const Node *node, unsigned priority,
                         uint64_t cycle, uint32_t place, JmWrongLength *wrong) {
    if (!message->promised || message->promised == message->sent || wrong->count++)
        return;
    if (place == NODE_PLACE_BEHIND)
        place = node_place_behind(node);
    *wrong = (JmWrongLength){.count = 1,
                             .cycle = cycle,
                             .node = node->rank,
                             .priority = priority,
                             .address = place / 2,
                             .low = place % 2,
                             .handler = message->handler,
                             .header_words = message->promised,
                             .sent_words = message->sent};
}

/* The length and handler from the header matter only until the message ends. The
 * position of the words in the ring is not saved: the words' numbers determine it. */
void message_archive(Archive *archive, Message *message, Heap *heap, bool open) {
    uint32_t count = message->sent - message->delivered;
    uint32_t promised = open ? message->promised : 0;
    uint32_t handler = open ? message->handler : 0;
    jm_archive_u32(archive, &promised, JM_LENGTH_MASK);
    jm_archive_u32(archive, &handler, JM_ADDRESS_MASK);
    message->promised = (uint16_t)promised;
    message->handler = handler;
    jm_archive_count(archive, &count);
    for (uint32_t i = 0; i < count && archive_good(archive); i++) {
        JmWord word = JM_NIL;
        if (archive->saving)
            word = *message_word(message, message->delivered + i);
        jm_archive_word(archive, &word);
        if (!archive->saving)
            message_append(message, heap, word);
    }
}
