/* jm: the J-Machine from the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/suggest.h"
#include "emu/jm.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"

typedef struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
} Command;

static const Command commands[] = {
#define COMMAND(name, text) {#name, text, command_##name},
#include "tools/jm/commands.def"
#undef COMMAND
    {0},
};

static void print_help(FILE *out) {
    fputs("Usage: jm COMMAND [OPTION]...\n"
          "Runs programs of the Message-Driven Processor on an emulated J-Machine.\n\n",
          out);
    for (const Command *c = commands; c->name; c++)
        fprintf(out, "  %-8s %s\n", c->name, c->text);
    fputs("\n  --help     this text; jm COMMAND --help tells more\n"
          "  --version  the version\n",
          out);
}

static int unknown_command(const char *name) {
    Suggestion suggestion = suggest_start(name);
    char shown[64];
    fprintf(stderr, "jm: error: no command '%s'; there are:",
            jm_printable(name, shown, sizeof shown));
    for (const Command *c = commands; c->name; c++) {
        fprintf(stderr, " %s", c->name);
        suggest_consider(&suggestion, c->name);
    }
    if (suggestion.best)
        fprintf(stderr, "; did you mean '%s'?", suggestion.best);
    fputc('\n', stderr);
    return EXIT_USAGE;
}

static int command(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("jm " JM_VERSION);
        return EXIT_SUCCESS;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_SUCCESS;
    }
    for (const Command *c = commands; c->name; c++)
        if (strcmp(argv[1], c->name) == 0)
            return c->run(argc - 1, argv + 1);
    return unknown_command(argv[1]);
}

int main(int argc, char **argv) {
    host_start();
    return host_end("jm", command(argc, argv), EXIT_USAGE);
}
