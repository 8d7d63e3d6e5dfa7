/* The command line that mdpas, mdpld and mdpobjdump share; see frame.h. */
#include "tools/host/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/core/printable.h"
#include "emu/jm.h"
#include "tools/host/host.h"

int frame_help(const Frame *frame) {
    puts(frame->head);
    for (int i = 0; i < frame->count; i++)
        option_row_print(stdout, &frame->rows[i], frame->column);
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
