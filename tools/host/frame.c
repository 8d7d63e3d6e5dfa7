/* Command lines; see frame.h. */
#include "tools/host/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/core/suggest.h"
#include "emu/jm.h"
#include "tools/host/host.h"

int frame_help(const Frame *frame) {
    puts(frame->head);
    for (int i = 0; i < frame->count; i++)
        option_row_print(stdout, &frame->rows[i], frame->column);
    if (frame->foot)
        puts(frame->foot);
    return EXIT_SUCCESS;
}

static int print_version(const Frame *frame) {
    printf("%s (J-Machine) %s\n", frame->name, JM_VERSION);
    return EXIT_SUCCESS;
}

int frame_bad_usage(const Frame *frame, const char *text, const char *what) {
    char shown[1024];
    fprintf(stderr, "%s: error: %s%s\n%s: try '%s --help'\n", frame->name, text,
            jm_printable(what, shown, sizeof shown), frame->name, frame->name);
    return FRAME_BAD_USAGE;
}

static int refuse_option(const Frame *frame, OptionScan *scan, int id) {
    JmError error = {.offset = -1};
    option_scan_refuse(scan, id, frame->name, &error);
    host_report(&error);
    return FRAME_BAD_USAGE;
}

static int take(const Frame *frame, void *context, int id) {
    static const bool on = true;
    const FrameField field = id >= 0 ? frame->fields[id] : (FrameField){FRAME_TAKE, 0};
    char *place = (char *)context + field.offset;
    switch (field.use) {
    case FRAME_TEXT:
        memcpy(place, &optarg, sizeof optarg);
        return FRAME_GO_ON;
    case FRAME_FLAG:
        memcpy(place, &on, sizeof on);
        return FRAME_GO_ON;
    case FRAME_HELP:
        return frame_help(frame);
    case FRAME_VERSION:
        return print_version(frame);
    default:
        return frame->take(context, id);
    }
}

int frame_options(const Frame *frame, int argc, char **argv, void *context) {
    OptionScan scan;
    option_scan_start(&scan, frame->rows, frame->count, frame->in_order);
    for (int id; (id = option_scan_next(&scan, argc, argv)) != OPTION_END;) {
        const bool bad = id == OPTION_MISSING || id == OPTION_WRONG;
        const int status =
            bad ? refuse_option(frame, &scan, id) : take(frame, context, id);
        if (status != FRAME_GO_ON)
            return status;
    }
    return FRAME_GO_ON;
}

/* ---- commands -------------------------------------------------------------------- */

const CommandRow *command_find(const CommandRow *rows, const char *tool,
                               const char *kind, const char *name) {
    JmSuggestion near = jm_suggest_start(name ? name : "");
    for (const CommandRow *row = rows; name && row->name; row++) {
        if (strcmp(name, row->name) == 0)
            return row;
        jm_suggest_consider(&near, row->name);
    }
    fprintf(stderr, "%s: error: ", tool);
    if (name)
        fprintf(stderr, "no %s '%s'%s", kind, JM_SHOWN(name),
                jm_suggest_text(&near, "", "; there are:"));
    else
        fprintf(stderr, "expected a %s; there are:", kind);
    for (const CommandRow *row = rows; !near.best && row->name; row++)
        fprintf(stderr, " %s", row->name);
    putc('\n', stderr);
    return NULL;
}

int command_choose(const CommandRow *rows, const char *tool, const char *kind, int argc,
                   char **argv) {
    const CommandRow *row = command_find(rows, tool, kind, argc > 1 ? argv[1] : NULL);
    return row ? row->run(argc - 1, argv + 1) : FRAME_BAD_USAGE;
}
