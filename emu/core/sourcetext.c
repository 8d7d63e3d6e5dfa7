/* Reads single lines of source files; see sourcetext.h. */
#include "emu/core/sourcetext.h"

#include <stdio.h>
#include <sys/stat.h>

/* Seeks to the beginning of a line; false if the file ends before it. */
static bool skip_to(FILE *file, int line) {
    for (int at = 1; at < line;) {
        const int c = getc(file);
        if (c == EOF)
            return false;
        at += c == '\n';
    }
    return true;
}

/* Control characters count as blanks: they must not reach a terminal. */
static bool is_blank(int c) {
    return c <= ' ' || c == 0x7F;
}

bool source_text_line(const char *path, int line, char *text, size_t size) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool found = line > 0 && skip_to(file, line);
    size_t length = 0, end = 0;
    for (int c; found && length + 1 < size && (c = getc(file)) != EOF && c != '\n';) {
        if (is_blank(c) && length == 0)
            continue;
        text[length++] = is_blank(c) ? ' ' : (char)c;
        if (!is_blank(c))
            end = length;
    }
    fclose(file);
    text[end] = '\0';
    return end > 0;
}
