/* Commands that have commands of their own: `jm net run`, `jm model amva`. */
#ifndef JM_HOST_COMMANDS_H
#define JM_HOST_COMMANDS_H

#include "tools/host/frame.h"

/* A command. A table of them ends with a row without a name. */
typedef struct {
    const char *name;
    const char *text;   /* what it does */
    const char *source; /* where that was published; may be NULL */
    int (*run)(int argc, char **argv);
} CommandRow;

/* Runs the command that argv[1] names, which finds its own name in argv[0], and returns
 * its status. If there is no such command, names the nearest or all on stderr and
 * returns FRAME_BAD_USAGE. `tool` begins the message; `kind` says what the rows are
 * ("command"). */
int command_choose(const CommandRow *rows, const char *tool, const char *kind, int argc,
                   char **argv);

#endif
