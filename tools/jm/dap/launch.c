/* The machine from the attributes of `launch`, which are the options of `jm debug`:
 *
 *     "mesh": "4x1x1"           --mesh 4x1x1
 *     "keepGoing": true         --keep-going
 *     "set": {"total": 5}       --set total=5 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/suggest.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/host/word_list.h"
#include "tools/jm/dap/dap.h"
#include "tools/jm/setup.h"

/* ---- attributes ------------------------------------------------------------------ */

/* Whether an option is an attribute: those of `jm debug` are, but help and version. */
static bool is_attribute(const OptionRow *row) {
    return row->group != OPTION_GROUP_OUTPUT && strcmp(row->name, "help") != 0 &&
           strcmp(row->name, "version") != 0;
}

/* Attributes of the adapter's own. */
static const char *const own_attributes[] = {"program", "cwd", "stopOnEntry"};
/* Attributes of the protocol and of editors, which are not ours to judge. */
static const char foreign_attributes[] =
    "name type request noDebug preLaunchTask presentation debugServer postDebugTask "
    "serverReadyAction internalConsoleOptions suppressMultipleSessionWarning";

/* Whether an attribute is not an option. */
static bool is_no_option(const char *name) {
    for (size_t i = 0; i < sizeof own_attributes / sizeof *own_attributes; i++)
        if (strcmp(own_attributes[i], name) == 0)
            return true;
    return word_list_has(foreign_attributes, ' ', name) || strncmp(name, "__", 2) == 0;
}

static bool unknown_attribute(Dap *dap, const char *name) {
    char names[OPTION_ROWS_MAX][OPTION_ATTRIBUTE];
    JmSuggestion suggestion = jm_suggest_start(name);
    for (unsigned i = 0; options_row(i); i++)
        if (is_attribute(options_row(i)))
            jm_suggest_consider(&suggestion,
                                option_attribute(options_row(i), names[i]));
    for (size_t i = 0; i < sizeof own_attributes / sizeof *own_attributes; i++)
        jm_suggest_consider(&suggestion, own_attributes[i]);
    return dap_fail(dap, "launch has no attribute '%s'%s", name,
                    jm_suggest_text(&suggestion, "", ""));
}

/* A command line being made. */
typedef struct {
    char **argv;
    int argc;
} Line;

static void add(Line *line, char *argument) {
    line->argv = memory_more(line->argv, (size_t)line->argc + 1, sizeof *line->argv);
    line->argv[line->argc++] = argument;
    line->argv[line->argc] = NULL;
}

static void add_option(Line *line, const OptionRow *row, const char *before,
                       const char *value) {
    add(line, memory_text("--%s", row->name));
    add(line, memory_text("%s%s%s", before, *before ? "=" : "", value));
}

/* Adds an option with a text or a number as its value. */
static bool add_value(Dap *dap, Line *line, const OptionRow *row, const char *before,
                      const json_t *value) {
    char digits[32];
    if (json_is_integer(value))
        snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT,
                 json_integer_value(value));
    else if (!json_is_string(value))
        return dap_fail(dap, "launch: '%s': a text or an integer expected", row->name);
    add_option(line, row, before,
               json_is_string(value) ? json_string_value(value) : digits);
    return true;
}

static bool add_many(Dap *dap, Line *line, const OptionRow *row, json_t *values) {
    const char *name;
    json_t *value;
    if (!json_is_object(values))
        return dap_fail(dap, "launch: '%s': an object of names and values expected",
                        row->name);
    json_object_foreach (values, name, value)
        if (!add_value(dap, line, row, name, value))
            return false;
    return true;
}

/* Adds the option of an attribute. */
static bool add_attribute(Dap *dap, Line *line, const OptionRow *row, json_t *value) {
    if (option_sets_many(row))
        return add_many(dap, line, row, value);
    if (row->argument)
        return add_value(dap, line, row, "", value);
    if (!json_is_boolean(value))
        return dap_fail(dap, "launch: '%s': true or false expected", row->name);
    if (json_is_true(value))
        add(line, memory_text("--%s", row->name));
    return true;
}

static const OptionRow *find_option(const char *name) {
    char own[OPTION_ATTRIBUTE];
    const OptionRow *row;
    for (unsigned i = 0; (row = options_row(i)); i++)
        if (is_attribute(row) && strcmp(option_attribute(row, own), name) == 0)
            return row;
    return NULL;
}

static bool add_attributes(Dap *dap, Line *line) {
    const char *name;
    json_t *value;
    json_object_foreach (dap->launch, name, value) {
        const OptionRow *row = find_option(name);
        if (row ? !add_attribute(dap, line, row, value)
                : !is_no_option(name) && !unknown_attribute(dap, name))
            return false;
    }
    return true;
}

/* ---- what is written to standard error ------------------------------------------- */

/* Standard error, kept in a file for a while. */
typedef struct {
    FILE *file;
    int original;
} Kept;

static Kept keep_errors(void) {
    Kept kept = {.file = tmpfile(), .original = dup(STDERR_FILENO)};
    if (kept.file && kept.original >= 0)
        dup2(fileno(kept.file), STDERR_FILENO);
    return kept;
}

/* Shows text written to standard error in the editor's console. */
static void show_errors(Dap *dap, Kept kept) {
    char text[4096];
    size_t length;
    fflush(stderr);
    if (kept.original >= 0) {
        dup2(kept.original, STDERR_FILENO);
        close(kept.original);
    }
    if (!kept.file)
        return;
    rewind(kept.file);
    while ((length = fread(text, 1, sizeof text, kept.file)) > 0)
        dap_output(dap, "stderr", text, length);
    fclose(kept.file);
}

/* ---- the machine ----------------------------------------------------------------- */

static bool fail_with(Dap *dap, const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    if (strncmp(error->file, "jm ", 3) == 0) /* the command, and no file */
        return dap_fail(dap, "launch: %s", error->text + strspn(error->text, "-"));
    return dap_fail(dap, "%s", jm_error_format(error, text, sizeof text));
}

static bool make_machine(Dap *dap, int argc, JmError *error) {
    if (!options_parse(&dap->options, NULL, NULL, argc, dap->argv, error))
        return false;
    dap->options.command = "jm dap";
    dap->machine = setup_machine(&dap->options, error);
    if (dap->machine && !setup_can_start(dap->machine, &dap->options))
        fprintf(stderr, "jm dap: warning: " SETUP_NO_START "\n");
    return dap->machine != NULL;
}

/* Takes the adapter's own attributes, and goes to the folder that they name. */
static bool take_own(Dap *dap, const char **program) {
    const char *folder = NULL;
    bool no_debug = false;
    *program = NULL;
    dap->stop_on_entry = false;
    if (!may_text(dap, dap->launch, "program", program) ||
        !may_text(dap, dap->launch, "cwd", &folder) ||
        !may_truth(dap, dap->launch, "stopOnEntry", &dap->stop_on_entry) ||
        !may_truth(dap, dap->launch, "noDebug", &no_debug))
        return false;
    dap->debugs = !no_debug;
    if (chdir(dap->folder) != 0 || (folder && chdir(folder) != 0))
        return dap_fail(dap, "launch: cwd '%s': %s", folder ? folder : dap->folder,
                        strerror(errno));
    if (!*program && !json_object_get(dap->launch, "restore"))
        return dap_fail(dap, "launch: 'program' is missing");
    if (*program && strcmp(*program, "-") == 0)
        return dap_fail(dap, "launch: standard input belongs to the editor");
    return true;
}

bool launch_machine(Dap *dap) {
    Line line = {NULL, 0};
    const char *program;
    JmError error;
    if (!take_own(dap, &program))
        return false;
    add(&line, memory_text("jm dap"));
    const bool good = add_attributes(dap, &line);
    if (program) {
        add(&line, memory_text("--"));
        add(&line, memory_text("%s", program));
    }
    dap->argv = line.argv;
    if (!good)
        return false;
    const Kept kept = keep_errors();
    const bool made = make_machine(dap, line.argc, &error);
    show_errors(dap, kept);
    if (!made)
        return fail_with(dap, &error);
    const JmDebugHost host = dap_host(dap);
    dap->debug = jm_debug_create(dap->machine, &host);
    if (!dap->debug)
        host_no_memory();
    dap->ended = dap->terminated = false;
    dap->arrivals = dap->changes = 0;
    return true;
}

void launch_end(Dap *dap) {
    jm_debug_destroy(dap->debug);
    jm_destroy(dap->machine);
    options_free(&dap->options);
    for (char **argument = dap->argv; argument && *argument; argument++)
        free(*argument);
    free(dap->argv);
    dap->debug = NULL;
    dap->machine = NULL;
    dap->argv = NULL;
    memset(&dap->options, 0, sizeof dap->options);
}

/* ---- requests -------------------------------------------------------------------- */

/* What the adapter can do, in the words of the protocol. */
static const char *const capabilities[] = {"supportsConfigurationDoneRequest",
                                           "supportsFunctionBreakpoints",
                                           "supportsConditionalBreakpoints",
                                           "supportsHitConditionalBreakpoints",
                                           "supportsEvaluateForHovers",
                                           "supportsStepBack",
                                           "supportsSetVariable",
                                           "supportsRestartRequest",
                                           "supportsGotoTargetsRequest",
                                           "supportsCompletionsRequest",
                                           "supportsExceptionInfoRequest",
                                           "supportsTerminateRequest",
                                           "supportsDelayedStackTraceLoading",
                                           "supportsLoadedSourcesRequest",
                                           "supportsLogPoints",
                                           "supportsSetExpression",
                                           "supportsDataBreakpoints",
                                           "supportsDataBreakpointBytes",
                                           "supportsReadMemoryRequest",
                                           "supportsWriteMemoryRequest",
                                           "supportsDisassembleRequest",
                                           "supportsCancelRequest",
                                           "supportsBreakpointLocationsRequest",
                                           "supportsSteppingGranularity",
                                           "supportsInstructionBreakpoints",
                                           "supportsExceptionFilterOptions"};

static bool take_counting(Dap *dap, const json_t *arguments) {
    bool lines = true, columns = true;
    const char *format = "path";
    if (!may_truth(dap, arguments, "linesStartAt1", &lines) ||
        !may_truth(dap, arguments, "columnsStartAt1", &columns) ||
        !may_text(dap, arguments, "pathFormat", &format) ||
        !may_truth(dap, arguments, "supportsProgressReporting", &dap->shows_progress) ||
        !may_truth(dap, arguments, "supportsInvalidatedEvent", &dap->invalidates) ||
        !may_truth(dap, arguments, "supportsMemoryEvent", &dap->follows_memory))
        return false;
    dap->lines_from_0 = !lines;
    dap->columns_from_0 = !columns;
    return strcmp(format, "path") == 0 ||
           dap_fail(dap, "pathFormat '%s': files are named by paths", format);
}

bool request_initialize(Dap *dap, const json_t *arguments) {
    if (!take_counting(dap, arguments))
        return false;
    dap->body = json_object();
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        json_object_set_new(dap->body, capabilities[i], json_true());
    json_object_set_new(dap->body, "completionTriggerCharacters",
                        json_pack("[o,o]", jvalue_text(" "), jvalue_text("$")));
    json_object_set_new(dap->body, "exceptionBreakpointFilters",
                        breakpoints_filters(dap));
    return true;
}

bool request_launch(Dap *dap, const json_t *arguments) {
    if (dap->machine)
        return dap_fail(dap, "a program has been launched already");
    json_decref(dap->launch);
    dap->launch = json_deep_copy(arguments ? arguments : json_null());
    if (launch_machine(dap))
        return true;
    launch_end(dap);
    return false;
}

bool request_attach(Dap *dap, const json_t *arguments) {
    (void)arguments;
    return dap_fail(dap,
                    "a machine lives in the adapter, so there is nothing to attach "
                    "to; use launch, with restore for a saved one");
}

bool request_loadedSources(Dap *dap, const json_t *arguments) {
    json_t *sources = json_array();
    (void)arguments;
    for (unsigned i = 0; jm_source_name(dap->machine, i); i++) {
        json_t *source = place_source(jm_source_name(dap->machine, i));
        if (source)
            json_array_append_new(sources, source);
    }
    return dap_give(dap, json_pack("{s:o}", "sources", sources));
}

bool request_disconnect(Dap *dap, const json_t *arguments) {
    (void)arguments;
    dap->ends = true;
    return true;
}
