/* The command `jm model`: lists the models, or runs the requested one. */
#include "tools/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/host/word_list.h"
#include "tools/jm/commands.h"

/* ---- the models ------------------------------------------------------------------ */

/* A row of models.def. */
typedef struct {
    const char *name, *title, *setting, *needed, *more;
    bool (*solve)(ModelRequest *request, JmError *error);
} Model;

static const Model models[] = {
#define MODEL(name, setting, needed, text, source, more)                               \
    {#name, "jm model " #name, setting, needed, more, model_##name},
#include "tools/model/models.def"
};

static void print_help(const Model *model, const ModelRequest *request) {
    printf("Usage: %s", model->title);
    for (unsigned i = 0; i < request->options; i++) {
        const OptionRow *row = &request->option[i].row;
        if (word_list_has(model->needed, '|', row->name))
            printf(" --%s %s", row->name, row->argument);
    }
    printf(" [OPTION]...\n%s\n", model->more);
    model_help(request);
}

int model_run(const char *name, int argc, char **argv) {
    const Model *model = models;
    ModelRequest request;
    JmError error;
    while (strcmp(model->name, name) != 0)
        model++;
    if (!model_parse(&request, name, model->title, argc, argv, &error))
        return model_end(&request, false, &error);
    if (model_given(&request, "help")) {
        print_help(model, &request);
        return EXIT_SUCCESS;
    }
    const bool good = model_need(&request, model->needed, &error) &&
                      model_settle(&request, model->setting, &error) &&
                      model->solve(&request, &error);
    return model_end(&request, good, &error);
}

/* ---- `jm model` ------------------------------------------------------------------ */

static int run(int argc, char **argv) {
    return model_run(argv[0], argc, argv);
}

static int run_list(int argc, char **argv);

static const CommandRow commands[] = {
#define MODEL(name, setting, needed, text, source, more) {#name, text, source, run},
#include "tools/model/models.def"
    {"list", "lists the models", NULL, run_list},
    {0},
};

static void list(void) {
    for (const CommandRow *m = commands; m->source; m++)
        printf("%-9s %s (%s)\n", m->name, m->text, m->source);
}

static int help(void) {
    puts("Usage: jm model MODEL [OPTION]...\n"
         "       jm model list\n"
         "Solves an analytic model of the machine. There are:\n");
    list();
    puts("\njm model MODEL --help describes a model.\n"
         "Exit status: 0, 2 for bad usage or results that were not written, 3 for a "
         "point\nwithout a solution, 128 + n if signal n interrupted it.");
    return EXIT_SUCCESS;
}

static int run_list(int argc, char **argv) {
    const int status = frame_plain("jm model list", help, 0, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    list();
    return EXIT_SUCCESS;
}

int command_model(int argc, char **argv) {
    host_end_by_signals();
    return outputs_status(
        command_choose(commands, "jm model", "model", help, argc, argv), EXIT_USAGE);
}
