/* Fields and rows of CSV files: see fields.h. */
#include "tools/exp/tables/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fields_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, "%.10g", value);
}

void fields_end_row(FILE *out, const Plan *plan, const Settings *settings,
                    bool has_main) {
    for (unsigned i = 0; i < plan->swept.count; i++) {
        const char *name = plan->swept.name[i];
        const char *text = settings ? settings_text(settings, name) : name;
        if (!has_main || !settings_is_main(name))
            fprintf(out, ",%s", text ? text : "");
    }
    putc('\n', out);
}

/* Returns `folder`/`name``suffix`, malloc'ed. */
static char *path_of(const char *folder, const char *name, const char *suffix) {
    const size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, suffix);
    return path;
}

bool fields_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error) {
    char *journal = path_of(folder, JOURNAL_NAME, "");
    char *path = path_of(folder, name, suffix);
    JmInputs inputs = {0};
    jm_inputs_add(&inputs, journal);
    const bool enough = (journal && path) || jm_fail(error, name, "no memory");
    const bool good = enough && jm_outfile_open(file, path, &inputs, error);
    jm_inputs_free(&inputs);
    free(journal);
    free(path);
    return good;
}
