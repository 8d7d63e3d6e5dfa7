/* Turning lines into commands, and the state of a session. For emu/debug/session. */
#ifndef JM_DEBUG_SESSION_SESSION_H
#define JM_DEBUG_SESSION_SESSION_H

#include "emu/core/outfile.h"
#include "emu/debug/past/past.h"

/* A word that stands for a line. */
typedef struct {
    char *name, *text;
} Alias;

/* State of the room `session`. */
struct Session {
    Alias *aliases;
    size_t alias_count, alias_capacity;
    char *last_line;     /* repeated by an empty line; NULL: nothing */
    unsigned depth;      /* nesting of scripts, aliases and commands of stops */
    bool doing_commands; /* commands of stops are being executed */
    bool echo;           /* lines are shown before they are executed */
    JmOutFile record;    /* the user's lines go here, if it is open */
};

/* Returns the alias of a name, or NULL. */
Alias *alias_named(const JmDebug *d, const char *name);
/* Returns the name of a command, or a word that users of gdb say for one; `index` 0..
 * until NULL. */
const char *command_word(unsigned index);
/* Returns the command that a word stands for at the beginning of a line, or NULL. */
const JmDebugCommand *command_named(const char *word);
/* Returns the name of a list of `info`, `index` 0.. until NULL. */
const char *info_topic(unsigned index);

#endif
