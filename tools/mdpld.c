/* mdpld: links objects and archives to an image. asm_link_objects() does the work; this
 * file has the command line, the files and the exit status. The order of files and -l
 * matters only if two archives define the same symbol: the first one is used. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "asm/objects/bytes.h"
#include "emu/core/outfile.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"

enum { EXIT_INPUT = 1, TEXT_COLUMN = 26 };

/* An input of the link: a path, or the name behind -l. */
typedef struct {
    const char *name;
    bool library;
} Input;

/* Every array has room for as many items as there are arguments. */
typedef struct {
    FrameAsked asked;
    const char *output, *map;
    Input *inputs;
    int input_count;
    const char **dirs;
    int dir_count;
    AsmLinkPlacement *placements;
    char **names; /* names of the sections of -T, malloc'ed */
    AsmLinkOptions options;
    JmInputs read; /* files that were read */
} Command;

/* "section=address"; the address in hexadecimal, with 0x or without. The name may hold
 * anything, also '=': the last one begins the address. */
static bool take_placement(void *fields, char *text, JmError *error) {
    Command *command = fields;
    (void)error;
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
    command->names[index] = memory_checked(strndup(text, (size_t)(equals - text)));
    command->placements[index] =
        (AsmLinkPlacement){command->names[index], (uint32_t)address};
    return true;
}

/* Files and libraries stay in the order of the command line. */
static void add_input(Command *command, const char *name, bool library) {
    command->inputs[command->input_count++] = (Input){name, library};
}

static bool take_library(void *fields, char *argument, JmError *error) {
    (void)error;
    add_input(fields, argument, true);
    return true;
}

#define OPTIONS "tools/mdpld/options.def"
#define OPTION_FIELDS Command
#include "tools/host/option_table.def"

static bool take(void *context, int id, char *argument, JmError *error);

static const Frame frame = {
    .options = {.command = "mdpld", OPTION_TABLE, .in_order = true, .take = take},
    .column = TEXT_COLUMN,
    .head = "usage: mdpld [OPTION]... file...\n"
            "Links MDP objects and archives of them to an image.",
    .foot = "Exit status: 0 done, 1 errors in linking or in writing, 2 bad usage.",
};

/* Takes an option, or a file, which stays in order with -l. */
static bool take(void *context, int id, char *argument, JmError *error) {
    if (id != OPTION_OPERAND)
        return option_take(&frame.options, context, id, argument, error);
    add_input(context, argument, false);
    return true;
}

/* Parses the command line; FRAME_GO_ON or the exit status. */
static int parse(int argc, char **argv, Command *command) {
    const int status = frame_options(&frame, argc, argv, command);
    if (status != FRAME_GO_ON)
        return status;
    for (; optind < argc; optind++) /* operands behind "--" */
        add_input(command, argv[optind], false);
    return command->input_count > 0 ? -1
                                    : frame_bad_usage(&frame, "no input files", "");
}

/* ---- the work -------------------------------------------------------------------- */

/* Adds an object or an archive. */
static bool add_file(Command *command, AsmLinkInput *input, const char *path,
                     JmError *error) {
    jm_inputs_add(&command->read, path);
    return asm_link_input_add_file(input, path, error);
}

/* Adds libNAME.a from the first folder that has it. */
static bool add_library(Command *command, AsmLinkInput *input, const char *name,
                        JmError *error) {
    for (int i = 0; i < command->dir_count; i++) {
        char *path = memory_text("%s/lib%s.a", command->dirs[i], name);
        const bool found = access(path, F_OK) == 0;
        const bool well = found && add_file(command, input, path, error);
        free(path);
        if (found)
            return well;
    }
    return jm_fail(error, *name ? name : "mdpld",
                   "there is no lib%.200s.a in the folders of -L", name);
}

/* Reads every file, and reports all that cannot be read, so that one run shows every
 * wrong name. */
static bool read_inputs(Command *command, AsmLinkInput *input) {
    bool well = true;
    for (int i = 0; i < command->input_count; i++) {
        const Input *file = &command->inputs[i];
        JmError error;
        if (file->library ? add_library(command, input, file->name, &error)
                          : add_file(command, input, file->name, &error))
            continue;
        host_report(&error);
        well = false;
    }
    return well;
}

/* Opens the map and writes it under a temporary name. */
static bool start_map(const Command *command, JmOutFile *file, const AsmObject *image,
                      JmError *error) {
    const char *path = command->map;
    char *map = memory_checked(asm_link_map(image));
    if (!jm_outfile_open(file, path, &command->read, error)) {
        free(map);
        return false;
    }
    fputs(map, file->stream);
    free(map);
    if (jm_outfile_flush(file->stream))
        return true;
    return jm_outfile_lose(file, path, error);
}

/* Writes map and image. The map is written before the image, so that a failure leaves
 * the old image alone, but renamed after it, because a map without its image is of no
 * use. */
static bool write_outputs(const Command *command, const AsmObject *image) {
    JmError error;
    JmOutFile map = {0};
    bool well = !command->map || start_map(command, &map, image, &error);
    size_t size;
    void *bytes = well ? asm_object_bytes(image, command->output, &size, &error) : NULL;
    well =
        bytes && jm_outfile_write(command->output, bytes, size, &command->read, &error);
    free(bytes);
    if (well && map.stream)
        well = jm_outfile_commit(&map, &error);
    jm_outfile_drop(&map);
    return well || host_report(&error);
}

/* Whether the output `output`, not a file if it is "-", leads to a file. */
static bool same_file(const char *file, const char *output) {
    return strcmp(output, "-") != 0 && asm_bytes_same_file(file, output);
}

/* The output that would take the place of another file of the command; NULL if none. */
static const char *clash(const Command *command) {
    const char *outputs[] = {command->output, command->map};
    for (int o = 0; o < 2 && outputs[o]; o++)
        for (int i = 0; i < command->input_count; i++)
            if (!command->inputs[i].library &&
                same_file(command->inputs[i].name, outputs[o]))
                return outputs[o];
    JmError error = {.memory = false};
    const bool same =
        command->map &&
        (strcmp(command->map, command->output) == 0 ||
         !jm_outfile_spares(command->map, command->output, &error) ||
         (strcmp(command->map, "-") != 0 && same_file(command->map, command->output)));
    if (error.memory)
        host_no_memory();
    return same ? command->map : NULL;
}

static int run(Command *command) {
    if (!command->output)
        command->output = "a.out";
    const char *twice = clash(command);
    if (twice)
        return frame_bad_usage(&frame,
                               "an output has the name of another file: ", twice);
    command->options.placements = command->placements;
    AsmLinkInput *input = memory_checked(asm_link_input_new());
    bool well = read_inputs(command, input);
    if (well) {
        AsmLinkResult result = asm_link_objects(input, &command->options);
        host_diagnostics(result.diagnostics);
        well = result.image && write_outputs(command, result.image);
        if (well && !asm_object_covers(result.image, ASM_OBJECT_START))
            fprintf(stderr,
                    "mdpld: warning: nothing lies at %05X, where execution starts; the "
                    "kernel's boot code is taken from libkernel.a for a source that "
                    "uses kernel_boot or kernel_idle\n",
                    ASM_OBJECT_START);
        asm_link_result_free(&result);
    }
    asm_link_input_free(input);
    return well ? EXIT_SUCCESS : EXIT_INPUT;
}

/* FRAME_GO_ON, which is not an exit status, means that there is work to do. */
static int command_line(int argc, char **argv) {
    const size_t most = (size_t)argc;
    Command command = {.inputs = memory_array(most, sizeof(Input)),
                       .dirs = memory_array(most, sizeof(char *)),
                       .placements = memory_array(most, sizeof(AsmLinkPlacement)),
                       .names = memory_array(most, sizeof(char *))};
    int status = parse(argc, argv, &command);
    if (status == FRAME_GO_ON)
        status = run(&command);
    for (int i = 0; i < command.options.placement_count; i++)
        free(command.names[i]);
    free(command.names);
    free(command.placements);
    free(command.dirs);
    free(command.inputs);
    jm_inputs_free(&command.read);
    return status;
}

int main(int argc, char **argv) {
    host_start();
    return host_end("mdpld", command_line(argc, argv), EXIT_INPUT);
}
