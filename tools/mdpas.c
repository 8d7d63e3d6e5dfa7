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
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"

enum { EXIT_SOURCE = 1, TEXT_COLUMN = 26 };

#define OPTIONS "tools/mdpas/options.def"
#include "tools/host/option_table.def"

static int take_option(void *context, int id);

static const Frame frame = {
    .name = "mdpas",
    .head = "usage: mdpas [OPTION]... in.s\n"
            "Assembles MDP source into an object file; '-' is standard input.",
    .foot = "Exit status: 0 done, 1 errors in the source or in writing, 2 bad usage.",
    .rows = rows,
    .count = OPTION_COUNT,
    .column = TEXT_COLUMN,
    .in_order = false,
    .take = take_option,
};

/* The parsed command line. The arrays have as many items as there are arguments; the
 * strings belong to argv. */
typedef struct {
    const char *input, *output, *listing;
    const char **dirs, **defines;
    AsmOptions options;
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

/* Takes one option. Returns FRAME_GO_ON or the exit status. Of repeated -o and -l
 * the last one counts. */
static int take_option(void *context, int id) {
    Command *command = context;
    switch (id) {
    case OPTION_OUTPUT:
        command->output = optarg;
        return FRAME_GO_ON;
    case OPTION_INCLUDE:
        command->dirs[command->options.include_count++] = optarg;
        return FRAME_GO_ON;
    case OPTION_DEFINE:
        if (!is_define(optarg))
            return frame_bad_usage(&frame, "-D takes name or name=value: ", optarg);
        command->defines[command->options.define_count++] = optarg;
        return FRAME_GO_ON;
    case OPTION_LISTING:
        command->listing = optarg;
        return FRAME_GO_ON;
    case OPTION_HELP:
        return frame_help(&frame);
    default:
        return frame_version(&frame);
    }
}

/* Parses the command line; FRAME_GO_ON or the exit status. */
static int parse(int argc, char **argv, Command *command) {
    const int status = frame_options(&frame, argc, argv, command);
    if (status != FRAME_GO_ON)
        return status;
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

static bool write_listing(const Command *command, const char *listing) {
    JmError error;
    return jm_outfile_write(command->listing, listing, strlen(listing),
                            &command->inputs, &error) ||
           host_report(&error);
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

/* The output that would take the place of another file of the command; NULL if none. */
static const char *clash(const Command *command, const char *output) {
    const char *listing = command->listing;
    if (listing && is_source(command, listing))
        return listing;
    const bool same = listing && (strcmp(output, listing) == 0 ||
                                  jm_outfile_replaces(output, listing));
    return same || is_source(command, output) ? output : NULL;
}

/* Assembles and writes the outputs, the object last. */
static int assemble_to(Command *command, const char *output) {
    const char *twice = clash(command, output);
    if (twice)
        return frame_bad_usage(&frame,
                               "an output has the name of another file: ", twice);
    AsmResult result = assemble(command);
    bool good = result.object != NULL;
    if (good && command->listing)
        good = write_listing(command, result.listing);
    if (good)
        good = write_object(command, result.object, output);
    asm_result_free(&result);
    return good ? EXIT_SUCCESS : EXIT_SOURCE;
}

static int run(Command *command) {
    command->options.include_dirs = command->dirs;
    command->options.defines = command->defines;
    command->options.listing = command->listing != NULL;
    command->options.inputs = &command->inputs;
    char *standard = default_output(command->input);
    const int status =
        assemble_to(command, command->output ? command->output : standard);
    free(standard);
    return status;
}

/* Room for as many folders and definitions as there are arguments. An exit status is
 * never negative: -1 means that there is work to do. */
static int command_line(int argc, char **argv) {
    Command command = {0};
    command.dirs = memory_array((size_t)argc, sizeof *command.dirs);
    command.defines = memory_array((size_t)argc, sizeof *command.defines);
    int status = parse(argc, argv, &command);
    if (status == FRAME_GO_ON)
        status = run(&command);
    free(command.dirs);
    free(command.defines);
    jm_inputs_free(&command.inputs);
    return status;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpas", command_line(argc, argv), EXIT_SOURCE);
}
