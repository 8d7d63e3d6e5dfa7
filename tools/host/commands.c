#include "tools/host/commands.h"

#include <stdio.h>
#include <string.h>

#include "emu/core/printable.h"

int command_choose(const CommandRow *rows, const char *tool, const char *kind, int argc,
                   char **argv) {
    char shown[64];
    for (const CommandRow *row = rows; argc > 1 && row->name; row++)
        if (strcmp(argv[1], row->name) == 0)
            return row->run(argc - 1, argv + 1);
    fprintf(stderr, "%s: error: ", tool);
    if (argc > 1)
        fprintf(stderr, "no %s '%s'", kind, jm_printable(argv[1], shown, sizeof shown));
    else
        fprintf(stderr, "expected a %s", kind);
    fputs("; there are:", stderr);
    for (const CommandRow *row = rows; row->name; row++)
        fprintf(stderr, " %s", row->name);
    putc('\n', stderr);
    return FRAME_BAD_USAGE;
}
