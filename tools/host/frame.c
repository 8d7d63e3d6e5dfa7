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

/* A command line that is being taken. */
typedef struct {
    const Frame *frame;
    void *context;
    int status; /* FRAME_GO_ON until an option gives another one */
} Line;

static bool take_option(void *context, int id, char *argument, JmError *error) {
    Line *line = context;
    (void)argument, (void)error;
    line->status = take(line->frame, line->context, id);
    return line->status == FRAME_GO_ON;
}

int frame_options(const Frame *frame, int argc, char **argv, void *context) {
    const OptionSet set = {.command = frame->name,
                           .rows = frame->rows,
                           .count = frame->count,
                           .in_order = frame->in_order,
                           .take = take_option};
    Line line = {frame, context, FRAME_GO_ON};
    JmError error = {.offset = -1};
    if (option_set_take(&set, &line, argc, argv, &error) || line.status != FRAME_GO_ON)
        return line.status;
    host_report(&error);
    return FRAME_BAD_USAGE;
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
