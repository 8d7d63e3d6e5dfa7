/* Lines of standard input that is no terminal, for a program that holds SIGINT back:
 * the wait for a line alone can be interrupted. For tools/jm. */
#ifndef JM_TOOLS_JM_LINES_H
#define JM_TOOLS_JM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* What has been read and not yet been taken; zeros to begin with. */
typedef struct {
    char *bytes;
    size_t length, capacity;
    bool ended;
    bool too_long; /* a line of more than LINES_BYTES_MAX has come: no more are taken */
} Lines;

enum { LINES_BYTES_MAX = 1 << 20 }; /* input may have neither line nor end */

/* The next line without its newline, to be freed; NULL at the end, if it is too long,
 * or if SIGINT came while it was waited for. SIGINT must be blocked and have a handler. Zero bytes become
 * question marks, so that what follows them is not lost in silence. Flushes standard
 * output before it waits: who writes the lines may wait for that. */
char *lines_next(Lines *lines, bool *interrupted);
void lines_free(Lines *lines);

#endif
