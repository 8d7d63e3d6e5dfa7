/* jm: the J-Machine from the command line. This file finds the command; each command
 * has a file in tools/jm, tools/exp, tools/model or tools/report. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/jm.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/host/memory.h"
#include "tools/jm/commands.h"
#include "tools/jm/version.h"

static const CommandRow commands[] = {
#define COMMAND(name, arguments, text) {#name, text, NULL, command_##name},
#include "tools/jm/commands.def"
#undef COMMAND
    {0},
};

static const CommandSet set = {
    .tool = "jm",
    .kind = "command",
    .rows = commands,
    .indent = 2,
    .column = 11,
    .head = "Usage: jm COMMAND [OPTION]...\n"
            "Runs programs of the Message-Driven Processor on an emulated J-Machine.\n",
    .foot = "  -h, --help     this text; jm COMMAND --help, or jm help COMMAND, "
            "describes a command\n"
            "  -V, --version  the version, and a digest of the sources that results "
            "depend on",
};

static bool is_version(const char *argument) {
    return strcmp(argument, "-V") == 0 || strcmp(argument, "--version") == 0;
}

static int command(int argc, char **argv) {
    if (argc < 2) {
        commands_help(stderr, &set);
        return EXIT_USAGE;
    }
    if (!is_version(argv[1]) && !(argc > 2 && is_version(argv[2])))
        return command_choose(&set, argc, argv);
    puts(version_lines);
    return EXIT_SUCCESS;
}

/* Allocates memory for the JSON library, and ends the program if there is none: the
 * library would silently omit whatever it could not allocate. */
static void *allocate_json(size_t size) {
    return memory_checked(malloc(size));
}

int main(int argc, char **argv) {
    host_start();
    json_set_alloc_funcs(allocate_json, free);
    return host_end("jm", command(argc, argv), EXIT_USAGE);
}
