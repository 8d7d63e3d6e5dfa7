/* Verdicts on figures, and their words. */
#ifndef JM_TOOLS_EXP_MEASURE_VERDICTS_H
#define JM_TOOLS_EXP_MEASURE_VERDICTS_H

#include <stdbool.h>

typedef enum {
#define VERDICT(id, ...) VERDICT_##id,
#include "tools/exp/measure/verdicts.def"
#undef VERDICT
    VERDICTS
} Verdict;

/* A row of verdicts.def. */
typedef struct {
    const char *name;
    bool doubtful;
    const char *text, *class, *sign, *check, *effect;
} VerdictRow;

extern const VerdictRow verdicts[VERDICTS];

/* Judges a figure that should be good. `changed`: by --set, another thing was
 * measured. */
Verdict verdict_judge(bool measured, bool changed, bool good);

#endif
