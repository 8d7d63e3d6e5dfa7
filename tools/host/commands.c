#include "tools/host/commands.h"

#include <stdio.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/suggest.h"

int command_choose(const CommandRow *rows, const char *tool, const char *kind, int argc,
                   char **argv) {
    JmSuggestion near = jm_suggest_start(argc > 1 ? argv[1] : "");
    for (const CommandRow *row = rows; argc > 1 && row->name; row++) {
        if (strcmp(argv[1], row->name) == 0)
            return row->run(argc - 1, argv + 1);
        jm_suggest_consider(&near, row->name);
    }
    fprintf(stderr, "%s: error: ", tool);
    if (argc > 1)
        fprintf(stderr, "no %s '%s'%s", kind, JM_SHOWN(argv[1]),
                jm_suggest_text(&near, "", "; there are:"));
    else
        fprintf(stderr, "expected a %s; there are:", kind);
    for (const CommandRow *row = rows; !near.best && row->name; row++)
        fprintf(stderr, " %s", row->name);
    putc('\n', stderr);
    return FRAME_BAD_USAGE;
}
