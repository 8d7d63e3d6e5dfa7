/* The command `jm model`: the list of models, and which of them is asked for. */
#include "tools/model/model.h"

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
