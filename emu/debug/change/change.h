/* Changes by hand, which are made again on the way through time. For emu/debug. */
#ifndef JM_DEBUG_CHANGE_CHANGE_H
#define JM_DEBUG_CHANGE_CHANGE_H

#include "emu/debug/commands.h"
#include "emu/debug/past/past.h"

/* "= EXPRESSION" to the end of the line, as a word. */
bool take_new_word(Args *args, JmWord *word);

#endif
