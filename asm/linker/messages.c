/* Messages of the linker: one line each, in the order of being found. Its inputs have
 * lines but no columns and need not have their sources, so there is no caret. */
#include "asm/linker/link.h"

#include "asm/objects/mem.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MESSAGES_MAX = 100 }; /* one missing file can make thousands */

void link_messages_open(Linker *linker, LinkMessages *messages) {
    linker->messages = open_memstream(&messages->text, &messages->size);
    if (!linker->messages)
        abort();
}

char *link_messages_close(Linker *linker, LinkMessages *messages) {
    if (linker->errors > MESSAGES_MAX)
        fprintf(linker->messages, "link: error: %d more errors\n",
                linker->errors - MESSAGES_MAX);
    if (fclose(linker->messages) != 0)
        abort();
    return messages->text;
}

/* Beyond the limit errors are only counted, so that the link still fails. */
void link_error(Linker *linker, const char *file, int line, const char *format, ...) {
    if (linker->errors++ >= MESSAGES_MAX)
        return;
    va_list args;
    va_start(args, format);
    char *text = mem_print(format, args);
    va_end(args);
    char *place = mem_printable(file ? file : "link");
    if (file && line > 0)
        fprintf(linker->messages, "%s:%d: error: %s\n", place, line, text);
    else
        fprintf(linker->messages, "%s: error: %s\n", place, text);
    free(place);
    free(text);
}
