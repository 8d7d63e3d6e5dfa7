/* The command `jm net`: networks alone, loaded by abstract processors. */
#include "tools/net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "tools/jm/commands.h"

typedef struct {
    const char *name, *text;
    int (*run)(int argc, char **argv);
} NetCommand;

static const NetCommand commands[] = {
#define NET_COMMAND(name, text) {#name, text, net_command_##name},
#include "tools/net/commands.def"
#undef NET_COMMAND
    {0},
};

static void help(void) {
    puts("Usage: jm net COMMAND [OPTION]...\n"
         "Networks without a machine, loaded by abstract processors. There are:\n");
    for (const NetCommand *c = commands; c->name; c++)
        printf("%-6s %s\n", c->name, c->text);
    puts("\njm net COMMAND --help tells more.\n"
         "Exit status: 0, 2 for bad usage or input, 3 for a model without a "
         "solution, 1 for results that were not "
         "written.");
}

int command_net(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        help();
        return EXIT_SUCCESS;
    }
    for (const NetCommand *c = commands; argc > 1 && c->name; c++)
        if (strcmp(argv[1], c->name) == 0)
            return c->run(argc - 1, argv + 1);
    char shown[64];
    fprintf(stderr, "jm net: error: %s%s%s; there are:",
            argc > 1 ? "no command '" : "expected a command",
            argc > 1 ? jm_printable(argv[1], shown, sizeof shown) : "",
            argc > 1 ? "'" : "");
    for (const NetCommand *c = commands; c->name; c++)
        fprintf(stderr, " %s", c->name);
    putc('\n', stderr);
    return EXIT_USAGE;
}
