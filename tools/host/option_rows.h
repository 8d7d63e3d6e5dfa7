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

#include <getopt.h>
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

/* Results of option_scan_next() that are not rows. */
typedef enum {
    OPTION_END = -1,     /* no more options; operands start at argv[optind] */
    OPTION_OPERAND = -2, /* with operands in order: `optarg` is one */
    OPTION_WRONG = -3,   /* `wrong` of the scan is not an option, or takes no
                          * argument */
    OPTION_MISSING = -4, /* `wrong` needs an argument */
} OptionEnd;

/* A command line being read by getopt_long(), which keeps its place in globals of its
 * own: one at a time. */
typedef struct {
    const OptionRow *rows;
    int count;
    struct option names[OPTION_ROWS_MAX + 1];
    char letters[2 * OPTION_ROWS_MAX + 3];
    const char *wrong; /* the option of the last OPTION_WRONG or OPTION_MISSING */
    char letter[3];    /* room for one of a group of letters */
    char name[JM_SUGGEST_LONGEST + 2]; /* `wrong`, without its dashes and its value */
    JmSuggestion near; /* of an OPTION_WRONG: the option that may be meant */
} OptionScan;

/* Starts at argv[1]. With `in_order` operands are returned in their place between the
 * options; otherwise they follow all options. Nothing is printed. */
void option_scan_start(OptionScan *scan, const OptionRow *rows, int count,
                       bool in_order);
/* Returns the number of the next option's row, with its argument in `optarg`, or an
 * OptionEnd. */
int option_scan_next(OptionScan *scan, int argc, char **argv);

/* Reports an OPTION_WRONG or OPTION_MISSING of `command`. Returns false. */
bool option_scan_refuse(OptionScan *scan, int id, const char *command, JmError *error);
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
