/* Looking at the machine. For emu/debug. */
#ifndef JM_DEBUG_LOOK_LOOK_H
#define JM_DEBUG_LOOK_LOOK_H

#include "emu/debug/commands.h"
#include "emu/debug/past/past.h"

struct Track;

/* Words of code with their places, from `address` on. */
void say_code_words(JmDebug *d, uint32_t address, int64_t count);
/* Says what started a task: which message, when it came, who sent it. */
void say_origin(JmDebug *d, const struct Track *track);

#endif
