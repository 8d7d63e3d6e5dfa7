/* The operands of an instruction or directive, or the parameters of a macro, while they
 * are written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/describe.h"
#include "tools/mdpas/answers/operands.h"

/* Parameters of a call as pieces of its text, which commas separate. */
static json_t *parameters(const char *call, int *count) {
    json_t *list = json_array();
    const size_t head = strcspn(call, " ");
    *count = 0;
    for (size_t from = head; call[from];) {
        from += strspn(call + from, " ,");
        const size_t length = strcspn(call + from, ",");
        json_array_append_new(list, json_pack("{s:[I,I]}", "label", (json_int_t)from,
                                              (json_int_t)(from + length)));
        from += length;
        ++*count;
    }
    return list;
}

/* Takes both texts over. */
static json_t *signature(char *call, char *text, int active) {
    int count;
    json_t *list = parameters(call, &count);
    if (active >= count)
        active = count > 0 ? count - 1 : 0;
    json_t *help =
        json_pack("{s:[{s:o,s:o,s:o}],s:i,s:i}", "signatures", "label",
                  jvalue_text(call), "documentation", markdown(text), "parameters",
                  list, "activeSignature", 0, "activeParameter", active);
    free(call);
    return help;
}

json_t *answer_signatureHelp(Server *server, const json_t *params) {
    At at;
    json_t *help = NULL;
    const Word *word;
    const AsmIndexMacro *macro;
    const Operand operand =
        at_find(server, params, &at) ? operand_at(&at) : (Operand){.number = -1};
    if (operand.number < 0)
        help = NULL;
    else if ((word = head_instruction(&at)) && operand_names(word)[0])
        help = signature(memory_text("%s %s", WORD_NAME(word), operand_names(word)),
                         memory_text("%s", word->text), operand.number);
    else if ((word = head_directive(&at)))
        help = signature(memory_text(".%s %s", word->name, word->operands),
                         memory_text("%s", word->text), operand.number);
    else if ((macro = head_macro(&at)))
        help = signature(macro_call_text(macro),
                         comment_of(&server->work, at.unit, macro->at, COMMENT_ABOVE),
                         operand.number);
    at_free(&at);
    return help;
}
