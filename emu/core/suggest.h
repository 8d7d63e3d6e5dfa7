/* "Did you mean": the name among many that is nearest to a mistyped one; for options,
 * parameters, symbols and the debugger's commands. */
#ifndef JM_SUGGEST_H
#define JM_SUGGEST_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *wanted;
    const char *best; /* nearest so far; NULL if none is near enough */
    unsigned distance;
} JmSuggestion;

JmSuggestion jm_suggest_start(const char *wanted);
/* `name` must live as long as the suggestion. */
void jm_suggest_consider(JmSuggestion *suggestion, const char *name);

#ifdef __cplusplus
}
#endif

#endif
