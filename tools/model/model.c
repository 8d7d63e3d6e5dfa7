/* The command `jm model`: the analytic models, and JSON output that they share. */
#include "tools/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/commands.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/jm/commands.h"

static const CommandRow models[] = {
#define MODEL(name, text, source) {#name, text, source, model_##name},
#include "tools/model/models.def"
#undef MODEL
    {0},
};

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

static void list(void) {
    for (const CommandRow *m = models; m->name; m++)
        printf("%-9s %s (%s)\n", m->name, m->text, m->source);
}

static void help(void) {
    puts("Usage: jm model MODEL [OPTION]...\n"
         "       jm model list\n"
         "Solves an analytic model of the machine. There are:\n");
    list();
    puts("\njm model MODEL --help tells more.\n"
         "Exit status: 0, 2 for bad usage or results that were not written, 3 for a "
         "point\nwithout a solution, 128 + n if signal n interrupted it.");
}

int command_model(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        help();
        return EXIT_SUCCESS;
    }
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return EXIT_SUCCESS;
    }
    host_end_by_signals();
    return outputs_status(
        command_choose(models, "jm model", "model", ", or list", argc, argv),
        EXIT_USAGE);
}
