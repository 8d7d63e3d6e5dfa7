/* What a place in a document names. */
#ifndef JM_MDPAS_TARGET_H
#define JM_MDPAS_TARGET_H

#include "tools/mdpas/lsp/server.h"

typedef enum {
    TARGET_NONE,
    TARGET_SYMBOL,
    TARGET_MACRO,
    TARGET_PARAMETER, /* of `macro` */
    TARGET_FILE
} TargetKind;

typedef struct {
    TargetKind kind;
    int index; /* of the symbol, macro, file; number of the parameter */
    const AsmIndexMacro *macro;
    int from, length; /* where its name stands in the line */
} Target;

Target target_at(const At *at);

/* The place of a symbol's definition; line 0: there is none. */
AsmSpot symbol_definition(const AsmIndex *index, int symbol);
/* The comment of what is defined at a place: above its line or behind it, where it is
 * `first` looked for; malloc'ed, "" if there is none. */
typedef enum { COMMENT_ABOVE, COMMENT_BEHIND } CommentPlace;
char *comment_of(const Work *work, Unit *unit, AsmSpot spot, CommentPlace first);

#endif
