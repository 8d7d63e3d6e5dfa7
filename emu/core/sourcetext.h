/* Lines of source files, for who says where something happened. */
#ifndef JM_CORE_SOURCETEXT_H
#define JM_CORE_SOURCETEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes line `line` (from 1) of a file, fit for a terminal: no blanks at its ends, a
 * blank for a tab or other control character, cut at `size`. False if the file cannot
 * be read, is no regular file, or has no such line. */
bool source_text_line(const char *path, int line, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
