/* The language server: answers an editor's requests about MDP assembly over standard
 * input and output. */
#ifndef JM_MDPAS_LSP_H
#define JM_MDPAS_LSP_H

#include "asm/asm.h"

/* Serves until the client ends it. Sources are assembled with `options`; `log` gets all
 * messages, NULL: none does. Returns the exit status. */
int lsp_serve(const AsmOptions *options, const char *log);

#endif
