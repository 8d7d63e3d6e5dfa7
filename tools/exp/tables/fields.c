/* Fields and rows of CSV files: see fields.h. */
#include "tools/exp/tables/fields.h"
#include "tools/host/memory.h"

#include <math.h>
#include <stdlib.h>

void fields_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, "%.10g", value);
}

void fields_put(FILE *out, double value) {
    putc(',', out);
    fields_number(out, value);
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

bool fields_open(JmOutFile *file, const char *folder, const char *name,
                 const char *suffix, JmError *error) {
    char *journal = memory_text("%s/" JOURNAL_NAME, folder);
    char *path = memory_text("%s/%s%s", folder, name, suffix);
    JmInputs inputs = {0};
    jm_inputs_add(&inputs, journal);
    const bool good = jm_outfile_open(file, path, &inputs, error);
    jm_inputs_free(&inputs);
    free(journal);
    free(path);
    return good;
}

bool fields_json(json_t *root, size_t flags, const char *folder, const char *name,
                 JmError *error) {
    JmOutFile file;
    bool good = fields_open(&file, folder, name, ".json", error);
    if (good) {
        json_dumpf(root, file.stream, JSON_INDENT(1) | flags);
        fputc('\n', file.stream);
        good = jm_outfile_commit(&file, error);
    }
    json_decref(root);
    return good;
}
