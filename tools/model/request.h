/* Command lines, whose options may be settings of a model (tools/exp/plan), and their
 * results. For `jm model` and `jm net`. */
#ifndef JM_TOOLS_MODEL_REQUEST_H
#define JM_TOOLS_MODEL_REQUEST_H

#include <jansson.h>

#include "emu/core/outfile.h"
#include "tools/exp/models/solve.h"
#include "tools/model/options.h"

/* Exit status for a point without a solution. */
enum { EXIT_UNSOLVED = 3 };

/* PART_chapter3_SLOW and the like. */
typedef enum {
#define PART(command, id, ...) PART_##command##_##id,
#include "tools/model/models.def"
    PARTS
} ModelPart;

/* A command line. */
typedef struct {
    const char *command; /* "jm model amva" */
    unsigned options;
    ModelOption option[OPTION_ROWS_MAX];
    const char *given[OPTION_ROWS_MAX]; /* by option: its argument, "" of a flag; NULL:
                                         * not given */
    Settings settings;
    Result *part[PARTS]; /* of the answer; NULL: not solved */
} ModelRequest;

/* Parses argv[1..] by the options of `command` (options.def). Errors call it `title`,
 * "jm model amva". False and `error` for anything else. */
bool model_parse(ModelRequest *request, const char *command, const char *title,
                 int argc, char **argv, JmError *error);
/* The same, and answers --help: prints `usage`, a line for each option, and `notes`.
 * False: the command has ended with `*status`. */
bool model_begin(ModelRequest *request, const char *command, const char *title,
                 const char *usage, const char *notes, int argc, char **argv,
                 int *status);
/* Sets the defaults of a model, and what is given of its settings. False if a setting
 * is given by two options. */
bool model_settle(ModelRequest *request, const char *model, JmError *error);
/* Prints a line for each option, folded. */
void model_help(const ModelRequest *request);

/* Returns what is given for a setting, or an option that gives none; NULL: nothing. */
const char *model_given(const ModelRequest *request, const char *name);
/* Refuses a command line without these options, whose names are separated by |. */
bool model_need(const ModelRequest *request, const char *options, JmError *error);
/* Refuses options, whose settings are separated by |, that need another one. */
bool model_refuse(const ModelRequest *request, const char *settings, const char *needed,
                  JmError *error);
/* Returns a whole number that is given, or `standard`. */
unsigned model_count(const ModelRequest *request, const char *option,
                     unsigned standard);
/* Returns the place of the given word among those of the option; 0: none is given. */
unsigned model_place(const ModelRequest *request, const char *option);

/* Whether the file of --json can be written. */
bool model_check_json(const ModelRequest *request, JmError *error);
/* Whether none of the options in a list that | separates is given as "-", so that
 * standard output is for text. */
bool model_has_text(const ModelRequest *request, const char *files);
/* Writes `root` to the file of --json, if any, and drops it. Signals are held from then
 * on (tools/host/outputs.h). */
bool model_put_json(const ModelRequest *request, json_t *root, JmError *error);
/* Writes `root` to an open file, closes that, and drops `root`. */
bool model_commit_json(JmOutFile *file, json_t *root, JmError *error);

/* Reports how a request ended, drops its answer, and returns the exit status. */
int model_end(ModelRequest *request, bool good, const JmError *error);

#endif
