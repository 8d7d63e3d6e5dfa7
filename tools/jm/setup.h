/* Makes a machine as the options ask: with the program loaded and words set, or
 * restored. */
#ifndef JM_TOOLS_SETUP_H
#define JM_TOOLS_SETUP_H

#include "emu/jm.h"
#include "tools/jm/options/options.h"

/* The two steps of a new machine. Makes it, without a program; NULL and an error. */
JmMachine *setup_create(const RunOptions *options, JmError *error);
/* Loads the program and sets words; false and an error. */
bool setup_load(JmMachine *machine, const RunOptions *options, JmError *error);

/* Returns the machine; NULL and an error on failure. */
JmMachine *setup_machine(const RunOptions *options, JmError *error);

/* Resolves the symbols of --dump; false and an error if there is no such node or word.
 */
bool setup_dumps(const JmMachine *machine, RunOptions *options, JmError *error);

/* Whether some node has a word other than NIL among the first where execution starts,
 * or is restored: otherwise a run would load one NIL after the other as constants. */
bool setup_can_start(const JmMachine *machine, const RunOptions *options);

/* Whether a word belongs to code: it holds instructions, or is an inline constant that
 * comes from a source line with instructions. Looks at node 0, because the program is
 * the same on all nodes. */
bool setup_is_code(const JmMachine *machine, uint32_t address);

/* The message if there is none. */
#define SETUP_NO_START                                                                 \
    "nothing lies at 01000, where execution starts (a source without --bare gets the " \
    "kernel's boot code, an image if its source uses kernel_boot or kernel_idle)"

#endif
