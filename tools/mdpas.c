/* mdpas: assembles one source file into an object file. asm_assemble() does the work;
 * this file has the command line, the files and the exit status. Nothing is written if
 * there is an error. The listing is written before the object, so that a new object
 * means that all files are complete. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "emu/core/suggest.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/mdpas/cross.h"
#include "tools/mdpas/depend.h"
#include "tools/mdpas/lsp/lsp.h"

enum { EXIT_SOURCE = 1, TEXT_COLUMN = 26 };

/* The parsed command line. The arrays have as many items as there are arguments; the
 * strings belong to argv. */
typedef struct {
    FrameAsked asked;
    const char *input, *output, *listing, *cross, *log;
    bool serves; /* --lsp */
    const char **dirs, **defines;
    AsmOptions options;
    Depend depend;
    JmInputs inputs; /* files that were read */
} Command;

/* A definition becomes a line of source, so it must be a single line: a name, then
 * nothing or a value. */
static bool is_define(const char *text) {
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '$')
        end++;
    return (isalpha((unsigned char)*text) || *text == '_') &&
           (*end == '\0' || *end == '=') && !strchr(end, '\n');
}

static bool take_define(void *fields, char *argument, JmError *error) {
    Command *command = fields;
    (void)error;
    command->defines[command->options.define_count++] = argument;
    return is_define(argument);
}

/* Takes what -W names: error, a warning, or no- and a warning. */
static bool take_warning(void *fields, char *argument, JmError *error) {
    AsmOptions *options = &((Command *)fields)->options;
    const bool off = strncmp(argument, "no-", 3) == 0;
    const char *name = argument + (off ? 3 : 0);
    if (strcmp(name, "error") == 0) {
        options->strict = !off;
        return true;
    }
    JmSuggestion near = jm_suggest_start(name);
    for (unsigned warning = 0; warning < ASM_WARNING_COUNT; warning++) {
        const char *known = asm_warning_name((AsmWarning)warning);
        const uint32_t bit = UINT32_C(1) << warning;
        jm_suggest_consider(&near, known);
        if (strcmp(known, name) != 0)
            continue;
        options->silent = off ? options->silent | bit : options->silent & ~bit;
        return true;
    }
    return jm_fail(error, "mdpas", "no warning has the name %s%s", JM_SHOWN(name),
                   jm_suggest_text(&near, "", "; the name stands behind the message"));
}

#define OPTIONS "tools/mdpas/options.def"
#define OPTION_FIELDS Command
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = "mdpas", OPTION_TABLE},
    .column = TEXT_COLUMN,
    .head = "usage: mdpas [OPTION]... in.s\n"
            "Assembles MDP source into an object file; '-' is standard input.",
    .foot = "Exit status: 0 done, 1 errors in the source or in writing, 2 bad usage.",
};

/* Gives -MD, -MF, -MT and -MP the dashes of other long names; a value may follow at
 * once, as in -MFfile. */
static void spell_rules(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *option = argv[i];
        if (strncmp(option, "-M", 2) != 0 || !option[2] || !strchr("DFTP", option[2]))
            continue;
        const char *value = option + 3;
        argv[i] = memory_text("--M%c%s%s", option[2], *value ? "=" : "", value);
    }
}

/* Parses the command line; FRAME_GO_ON or the exit status. */
static int parse(int argc, char **argv, Command *command) {
    spell_rules(argc, argv);
    const int status = frame_options(&frame, argc, argv, command);
    if (status != FRAME_GO_ON)
        return status;
    const Depend *depend = &command->depend;
    if ((depend->file || depend->count || depend->phony) && !depend->only &&
        !depend->too)
        return frame_bad_usage(&frame, "-MF, -MT and -MP need -M or -MD", "");
    if (command->log && !command->serves)
        return frame_bad_usage(&frame, "--log needs --lsp", "");
    if (command->serves)
        return optind < argc ? frame_bad_usage(
                                   &frame, "--lsp takes no input file: ", argv[optind])
                             : FRAME_GO_ON;
    if (optind >= argc)
        return frame_bad_usage(&frame, "no input file", "");
    if (optind + 1 < argc)
        return frame_bad_usage(&frame, "more than one input file: ", argv[optind + 1]);
    command->input = argv[optind];
    return FRAME_GO_ON;
}

/* Returns the default name of the output, in.o for in.s in the same folder, malloc'ed.
 * A leading dot is part of the name: ".s" makes ".s.o". */
static char *default_output(const char *input) {
    if (strcmp(input, "-") == 0)
        input = "a.s";
    const char *slash = strrchr(input, '/');
    const char *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    const size_t stem = dot && dot != name ? (size_t)(dot - input) : strlen(input);
    return memory_text("%.*s.o", (int)stem, input);
}

/* Standard input is called <stdin> in messages; its includes are relative to the
 * current folder. */
static AsmResult assemble_standard_input(Command *command) {
    JmError error;
    size_t length;
    unsigned char *text =
        asm_bytes_read_stream(stdin, "<stdin>", ASM_BYTES_SOURCE_MAX, &length, &error);
    if (!text) {
        host_report(&error);
        return (AsmResult){.errors = 1};
    }
    jm_inputs_add(&command->inputs, "-");
    const AsmResult result =
        asm_assemble((char *)text, length, "<stdin>", &command->options);
    free(text);
    host_diagnostics(result.diagnostics);
    return result;
}

static AsmResult assemble(Command *command) {
    if (strcmp(command->input, "-") == 0)
        return assemble_standard_input(command);
    const AsmResult result = asm_assemble_file(command->input, &command->options);
    host_diagnostics(result.diagnostics);
    return result;
}

static bool write_text(const Command *command, const char *path, const char *text) {
    JmError error;
    return jm_outfile_write(path, text, strlen(text), &command->inputs, &error) ||
           host_report(&error);
}

static bool write_cross(const Command *command, const AsmIndex *index) {
    char *text = cross_reference(index);
    const bool well = write_text(command, command->cross, text);
    free(text);
    return well;
}

static bool write_object(const Command *command, const AsmObject *object,
                         const char *path) {
    JmError error;
    size_t size;
    void *bytes = asm_object_bytes(object, path, &size, &error);
    const bool well =
        bytes && jm_outfile_write(path, bytes, size, &command->inputs, &error);
    free(bytes);
    return well || host_report(&error);
}

/* Whether the source would be overwritten. Files are compared by identity, not by name,
 * so that a mistyped name cannot do that; "-" is none. */
static bool is_source(const Command *command, const char *output) {
    return strcmp(command->input, "-") != 0 && strcmp(output, "-") != 0 &&
           asm_bytes_same_file(command->input, output);
}

static bool write_rule(const Command *command, const char *object, const char *path) {
    JmError error = {.offset = -1};
    char *rule = depend_rule(&command->depend, object, &command->inputs, &error);
    const bool well =
        rule && jm_outfile_write(path, rule, strlen(rule), &command->inputs, &error);
    free(rule);
    return well || host_report(&error);
}

/* The files to write; NULL: not this one. */
typedef struct {
    const char *listing, *cross, *rule, *object;
} Outputs;

static bool is_same(const char *a, const char *b) {
    JmError error = {.memory = false};
    const bool same = strcmp(a, b) == 0 || !jm_outfile_spares(a, b, &error);
    if (error.memory)
        host_no_memory();
    return same;
}

/* The output that would take the place of another file of the command; NULL if none. */
static const char *clash(const Command *command, const Outputs *outputs) {
    const char *const output[] = {outputs->listing, outputs->cross, outputs->rule,
                                  outputs->object};
    for (int i = 0; i < 4; i++) {
        if (output[i] && is_source(command, output[i]))
            return output[i];
        for (int j = 0; output[i] && j < i; j++)
            if (output[j] && is_same(output[i], output[j]))
                return output[i];
    }
    return NULL;
}

/* Assembles and writes the outputs, the object last. `target` is what a rule is for. */
static int assemble_to(Command *command, const Outputs *outputs, const char *target) {
    const char *twice = clash(command, outputs);
    if (twice)
        return frame_bad_usage(&frame,
                               "an output has the name of another file: ", twice);
    AsmResult result = assemble(command);
    const bool good =
        result.object &&
        (!outputs->listing || write_text(command, outputs->listing, result.listing)) &&
        (!outputs->cross || write_cross(command, result.index)) &&
        (!outputs->rule || write_rule(command, target, outputs->rule)) &&
        (!outputs->object || write_object(command, result.object, outputs->object));
    asm_result_free(&result);
    return good ? EXIT_SUCCESS : EXIT_SOURCE;
}

static int run(Command *command) {
    command->options.include_dirs = command->dirs;
    command->options.defines = command->defines;
    if (command->serves)
        return lsp_serve(&command->options, command->log);
    command->options.listing = command->listing != NULL;
    command->options.index = command->cross != NULL;
    command->options.inputs = &command->inputs;
    const Depend *depend = &command->depend;
    char *standard = default_output(command->input);
    const char *object = command->output ? command->output : standard;
    /* In a rule, standard output has the name that the object would have had. */
    const char *target = strcmp(object, "-") == 0 ? standard : object;
    char *beside = depend_beside(target);
    const Outputs outputs = {.listing = command->listing,
                             .cross = command->cross,
                             .rule = depend->file   ? depend->file
                                     : depend->only ? "-"
                                     : depend->too  ? beside
                                                    : NULL,
                             .object = depend->only ? NULL : object};
    const int status = assemble_to(command, &outputs, target);
    free(standard);
    free(beside);
    return status;
}

/* Room for as many folders, definitions and targets as there are arguments. An exit
 * status is never negative: -1 means that there is work to do. */
static int command_line(int argc, char **argv) {
    Command command = {0};
    command.dirs = memory_array((size_t)argc, sizeof *command.dirs);
    command.defines = memory_array((size_t)argc, sizeof *command.defines);
    command.depend.targets = memory_array((size_t)argc, sizeof *command.dirs);
    int status = parse(argc, argv, &command);
    if (status == FRAME_GO_ON)
        status = run(&command);
    free(command.dirs);
    free(command.defines);
    free(command.depend.targets);
    jm_inputs_free(&command.inputs);
    return status;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpas", command_line(argc, argv), EXIT_SOURCE);
}
