/* Lists of words in one text, as tables have them. */
#ifndef JM_TOOLS_HOST_WORD_LIST_H
#define JM_TOOLS_HOST_WORD_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `word` is one of the words of `list`, which `separator` divides. An empty
 * word never is. */
bool word_list_has(const char *list, char separator, const char *word);

/* Returns the place of `word` among them, from 0; -1 if it is not there. */
int word_list_place(const char *list, char separator, const char *word);

/* Takes the next word off a list; one that has no room in `size` bytes is cut. False at
 * the end of the list, and at an empty word. */
bool word_list_next(const char **list, char separator, char *word, size_t size);

#endif
