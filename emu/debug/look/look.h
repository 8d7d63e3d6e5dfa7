/* Shared by the files of emu/debug/look, which only show and change nothing. */
#ifndef JM_DEBUG_LOOK_LOOK_H
#define JM_DEBUG_LOOK_LOOK_H

#include "emu/debug/past/past.h"
#include "emu/debug/talk/commands.h"

struct Track;

/* Prints `count` words of code with their places, from `address` on. */
void say_code_words(JmDebug *d, uint32_t address, int64_t count);
/* Prints which message started a task, when it came, and who sent it. */
void say_origin(JmDebug *d, const struct Track *track);

#endif
