/* Lines to commands, and what a session remembers. For emu/debug. */
#ifndef JM_DEBUG_SESSION_SESSION_H
#define JM_DEBUG_SESSION_SESSION_H

#include "emu/core/outfile.h"
#include "emu/debug/commands.h"
#include "emu/debug/past/past.h"

typedef struct {
    char *name, *text;
} Alias;

struct Session {
    Alias *aliases;
    size_t alias_count, alias_capacity;
    char *last_line; /* repeated by an empty line */
    unsigned depth;  /* of scripts, aliases, commands of stops */
    bool echo;
    JmOutFile record;
};

/* Does work(d, text) for somebody outside. False if it fails; if memory ran out in it,
 * that is said, and the session has ended. */
bool session_work(JmDebug *d, bool (*work)(JmDebug *d, const char *text),
                  const char *text);
const char *session_prompt(JmDebug *d);

/* Writes what has been recorded to its file; false and a message if that fails. */
bool record_stop(JmDebug *d);
bool do_line(JmDebug *d, const char *line);

/* What users of gdb say for a command, an index 0.. until NULL; the lists of `info`. */
const char *command_synonym(unsigned index);
/* The command that a word stands for, as at the beginning of a line; NULL. */
const JmDebugCommand *command_named(const char *word);
const char *info_topic(unsigned index);
/* "  stops  breakpoints, ...": a line for each list. */
void say_topics(JmDebug *d, const char *indent);

#endif
