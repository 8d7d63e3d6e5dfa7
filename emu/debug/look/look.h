/* What a file of `look` takes from another. For emu/debug. */
#ifndef JM_DEBUG_LOOK_H
#define JM_DEBUG_LOOK_H

#include "emu/debug/past/past.h"
#include "emu/debug/past/track.h"
#include "emu/debug/talk/names.h"

/* What is before the head of a message in flight. */
typedef enum {
    HEAD_ARRIVING,
    HEAD_FREE,   /* the next channel is free, or its own */
    HEAD_QUEUE,  /* a closed queue */
    HEAD_WIRE,   /* a blocked wire */
    HEAD_HELD,   /* a channel that another message holds */
    HEAD_BEHIND, /* another message in the same channel */
    HEAD_UNSENT, /* it is in the output buffer, or not all of it is */
    HEADS
} Head;
/* Counts the messages in flight by their heads. */
void count_heads(JmDebug *d, uint32_t counts[HEADS]);

#endif
