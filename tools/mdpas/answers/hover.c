/* What an editor shows of the thing under the pointer: words of the language by their
 * tables, names by their definitions and comments, numbers as words. */
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/describe.h"
#include "tools/mdpas/answers/lexemes.h"

static char *describe(Server *server, const At *at, const Target *target) {
    return target->kind ? describe_target(&server->work, at, target)
                        : lexeme_describe(&at->line, at->lexeme);
}

json_t *answer_hover(Server *server, const json_t *params) {
    At at;
    json_t *hover = NULL;
    if (at_find(server, params, &at) && at.lexeme >= 0) {
        const Target target = target_at(&at);
        char *text = describe(server, &at, &target);
        if (text)
            hover = json_pack("{s:o,s:o}", "contents", markdown(text), "range",
                              lexeme_range(&at, at.lexeme));
    }
    at_free(&at);
    return hover;
}
