/* A call of the library by another language: what stands in for a program's ways to say
 * something and to end. While a call runs, messages of the assembler and the linker are
 * collected, and want of memory ends the call. */
#ifndef JM_TOOLS_FRONT_CALL_H
#define JM_TOOLS_FRONT_CALL_H

#include <setjmp.h>
#include <stdbool.h>

#include "emu/core/status.h"

typedef struct {
    char *messages; /* NULL: none */
    jmp_buf end;    /* where want of memory leads */
} FrontCall;

/* Begins a call of this thread; follow it by setjmp(call->end). */
void front_begin(FrontCall *call);
/* Ends it. A failure leaves the messages and the error's text in `*error`, if that is
 * wanted; NULL `error` of a call that failed: no memory. Returns `good`. */
bool front_end(FrontCall *call, bool good, const JmError *cause, char **error);

#endif
