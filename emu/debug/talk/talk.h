/* The debugger's state, its output, and the words of its lines: the lowest of the rooms
 * of emu/debug, which all others include.
 *
 *     session     lines to commands, scripts, completion
 *     look change inspection; manual changes
 *     past        running, and going back
 *     stops       what ends a run
 *     values      expressions, nodes
 *     talk        output
 *
 * A room includes those below it; `look` and `change` do not know each other. */
#ifndef JM_DEBUG_TALK_TALK_H
#define JM_DEBUG_TALK_TALK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "emu/core/heap.h"
#include "emu/core/outfile.h"
#include "emu/core/printable.h"
#include "emu/debug/inspect.h"
#include "emu/machine/machine.h"

/* ---- growing texts, in a heap of the debugger ------------------------------------ */

/* A growing text. */
typedef struct {
    Heap *heap;
    char *bytes; /* always terminated; NULL: nothing yet */
    size_t length, capacity;
} Text;

/* Appends formatted text. */
void text_add(Text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes the text empty; its memory stays. */
void text_clear(Text *text);
/* Returns the text, "" if there is none. It lives until the text changes. */
const char *text_get(const Text *text);

/* Returns a copy of `length` bytes, terminated. */
char *text_copy(Heap *heap, const char *bytes, size_t length);
/* Returns a copy of a string. */
char *text_copy_all(Heap *heap, const char *string);

/* ---- the debugger ---------------------------------------------------------------- */

/* State of the other rooms. Each structure has a header of its own. */
typedef struct Values Values;   /* values/values.h */
typedef struct Stops Stops;     /* stops/stops.h */
typedef struct Past Past;       /* past/past.h */
typedef struct Session Session; /* session/session.h */

/* The commands that write a file. */
typedef enum { WRITER_TRACE, WRITER_RECORD, WRITER_SAVE, WRITERS } Writer;

/* Buffers for the texts of names.h, which use them in turn. */
enum { TEXTS = 16, LONG_TEXT = 400, CODE_TEXT = 80 };
typedef struct {
    char text[TEXTS][LONG_TEXT];
    unsigned next;
} Texts;

/* A debugger. Each room above `talk` adds a structure of its own. */
struct JmDebug {
    Heap *heap;   /* all state of the debugger */
    Heap *work;   /* what a line or a call needs: freed when it ends */
    bool starved; /* memory has run out: the session has ended */
    bool lost;    /* memory ran out while rows were printed: see rows_end() */
    JmMachine *machine;
    JmDebugHost host; /* functions of the front end */
    Text out, prompt; /* output since the last flush(); the prompt */
    Text shown;       /* that inspect.h has returned last */
    Text error;       /* the last message of fail(), without its beginning */
    bool quiet;       /* fail() only records its messages */
    Texts *texts;
    /* Files that are being written; NULL or not open: none. */
    const JmOutFile *written[WRITERS];
    bool guest_line;  /* the program has begun a line, and not ended it */
    bool has_quit;    /* `quit` was executed */
    int status;       /* exit status that `quit` gave */
    bool interrupted; /* Ctrl-C came since the user's line began */

    unsigned node; /* the selected node */
    int context;   /* the selected context, a JmContext; -1: the running one */

    uint32_t next_address;  /* `x` and `disassemble` continue here; UINT32_MAX:
                              nowhere */
    JmDebugPlace next_line; /* `list` continues here; line 0: around the next
                             instruction */

    const char *newer; /* source file that was reported as newer than the image */

    Values *values;
    Stops *stops;
    Past *past;
    Session *session;
};

/* The arguments of a command: the rest of its line. */
typedef struct {
    JmDebug *d;
    const char *line; /* whole line, for the caret */
    const char *at;   /* the next character */
} Args;

/* A command. False after a message. */
typedef bool CommandFunction(JmDebug *d, Args *args);
/* A list of `info`. */
typedef void InfoFunction(JmDebug *d);

/* ---- output ---------------------------------------------------------------------- */

/* Print text, or add it to `out`. Control characters are shown as \xHH. */
void say(JmDebug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_to(Text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Rows of text that the machine or the network writes. */
typedef struct {
    JmDebug *d;
    Text *text;
    const char *before; /* each row */
} Rows;
/* A JmRowWriter that adds a row to Rows. It returns whatever happens, because its
 * callers must be able to clean up. After the last row call rows_end(), which abandons
 * the work if rows were lost. */
void add_row(void *rows, const char *row);
void rows_end(JmDebug *d);
/* Prints an error message. Returns false, so that a command can return it. */
bool fail(JmDebug *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints an error message below the line, with a caret at `at`. Returns false. */
bool fail_at(const Args *args, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints words in lines that fit the terminal, each from column `indent` on. The first
 * line has already reached `column`. */
void say_wrapped(JmDebug *d, const char *text, unsigned indent, unsigned column);
/* Passes the output to the host. */
void flush(JmDebug *d);
/* Passes a text to the host: it begins on a new line if the program's last one is
 * unfinished. Needs no memory. */
void write_host(JmDebug *d, const char *text, size_t length);
/* Does work(d, what) for a caller of the library. False if it is, or if memory runs out
 * in it: the caller is notified and the session has ended; or if that was so before. */
bool do_work(JmDebug *d, bool (*work)(JmDebug *d, void *what), void *what);
/* Returns the plural ending of a count: "s", but "" for one. */
static inline const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* ---- words of a line ------------------------------------------------------------- */

/* Skips blanks. */
void skip_blanks(Args *args);
/* Skips blanks and returns where the next word begins. */
const char *next_at(Args *args);
/* Skips blanks and returns whether the line has ended. */
bool at_end(Args *args);
/* Takes `word` if it is the whole next word. */
bool take_word(Args *args, const char *word);
/* Takes one of `words`, which are a text like "queue wire", and returns its place among
 * them, from 0. -1 and a message, which names them and suggests the nearest. */
int take_choice(Args *args, const char *words);
/* Prints the message of take_choice() about the word at `at`. Returns false. */
bool fail_choice(const Args *args, const char *at, const char *words);
/* Names of a list: `index` 0.. until NULL. */
typedef const char *NameAt(unsigned index);
/* Returns "; did you mean 'NAME'?" for the end of a message about `wrong`, `length`
 * bytes that are not a name of the list; `otherwise` if none is near. It lives as long
 * as the line. */
const char *nearest_text(const JmDebug *d, const char *wrong, size_t length,
                         NameAt *names, const char *otherwise);
/* Copies the next word, cut at blanks and to the buffer. False if there is none. */
bool next_word(Args *args, char *buffer, size_t size);
/* Whether the line has ended; else false and a message. */
bool expect_end(Args *args);
enum { PATH_LENGTH = 4096 };
/* Takes the name of a file. False and a message. */
bool take_path(Args *args, char path[PATH_LENGTH]);

/* Whether Ctrl-C has come. It ends everything that the user's line started, including
 * scripts and commands of stops. */
bool is_interrupted(JmDebug *d);

/* ---- the commands and lists of all rooms ----------------------------------------- */

#define COMMAND(name, abbreviation, function, ...) CommandFunction function;
#define INFO(name, function, text) InfoFunction function;
#define INFO_ON(name, function, text) CommandFunction function;
#include "emu/debug/commands.def"
#undef COMMAND

#endif
