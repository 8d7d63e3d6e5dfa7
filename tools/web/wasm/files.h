/* Files in memory, as a browser has no others: the page puts sources there and takes
 * results from there. fopen(), stat(), emu/core/outfile.h and the debugger's files
 * (emu/debug/talk/files.h) lead to them. */
#ifndef JM_WEB_FILES_H
#define JM_WEB_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a file, or replaces it, with a copy of the bytes. False without memory. */
bool web_put(const char *name, const void *bytes, size_t size);
/* The bytes of a file, until it is replaced; NULL if there is none of that name. */
const void *web_get(const char *name, size_t *size);

#endif
