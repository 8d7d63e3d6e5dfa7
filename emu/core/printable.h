/* Names from files and programs as text that is safe to show. Anyone may include this.
 *
 * Symbols, files and sections may be called anything: an escape sequence would act on
 * the terminal, a newline would break the lines of a trace or a table. */
#ifndef JM_CORE_PRINTABLE_H
#define JM_CORE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that `jm_printable` may need for one byte of text: \xHH. */
enum { JM_PRINTABLE_FACTOR = 4 };

/* Returns the bytes of the character that begins here, in a text of `size` bytes.
 * Returns 0 for a control character or invalid UTF-8: this byte must not reach a
 * terminal. */
int jm_printable_length(const char *text, size_t size);

/* Copies `text` to `buffer`. Each byte of a control character (U+0000 to U+001F, U+007F
 * to U+009F) and each byte that is not UTF-8 becomes \xHH. Stops before the first
 * character that does not fit whole. The result is always terminated; `size` is at
 * least 1. Returns `buffer`. */
char *jm_printable(const char *text, char *buffer, size_t size);

/* The same as an argument of printf(): the buffer lives as long as the enclosing
 * block. */
#define JM_SHOWN(text) jm_printable(text, (char[1024]){0}, 1024)

/* Writes a part of a line as a terminal may show it, or blanks of its width, for a
 * caret under it: tabs stay, and bytes that a terminal could obey become "?". */
void jm_printable_put(FILE *out, const char *text, size_t size, bool blanks);

/* As jm_printable(), for a field that blanks delimit: a blank becomes \x20. */
char *jm_printable_word(const char *text, char *buffer, size_t size);

/* Whether `size` bytes are text in UTF-8 without a zero byte. */
bool jm_is_utf8(const char *bytes, size_t size);

/* Bytes that `jm_utf8` may need for one byte of text. */
enum { JM_UTF8_FACTOR = 3 };

/* As jm_printable(), for text that a JSON writer escapes later: control characters
 * stay, and each byte that is not UTF-8 becomes U+FFFD, the replacement character. */
char *jm_utf8(const char *text, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
