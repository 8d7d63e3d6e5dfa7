/* Fills and prints JmError; see status.h. */
#include "emu/core/status.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/core/printable.h"

/* Sets `error`, unless it is NULL, to `as` with a file and a text. Both can quote bytes
 * of a bad file, so they are made printable. */
static void fill(JmError *error, JmError as, const char *file, const char *format,
                 va_list args) {
    if (!error)
        return;
    char text[JM_ERROR_TEXT_MAX];
    vsnprintf(text, sizeof text, format, args);
    *error = as;
    if (file)
        jm_printable(file, error->file, sizeof error->file);
    jm_printable(text, error->text, sizeof error->text);
}

bool jm_fail(JmError *error, const char *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, (JmError){.offset = -1}, file, format, args);
    va_end(args);
    return false;
}

bool jm_fail_memory(JmError *error, const char *file, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, (JmError){.offset = -1, .memory = true}, file, format, args);
    va_end(args);
    return false;
}

bool jm_fail_at(JmError *error, const char *file, int64_t offset, const char *format,
                ...) {
    va_list args;
    va_start(args, format);
    fill(error, (JmError){.offset = offset}, file, format, args);
    va_end(args);
    return false;
}

bool jm_fail_line(JmError *error, const char *file, int line, int column,
                  const char *format, ...) {
    va_list args;
    va_start(args, format);
    fill(error, (JmError){.offset = -1, .line = line, .column = column}, file, format,
         args);
    va_end(args);
    return false;
}

char *jm_error_format(const JmError *error, char *buffer, int size) {
    const char *file = error->file[0] ? error->file : "jm";
    const size_t room = (size_t)size;
    if (error->line > 0 && error->column > 0)
        snprintf(buffer, room, "%s:%d:%d: error: %s", file, error->line, error->column,
                 error->text);
    else if (error->line > 0)
        snprintf(buffer, room, "%s:%d: error: %s", file, error->line, error->text);
    else if (error->offset >= 0)
        snprintf(buffer, room, "%s: offset 0x%" PRIx64 ": error: %s", file,
                 (uint64_t)error->offset, error->text);
    else
        snprintf(buffer, room, "%s: error: %s", file, error->text);
    return buffer;
}
