/* The models of `jm model`. */
#ifndef JM_TOOLS_MODEL_H
#define JM_TOOLS_MODEL_H

#include "tools/model/request.h"

/* The models, which solve a request and give the results. */
#define MODEL(name, ...) bool model_##name(ModelRequest *request, JmError *error);
#include "tools/model/models.def"
#undef MODEL

/* Runs a model of models.def; returns the exit status. */
int model_run(const char *name, int argc, char **argv);

#endif
