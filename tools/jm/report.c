/* `jm report`: the statistics of a run as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/status.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"
#include "tools/jm/summary/picture.h"
#include "tools/jm/summary/summary.h"

static json_t *load(const char *path, JmError *error) {
    size_t size;
    unsigned char *bytes = bytes_read(path, &size, error);
    if (!bytes)
        return NULL;
    json_error_t where;
    json_t *root = json_loadb((char *)bytes, size, JSON_REJECT_DUPLICATES, &where);
    free(bytes);
    if (!root && where.line < 1)
        jm_fail(error, path, "%s", where.text);
    else if (!root)
        jm_fail_line(error, path, where.line, where.column, "%s", where.text);
    return root;
}

static bool report(const char *path, JmError *error) {
    json_t *root = load(path, error);
    if (!root)
        return false;
    Picture picture;
    const bool good = picture_read(&picture, root);
    if (good) {
        picture_draw(&picture, stdout);
        summary_print(root, stdout);
    }
    picture_free(&picture);
    json_decref(root);
    return good || jm_fail(error, path, "these are not the statistics of a run");
}

int command_report(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        puts(
            "Usage: jm report STATS.json\n"
            "Draws messages per node and flits per wire of a run from the file that\n"
            "jm run --stats wrote, then sums up its timed part, faults and overflows.");
        return EXIT_SUCCESS;
    }
    if (argc != 2) {
        fputs("jm report: error: expected the name of one statistics file\n", stderr);
        return EXIT_USAGE;
    }
    JmError error;
    return report(argv[1], &error) || host_report(&error) ? EXIT_SUCCESS : EXIT_USAGE;
}
