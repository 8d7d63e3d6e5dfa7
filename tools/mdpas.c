/* mdpas: assembles one source file into an object file. The work is done by
 * asm_assemble; here are the command line, the files and the exit status. Nothing is
 * written unless all is well: the listing first, then the object, so that a new object
 * means that everything is there. */
#include <ctype.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "emu/jm.h"
#include "tools/host/host.h"

enum { EXIT_SOURCE = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: mdpas [-I dir] [-D sym=value] [-l listing] [-o out.o] in.s\n"
    "Assembles MDP source into an object file; '-' is standard input.\n"
    "  -o, --output=FILE     the object file (in.s: in.o; -: a.o)\n"
    "  -I, --include=DIR     look here for .include, after the file's own folder\n"
    "  -D, --define=SYM[=V]  a constant, 1 if no value is given\n"
    "  -l, --listing=FILE    a listing with cycle counts; '-' is standard output\n"
    "  -h, --help            this text\n"
    "  -V, --version         the version\n"
    "Exit status: 0 done, 1 errors in the source or in writing, 2 bad usage.\n";

/* The command line; the arrays have room for as many items as there are arguments, the
 * strings are argv's. */
typedef struct {
    const char *input, *output, *listing;
    const char **dirs, **defines;
    AsmOptions options;
} Command;

/* Says what is wrong with the command line. */
static int bad_usage(const char *text, const char *what) {
    fprintf(stderr, "mdpas: error: %s%s\nmdpas: try 'mdpas --help'\n", text, what);
    return EXIT_USAGE;
}

/* A definition becomes a line of source, so it must be one: a name, then nothing or a
 * value, and no second line. */
static bool is_define(const char *text) {
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_' || *end == '.' || *end == '$')
        end++;
    return (isalpha((unsigned char)*text) || *text == '_') &&
           (*end == '\0' || *end == '=') && !strchr(end, '\n');
}

/* Parses the options; -1 to go on, else the exit status. Repeated -o and -l: the last
 * one counts. */
static int parse(int argc, char **argv, Command *command) {
    static const struct option names[] = {{"output", required_argument, NULL, 'o'},
                                          {"include", required_argument, NULL, 'I'},
                                          {"define", required_argument, NULL, 'D'},
                                          {"listing", required_argument, NULL, 'l'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "o:I:D:l:hV", names, NULL)) != -1) {
        switch (option) {
        case 'o':
            command->output = optarg;
            break;
        case 'I':
            command->dirs[command->options.include_count++] = optarg;
            break;
        case 'D':
            if (!is_define(optarg))
                return bad_usage("-D takes name or name=value: ", optarg);
            command->defines[command->options.define_count++] = optarg;
            break;
        case 'l':
            command->listing = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return EXIT_SUCCESS;
        case 'V':
            puts("mdpas (J-Machine) " JM_VERSION);
            return EXIT_SUCCESS;
        default:
            return bad_usage("wrong option", "");
        }
    }
    if (optind >= argc)
        return bad_usage("no input file", "");
    if (optind + 1 < argc)
        return bad_usage("more than one input file: ", argv[optind + 1]);
    command->input = argv[optind];
    return -1;
}

/* in.s -> in.o, in the same folder; the caller frees it. A dot that begins the name
 * ends no stem: ".s" makes ".s.o". */
static char *default_output(const char *input) {
    if (strcmp(input, "-") == 0)
        input = "a.s";
    const char *slash = strrchr(input, '/');
    const char *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    const size_t stem = dot && dot != name ? (size_t)(dot - input) : strlen(input);
    char *output = malloc(stem + 3);
    if (!output)
        abort();
    memcpy(output, input, stem);
    strcpy(output + stem, ".o");
    return output;
}

/* Standard input is called <stdin> in messages; its includes are looked for in the
 * current folder. */
static AsmResult assemble(const Command *command) {
    if (strcmp(command->input, "-") != 0)
        return asm_assemble_file(command->input, &command->options);
    JmError error;
    size_t length;
    unsigned char *text =
        asm_bytes_read_stream(stdin, "<stdin>", ASM_BYTES_MAX, &length, &error);
    if (!text) {
        host_report(&error);
        return (AsmResult){.errors = 1};
    }
    const AsmResult result =
        asm_assemble((char *)text, length, "<stdin>", &command->options);
    free(text);
    return result;
}

static bool write_listing(const char *listing, const char *path) {
    JmError error;
    return jm_outfile_write(path, listing, strlen(listing), &error) ||
           host_report(&error);
}

static bool write_object(const AsmObject *object, const char *path) {
    JmError error;
    return asm_object_write(object, path, &error) || host_report(&error);
}

/* Assembles and writes; the object comes last, so that it is there only if all is.
 * Files that are one file under two names are found by what they are, so that no
 * source is lost to a mistake in a name. */
static int assemble_to(const Command *command, const char *output) {
    if (asm_bytes_same_file(command->input, output) ||
        (command->listing && (asm_bytes_same_file(command->input, command->listing) ||
                              strcmp(output, command->listing) == 0)))
        return bad_usage("an output has the name of another file: ", output);
    AsmResult result = assemble(command);
    if (result.diagnostics)
        fputs(result.diagnostics, stderr);
    bool good = result.object != NULL;
    if (good && command->listing)
        good = write_listing(result.listing, command->listing);
    if (good)
        good = write_object(result.object, output);
    asm_result_free(&result);
    return good ? EXIT_SUCCESS : EXIT_SOURCE;
}

static int run(Command *command) {
    command->options.include_dirs = command->dirs;
    command->options.defines = command->defines;
    command->options.listing = command->listing != NULL;
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
    command.dirs = calloc((size_t)argc + 1, sizeof *command.dirs);
    command.defines = calloc((size_t)argc + 1, sizeof *command.defines);
    if (!command.dirs || !command.defines)
        abort();
    int status = parse(argc, argv, &command);
    if (status < 0)
        status = run(&command);
    free(command.dirs);
    free(command.defines);
    return status;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpas", command_line(argc, argv), EXIT_SOURCE);
}
