/* The programs' own tables of options, commands and names, for the generators of manual
 * pages and completion. */
#ifndef JM_TOOLS_GEN_ROWS_H
#define JM_TOOLS_GEN_ROWS_H

#include <stddef.h>

#include "tools/host/option_rows.h"
#include "tools/model/options.h"

/* The options of a command, identified by its words: "jm exp run". */
typedef struct {
    const char *command;
    const OptionRow *rows;
    size_t count;
} OptionTable;

/* Returns table `index`, from 0 until NULL. "jm debug only" has the options that `jm
 * run` lacks. */
const OptionTable *option_table(size_t index);
/* Returns the table of a command, or NULL. */
const OptionTable *option_table_find(const char *command);
/* Gives option `index` of a table, whose text may be made in `text`. False after the
 * last. */
bool option_at(const OptionTable *table, size_t index, OptionRow *row,
               char text[OPTION_TEXT_MAX]);

/* Whether a row of "jm debug" is an option of `jm run`, too. */
bool option_is_shared(const OptionRow *row);

/* A name that may stand on a command line. */
typedef struct {
    const char *name, *arguments, *text; /* arguments: NULL for most kinds */
} NameRow;

/* Returns kind `index` of names, from 0 until NULL: subcommands ("jm", "jm exp"), or
 * names that may follow a command ("jm exp run") or stand in an argument
 * ("PARAMETER"). */
const char *command_kind(size_t index);
const char *name_kind(size_t index);
/* Finds row `index` of a kind. False after the last. */
bool name_at(const char *kind, size_t index, NameRow *row);

#endif
