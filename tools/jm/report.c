/* The command `jm report`: shows the statistics of a run as text, or compares two. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/objects/bytes.h"
#include "emu/core/sourcetext.h"
#include "emu/core/status.h"
#include "tools/host/frame.h"
#include "tools/host/host.h"
#include "tools/jm/commands.h"
#include "tools/jm/summary/summary.h"

static const double EXACT_MAX = 9007199254740992.0; /* 2^53 */

/* Turns reals with an integral value back into integers. */
static json_t *with_integers(json_t *value) {
    const char *key;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        json_object_foreach (value, key, member)
            json_object_set_new(value, key, with_integers(json_incref(member)));
    } else if (json_is_array(value)) {
        json_array_foreach (value, i, member)
            json_array_set_new(value, i, with_integers(json_incref(member)));
    } else if (json_is_real(value)) {
        const double number = json_real_value(value);
        if (fabs(number) < EXACT_MAX && number == floor(number)) {
            json_decref(value);
            return json_integer((json_int_t)number);
        }
    }
    return value;
}

/* Parses a statistics file. A seed may be larger than an integer of the JSON library;
 * in that case all numbers are read as reals. */
static json_t *parse(const unsigned char *bytes, size_t size, json_error_t *where) {
    const size_t mark = jm_text_mark((const char *)bytes, size);
    const char *text = (const char *)bytes + mark;
    size -= mark;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, where);
    if (root || json_error_code(where) != json_error_numeric_overflow)
        return root;
    root =
        json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, where);
    return root ? with_integers(root) : NULL;
}

/* Reads a statistics file. NULL and an error with the place. */
static json_t *load(const char *path, JmError *error) {
    size_t size;
    unsigned char *bytes = asm_bytes_read(path, &size, error);
    if (!bytes)
        return NULL;
    json_error_t where;
    json_t *root = parse(bytes, size, &where);
    free(bytes);
    if (!root && where.line < 1)
        jm_fail(error, path, "%s", where.text);
    else if (!root)
        jm_fail_line(error, path, where.line, where.column, "%s", where.text);
    return root;
}

/* Reads the statistics of a run. NULL and an error if the file has none. */
static json_t *load_run(const char *path, Picture *picture, JmError *error) {
    json_t *root = load(path, error);
    if (!root || picture_read(picture, root))
        return root;
    json_decref(root);
    jm_fail(error, path, "these are not the statistics of a run");
    return NULL;
}

static int report(const char *path, bool queues, JmError *error) {
    Picture picture = {0};
    json_t *root = load_run(path, &picture, error);
    if (root) {
        (queues ? picture_draw_queues : picture_draw)(&picture, stdout);
        summary_print(root, stdout);
    }
    picture_free(&picture);
    json_decref(root);
    return root ? EXIT_SUCCESS : EXIT_USAGE;
}

static int compare(char *const *paths, JmError *error) {
    json_t *roots[2] = {NULL, NULL};
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        Picture picture = {0};
        roots[i] = load_run(paths[i], &picture, error);
        good = roots[i] != NULL;
        picture_free(&picture);
    }
    const CompareRuns runs = {{roots[0], roots[1]}, {paths[0], paths[1]}};
    const int status = !good                          ? EXIT_USAGE
                       : compare_print(&runs, stdout) ? EXIT_FAILURE
                                                      : EXIT_SUCCESS;
    json_decref(roots[0]);
    json_decref(roots[1]);
    return status;
}

enum { TEXT_COLUMN = 26 };

typedef struct {
    FrameAsked asked;
    bool queues;
} Request;

#define OPTIONS "tools/jm/options/report.def"
#define OPTION_FIELDS Request
#include "tools/host/option_table.def"

static const Frame frame = {
    .options = {.command = "jm report", OPTION_TABLE},
    .column = TEXT_COLUMN,
    .head =
        "Usage: jm report [OPTION]... STATS.json\n"
        "       jm report A.json B.json\n"
        "Draws messages per node and flits per wire of a run from the file that\n"
        "jm run --stats wrote, then sums up its timed part, faults and overflows.\n"
        "Of two runs, prints what differs, largest relative differences first; the\n"
        "exit status is then 0 if they are equal, 1 if not, 2 after an error.",
};

int command_report(int argc, char **argv) {
    JmError error = {.offset = -1};
    Request request = {.queues = false};
    int status = frame_options(&frame, argc, argv, &request);
    if (status != FRAME_GO_ON)
        return status;
    const bool queues = request.queues;
    const int files = argc - optind;
    if (files != 1 && (files != 2 || queues)) {
        fprintf(stderr,
                "jm report: error: expected the name of one statistics file%s\n",
                queues ? "" : ", or of two");
        return EXIT_USAGE;
    }
    status = files == 1 ? report(argv[optind], queues, &error)
                        : compare(argv + optind, &error);
    if (status == EXIT_USAGE)
        host_report(&error);
    return status;
}
