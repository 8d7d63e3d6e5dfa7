/* How values are shown, and expressions that are shown at every stop. For emu/debug. */
#ifndef JM_DEBUG_FORMAT_H
#define JM_DEBUG_FORMAT_H

#include "emu/debug/values/values.h"

typedef enum {
    FORMAT_WORD,
    FORMAT_DEC,
    FORMAT_HEX,
    FORMAT_BIN,
    FORMAT_CHAR,
    FORMAT_ADDR,
    FORMAT_CODE
} Format;

/* "/4x" behind a command: a format and, unless `count` is NULL, a count. Nothing is
 * changed if there is none. */
bool take_slash(Args *args, int64_t *count, Format *format);
/* A format's name, "dec"; false: something else comes. */
bool take_format(Args *args, Format *format);
/* The formats, of which one is written out: an index 0.. until NULL. */
const char *format_name(unsigned index);
/* A word as two instructions, or as what it is. */
void say_code(JmDebug *d, JmWord word);
void say_value(JmDebug *d, const Value *value, Format format);

/* An expression that is shown whenever the machine stops. */
typedef struct Display {
    unsigned id;
    char *text;
    Format format;
} Display;

void display_free(Display *display);

#endif
