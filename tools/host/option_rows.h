/* Options as rows of tables (.def files): the parser, --help, the manual page and the
 * completion of a program come from the same rows. For all tools.
 *
 * OPTION("name", "letter", "argument", use, "what it does", "more")
 *
 * `use` is what the parser does with it: FLAG(member) sets a bool, CLEAR(member)
 * resets it, ANSWER(member) sets it and ends the line; TEXT(member) keeps an argument
 * that is not empty, OUTPUT(member) the name of a file to write; NUMBER(member, low,
 * high) keeps a number and WORD(member) the place of one of the argument's words
 * (uint32_t or uint64_t); LIST(list, count) adds to one with room for all arguments;
 * BY(function) calls an OptionTaker. SETTING(model, setting, added, standard) gives a
 * setting of a model the argument followed by `added`. The setting's row says what is
 * allowed, and completes a text that is NULL or ends with a blank; `standard` is shown
 * as the default, "" none, NULL that of the setting. A row with the `use` of an earlier
 * one is another name of that option. The last of several counts. OF(group, listed,
 * use) is for options of `jm run` (tools/jm/options).
 *
 * An argument a|b|c allows these words alone; in capitals it names a kind of thing, of
 * which completion knows FILE, DIR, PARAMETER=VALUE and SETTING=VALUE
 * (tools/completion); [=WORD] may be left out, and a letter never takes it. `more` is
 * whole sentences that the manual adds. Only what it does cannot be NULL.
 * option_table.def makes a program's arrays of the rows. */
#ifndef JM_TOOLS_HOST_OPTION_ROWS_H
#define JM_TOOLS_HOST_OPTION_ROWS_H

#include <getopt.h> /* for optind */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/core/suggest.h"
#include "emu/jm.h"

typedef enum {
    OPTION_BY,
    OPTION_FLAG,
    OPTION_CLEAR,
    OPTION_ANSWER,
    OPTION_TEXT,
    OPTION_OUTPUT,
    OPTION_LIST,
    OPTION_NUMBER,
    OPTION_WORD,
    OPTION_SETTING
} OptionKind;

/* An option. */
typedef struct {
    const char *name;     /* without --; NULL: it has letters alone */
    const char *letter;   /* without -; NULL: it has a name alone */
    const char *argument; /* of its value; NULL: it takes none */
    const char *text, *more;
    OptionKind kind;
    int group;       /* of OF, */
    bool only_named; /* and whether it is listed by its NAME */
    const char *model, *setting, *added, *standard; /* SETTING */
} OptionRow;

/* An entry of an array of rows: IS_ before the row's `use`. */
#define OPTION_ROW(name, letter, argument, use, text, more)                            \
    {name, letter, argument, text, more, IS_##use},
#define IS_OF(a_group, listed, use)                                                    \
    .group = OPTION_GROUP_##a_group, .only_named = ONLY_##listed, IS_##use
#define ONLY_NAME true
#define ONLY_LINE false
#define IS_BY(function) .kind = OPTION_BY
#define IS_FLAG(member) .kind = OPTION_FLAG
#define IS_CLEAR(member) .kind = OPTION_CLEAR
#define IS_ANSWER(member) .kind = OPTION_ANSWER
#define IS_TEXT(member) .kind = OPTION_TEXT
#define IS_OUTPUT(member) .kind = OPTION_OUTPUT
#define IS_LIST(list, counter) .kind = OPTION_LIST
#define IS_NUMBER(member, least, most) .kind = OPTION_NUMBER
#define IS_WORD(member) .kind = OPTION_WORD
#define IS_SETTING(of, name, more, usual)                                              \
    .kind = OPTION_SETTING, .model = #of, .setting = #name, .added = more,             \
    .standard = usual

enum { OPTION_ROWS_MAX = 48, OPTION_TEXT_MAX = 640 };

/* Takes an option's argument into the structure. False: it is wrong, as `error` says;
 * if it says nothing, because it is not what the row expects. */
typedef bool OptionTaker(void *fields, char *argument, JmError *error);

/* Where the parser keeps an option; filled by its row. */
typedef struct {
    size_t place, size; /* of the member */
    uint64_t low, high; /* NUMBER; LIST: `low` is the place of an unsigned count */
    OptionTaker *take;  /* BY */
} OptionUse;

/* The arrays that option_table.def makes, for an OptionSet. */
#define OPTION_TABLE                                                                   \
    .rows = option_rows, .uses = option_uses,                                          \
    .count = sizeof option_rows / sizeof *option_rows

/* An entry of an array of uses: USE_ before the row's `use`. */
#define OPTION_USE(name, letter, argument, use, text, more) {USE_##use},
#define USE_OF(group, listed, use) USE_##use
#define USE_BY(function) .take = function
#define USE_FLAG(member)                                                               \
    .place = offsetof(OPTION_FIELDS, member), .size = sizeof((OPTION_FIELDS *)0)->member
#define USE_CLEAR USE_FLAG
#define USE_ANSWER USE_FLAG
#define USE_TEXT USE_FLAG
#define USE_OUTPUT USE_FLAG
#define USE_WORD USE_FLAG
#define USE_NUMBER(member, least, most) USE_FLAG(member), .low = least, .high = most
#define USE_LIST(list, counter) USE_FLAG(list), .low = offsetof(OPTION_FIELDS, counter)
#define USE_SETTING(model, setting, more, standard) .size = 0

/* What tables of settings say of options that give one. */
typedef struct {
    /* Completes the text of a row, in `text`. */
    void (*describe)(OptionRow *row, char text[OPTION_TEXT_MAX]);
    /* Whether a row allows an argument; writes what it expects. */
    bool (*allows)(const OptionRow *row, const char *argument, char *what, size_t size);
} OptionSettings;

/* Taken in place of the number of a row: an operand, between the options. */
enum { OPTION_OPERAND = -1 };

/* The options of a command, and how they are taken. */
typedef struct {
    const char *command; /* as errors call it */
    const OptionRow *rows;
    const OptionUse *uses; /* by row */
    int count;
    const OptionSettings *settings; /* NULL: no option gives one */
    bool alone;                     /* there are no operands */
    bool in_order; /* operands are taken as OPTION_OPERAND, between the options */
    /* Takes the option of row `id`, with its argument, or NULL; an operand, if they are
     * taken in order. False and `error`. NULL: option_take() takes all into the
     * context. */
    bool (*take)(void *context, int id, char *argument, JmError *error);
    /* May add to what an option that is none can mean; true if it has filled `error`.
     * NULL: neither. */
    bool (*explain)(void *context, const char *wrong, JmSuggestion *near,
                    JmError *error);
} OptionSet;

/* Takes all options, by getopt_long(), which keeps its place in globals of its own: one
 * command line at a time. The remaining operands begin at argv[optind]. False and
 * `error` for an option that is none, lacks its argument or has one that it does not
 * take. Options behind one that answers the line are not read. `given`, unless it is
 * NULL, gets the last argument of each row, "" without one; that of another name is
 * given to the first row of the option. */
bool option_set_take(const OptionSet *set, void *context, const char **given, int argc,
                     char **argv, JmError *error);

/* Takes one option into the structure `fields`, as its row says. */
bool option_take(const OptionSet *set, void *fields, int id, char *argument,
                 JmError *error);

/* Whether an option, or another name of it, is given. */
bool option_is_given(const OptionSet *set, const char *const *given, const char *name);
/* Refuse a command line without one of the options, or with one: "--NAME" and `why`.
 * `names` are separated by |. */
bool option_need(const OptionSet *set, const char *const *given, const char *names,
                 JmError *error);
bool option_refuse(const OptionSet *set, const char *const *given, const char *names,
                   const char *why, JmError *error);

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
