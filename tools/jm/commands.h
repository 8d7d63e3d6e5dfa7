/* The subcommands of jm. `argv[0]` is the name of the subcommand; the functions return
 * the exit status of the program. */
#ifndef JM_TOOLS_COMMANDS_H
#define JM_TOOLS_COMMANDS_H

#define COMMAND(name, arguments, text) int command_##name(int argc, char **argv);
#include "tools/jm/commands.def"
#undef COMMAND

#endif
