/* Files of source texts: their lines, for messages that say where something happened,
 * byte order marks, names. Anyone may include this header. */
#ifndef JM_CORE_SOURCETEXT_H
#define JM_CORE_SOURCETEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the length of the byte order mark at the beginning of a text: 3, or 0 if
 * there is none. Some editors write one; readers of text skip it. */
size_t jm_text_mark(const char *text, size_t size);

/* Whether a file's name ends with a suffix, such as ".s", or is no more than that. */
bool jm_has_suffix(const char *path, const char *suffix);

/* Returns when a file was last written, in nanoseconds since the epoch; INT64_MIN if
 * there is no such file. If a source is newer than the program made from it, its lines
 * may have moved. */
int64_t jm_text_time(const char *path);

/* Writes line `line` (from 1) of a file to `text`, safe for a terminal: blanks at both
 * ends are removed, a tab or other control character becomes a blank, and the line is
 * cut at `size` bytes. Returns false if the file cannot be read, is not a regular file,
 * has no such line, or the line is blank. */
bool source_text_line(const char *path, int line, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
