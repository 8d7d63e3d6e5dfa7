/* Options as rows of tables (.def files): the parser, --help, the manual page and the
 * completion of a program come from the same rows. For all tools.
 *
 * OPTION(id, "name", "letter", "argument", "what it does", "more")
 *
 * Only what it does cannot be NULL. An argument a|b|c stands for one of these words; in
 * capitals it names a kind of thing, of which completion knows FILE, DIR,
 * PARAMETER=VALUE and SETTING=VALUE (tools/completion); [=WORD] may be left out, and a
 * letter never takes it. `more` is whole sentences that
 * the manual adds. option_table.def makes a program's arrays of them. */
#ifndef JM_TOOLS_HOST_OPTION_ROWS_H
#define JM_TOOLS_HOST_OPTION_ROWS_H

#include <getopt.h> /* for optarg and optind */
#include <stdbool.h>
#include <stdio.h>

#include "emu/core/suggest.h"
#include "emu/jm.h"

/* An option. */
typedef struct {
    const char *name;     /* without --; NULL: it has letters alone */
    const char *letter;   /* without -; NULL: it has a name alone */
    const char *argument; /* of its value; NULL: it takes none */
    const char *text, *more;
} OptionRow;

/* An entry of an array of rows. */
#define OPTION_ROW(id, name, letter, argument, text, more)                             \
    {name, letter, argument, text, more},

enum { OPTION_ROWS_MAX = 48 };

/* Taken in place of the number of a row: an operand, between the options. */
enum { OPTION_OPERAND = -1 };

/* The options of a command, and how they are taken. */
typedef struct {
    const char *command; /* as errors call it */
    const OptionRow *rows;
    int count;
    bool in_order; /* operands are taken as OPTION_OPERAND, between the options */
    /* Takes the option of row `id`, with its argument, or NULL. False: no more is
     * taken, because of `error` or since the option has answered the whole line. */
    bool (*take)(void *context, int id, char *argument, JmError *error);
    /* May add to what an option that is none can mean; true if it has filled `error`.
     * NULL: neither. */
    bool (*explain)(void *context, const char *wrong, JmSuggestion *near,
                    JmError *error);
} OptionSet;

/* Takes all options, by getopt_long(), which keeps its place in globals of its own: one
 * command line at a time. The remaining operands begin at argv[optind]. False and
 * `error` for an option that is none, lacks its argument or has one that it does not
 * take; false if `take` is. */
bool option_set_take(const OptionSet *set, void *context, int argc, char **argv,
                     JmError *error);

/* Reports an operand of a command that takes none, or no more. Returns false. */
bool option_refuse_operand(const char *operand, const char *command, JmError *error);

/* Whether the argument of an option may be left out. */
static inline bool option_is_optional(const OptionRow *row) {
    return row->argument && row->argument[0] == '[';
}
/* Options as attributes of an editor's launch: "keepGoing" of --keep-going. Returns
 * `name`. */
enum { OPTION_ATTRIBUTE = 64 };
const char *option_attribute(const OptionRow *row, char name[OPTION_ATTRIBUTE]);
/* Whether an option sets one of many things: its argument is NAME=VALUE. */
bool option_sets_many(const OptionRow *row);
/* Whether the name, the argument or a text of a row has `word` in it, in any case. */
bool option_row_has(const OptionRow *row, const char *word);
bool text_has_word(const char *text, const char *word); /* the same of a text */

/* Prints a row for --help: its spellings, then its text from `column` on. */
void option_row_print(FILE *out, const OptionRow *row, int column);
/* Prints a row with what the manual adds. */
void option_row_print_full(FILE *out, const OptionRow *row, int column);
/* Prints a row in a line: its text ends before the first of ; : and full stop. */
void option_row_print_brief(FILE *out, const OptionRow *row, int column);
/* Prints `text` from `column` on, where the cursor must be, broken at blanks so that
 * lines end before column 80; then a newline. */
void print_wrapped(FILE *out, const char *text, int column);

#endif
