/* Command lines, apart from what each option does: help, version, bad usage; and
 * commands that have commands of their own, as `jm net run`. For all tools. */
#ifndef JM_TOOLS_HOST_FRAME_H
#define JM_TOOLS_HOST_FRAME_H

#include <stddef.h>

#include "tools/host/option_rows.h"

enum { FRAME_BAD_USAGE = 2, FRAME_GO_ON = -1 };

/* How an option is handled: its argument or its presence is kept in a field of the
 * context, or the program takes it itself. */
typedef enum { FRAME_TAKE, FRAME_TEXT, FRAME_FLAG, FRAME_HELP, FRAME_VERSION } FrameUse;
typedef struct {
    FrameUse use;
    size_t offset; /* TEXT, FLAG: of the field, a const char * or a bool */
} FrameField;

/* A program, and how its command line is read. Its functions return an exit status or
 * FRAME_GO_ON, which is not an exit status. */
typedef struct {
    const char *name;
    const char *head, *foot; /* of --help: above and below the options; foot: or NULL */
    const OptionRow *rows;
    const FrameField *fields; /* by option */
    int count, column;        /* rows; the column of --help where their texts begin */
    bool in_order;            /* operands come as OPTION_OPERAND, between the options */
    int (*take)(void *context, int id); /* TAKE: the option, its argument in `optarg` */
} Frame;

/* Prints --help. Returns success. */
int frame_help(const Frame *frame);

/* Reports bad usage, `text` then `what`. Returns FRAME_BAD_USAGE. */
int frame_bad_usage(const Frame *frame, const char *text, const char *what);

/* Takes all options up to the first that gives a status, and returns that. The
 * remaining operands begin at argv[optind]. */
int frame_options(const Frame *frame, int argc, char **argv, void *context);

/* A command. A table of them ends with a row without a name. */
typedef struct {
    const char *name;
    const char *text;   /* what it does */
    const char *source; /* where that was published; may be NULL */
    int (*run)(int argc, char **argv);
} CommandRow;

/* Returns the row that `name` names. If there is no such command, or no name, names the
 * nearest or all on stderr and returns NULL. `tool` begins the message; `kind` says
 * what the rows are ("command"). */
const CommandRow *command_find(const CommandRow *rows, const char *tool,
                               const char *kind, const char *name);
/* Runs the command that argv[1] names, which finds its own name in argv[0], and returns
 * its status; without one FRAME_BAD_USAGE. */
int command_choose(const CommandRow *rows, const char *tool, const char *kind, int argc,
                   char **argv);

#endif
