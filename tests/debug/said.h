/* The output of a debugger's session since it was last emptied. A test's session has
 * one as its first member, so that the host's context can be the session. */
#ifndef TESTS_DEBUG_SAID_H
#define TESTS_DEBUG_SAID_H

#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

enum { SAID_MAX = 1 << 20 };

typedef struct {
    size_t length;
    char text[SAID_MAX];
} Said;

/* The host's `write` and `guest`. */
static inline void said_write(void *context, const char *text, size_t length) {
    Said *said = context;
    cr_assert_lt(said->length + length, (size_t)SAID_MAX);
    memcpy(said->text + said->length, text, length);
    said->length += length;
    said->text[said->length] = '\0';
}

static inline void said_empty(Said *said) {
    said->length = 0;
    said->text[0] = '\0';
}

#endif
