/* `jm report`: the statistics of a run as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/jm/commands.h"
#include "tools/jm/picture.h"

int command_report(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        puts("Usage: jm report STATS.json\n"
             "Draws messages per node and flits per wire of a run from the file that\n"
             "jm run --stats wrote.");
        return EXIT_SUCCESS;
    }
    if (argc != 2) {
        fputs("jm report: error: expected the name of one statistics file\n", stderr);
        return EXIT_USAGE;
    }
    Picture picture;
    JmError error;
    const bool good = picture_read(&picture, argv[1], &error);
    if (good) {
        picture_draw(&picture, stdout);
    } else {
        char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
        fprintf(stderr, "%s\n", jm_error_format(&error, text, sizeof text));
    }
    picture_free(&picture);
    return good && fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_USAGE;
}
