/* The tables of options, commands and names that the programs are built from, for the
 * generators of manual pages and completion. */
#ifndef JM_TOOLS_GEN_ROWS_H
#define JM_TOOLS_GEN_ROWS_H

#include <stddef.h>

#include "tools/host/option_rows.h"

/* Options of a command, known by its words: "jm exp run". */
typedef struct {
    const char *command;
    const OptionRow *rows;
    size_t count;
} OptionTable;

/* 0.. until NULL. "jm debug only" has the options that `jm run` has not. */
const OptionTable *option_table(size_t index);
/* NULL if there is none of this command. */
const OptionTable *option_table_find(const char *command);

typedef struct {
    const char *name, *arguments, *text; /* arguments: NULL for most kinds */
} NameRow;

/* Kinds of names: commands below a command ("jm", "jm exp"), or what stands behind a
 * command ("jm exp run") or in an argument ("PARAMETER"). 0.. until NULL. */
const char *command_kind(size_t index);
const char *name_kind(size_t index);
/* Row `index` of a kind; false behind the last. */
bool name_at(const char *kind, size_t index, NameRow *row);

#endif
