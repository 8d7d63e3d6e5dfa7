/* mdpld: links objects and archives to an image. The work is done by asm_link_objects;
 * here are the command line, the files and the exit status. Order matters for files
 * and -l only: of two archives that define a symbol the first is used. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "emu/jm.h"
#include "tools/host/host.h"

enum { EXIT_INPUT = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: mdpld [-T section=address] [-M map] [-L dir] [-l name] -o prog.elf "
    "file...\n"
    "Links MDP objects and archives of them to an image.\n"
    "  -o, --output=FILE       the image (a.out)\n"
    "  -T, --place=SECT=ADDR   section at a word address, in hexadecimal\n"
    "  -M, --map=FILE          a map of memory, sections and symbols; '-' is standard\n"
    "                          output\n"
    "  -l, --library=NAME      libNAME.a from the folders of -L\n"
    "  -L, --library-path=DIR  look here for what -l names\n"
    "  -h, --help              this text\n"
    "  -V, --version           the version\n"
    "Exit status: 0 done, 1 errors in linking or in writing, 2 bad usage.\n";

/* A file to be linked: a path, or the name behind -l. */
typedef struct {
    const char *name;
    bool library;
} Input;

/* Every array has room for as many items as there are arguments. */
typedef struct {
    const char *output, *map;
    Input *inputs;
    int input_count;
    const char **dirs;
    int dir_count;
    AsmLinkPlacement *placements;
    char **names; /* of the sections of -T */
    AsmLinkOptions options;
} Command;

/* Says what is wrong with the command line. */
static int bad_usage(const char *text, const char *what) {
    fprintf(stderr, "mdpld: error: %s%s\nmdpld: try 'mdpld --help'\n", text, what);
    return EXIT_USAGE;
}

/* "section=address"; the address in hexadecimal, with 0x or without. The name may hold
 * anything, also '=': the last one begins the address. */
static bool add_placement(Command *command, const char *text) {
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !strchr("0123456789abcdefABCDEF", equals[1]) ||
        equals[1] == '\0')
        return false;
    char *end;
    errno = 0;
    const unsigned long address = strtoul(equals + 1, &end, 16);
    if (*end || errno != 0 || address > JM_ADDRESS_MASK)
        return false;
    const int index = command->options.placement_count++;
    command->names[index] = strndup(text, (size_t)(equals - text));
    if (!command->names[index])
        abort();
    command->placements[index] =
        (AsmLinkPlacement){command->names[index], (uint32_t)address};
    return true;
}

/* Files and libraries stay in the order of the command line. */
static void add_input(Command *command, const char *name, bool library) {
    command->inputs[command->input_count++] = (Input){name, library};
}

/* One option; -1 to go on, else the exit status. getopt gives files as option 1, since
 * the text of its options begins with '-': that keeps them in order with -l. */
static int option(Command *command, int letter) {
    switch (letter) {
    case 1: /* not an option; in order with -l */
        add_input(command, optarg, false);
        return -1;
    case 'l':
        add_input(command, optarg, true);
        return -1;
    case 'L':
        command->dirs[command->dir_count++] = optarg;
        return -1;
    case 'o':
        command->output = optarg;
        return -1;
    case 'M':
        command->map = optarg;
        return -1;
    case 'T':
        if (add_placement(command, optarg))
            return -1;
        return bad_usage(
            "-T takes section=address, the address hexadecimal up to FFFFF: ", optarg);
    case 'h':
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    case 'V':
        puts("mdpld (J-Machine) " JM_VERSION);
        return EXIT_SUCCESS;
    default:
        return bad_usage("wrong option", "");
    }
}

/* Parses the command line; -1 to go on, else the exit status. */
static int parse(int argc, char **argv, Command *command) {
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'},
        {"place", required_argument, NULL, 'T'},
        {"map", required_argument, NULL, 'M'},
        {"library", required_argument, NULL, 'l'},
        {"library-path", required_argument, NULL, 'L'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0}};
    int letter;
    while ((letter = getopt_long(argc, argv, "-o:T:M:l:L:hV", names, NULL)) != -1) {
        const int status = option(command, letter);
        if (status >= 0)
            return status;
    }
    for (; optind < argc; optind++) /* behind "--" */
        add_input(command, argv[optind], false);
    return command->input_count > 0 ? -1 : bad_usage("no input files", "");
}

/* ---- the work -------------------------------------------------------------------- */

/* libNAME.a in the first folder that has it. */
static bool add_library(const Command *command, AsmLinkInput *input, const char *name,
                        JmError *error) {
    for (int i = 0; i < command->dir_count; i++) {
        const size_t room = strlen(command->dirs[i]) + strlen(name) + sizeof "/lib.a";
        char *path = malloc(room);
        if (!path)
            abort();
        snprintf(path, room, "%s/lib%s.a", command->dirs[i], name);
        const bool found = access(path, F_OK) == 0;
        const bool well = found && asm_link_input_add_file(input, path, error);
        free(path);
        if (found)
            return well;
    }
    return jm_fail(error, name, "there is no lib%.200s.a in the folders of -L", name);
}

/* Reads every file; reports all that cannot be read. All of them, so that one run
 * shows every name that is wrong. */
static bool read_inputs(const Command *command, AsmLinkInput *input) {
    bool well = true;
    for (int i = 0; i < command->input_count; i++) {
        const Input *file = &command->inputs[i];
        JmError error;
        if (file->library ? add_library(command, input, file->name, &error)
                          : asm_link_input_add_file(input, file->name, &error))
            continue;
        host_report(&error);
        well = false;
    }
    return well;
}

/* What is written of a map before its image is. */
static bool start_map(JmOutFile *file, const AsmObject *image, const char *path,
                      JmError *error) {
    if (!jm_outfile_open(file, path, error))
        return false;
    char *map = asm_link_map(image);
    fputs(map, file->stream);
    free(map);
    if (jm_outfile_flush(file->stream))
        return true;
    jm_fail(error, path, "cannot write: %s", strerror(errno));
    jm_outfile_drop(file);
    return false;
}

/* A map without its image is of no use, so it gets its name last; but it is written
 * first: an image that is there has all that belongs to it. */
static bool write_outputs(const Command *command, const AsmObject *image) {
    JmError error;
    JmOutFile map = {0};
    bool well = !command->map || start_map(&map, image, command->map, &error);
    well = well && asm_object_write(image, command->output, &error);
    if (well && map.stream)
        well = jm_outfile_commit(&map, &error);
    jm_outfile_drop(&map);
    return well || host_report(&error);
}

/* The output that would take the place of another file of the command; NULL if none. */
static const char *clash(const Command *command) {
    const char *outputs[] = {command->output, command->map};
    for (int o = 0; o < 2 && outputs[o]; o++)
        for (int i = 0; i < command->input_count; i++)
            if (!command->inputs[i].library &&
                asm_bytes_same_file(command->inputs[i].name, outputs[o]))
                return outputs[o];
    const bool same =
        command->map && (strcmp(command->map, command->output) == 0 ||
                         asm_bytes_same_file(command->map, command->output));
    return same ? command->map : NULL;
}

static int run(Command *command) {
    if (!command->output)
        command->output = "a.out";
    const char *twice = clash(command);
    if (twice)
        return bad_usage("an output has the name of another file: ", twice);
    command->options.placements = command->placements;
    AsmLinkInput *input = asm_link_input_new();
    bool well = read_inputs(command, input);
    if (well) {
        AsmLinkResult result = asm_link_objects(input, &command->options);
        fputs(result.diagnostics, stderr);
        well = result.image && write_outputs(command, result.image);
        asm_link_result_free(&result);
    }
    asm_link_input_free(input);
    return well ? EXIT_SUCCESS : EXIT_INPUT;
}

/* Zeroed, and one item more than needed, so that it is never empty. */
static void *array(int count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (!memory)
        abort();
    return memory;
}

/* An exit status is never negative: -1 means that there is work to do. */
static int command_line(int argc, char **argv) {
    Command command = {.inputs = array(argc, sizeof(Input)),
                       .dirs = array(argc, sizeof(char *)),
                       .placements = array(argc, sizeof(AsmLinkPlacement)),
                       .names = array(argc, sizeof(char *))};
    int status = parse(argc, argv, &command);
    if (status < 0)
        status = run(&command);
    for (int i = 0; i < command.options.placement_count; i++)
        free(command.names[i]);
    free(command.names);
    free(command.placements);
    free(command.dirs);
    free(command.inputs);
    return status;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpld", command_line(argc, argv), EXIT_INPUT);
}
