/* A machine as the command line wants it: program loaded, words set; or a saved one. */
#ifndef JM_TOOLS_SETUP_H
#define JM_TOOLS_SETUP_H

#include "emu/jm.h"
#include "tools/jm/options/options.h"

/* NULL and a message if something is wrong. */
JmMachine *setup_machine(const RunOptions *options, JmError *error);

/* Finds what is to be dumped; false if there is no such node or word. */
bool setup_dumps(const JmMachine *machine, RunOptions *options, JmError *error);

#endif
