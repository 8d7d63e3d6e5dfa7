/* The subcommands of jm. `argv[0]` is the name of the subcommand; the functions return
 * the exit status of the program. */
#ifndef JM_TOOLS_COMMANDS_H
#define JM_TOOLS_COMMANDS_H

/* Exit statuses of `jm run` beside those of programs, 0 to 125: 126 at a limit of
 * cycles, 127 if nodes stopped. */
enum { EXIT_USAGE = 2, EXIT_LIMIT = 126, EXIT_STOPPED = 127 };

#define COMMAND(name, text) int command_##name(int argc, char **argv);
#include "tools/jm/commands.def"
#undef COMMAND

#endif
