/* Reads lines of standard input that is no terminal; see lines.h. */
#include "tools/jm/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/core/sourcetext.h"
#include "tools/host/memory.h"
#include "tools/host/signals.h"

enum { PIECE_BYTES = 65536 };

/* Waits for bytes and reads a piece. False if a signal came. */
static bool read_more(Lines *lines) {
    if (lines->length + PIECE_BYTES > lines->capacity) {
        lines->capacity = (lines->length + PIECE_BYTES) * 2;
        lines->bytes = memory_checked(realloc(lines->bytes, lines->capacity));
    }
    fflush(stdout);
    if (!signals_wait(STDIN_FILENO))
        return false;
    const ssize_t got = read(STDIN_FILENO, lines->bytes + lines->length, PIECE_BYTES);
    lines->ended = got == 0 || (got < 0 && errno != EINTR);
    lines->length += got > 0 ? (size_t)got : 0;
    return true;
}

/* Removes the first `length` bytes, and the newline after them if there is one, and
 * returns them as a text. */
static char *take(Lines *lines, size_t length) {
    const size_t taken = length + (length < lines->length);
    char *line = memory_checked(malloc(length + 1));
    const size_t mark = lines->begun ? 0 : jm_text_mark(lines->bytes, length);
    lines->begun = true;
    for (size_t i = mark; i < length; i++)
        line[i - mark] = lines->bytes[i] ? lines->bytes[i] : '?';
    line[length - mark] = '\0';
    lines->length -= taken;
    memmove(lines->bytes, lines->bytes + taken, lines->length);
    return line;
}

char *lines_next(Lines *lines, bool *interrupted) {
    for (size_t seen = 0;;) {
        const char *end = seen < lines->length
                              ? memchr(lines->bytes + seen, '\n', lines->length - seen)
                              : NULL;
        if (end)
            return take(lines, (size_t)(end - lines->bytes));
        if (lines->ended)
            return lines->length ? take(lines, lines->length) : NULL;
        seen = lines->length;
        lines->too_long = seen > LINES_BYTES_MAX;
        if (lines->too_long)
            return NULL;
        *interrupted = !read_more(lines);
        if (*interrupted)
            return NULL;
    }
}

void lines_free(Lines *lines) {
    free(lines->bytes);
}
