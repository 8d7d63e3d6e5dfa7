/* The table of verdicts, and judging; see verdicts.h. */
#include "tools/exp/measure/verdicts.h"

const VerdictRow verdicts[VERDICTS] = {
#define VERDICT(id, ...) {__VA_ARGS__},
#include "tools/exp/measure/verdicts.def"
#undef VERDICT
};

Verdict verdict_judge(bool measured, bool changed, bool good) {
    return !measured ? VERDICT_NOT_MEASURED
           : changed ? VERDICT_NOT_JUDGED
           : good    ? VERDICT_REPRODUCED
                     : VERDICT_NOT_REPRODUCED;
}
