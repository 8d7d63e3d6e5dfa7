/* Finds the known name closest to a mistyped one; see suggest.h. */
#include "emu/core/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = JM_SUGGEST_LONGEST };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the edits between two names of at most LONGEST characters: letters inserted,
 * deleted, changed, or two neighbours swapped; case does not count. Source: Damerau
 * 1964, in the restricted form. row[i % 3][j] is the distance of the first i letters
 * of a and the first j of b. */
static unsigned edit_distance(const char *a, const char *b) {
    const size_t rows = strlen(a), columns = strlen(b);
    unsigned row[3][LONGEST + 1];
    for (unsigned j = 0; j <= columns; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= rows; i++) {
        unsigned *now = row[i % 3];
        const unsigned *above = row[(i - 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= columns; j++) {
            now[j] = least(above[j - 1] + !same_letter(a[i - 1], b[j - 1]),
                           least(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]))
                now[j] = least(now[j], row[(i - 2) % 3][j - 2] + 1);
        }
    }
    return row[rows % 3][columns];
}

JmSuggestion jm_suggest_start(const char *wanted) {
    /* A name is suggested at a distance of at most a third of the letters, rounded up;
     * beyond that a typing error is unlikely. */
    return (JmSuggestion){.wanted = wanted,
                          .distance = ((unsigned)strlen(wanted) + 2) / 3 + 1};
}

void jm_suggest_consider(JmSuggestion *suggestion, const char *name) {
    if (strlen(name) > LONGEST || strlen(suggestion->wanted) > LONGEST)
        return;
    const unsigned distance = edit_distance(suggestion->wanted, name);
    if (distance >= suggestion->distance)
        return;
    suggestion->distance = distance;
    suggestion->best = name;
}

const char *jm_suggest_text(JmSuggestion *suggestion, const char *prefix,
                            const char *otherwise) {
    if (!suggestion->best)
        return otherwise;
    snprintf(suggestion->text, sizeof suggestion->text, "; did you mean '%s%s'?",
             prefix, suggestion->best);
    return suggestion->text;
}

void jm_suggest_one_of(const char *list, const char *wrong, char *text, size_t size) {
    char words[512], *state;
    snprintf(words, sizeof words, "%s", list);
    JmSuggestion near = jm_suggest_start(wrong);
    for (char *word = strtok_r(words, "|/", &state); word;
         word = strtok_r(NULL, "|/", &state))
        jm_suggest_consider(&near, word);
    snprintf(text, size, "one of %s%s", list, jm_suggest_text(&near, "", ""));
}
