/* The register of files that a piece of work has read. The opener of outputs
 * (outfile.h) consults it, so that no output replaces an input, however that was named:
 * on a command line, in an .include, a script, a table of lines. Anyone may include
 * this header. */
#ifndef JM_CORE_INPUTS_H
#define JM_CORE_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A register; {0} is an empty one. */
typedef struct {
    char **paths;
    unsigned count;
    size_t capacity;
    bool starved; /* memory ran out: a file may be missing, so no output is safe */
} JmInputs;

/* Adds a file; "-" is standard input. NULL as `inputs` or `path` is ignored. Returns
 * false if there is no memory; jm_inputs_spared() then refuses every output. */
bool jm_inputs_add(JmInputs *inputs, const char *path);
/* Whether an output at `path` would leave all files of the register intact. Returns
 * false and fills `error` if it would replace one of them. Only regular files are ever
 * replaced. NULL is an empty register. */
bool jm_inputs_spared(const JmInputs *inputs, const char *path, JmError *error);
/* Empties a register. */
void jm_inputs_free(JmInputs *inputs);

#ifdef __cplusplus
}
#endif

#endif
