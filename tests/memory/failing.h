/* Memory that runs out at a request chosen by a test: the linker redirects the
 * libraries' calls of malloc() and the like (--wrap). For tests/memory only. */
#ifndef JM_TESTS_MEMORY_FAILING_H
#define JM_TESTS_MEMORY_FAILING_H

#include <criterion/criterion.h>
#include <stdbool.h>

#include "emu/core/status.h"

/* Does `work` with its first request for memory failing, then with its second, and so
 * on until none fails: once with that request alone, once with all after it too. `work`
 * must return false where a request failed, true where none did, and leave no block
 * behind. Returns how many requests there were. */
typedef bool FailingWork(void);
unsigned failing_everywhere(FailingWork *work);

/* Does `work` once with no request failing: it must leave no block behind either. */
void failing_nowhere(FailingWork *work);

/* Returns how many blocks there are at this point of the work. */
unsigned failing_live(void);

/* Returns `good`; if it is false, `error` is want of memory. */
bool failing_told(bool good, const JmError *error);

/* A test of the name given last, which does so; Criterion's options may follow. `work`
 * makes more than `least` requests. */
#define FAILING(work, least, ...)                                                      \
    Test(memory, __VA_ARGS__) {                                                        \
        cr_expect_gt(failing_everywhere(work), least);                                 \
    }

#endif
