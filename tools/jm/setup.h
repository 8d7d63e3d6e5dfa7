/* Makes a machine as the options ask: with the program loaded and words set, or
 * restored. */
#ifndef JM_TOOLS_SETUP_H
#define JM_TOOLS_SETUP_H

#include "emu/jm.h"
#include "tools/jm/options/options.h"

/* Returns the machine; NULL and an error on failure. */
JmMachine *setup_machine(const RunOptions *options, JmError *error);

/* Resolves the symbols of --dump; false and an error if there is no such node or word.
 */
bool setup_dumps(const JmMachine *machine, RunOptions *options, JmError *error);

#endif
