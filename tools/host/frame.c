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
    for (int i = 0; i < frame->options.count; i++) {
        OptionRow row = frame->options.rows[i];
        char text[OPTION_TEXT_MAX];
        if (row.kind == OPTION_SETTING)
            frame->options.settings->describe(&row, text);
        option_row_print(stdout, &row, frame->column);
    }
    if (frame->foot)
        puts(frame->foot);
    return EXIT_SUCCESS;
}

static int print_version(const Frame *frame) {
    if (frame->version)
        puts(frame->version);
    else
        printf("%s (J-Machine) %s\n", frame->options.command, JM_VERSION);
    return EXIT_SUCCESS;
}

int frame_bad_usage(const Frame *frame, const char *text, const char *what) {
    const char *name = frame->options.command;
    char shown[1024];
    fprintf(stderr, "%s: error: %s%s\n%s: try '%s --help'\n", name, text,
            jm_printable(what, shown, sizeof shown), name, name);
    return EXIT_USAGE;
}

int frame_options(const Frame *frame, int argc, char **argv, void *fields) {
    FrameAsked *asked = fields;
    JmError error = {.offset = -1};
    if (!option_set_take(&frame->options, fields, asked->given, argc, argv, &error)) {
        host_report(&error);
        return EXIT_USAGE;
    }
    return asked->help      ? frame_help(frame)
           : asked->version ? print_version(frame)
                            : FRAME_GO_ON;
}

int frame_plain(const char *command, int (*help)(void), int most, int argc,
                char **argv) {
    static const OptionRow row = {
        "help", "h", NULL, "prints this help", NULL, .kind = OPTION_ANSWER};
    static const OptionUse use = {.place = offsetof(FrameAsked, help)};
    const OptionSet set = {.command = command, .rows = &row, .uses = &use, .count = 1};
    FrameAsked asked = {.help = false};
    JmError error = {.offset = -1};
    if (option_set_take(&set, &asked, NULL, argc, argv, &error) &&
        (asked.help || argc - optind <= most ||
         option_refuse_operand(argv[optind + most], command, &error)))
        return asked.help ? help() : FRAME_GO_ON;
    host_report(&error);
    return EXIT_USAGE;
}

/* ---- commands -------------------------------------------------------------------- */

void commands_print(FILE *out, const CommandSet *set) {
    const int width = set->column - set->indent - 1;
    for (const CommandRow *row = set->rows; row->name; row++)
        if (row->text)
            fprintf(out, "%*s%-*s %s%s%s%s\n", set->indent, "", width, row->name,
                    row->text, row->source ? " (" : "", row->source ? row->source : "",
                    row->source ? ")" : "");
}

int commands_help(FILE *out, const CommandSet *set) {
    if (set->help)
        return set->help();
    fprintf(out, "%s\n", set->head);
    commands_print(out, set);
    fprintf(out, "\n%s\n", set->foot);
    return EXIT_SUCCESS;
}

/* Returns the row of a name; NULL, and a message: there is none. */
static const CommandRow *find(const CommandSet *set, const char *name) {
    JmSuggestion near = jm_suggest_start(name ? name : "");
    for (const CommandRow *row = set->rows; name && row->name; row++) {
        if (strcmp(name, row->name) == 0)
            return row;
        jm_suggest_consider(&near, row->name);
    }
    fprintf(stderr, "%s: error: ", set->tool);
    if (name)
        fprintf(stderr, "no %s '%s'%s", set->kind, JM_SHOWN(name),
                jm_suggest_text(&near, "", "; there are:"));
    else
        fprintf(stderr, "expected a %s; there are:", set->kind);
    for (const CommandRow *row = set->rows; !near.best && row->name; row++)
        fprintf(stderr, " %s", row->name);
    putc('\n', stderr);
    return NULL;
}

static bool is_help(const char *argument) {
    return strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0 ||
           strcmp(argument, "help") == 0;
}

int command_choose(const CommandSet *set, int argc, char **argv) {
    char option[] = "--help";
    const bool asks = argc > 1 && is_help(argv[1]);
    if (asks && argc == 2)
        return commands_help(stdout, set);
    const CommandRow *row = find(set, argc > 1 ? argv[1 + asks] : NULL);
    if (!row)
        return EXIT_USAGE;
    if (asks) { /* help net run: net run --help */
        memmove(argv + 1, argv + 2, (size_t)(argc - 2) * sizeof *argv);
        argv[argc - 1] = option;
    }
    return row->run(argc - 1, argv + 1);
}
