/* Lists of words in one text, as tables have them. */
#ifndef JM_TOOLS_HOST_WORD_LIST_H
#define JM_TOOLS_HOST_WORD_LIST_H

#include <stdbool.h>

/* Whether `word` is one of the words of `list`, which `separator` divides. An empty
 * word never is. */
bool word_list_has(const char *list, char separator, const char *word);

#endif
