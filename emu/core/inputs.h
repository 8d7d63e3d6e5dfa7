/* The register of files that a piece of work has read. The opener of outputs
 * (outfile.h) asks it, so that no output takes the place of an input, whoever named
 * that: a command line, an .include, a script, a table of lines. Anyone may include
 * this header. */
#ifndef JM_CORE_INPUTS_H
#define JM_CORE_INPUTS_H

#include <stdbool.h>

#include "emu/core/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A register; {0} is an empty one. */
typedef struct {
    char **paths;
    unsigned count, capacity;
    bool starved; /* memory ran out: some file is missing, so no output is safe */
} JmInputs;

/* Adds a file; "-" is standard input. NULL as `inputs` or `path` is ignored. Returns
 * false if there is no memory; jm_inputs_spared() then refuses every output. */
bool jm_inputs_add(JmInputs *inputs, const char *path);
/* Whether an output at `path` would leave all files of the register alone. Returns
 * false and fills `error` if it would replace one of them. Only regular files are ever
 * replaced. NULL is an empty register. */
bool jm_inputs_spared(const JmInputs *inputs, const char *path, JmError *error);
/* Empties a register. */
void jm_inputs_free(JmInputs *inputs);

#ifdef __cplusplus
}
#endif

#endif
