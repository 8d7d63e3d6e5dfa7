/* Names from files and programs as text that is safe to show. Anyone may include this.
 *
 * Symbols, files and sections may be called anything: an escape sequence would act on
 * the terminal, a newline would break the lines of a trace or a table. */
#ifndef JM_CORE_PRINTABLE_H
#define JM_CORE_PRINTABLE_H

#include <stddef.h>

/* Bytes that `jm_printable` may need for one byte of text: \xHH. */
enum { JM_PRINTABLE_FACTOR = 4 };

/* Copies `text` to `buffer`, control characters (U+0000 to U+001F, U+007F to U+009F)
 * and bytes that are no UTF-8 as \xHH, one for each byte; the rest as it is. Stops
 * before what does not fit whole. Always terminated; `size` is at least 1. Returns
 * `buffer`. */
char *jm_printable(const char *text, char *buffer, size_t size);

#endif
