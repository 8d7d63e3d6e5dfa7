/* The commands of `jm model`. `argv[0]` is the name of the command; the functions
 * return the exit status. */
#ifndef JM_TOOLS_MODEL_H
#define JM_TOOLS_MODEL_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "emu/core/status.h"

/* Exit status for a point without a solution. */
enum { EXIT_UNSOLVED = 3 };

#define MODEL(name, text, source) int model_##name(int argc, char **argv);
#include "tools/model/models.def"
#undef MODEL

/* Writes `root` to a file or, "-", to standard output, and drops it. Signals are held
 * from then on (tools/host/outputs.h). */
bool model_write_json(const char *path, json_t *root, JmError *error);
/* Writes `root` to an open file, closes that, and drops `root`. */
bool model_commit_json(JmOutFile *file, json_t *root, JmError *error);

#endif
