/* Limits the leak sanitizer to the processes of the tests: in the one that starts them
 * Criterion itself loses blocks when tests end together. */
#define _GNU_SOURCE /* for program_invocation_short_name */
#include <errno.h>
#include <string.h>

int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void) {
    return strcmp(program_invocation_short_name, "boxfort-worker") != 0;
}
