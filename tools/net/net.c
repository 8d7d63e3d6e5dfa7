/* The command `jm net`: networks alone, loaded by abstract processors. */
#include "tools/net/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/commands.h"
#include "tools/host/host.h"
#include "tools/host/outputs.h"
#include "tools/jm/commands.h"

static const CommandRow commands[] = {
#define NET_COMMAND(name, text) {#name, text, NULL, net_command_##name},
#include "tools/net/commands.def"
#undef NET_COMMAND
    {0},
};

static void help(void) {
    puts("Usage: jm net COMMAND [OPTION]...\n"
         "Networks without a machine, loaded by abstract processors. There are:\n");
    for (const CommandRow *c = commands; c->name; c++)
        printf("%-6s %s\n", c->name, c->text);
    puts("\njm net COMMAND --help tells more.\n"
         "Exit status: 0, 2 for bad usage or input or results that were not written, "
         "3 for a\nmodel without a solution, 125 if memory runs out in a run, 128 + n "
         "if signal n\ninterrupted it.");
}

int command_net(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        help();
        return EXIT_SUCCESS;
    }
    host_end_by_signals();
    return outputs_status(command_choose(commands, "jm net", "command", "", argc, argv),
                          EXIT_USAGE);
}
