/* The debugger's state, what it says, and the words of its lines: the lowest of the
 * rooms of emu/debug, which all others include.
 *
 *     session     lines to commands, scripts, completion
 *     look change what is shown; what is changed by hand
 *     past        running, and going back
 *     stops       what ends a run
 *     values      expressions, nodes
 *     talk        what is said
 *
 * A room includes those below it; `look` and `change` do not know each other. */
#ifndef JM_DEBUG_TALK_TALK_H
#define JM_DEBUG_TALK_TALK_H

#include <inttypes.h>
#include <stdio.h>

#include "emu/core/printable.h"
#include "emu/debug/debug.h"
#include "emu/debug/talk/text.h"
#include "emu/machine/machine.h"

/* What the other rooms remember; each has the header of its own. */
typedef struct Values Values;   /* values/values.h */
typedef struct Stops Stops;     /* stops/stops.h */
typedef struct Past Past;       /* past/past.h */
typedef struct Session Session; /* session/session.h */

/* A line of the source; no file: not known. */
typedef struct {
    const char *file;
    int line;
} SourceLine;

struct JmDebug {
    Heap *heap;   /* of all that the debugger remembers or works with */
    bool starved; /* memory ran out in some work: there is none any more */
    bool lost;    /* memory ran out for a row */
    JmMachine *machine;
    JmDebugHost host;
    Text out, prompt;
    bool has_quit;
    int status;
    bool interrupted; /* since the user's line began */

    unsigned node; /* selected */
    int context;   /* JmContext, or -1: that which runs */

    uint32_t next_address; /* `x` and `disassemble` go on here, */
    SourceLine next_line;  /* and `list` here; line 0: around the next instruction */

    Values *values;
    Stops *stops;
    Past *past;
    Session *session;
    /* Does a line, as `debug_do` its own: for commands of stops. */
    bool (*do_line)(JmDebug *d, const char *line);
};

/* Arguments of a command: what is left of its line. */
typedef struct {
    JmDebug *d;
    const char *line; /* whole line, for the caret */
    const char *at;
} Args;

typedef bool CommandFunction(JmDebug *d, Args *args);
/* A list of `info`; of some only what has `part` in its name. */
typedef void InfoFunction(JmDebug *d, const char *part);

enum { SHORT_TEXT = 64, LONG_TEXT = 400 };

/* ---- output ---------------------------------------------------------------------- */

void say(JmDebug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* JmRowWriters for a JmDebug; one indents the row. They come back whatever happens, as
 * those need who call them; rows_end() is to be called behind, and gives up if rows are
 * lost. */
void say_row(void *debug, const char *row);
void say_row_inside(void *debug, const char *row);
void rows_end(JmDebug *d);
/* Says what is wrong; false, so that a command can return it. */
bool fail(JmDebug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, below the line and a caret at `at`. */
bool fail_at(const Args *args, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Words in lines that fit the terminal, each from `indent` on; the first line has come
 * to `column`. */
void say_wrapped(JmDebug *d, const char *text, unsigned indent, unsigned column);
/* Gives what has been said to the host. */
void flush(JmDebug *d);
/* "s", but "" for one. */
static inline const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* ---- words of a line ------------------------------------------------------------- */

void skip_blanks(Args *args);
bool at_end(Args *args);
/* Takes `word` if it is the next word; whole words only. */
bool take_word(Args *args, const char *word);
/* Copies the next word, cut at blanks; false if there is none. */
bool next_word(Args *args, char *buffer, size_t size);
bool expect_end(Args *args);
enum { PATH_LENGTH = 4096 };
/* The name of a file. */
bool take_path(Args *args, char path[PATH_LENGTH]);

/* Whether Ctrl-C has come: it ends all that the line of the user has set going, also
 * scripts and the commands of stops. */
bool is_interrupted(JmDebug *d);

#endif
