/* The commands of `jm net`. `argv[0]` is the name of the command; the functions return
 * the exit status. */
#ifndef JM_TOOLS_NET_NET_H
#define JM_TOOLS_NET_NET_H

#include "net/traffic/load.h"

#define COMMAND(name, arguments, text) int net_command_##name(int argc, char **argv);
#include "tools/net/commands.def"
#undef COMMAND

/* trace=FILE, which jm net run takes as a workload: no abstract processors. */
extern const NetWorkload net_trace_workload;

/* The exit status of a run that did not settle. */
enum { NET_EXIT_UNSETTLED = 3 };

/* Sets the parameters that the topology asks for, then those of --param, separated by
 * commas, if `text` is not NULL. */
bool net_parameters_set(NetLoad *load, const char *text, const char *command,
                        JmError *error);

#endif
