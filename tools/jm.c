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
#define COMMAND(name, text) {#name, text, NULL, command_##name},
#include "tools/jm/commands.def"
#undef COMMAND
    {0},
};

static void print_help(FILE *out) {
    fputs("Usage: jm COMMAND [OPTION]...\n"
          "Runs programs of the Message-Driven Processor on an emulated J-Machine.\n\n",
          out);
    for (const CommandRow *c = commands; c->name; c++)
        fprintf(out, "  %-8s %s\n", c->name, c->text);
    fputs("\n  -h, --help     this text; jm COMMAND --help, or jm help COMMAND, "
          "describes "
          "a command\n"
          "  -V, --version  the version, and a digest of the sources that results "
          "depend on\n",
          out);
}

static bool is_help(const char *argument) {
    return strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0 ||
           strcmp(argument, "help") == 0;
}

static bool is_version(const char *argument) {
    return strcmp(argument, "-V") == 0 || strcmp(argument, "--version") == 0;
}

static int print_version(void) {
    puts(version_lines);
    return EXIT_SUCCESS;
}

/* Finds the command and runs it. */
static int command(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (is_version(argv[1]))
        return print_version();
    if (is_help(argv[1]) && argc == 2) {
        print_help(stdout);
        return EXIT_SUCCESS;
    }
    const CommandRow *c =
        command_find(commands, "jm", "command", argv[is_help(argv[1]) ? 2 : 1]);
    if (!c)
        return EXIT_USAGE;
    char option[] = "--help";
    if (is_help(argv[1])) { /* jm help net run: net run --help */
        memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = option;
        return c->run(argc - 1, argv + 1);
    }
    if (argc > 2 && argv[2][0] == '-' && is_help(argv[2])) {
        char *arguments[] = {argv[1], option, NULL};
        return c->run(2, arguments);
    }
    if (argc > 2 && is_version(argv[2]))
        return print_version();
    return c->run(argc - 1, argv + 1);
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
