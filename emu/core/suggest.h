/* Finds, for a "did you mean", the known name closest to a mistyped one. Options,
 * parameters, symbols and debugger commands use it. Anyone may include this header.
 *
 * Usage: jm_suggest_start(), then jm_suggest_consider() for each known name, then
 * `best`. */
#ifndef JM_SUGGEST_H
#define JM_SUGGEST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *wanted; /* the mistyped name, owned by the caller */
    const char *best;   /* closest so far; NULL if none is close enough */
    unsigned distance;  /* only names nearer than this are accepted */
} JmSuggestion;

JmSuggestion jm_suggest_start(const char *wanted);
/* `name` must live as long as the suggestion. */
void jm_suggest_consider(JmSuggestion *suggestion, const char *name);

#ifdef __cplusplus
}
#endif

#endif
