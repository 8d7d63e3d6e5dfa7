/* The debugger without a terminal: a line of text in, text out. Front ends include this
 * header and emu/jm.h; the program `jm debug` is one, scripts and tests are others.
 *
 * A JmDebug does not own its machine: it watches, runs and changes the one it is given.
 * Every command either does all it says or, with a message, nothing. If memory runs
 * out, the session ends with a message: it has quit and is starved, every call fails,
 * and the machine is starved, too (jm.h). */
#ifndef JM_DEBUG_DEBUG_H
#define JM_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/jm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JmDebug JmDebug;

/* The functions through which the debugger reaches the outside world. Each gets
 * `context`. Text written after an unfinished line of the program begins with a
 * newline. */
typedef struct {
    void *context; /* first argument of every function */
    void (*write)(void *context, const char *text, size_t length); /* of commands */
    void (*guest)(void *context, const char *text, size_t length); /* of the program */
    /* whether Ctrl-C came since the last call; NULL: never */
    bool (*interrupted)(void *context);
    /* seconds of a monotonic clock; NULL: there is no clock */
    double (*clock)(void *context);
    /* lets the system's shell do a line and returns its status, or -1 if it cannot be
     * started; NULL: there is no shell */
    int (*shell)(void *context, const char *line);
    unsigned columns; /* columns of a line; 0: 80 */
    bool colour;      /* pictures may use ANSI colours */
} JmDebugHost;

/* Starts watching a machine, which must outlive the debugger. Files that it reads are
 * added to jm_inputs(): no command overwrites them. `host` is copied; its context must
 * live as long. The caller destroys the debugger. NULL if there is no memory. */
JmDebug *jm_debug_create(JmMachine *machine, const JmDebugHost *host);
/* Finishes the trace and the record, if any; jm_debug_destroy() does so too. False if
 * one could not be written; the message is in the output. */
bool jm_debug_finish(JmDebug *debug);
void jm_debug_destroy(JmDebug *debug); /* NULL is ignored */
/* Sets the columns of a line from now on; 0 means 80. */
void jm_debug_resize(JmDebug *debug, unsigned columns);

/* Executes one line. False if the command failed; its message is in the output. */
bool jm_debug_do(JmDebug *debug, const char *line);
/* Executes the lines of a file. False at the first that fails; the output names its
 * place. */
bool jm_debug_source(JmDebug *debug, const char *path);
/* Returns the message of what has failed last, without the line that it points into. It
 * lives until the next call. */
const char *jm_debug_error(const JmDebug *debug);
/* Whether `quit` was executed; *status is then its argument. */
bool jm_debug_has_quit(const JmDebug *debug, int *status);
/* Whether memory ran out, so that every call fails. */
bool jm_debug_starved(const JmDebug *debug);

/* Returns the text before the next line, such as "(jm 3) ", or "> " inside `commands`.
 * It lives until the next call. */
const char *jm_debug_prompt(JmDebug *debug);

/* Returns the `index`-th way to complete the word from column `start` of `line` on; the
 * caller frees it. NULL after the last, or if there is no memory. */
char *jm_debug_complete(const JmDebug *debug, const char *line, size_t start,
                        unsigned index);
/* Whether a file name is expected there, which the caller completes itself. */
bool jm_debug_completes_file(const JmDebug *debug, const char *line, size_t start);

/* A row of the table of commands. */
typedef struct {
    const char *name, *abbreviation, *group, *arguments, *text, *examples;
} JmDebugCommand;
/* Returns command `index`, 0.. until NULL. */
const JmDebugCommand *jm_debug_command(unsigned index);

#ifdef __cplusplus
}
#endif

#endif
