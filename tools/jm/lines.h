/* Reads lines of standard input when it is no terminal, for a program that holds
 * signals (tools/host/signals.h): only the wait for a line can be interrupted. For
 * tools/jm. */
#ifndef JM_TOOLS_JM_LINES_H
#define JM_TOOLS_JM_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes that have been read but not yet returned; all zero to begin with. */
typedef struct {
    char *bytes;
    size_t length, capacity;
    bool begun; /* the first line has been returned */
    bool ended;
    bool too_long; /* a line was longer than LINES_BYTES_MAX: reading has ended */
} Lines;

/* Longest line in bytes: input may have no newline and no end. */
enum { LINES_BYTES_MAX = 1 << 20 };

/* Returns the next line without its newline, malloc'ed. Returns NULL at the end, after
 * a line that is too long, or (`*interrupted`) if a signal came before or during the
 * wait. Zero bytes become question marks, so that the
 * rest of the line is not lost. Standard output is flushed before the wait, because the
 * process that writes the lines may be waiting for it. */
char *lines_next(Lines *lines, bool *interrupted);
void lines_free(Lines *lines);

#endif
