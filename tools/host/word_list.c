/* Finds words in lists. */
#include "tools/host/word_list.h"

#include <stdio.h>
#include <string.h>

/* Returns the length of the word at `*list`, and moves behind it. */
static size_t skip(const char **list, char separator) {
    const char ends[] = {separator, '\0'};
    const size_t length = strcspn(*list, ends);
    *list += length + ((*list)[length] == separator);
    return length;
}

int word_list_place(const char *list, char separator, const char *word) {
    const size_t length = strlen(word);
    for (int place = 0; *list && length > 0; place++) {
        const char *at = list;
        if (skip(&list, separator) == length && strncmp(at, word, length) == 0)
            return place;
    }
    return -1;
}

bool word_list_has(const char *list, char separator, const char *word) {
    return word_list_place(list, separator, word) >= 0;
}

bool word_list_next(const char **list, char separator, char *word, size_t size) {
    const char *at = *list;
    const size_t length = skip(list, separator);
    snprintf(word, size, "%.*s", (int)length, at);
    return length > 0;
}
