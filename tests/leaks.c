/* Where the leak sanitizer looks: not into the process that starts the tests, for there
 * Criterion itself loses blocks where tests end at the same time; into theirs. */
#define _GNU_SOURCE /* for program_invocation_short_name */
#include <errno.h>
#include <string.h>

int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void) {
    return strcmp(program_invocation_short_name, "boxfort-worker") != 0;
}
