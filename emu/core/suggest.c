/* Finds the known name closest to a mistyped one; see suggest.h. */
#include "emu/core/suggest.h"

#include <string.h>

/* Longest name that is compared, in characters: the distance needs a row of this
 * size. */
enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Returns the Levenshtein distance of two names of at most LONGEST characters. Only one
 * row of the matrix is kept: `diagonal` is the entry above and left of row[j]. */
static unsigned edit_distance(const char *a, const char *b) {
    const size_t columns = strlen(b);
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= columns; j++)
        row[j] = j;
    for (unsigned i = 1; a[i - 1]; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= columns; j++) {
            const unsigned replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[columns];
}

JmSuggestion jm_suggest_start(const char *wanted) {
    /* A name is suggested at a distance of at most a third of its letters plus one;
     * beyond that a typing error is unlikely. */
    return (JmSuggestion){.wanted = wanted,
                          .distance = (unsigned)strlen(wanted) / 3 + 2};
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
