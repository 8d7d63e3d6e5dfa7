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
    const char *name, *setting, *needed, *more;
    const OptionSet *options;
    bool (*solve)(ModelRequest *request, JmError *error);
} Model;

static const Model models[] = {
#define MODEL(name, in_net, setting, needed, text, source, more)                       \
    {#name, setting, needed, more, &model_##name##_options, model_##name},
#include "tools/model/models.def"
};

enum { HEAD_MAX = 1024 };

/* Writes what stands above the options in --help. */
static const char *write_head(const Model *model, char head[HEAD_MAX]) {
    const OptionSet *options = model->options;
    size_t used = (size_t)snprintf(head, HEAD_MAX, "Usage: %s", options->command);
    for (int i = 0; i < options->count; i++)
        if (word_list_has(model->needed, '|', options->rows[i].name))
            used += (size_t)snprintf(head + used, HEAD_MAX - used, " --%s %s",
                                     options->rows[i].name, options->rows[i].argument);
    snprintf(head + used, HEAD_MAX - used, " [OPTION]...\n%s", model->more);
    return head;
}

int model_run(const char *name, int argc, char **argv) {
    const Model *model = models;
    JmError error;
    char head[HEAD_MAX];
    while (strcmp(model->name, name) != 0)
        model++;
    ModelRequest request = {.options = model->options, .seed = 1};
    const Frame frame = {.options = *model->options,
                         .column = MODEL_COLUMN,
                         .head = write_head(model, head)};
    const int status = frame_options(&frame, argc, argv, &request);
    if (status != FRAME_GO_ON)
        return status;
    const bool good =
        option_need(request.options, request.asked.given, model->needed, &error) &&
        model_settle(&request, model->setting, &error) &&
        model->solve(&request, &error);
    return model_end(&request, good, &error);
}

/* ---- `jm model` ------------------------------------------------------------------ */

static int run(int argc, char **argv) {
    return model_run(argv[0], argc, argv);
}

static int list(int argc, char **argv);

static const CommandRow commands[] = {
#define MODEL(name, in_net, setting, needed, text, source, more)                       \
    {#name, text, source, run},
#include "tools/model/models.def"
    {"list", NULL, NULL, list},
    {0},
};

static const CommandSet set = {
    .tool = "jm model",
    .kind = "model",
    .rows = commands,
    .column = 10,
    .head = "Usage: jm model MODEL [OPTION]...\n"
            "       jm model list\n"
            "Solves an analytic model of the machine. There are:\n",
    .foot = "jm model MODEL --help describes a model.\n"
            "Exit status: 0, 2 for bad usage or results that were not written, 3 for a "
            "point\nwithout a solution, 128 + n if signal n interrupted it.",
};

static int help(void) {
    return commands_help(stdout, &set);
}

static int list(int argc, char **argv) {
    const int status = frame_plain("jm model list", help, 0, argc, argv);
    if (status != FRAME_GO_ON)
        return status;
    commands_print(stdout, &set);
    return EXIT_SUCCESS;
}

int command_model(int argc, char **argv) {
    host_end_by_signals();
    return outputs_status(command_choose(&set, argc, argv), EXIT_USAGE);
}
