/* A debugger's session on a small machine, and its output for the last line. */
#ifndef TESTS_DEBUG_SESSION_H
#define TESTS_DEBUG_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "emu/debug/debug.h"
#include "tests/emu/rig.h"

enum { SAID_MAX = 1 << 20 };

typedef struct {
    Rig *rig;
    JmDebug *debug;
    size_t length; /* of the text */
    char said[SAID_MAX];
    char line[256]; /* the last */
    /* The interrupt comes when it is asked for so often; 0: never. */
    unsigned asks, limit;
} Session;

Session *session_open(unsigned x, unsigned y, unsigned z, const char *program);
void session_close(Session *s);

/* Does a line; whether it did not fail. */
bool tell(Session *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
