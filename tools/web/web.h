/* The machine in a browser: the functions that the page's worker calls. A reactor of
 * WebAssembly: its functions are called as long as the instance lives, and the worker
 * keeps the handles.
 *
 *     web_put       a source, or a saved machine (wasm/files.h)
 *     web_command   `jm run` from beginning to end, as in a terminal
 *     web_open      a machine under the debugger, which runs it by commands
 *     web_do        one command; slices of a run are commands, too
 *     web_look      what a view of all nodes needs
 *
 * Output of the program and the commands goes to descriptors 1 and 2. */
#ifndef JM_WEB_H
#define JM_WEB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Web Web;

/* Fields of a node in a view, in their order; 32 bits each. */
enum {
    WEB_QUEUE0,       /* words in the queue of priority 0 */
    WEB_QUEUE1,       /* words in the queue of priority 1 */
    WEB_SIZE0,        /* words that the queue of priority 0 can hold */
    WEB_SEND_FAULTS,  /* SEND faults so far */
    WEB_OVERFLOWS,    /* rows so far that made a queue full */
    WEB_FLITS,        /* flits that have left by wires so far, the low 32 bits */
    WEB_TASKS,        /* a bit for each priority that has an active task */
    WEB_INSTRUCTIONS, /* instructions completed so far, the low 32 bits */
    WEB_FIELDS
};

/* Runs `jm run` with these arguments (argv[0] is "run"). Returns its exit status. */
int web_command(int argc, char **argv);

/* Makes a machine with its program, from the arguments of `jm run`. NULL after an
 * error, which is printed. The caller closes it. */
Web *web_open(int argc, char **argv);
void web_close(Web *web); /* NULL is ignored */

/* Executes a line of the debugger, interrupted after `milliseconds`. Returns false if
 * it failed. */
bool web_do(Web *web, const char *line, double milliseconds);
/* Returns the `index`-th way to complete a line's last word, which begins at `start`;
 * the caller frees it. NULL after the last. */
char *web_complete(const Web *web, const char *line, size_t start, unsigned index);

/* Cycles done; the machine's nodes. */
double web_now(const Web *web);
unsigned web_nodes(const Web *web);
/* Sizes of the mesh: dimension 0 to 2. */
unsigned web_size(const Web *web, unsigned dimension);
/* Returns WEB_FIELDS numbers for each node, by rank; valid until the next call. */
const uint32_t *web_look(Web *web);
/* Returns the address of a word of the program, or -1 if it has none of that name. */
int32_t web_symbol(const Web *web, const char *name);
/* Returns tag and data of `count` words of a node from `address` on, two numbers each;
 * NULL if they are not in memory or there is no room. Valid until the next call. */
const uint32_t *web_words(Web *web, unsigned node, uint32_t address, uint32_t count);

/* Returns a letter for each byte of a source's text, by the kind of its token:
 * 'a' for the first of TOKEN_KINDS (tools/mdpas/answers/lexemes.h), 'b' for the next,
 * ' ' for none. The caller frees it. */
char *web_colours(const char *text);
/* Describes the word of the language or the number at byte `at` of a line, as Markdown,
 * which the caller frees; NULL if there is nothing to describe. */
char *web_describe(const char *line, size_t at);

#endif
