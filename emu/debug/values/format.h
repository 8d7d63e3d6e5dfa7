/* How values are shown, and the displays. For emu/debug. */
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

/* Takes an optional suffix of a command's name, "/4x": a format and, unless `count` is
 * NULL, a count. Without it nothing is changed. False and a message. */
bool take_slash(Args *args, int64_t *count, Format *format);
/* Takes a format's name, like "dec". False: something else follows. */
bool take_format(Args *args, Format *format);
/* Takes a format's name, if the line has not ended behind an expression, and its end.
 * False and a message. */
bool take_last_format(Args *args, Format *format);
/* Returns the name of a format, `index` 0.. until NULL. */
const char *format_name(unsigned index);
/* Prints a word as two instructions or, if it holds none, by its tag. */
void say_code(JmDebug *d, JmWord word);
void say_value(JmDebug *d, const Value *value, Format format);

/* An expression that is shown whenever the machine stops. */
typedef struct Display {
    unsigned id;
    char *text;
    Format format;
} Display;

#endif
