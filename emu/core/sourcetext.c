/* Reads single lines of source files; see sourcetext.h. */
#include "emu/core/sourcetext.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/core/printable.h"

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

/* Replaces bytes that must not reach a terminal by blanks; removes trailing blanks. */
static void make_plain(char *text, size_t length) {
    size_t end = 0;
    for (size_t i = 0; i < length; i++) {
        const int size = jm_printable_length(text + i, length - i);
        if (size == 0)
            text[i] = ' ';
        else
            i += (size_t)size - 1;
        if (text[i] != ' ')
            end = i + 1;
    }
    text[end] = '\0';
}

size_t jm_text_mark(const char *text, size_t size) {
    static const char mark[] = {'\xEF', '\xBB', '\xBF'};
    const bool marked = size >= sizeof mark && memcmp(text, mark, sizeof mark) == 0;
    return marked ? sizeof mark : 0;
}

bool jm_has_suffix(const char *path, const char *suffix) {
    const size_t length = strlen(path), tail = strlen(suffix);
    return length >= tail && strcmp(path + length - tail, suffix) == 0;
}

int64_t jm_text_time(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return INT64_MIN;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}

/* Skips the byte order mark, if the file begins with one. */
static void skip_mark(FILE *file) {
    char start[3];
    const size_t size = fread(start, 1, sizeof start, file);
    fseek(file, (long)jm_text_mark(start, size), SEEK_SET);
}

bool source_text_line(const char *path, int line, char *text, size_t size) {
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    skip_mark(file);
    const bool found = line > 0 && skip_to(file, line);
    size_t length = 0;
    for (int c; found && length + 1 < size && (c = getc(file)) != EOF && c != '\n';)
        if (c > ' ' || length > 0)
            text[length++] = (char)c;
    fclose(file);
    text[length] = '\0';
    make_plain(text, length);
    return *text != '\0';
}
