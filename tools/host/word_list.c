/* Finds words in lists. */
#include "tools/host/word_list.h"

#include <string.h>

bool word_list_has(const char *list, char separator, const char *word) {
    const char ends[] = {separator, '\0'};
    const size_t length = strlen(word);
    for (const char *at = list; *at && length > 0;) {
        const size_t own = strcspn(at, ends);
        if (own == length && strncmp(at, word, own) == 0)
            return true;
        at += own + (at[own] == separator);
    }
    return false;
}
