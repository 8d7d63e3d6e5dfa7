/* tools/host/host.h for a library: nothing is printed, and no program ends. */
#include "tools/front/call.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/host.h"

/* The call that this thread is in; NULL: none. */
static FrontCall **current(void) {
    static _Thread_local FrontCall *call;
    return &call;
}

void front_begin(FrontCall *call) {
    call->messages = NULL;
    *current() = call;
}

/* Returns both texts, the first as lines; NULL without memory. */
static char *join(const char *messages, const char *text) {
    const size_t size = (messages ? strlen(messages) : 0) + strlen(text) + 1;
    char *joined = malloc(size);
    if (joined)
        snprintf(joined, size, "%s%s", messages ? messages : "", text);
    return joined;
}

bool front_end(FrontCall *call, bool good, const JmError *cause, char **error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64] = "no memory";
    *current() = NULL;
    if (!good && cause)
        jm_error_format(cause, text, sizeof text);
    if (error)
        *error = good ? NULL : join(call->messages, text);
    free(call->messages);
    return good;
}

_Noreturn void host_no_memory(void) {
    FrontCall *call = *current();
    assert(call); /* nothing needs memory outside a call */
    longjmp(call->end, 1);
}

void host_diagnostics(const char *text) {
    FrontCall *call = *current();
    char *messages = text && call ? join(call->messages, text) : NULL;
    if (!messages)
        host_no_memory();
    free(call->messages);
    call->messages = messages;
}

bool host_report(const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    host_diagnostics(jm_error_format(error, text, sizeof text));
    host_diagnostics("\n");
    return false;
}
