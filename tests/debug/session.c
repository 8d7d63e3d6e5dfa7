#include "session.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void hear(void *context, const char *text, size_t length) {
    Session *s = context;
    cr_assert_lt(s->length + length, (size_t)SAID_MAX);
    memcpy(s->said + s->length, text, length);
    s->length += length;
    s->said[s->length] = '\0';
}

static bool comes_now(void *context) {
    Session *s = context;
    return s->limit && ++s->asks == s->limit;
}

Session *session_open(unsigned x, unsigned y, unsigned z, const char *program) {
    Session *s = calloc(1, sizeof *s);
    cr_assert(s);
    s->rig = rig_open(x, y, z, program);
    const JmDebugHost host = {
        .context = s, .write = hear, .guest = hear, .interrupted = comes_now};
    s->debug = jm_debug_create(s->rig->machine, &host);
    cr_assert(s->debug);
    return s;
}

void session_close(Session *s) {
    jm_debug_destroy(s->debug);
    rig_close(s->rig);
    free(s);
}

bool tell(Session *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->line, sizeof s->line, format, arguments);
    va_end(arguments);
    s->length = 0;
    s->said[0] = '\0';
    s->asks = 0;
    return jm_debug_do(s->debug, s->line);
}
