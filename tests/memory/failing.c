#include "tests/memory/failing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIVE_MAX = 1 << 16, ENDLESS = 1 << 20 };

/* The allocated blocks, except those that libc allocated for its callers. */
static struct {
    bool on, after;          /* counting; all requests after the failing one fail too */
    unsigned asked, failing; /* requests so far; the one that fails */
    unsigned count;
    void *live[LIVE_MAX];
} state;

static bool fails(void) {
    if (!state.on)
        return false;
    state.asked++;
    if (state.asked != state.failing && !(state.after && state.asked > state.failing))
        return false;
    errno = ENOMEM;
    return true;
}

static void *given(void *block) {
    if (state.on && block && state.count < LIVE_MAX)
        state.live[state.count++] = block;
    return block;
}

/* The newest blocks go first, mostly. */
static void taken(const void *block) {
    for (unsigned i = state.count; block && i-- > 0;)
        if (state.live[i] == block) {
            state.live[i] = state.live[--state.count];
            return;
        }
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void __real_free(void *block);
FILE *__real_open_memstream(char **text, size_t *size);
FILE *__real_tmpfile(void);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
void __wrap_free(void *block);
FILE *__wrap_open_memstream(char **text, size_t *size);
FILE *__wrap_tmpfile(void);

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : given(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : given(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size) {
    if (fails())
        return NULL;
    taken(block);
    return given(__real_realloc(block, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
    return fails() ? NULL : given(__real_aligned_alloc(alignment, size));
}

char *__wrap_strdup(const char *text) {
    return fails() ? NULL : given(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t size) {
    return fails() ? NULL : given(__real_strndup(text, size));
}

void __wrap_free(void *block) {
    taken(block);
    __real_free(block);
}

FILE *__wrap_open_memstream(char **text, size_t *size) {
    return fails() ? NULL : __real_open_memstream(text, size);
}

FILE *__wrap_tmpfile(void) {
    return fails() ? NULL : __real_tmpfile();
}

/* One run; whether a request failed in it. */
static bool run(FailingWork *work, unsigned failing, bool after) {
    state.on = true;
    state.after = after;
    state.asked = state.count = 0;
    state.failing = failing;
    const bool whole = work();
    state.on = false;
    const bool failed = state.asked >= failing;
    cr_assert_eq(whole, !failed, "request %u of %u%s: %s", failing, state.asked,
                 after ? " and all after it" : "", whole ? "lost" : "without reason");
    cr_assert_eq(state.count, 0, "request %u: %u blocks are left", failing,
                 state.count);
    return failed;
}

unsigned failing_live(void) {
    return state.count;
}

bool failing_told(bool good, const JmError *error) {
    cr_expect(good || error->memory || strstr(error->text, strerror(ENOMEM)), "%s",
              error->text);
    return good;
}

unsigned failing_everywhere(FailingWork *work) {
    unsigned n = 1;
    while (n < ENDLESS && run(work, n, false)) {
        run(work, n, true);
        n++;
    }
    return n - 1;
}

void failing_nowhere(FailingWork *work) {
    run(work, ENDLESS, false);
}
