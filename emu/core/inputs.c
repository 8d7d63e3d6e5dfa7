/* The register of files that were read; see inputs.h. */
#include "emu/core/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/core/grow.h"

static bool is_known(const JmInputs *inputs, const char *path) {
    for (unsigned i = 0; i < inputs->count; i++)
        if (strcmp(inputs->paths[i], path) == 0)
            return true;
    return false;
}

bool jm_inputs_add(JmInputs *inputs, const char *path) {
    if (!inputs || !path)
        return true;
    if (strcmp(path, "-") == 0)
        path = "/dev/stdin"; /* whatever the shell has redirected it to */
    if (is_known(inputs, path))
        return true;
    const bool room = jm_grow(&inputs->paths, inputs->count, &inputs->capacity,
                              sizeof *inputs->paths);
    char *copy = room ? strdup(path) : NULL;
    if (copy)
        inputs->paths[inputs->count++] = copy;
    inputs->starved |= !copy;
    return copy;
}

/* Files are compared by identity, since a file may have many names. */
bool jm_inputs_spared(const JmInputs *inputs, const char *path, JmError *error) {
    struct stat output, input;
    if (!inputs || strcmp(path, "-") == 0 || stat(path, &output) != 0 ||
        !S_ISREG(output.st_mode))
        return true;
    if (inputs->starved)
        return jm_fail_memory(error, path, "out of memory");
    for (unsigned i = 0; i < inputs->count; i++)
        if (stat(inputs->paths[i], &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            return jm_fail(error, path, "this file is an input, and would be lost");
    return true;
}

void jm_inputs_free(JmInputs *inputs) {
    for (unsigned i = 0; i < inputs->count; i++)
        free(inputs->paths[i]);
    free(inputs->paths);
    *inputs = (JmInputs){0};
}
