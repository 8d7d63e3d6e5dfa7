/* The functions of all commands and lists, each in the room of its subject. For
 * emu/debug. */
#ifndef JM_DEBUG_TALK_COMMANDS_H
#define JM_DEBUG_TALK_COMMANDS_H

#include "emu/debug/talk/talk.h"

#define COMMAND(name, abbreviation, function, ...) CommandFunction function;
#define INFO(name, function, text) InfoFunction function;
#include "emu/debug/commands.def"
#undef COMMAND

#endif
