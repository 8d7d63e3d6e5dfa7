/* Command lines of `jm net`: options as rows of a table, each with a place for its
 * value. For the commands of this folder. */
#ifndef JM_TOOLS_NET_ARGUMENTS_H
#define JM_TOOLS_NET_ARGUMENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/core/status.h"
#include "tools/host/option_rows.h"

typedef enum {
    ARGUMENT_FLAG,  /* bool: no value */
    ARGUMENT_COUNT, /* unsigned: low .. high */
    ARGUMENT_WORD,  /* unsigned: place of one of the words, "a|b|c" in `argument` */
    ARGUMENT_FILE,  /* const char *: not empty */
} ArgumentKind;

/* An option with the place of its value. */
typedef struct {
    OptionRow row;
    ArgumentKind kind;
    void *value; /* a variable of the kind's type */
    double low, high;
    bool given; /* set when it is parsed */
} Argument;

/* An entry of an array of arguments, from a row of a .def file. */
#define ARGUMENT_ROW(name, argument, kind, value, low, high, text, more)               \
    {{name, NULL, argument, text, more}, ARGUMENT_##kind, value, low, high, false},

/* Parses argv[1..]; false and an error that names `command` for anything that is not in
 * the table. `arguments` ends with a row without a name. An option may stand once. */
bool arguments_parse(const char *command, Argument *arguments, int argc, char **argv,
                     JmError *error);
/* Whether an option was given. */
bool arguments_given(const Argument *arguments, const char *name);
/* Prints a line for each option, folded. */
void arguments_help(const Argument *arguments, FILE *out);

#endif
