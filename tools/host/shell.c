/* Quotes words for a shell, and reads them back. */
#include "tools/host/shell.h"

#include <stdbool.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                            "0123456789_-+=.,:/%@";

void shell_put(FILE *out, const char *word) {
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
    putc('\'', out);
}

/* Takes the quotes off a word that begins at `text`; returns where it ends. */
static char *cut_word(char *text) {
    char *to = text;
    bool quoted = false;
    for (; *text && (quoted || *text != ' '); text++)
        if (*text == '\'')
            quoted = !quoted;
        else if (!quoted && *text == '\\' && text[1])
            *to++ = *++text;
        else
            *to++ = *text;
    char *end = text + (*text != '\0');
    *to = '\0';
    return end;
}

unsigned shell_cut(char *command, char *words[], unsigned most) {
    unsigned count = 0;
    command += strspn(command, " ");
    while (*command) {
        if (count == most)
            return 0;
        words[count++] = command;
        command = cut_word(command);
        command += strspn(command, " ");
    }
    return count;
}
