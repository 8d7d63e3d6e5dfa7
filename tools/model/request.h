/* Command lines of models, whose options may be settings (tools/exp/plan), and their
 * results. For `jm model` and `jm net`. */
#ifndef JM_TOOLS_MODEL_REQUEST_H
#define JM_TOOLS_MODEL_REQUEST_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "tools/exp/models/solve.h"
#include "tools/host/frame.h"
#include "tools/model/options.h"

/* Exit status for a point without a solution. */
enum { EXIT_UNSOLVED = 3 };

/* Of --help, where the texts of options begin. */
enum { MODEL_COLUMN = 26 };

/* PART_chapter3_SLOW and the like. */
typedef enum {
#define PART(command, id, ...) PART_##command##_##id,
#include "tools/model/models.def"
    PARTS
} ModelPart;

/* A command line. */
typedef struct {
    FrameAsked asked;
    const OptionSet *options;
    Settings settings;
    const char *json, *map; /* files; NULL: not wanted */
    uint32_t seed;
    bool quiet;
    Result *part[PARTS]; /* of the answer; NULL: not solved */
} ModelRequest;

/* Sets the defaults of a model, and what is given of its settings. False if a setting
 * is given by two options. */
bool model_settle(ModelRequest *request, const char *model, JmError *error);
/* Whether an option is given. */
bool model_given(const ModelRequest *request, const char *option);
/* Refuses options, separated by |, that need another one. */
bool model_refuse(const ModelRequest *request, const char *options, const char *needed,
                  JmError *error);

/* Writes `root` to the file of --json, if any, and drops it. Signals are held from then
 * on (tools/host/outputs.h). */
bool model_put_json(const ModelRequest *request, json_t *root, JmError *error);
/* Writes `root` to an open file, closes that, and drops `root`. */
bool model_commit_json(JmOutFile *file, json_t *root, JmError *error);

/* Reports how a request ended, drops its answer, and returns the exit status. */
int model_end(ModelRequest *request, bool good, const JmError *error);

#endif
