/* Messages of the linker: one line each, in the order of being found. Its inputs have
 * lines but no columns and need not have their sources, so there is no caret. */
#include "asm/linker/link.h"

#include <stdarg.h>

enum { MESSAGES_MAX = 100 }; /* one missing file can make thousands */

char *link_messages_close(Linker *linker) {
    if (linker->errors > MESSAGES_MAX)
        fprintf(linker->messages->out, "link: error: %d more errors\n",
                linker->errors - MESSAGES_MAX);
    return mem_text_close(linker->heap, linker->messages);
}

/* Beyond the limit errors are only counted, so that the link still fails. */
void link_error(Linker *linker, const char *file, int line, const char *format, ...) {
    if (linker->errors++ >= MESSAGES_MAX)
        return;
    va_list args;
    va_start(args, format);
    char *text = mem_print(linker->heap, format, args);
    va_end(args);
    char *place = mem_printable(linker->heap, file ? file : "link");
    if (file && line > 0)
        fprintf(linker->messages->out, "%s:%d: error: %s\n", place, line, text);
    else
        fprintf(linker->messages->out, "%s: error: %s\n", place, text);
    heap_free(place);
    heap_free(text);
}
