/* Host-side errors as values with a place. Anyone may include this header.
 *
 * A function that can fail for a host reason (bad file, bad option, no memory)
 * returns false or NULL and fills the JmError its caller owns. Libraries never
 * print and never exit. Guest faults are a different thing: see isa/faults.def.
 */
#ifndef JM_CORE_STATUS_H
#define JM_CORE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { JM_ERROR_FILE_MAX = 512, JM_ERROR_TEXT_MAX = 768 };

typedef struct {
    char file[JM_ERROR_FILE_MAX]; /* source, object or option; "" if none */
    int line;                     /* 1.., 0 if none */
    int column;                   /* 1.., 0 if none */
    int64_t offset;               /* byte offset in a binary file, -1 if none */
    char text[JM_ERROR_TEXT_MAX]; /* one sentence, no newline, no full stop */
    bool memory; /* memory has run out; the input may be right: jm_fail_memory() */
} JmError;

/* Clears `error` and fills in file and text, with unprintable bytes escaped as by
 * jm_printable(). `error` may be NULL. Always returns false, so that a caller can write
 * `return jm_fail(...)`. */
bool jm_fail(JmError *error, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As jm_fail(), for want of memory. */
bool jm_fail_memory(JmError *error, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As jm_fail(), with a byte offset into a binary file. */
bool jm_fail_at(JmError *error, const char *file, int64_t offset, const char *format,
                ...) __attribute__((format(printf, 4, 5)));

/* As jm_fail(), with a line and a column of a text file (0: not known). */
bool jm_fail_line(JmError *error, const char *file, int line, int column,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Writes `file:line:column: error: text` (or `file: offset 0xN: error: text`) to
 * `buffer`, always terminated; returns `buffer`. */
char *jm_error_format(const JmError *error, char *buffer, int size);

#ifdef __cplusplus
}
#endif

#endif
