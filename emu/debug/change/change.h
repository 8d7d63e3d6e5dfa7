/* Changes made by hand, for emu/debug/change. */
#ifndef JM_DEBUG_CHANGE_CHANGE_H
#define JM_DEBUG_CHANGE_CHANGE_H

#include "emu/debug/past/past.h"
#include "emu/debug/talk/commands.h"

/* Takes "= EXPRESSION" up to the end of the line, as a word. False and a message. */
bool take_new_word(Args *args, JmWord *word);

#endif
