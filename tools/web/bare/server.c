/* A stub: without Jansson mdpas has no language server. */
#include <stdio.h>

#include "tools/mdpas/lsp/lsp.h"

int lsp_serve(const AsmOptions *options, const char *log) {
    (void)options;
    (void)log;
    fputs("mdpas: error: it was built without its language server\n", stderr);
    return 1;
}
