/* tools/host/host.h and signals.h in a browser: no signals come, and the page's worker
 * outlives every command. */
#include "tools/host/host.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/host/signals.h"
#include "tools/web/wasm/page.h"

void host_start(void) {
}
void host_run_begins(void) {
}

_Noreturn void host_no_memory(void) {
    web_no_memory();
}

void host_diagnostics(const char *text) {
    if (!text)
        host_no_memory();
    fputs(text, stderr);
}

bool host_report(const JmError *error) {
    char text[JM_ERROR_FILE_MAX + JM_ERROR_TEXT_MAX + 64];
    fprintf(stderr, "%s\n", jm_error_format(error, text, sizeof text));
    return false;
}

int host_end(const char *program, int status, int failure) {
    (void)program;
    (void)failure;
    fflush(stdout);
    return status;
}

void signals_hold(void) {
}
void signals_release(void) {
}

int signals_pending(void) {
    return 0;
}

bool signals_take_interrupt(void) {
    return false;
}

bool signals_wait(int descriptor) {
    (void)descriptor;
    return true;
}
