/* WebAssembly has no non-local jumps without exceptions, which not every browser
 * supports. Only running out of memory jumps (emu/core/heap.c): that ends the whole
 * instance, and the page starts another. */
#ifndef JM_WEB_SETJMP_H
#define JM_WEB_SETJMP_H

#include "tools/web/wasm/page.h"

typedef int jmp_buf[1];

#define setjmp(environment) ((void)(environment), 0)
static inline _Noreturn void longjmp(jmp_buf environment, int value) {
    (void)environment;
    (void)value;
    web_no_memory();
}

#endif
