/* Finds, for a "did you mean", the known name closest to a mistyped one. Options,
 * parameters, symbols, mnemonics and debugger commands use it. Anyone may include this
 * header.
 *
 * Usage: jm_suggest_start(), then jm_suggest_consider() for each known name, then
 * jm_suggest_text(), or `best`. */
#ifndef JM_SUGGEST_H
#define JM_SUGGEST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest name that is compared or suggested, in characters. */
enum { JM_SUGGEST_LONGEST = 64 };

typedef struct {
    const char *wanted; /* the mistyped name, owned by the caller */
    const char *best;   /* closest so far; NULL if none is close enough */
    unsigned distance;  /* only names nearer than this are accepted */
    char text[JM_SUGGEST_LONGEST + 32]; /* of jm_suggest_text() */
} JmSuggestion;

JmSuggestion jm_suggest_start(const char *wanted);
/* `name` must live as long as the suggestion. */
void jm_suggest_consider(JmSuggestion *suggestion, const char *name);
/* Returns "; did you mean 'NAME'?" for the end of a message, or `otherwise` if no name
 * is close. `prefix` is written before the name: "--" for options. */
const char *jm_suggest_text(JmSuggestion *suggestion, const char *prefix,
                            const char *otherwise);
/* Writes what is expected in place of `wrong`, which is not one of the words of a list:
 * "one of unfair|fair; did you mean 'fair'?". | divides words, / spellings of one. */
void jm_suggest_one_of(const char *list, const char *wrong, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
