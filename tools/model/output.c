/* The JSON output of the models. */
#include <stdio.h>

#include "tools/host/outputs.h"
#include "tools/model/model.h"

bool model_commit_json(JmOutFile *file, json_t *root, JmError *error) {
    if (!root) {
        jm_outfile_drop(file);
        return jm_fail(error, "jm", "no memory for the result");
    }
    json_dumpf(root, file->stream, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    putc('\n', file->stream);
    json_decref(root);
    return jm_outfile_commit(file, error);
}

bool model_write_json(const char *path, json_t *root, JmError *error) {
    JmOutFile file;
    if (outputs_open(&(Output){&file, path}, 1, NULL, error))
        return model_commit_json(&file, root, error);
    json_decref(root);
    return false;
}
