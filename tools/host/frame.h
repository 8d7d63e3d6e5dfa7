/* Command lines, apart from what each option does: help, version, bad usage; and
 * commands that have commands of their own, as `jm net run`. For all tools. */
#ifndef JM_TOOLS_HOST_FRAME_H
#define JM_TOOLS_HOST_FRAME_H

#include "tools/host/option_rows.h"

enum { FRAME_GO_ON = -1 };

/* A program, and its command line. Its functions return an exit status or FRAME_GO_ON,
 * which is not an exit status. */
typedef struct {
    OptionSet options;       /* `command` is the program's name */
    int column;              /* of --help, where the texts of options begin */
    const char *head, *foot; /* of --help: above and below the options; foot: or NULL */
    const char *version;     /* NULL: name and JM_VERSION */
} Frame;

/* The first member of a program's structure: what was asked for, and how
 * (option_set_take()). */
typedef struct {
    bool help, version;
    const char *given[OPTION_ROWS_MAX];
} FrameAsked;

/* Prints --help. Returns success. */
int frame_help(const Frame *frame);

/* Reports bad usage, `text` then `what`. Returns EXIT_USAGE. */
int frame_bad_usage(const Frame *frame, const char *text, const char *what);

/* Takes all options into a structure that begins with FrameAsked, and answers --help or
 * --version. The remaining operands begin at argv[optind]. */
int frame_options(const Frame *frame, int argc, char **argv, void *fields);

/* Takes the options of a command that has --help alone, which `help` answers, and at
 * most `most` operands, which begin at argv[optind]. */
int frame_plain(const char *command, int (*help)(void), int most, int argc,
                char **argv);

/* A command. */
typedef struct {
    const char *name;
    const char *text;   /* what it does; NULL: no list has it */
    const char *source; /* where that was published; may be NULL */
    int (*run)(int argc, char **argv);
} CommandRow;

/* The commands of a program or command. */
typedef struct {
    const char *tool;        /* as errors call it: "jm net" */
    const char *kind;        /* what the rows are: "command" */
    const CommandRow *rows;  /* the last has no name */
    const char *head, *foot; /* of --help: above and below the commands */
    int indent, column;      /* of these, and where their texts begin */
    int (*help)(void);       /* answers --help in place of these; NULL: nothing does */
} CommandSet;

/* Prints a line for each command. */
void commands_print(FILE *out, const CommandSet *set);
/* Prints --help. Returns success. */
int commands_help(FILE *out, const CommandSet *set);

/* Runs the command that argv[1] names, which finds its own name in argv[0], and returns
 * its status. `--help`, `-h` or `help` prints help, or describes the command behind it.
 * If there is no such command, or no name, names the nearest or all on stderr and
 * returns EXIT_USAGE. */
int command_choose(const CommandSet *set, int argc, char **argv);

#endif
