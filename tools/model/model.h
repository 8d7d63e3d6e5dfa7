/* The models of `jm model`, and their answers (models.def). */
#ifndef JM_TOOLS_MODEL_H
#define JM_TOOLS_MODEL_H

#include "tools/model/request.h"

/* The models, which solve a request and give the results, and their options, which are
 * taken into the request. */
#define MODEL(name, ...)                                                               \
    bool model_##name(ModelRequest *request, JmError *error);                          \
    extern const OptionSet model_##name##_options;
#include "tools/model/models.def"

/* The options of a model, from the arrays of option_table.def. */
#define MODEL_OPTIONS(title)                                                           \
    {                                                                                  \
        .command = title, OPTION_TABLE, .alone = true,                                 \
        .settings = &model_option_settings                                             \
    }

/* Runs a model of models.def; returns the exit status. */
int model_run(const char *name, int argc, char **argv);

/* Solves the parts of a command's answer. `progress` may be NULL. False and `error` for
 * settings that do not fit together. */
bool model_answer(ModelRequest *request, const char *command, ModelProgress *progress,
                  void *context, JmError *error);
/* Sets the keys of --json in an object, and returns it. */
json_t *model_json(const ModelRequest *request, json_t *root);
/* Prints a line for each figure of a part that has a unit. */
void model_print_measures(const Result *result, ModelPart part);
/* Checks, answers, prints and writes a request without more than that. */
bool model_give(ModelRequest *request, const char *command,
                void (*print)(const ModelRequest *request), JmError *error);

#endif
