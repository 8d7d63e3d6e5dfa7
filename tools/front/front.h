/* Machines as `jm run` makes them, for languages that call C: what libjm.so has beside
 * emu/jm.h. The Python package (tools/python) stands on it.
 *
 * Options are those of `jm run`, as words. Where a call fails, `*error` gets a text in
 * lines without the last newline, with the messages of the assembler and the linker
 * first; the caller frees it with jm_front_free(). Want of memory is such an error.
 * Calls in different threads do not meet. */
#ifndef JM_TOOLS_FRONT_FRONT_H
#define JM_TOOLS_FRONT_FRONT_H

#include "emu/jm.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name of the `index`-th option that a machine or its program takes, such
 * as "queue", and whether it takes an argument; NULL after the last. */
const char *jm_front_option(unsigned index, bool *argument);

/* Makes a machine without a program from options. NULL and an error. The words must
 * live as long as the machine. */
JmMachine *jm_front_create(int argc, char **argv, char **error);
/* Loads a program, as `jm run` does: an image, or a source, which is assembled and
 * linked with the kernel; sets the sizes of queues and the words that the options name.
 * False and an error. */
bool jm_front_load(JmMachine *machine, const char *path, int argc, char **argv,
                   char **error);
/* Makes a machine that continues from a saved one. NULL and an error. */
JmMachine *jm_front_restore(const char *path, char **error);
/* Saves a machine (jm_save()). False and an error. */
bool jm_front_save(const JmMachine *machine, const char *path, char **error);

/* Returns the statistics of a run that has ended so: the text of `jm run --stats`. NULL
 * and an error. The caller frees it. */
char *jm_front_statistics(const JmMachine *machine, JmStop stop, char **error);
/* Returns the rows of jm_explain() as lines. NULL and an error. The caller frees it. */
char *jm_front_explain(const JmMachine *machine, char **error);

/* Reads `count` words of a node from `address` on; false if they are not in memory. */
bool jm_front_words(const JmMachine *machine, unsigned node, uint32_t address,
                    uint32_t count, uint64_t *words);
/* Sets a figure of each node, by rank: a key of "nodes" in the statistics; NaN where it
 * is not a number. False if there is no such key, or no memory. */
bool jm_front_nodes(const JmMachine *machine, const char *key, double *values);

void jm_front_free(void *text); /* NULL is ignored */

#ifdef __cplusplus
}
#endif

#endif
