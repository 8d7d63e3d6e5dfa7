/* The debugger without a terminal: a line of text in, text out. Front ends include this
 * header and emu/jm.h; the program `jm debug` is one, scripts and tests are others.
 *
 * A JmDebug owns no machine: it watches, runs and changes the one it is given. Every
 * command either does all it says or, with a message, nothing. If memory runs out, the
 * session ends: that is said, it has quit and is starved, every call fails, and the
 * machine is starved, too (jm.h).
 */
#ifndef JM_DEBUG_DEBUG_H
#define JM_DEBUG_DEBUG_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/jm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct JmDebug JmDebug;

/* What the debugger needs of the world. Every function gets `context`. */
typedef struct {
    void *context;
    void (*write)(void *context, const char *text, size_t length); /* of commands */
    void (*guest)(void *context, const char *text, size_t length); /* of the program */
    bool (*interrupted)(void *context); /* Ctrl-C since last asked; NULL: never */
    double (*clock)(void *context);     /* seconds; NULL: none */
    unsigned columns;                   /* of a line; 0: 80 */
    bool colour;
} JmDebugHost;

/* Begins to watch a machine, which must outlive the debugger. `host` is copied; its
 * context must live as long. The caller destroys the debugger. NULL if there is no
 * memory. */
JmDebug *jm_debug_create(JmMachine *machine, const JmDebugHost *host);
/* Finishes the trace and the record, if any; jm_debug_destroy() does so too. False if
 * one could not be written; the message is among the output. */
bool jm_debug_finish(JmDebug *debug);
void jm_debug_destroy(JmDebug *debug); /* NULL is fine */
/* Sets the columns of a line from now on; 0: 80. */
void jm_debug_resize(JmDebug *debug, unsigned columns);

/* Does one line. False if it failed; the message is among the output. */
bool jm_debug_do(JmDebug *debug, const char *line);
/* Does the lines of a file up to the first that fails, which is named with its place.
 */
bool jm_debug_source(JmDebug *debug, const char *path);
/* Whether `quit` was said; its status. */
bool jm_debug_has_quit(const JmDebug *debug, int *status);
/* Whether memory ran out. */
bool jm_debug_starved(const JmDebug *debug);

/* Text before the next line, such as "(jm 3) ", or "> " inside `commands`. */
const char *jm_debug_prompt(JmDebug *debug);

/* The `index`-th way to complete the word from `start` on of `line`; malloc'ed, NULL
 * after the last, or if there is no memory. */
char *jm_debug_complete(const JmDebug *debug, const char *line, size_t start,
                        unsigned index);
/* Whether a file is wanted there: the caller completes it. */
bool jm_debug_completes_file(const JmDebug *debug, const char *line, size_t start);

/* The table of commands: 0.. until NULL. */
typedef struct {
    const char *name, *abbreviation, *group, *arguments, *text, *examples;
} JmDebugCommand;
const JmDebugCommand *jm_debug_command(unsigned index);

#ifdef __cplusplus
}
#endif

#endif
