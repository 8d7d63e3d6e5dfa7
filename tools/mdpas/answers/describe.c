/* Hover texts for the thing under the pointer: words of the language by their
 * tables, names by their definitions and comments, numbers as words. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/host/memory.h"
#include "tools/host/values.h"
#include "tools/mdpas/answers/answers.h"
#include "tools/mdpas/answers/lexemes.h"

json_t *markdown(char *text) {
    json_t *value = json_pack("{s:o,s:o}", "kind", jvalue_text("markdown"), "value",
                              jvalue_text(text));
    free(text);
    return value;
}

/* ---- definitions elsewhere ------------------------------------------------------- */

Definition find_global(Work *work, const char *name) {
    Unit *unit;
    for (int u = 0; (unit = work_unit(work, true, u)); u++) {
        const AsmIndex *index = unit_index(work, unit);
        for (int i = 0; i < index->symbol_count; i++)
            if (index->symbols[i].global &&
                index->symbols[i].kind != ASM_SYMBOL_UNDEFINED &&
                strcmp(index->symbols[i].name, name) == 0)
                return (Definition){unit, i};
    }
    return (Definition){NULL, 0};
}

/* ---- symbols --------------------------------------------------------------------- */

static char *value_text(const AsmIndex *index, const AsmIndexSymbol *symbol) {
    if (!symbol->known)
        return memory_text("%s", "");
    if (symbol->section < 0)
        return memory_text(", %" PRId64 " = 0x%" PRIX64, symbol->number,
                           (uint64_t)symbol->number);
    const AsmIndexSection *section = &index->sections[symbol->section];
    if (section->address >= 0)
        return memory_text(", at %05" PRIX64 " in %s (%s)",
                           (uint64_t)(section->address + symbol->number), section->name,
                           section->place);
    return memory_text(", word %" PRId64 " of %s (%s)", symbol->number, section->name,
                       section->place);
}

char *symbol_line(const AsmIndex *index, const AsmIndexSymbol *symbol) {
    static const char *const kinds[] = {"undefined symbol", "label", "constant",
                                        "constant that may be set again"};
    const char *declared = symbol->global     ? "global "
                           : symbol->external ? "external "
                                              : "";
    char *value = value_text(index, symbol);
    char *line = memory_text("%s%s%s", declared, kinds[symbol->kind], value);
    free(value);
    return line;
}

static char *with_comment(char *head, char *comment) {
    char *whole = memory_text("%s%s%s", head, comment[0] ? "\n\n" : "", comment);
    free(head);
    free(comment);
    return whole;
}

static char *describe_definition(const Work *work, Unit *unit, int symbol) {
    const AsmIndex *index = unit->result.index;
    const AsmIndexSymbol *of = &index->symbols[symbol];
    char *line = symbol_line(index, of);
    char *head =
        memory_text("**%.*s**: %s", (int)strcspn(of->name, "@"), of->name, line);
    free(line);
    const CommentPlace first =
        of->kind == ASM_SYMBOL_LABEL ? COMMENT_ABOVE : COMMENT_BEHIND;
    const AsmSpot at = symbol_definition(index, symbol);
    return with_comment(head, comment_of(work, unit, at, first));
}

static char *describe_symbol(Work *work, Unit *unit, int symbol) {
    const AsmIndexSymbol *of = &unit->result.index->symbols[symbol];
    if (of->kind != ASM_SYMBOL_UNDEFINED)
        return describe_definition(work, unit, symbol);
    const Definition other = find_global(work, of->name);
    if (other.unit)
        return describe_definition(work, other.unit, other.symbol);
    if (json_object_get(work->kernel, of->name))
        return memory_text("**%s**: a name of the kernel", of->name);
    return describe_definition(work, unit, symbol);
}

/* ---- macros and files ------------------------------------------------------------ */

char *macro_call_text(const AsmIndexMacro *macro) {
    char *text = NULL;
    size_t size;
    FILE *out = memory_checked(open_memstream(&text, &size));
    fputs(macro->name, out);
    for (int i = 0; i < macro->count; i++) {
        const AsmIndexParameter *parameter = &macro->parameters[i];
        fprintf(out, "%s%s%s%s%s", i ? ", " : " ", parameter->name,
                parameter->required ? ":req"
                : parameter->vararg ? ":vararg"
                                    : "",
                parameter->standard[0] ? "=" : "", parameter->standard);
    }
    fclose(out);
    return memory_checked(text);
}

static char *describe_macro(const Work *work, Unit *unit, const AsmIndexMacro *macro) {
    char *call = macro_call_text(macro);
    char *head = memory_text("```mdp\n%s\n```\nmacro", call);
    free(call);
    return with_comment(head, comment_of(work, unit, macro->at, COMMENT_ABOVE));
}

static char *describe_parameter(const Target *target) {
    char *call = macro_call_text(target->macro);
    char *text = memory_text("**%s**: parameter of `%s`",
                             target->macro->parameters[target->index].name, call);
    free(call);
    return text;
}

/* Returns the description, malloc'ed; NULL if there is none. */
static char *describe(Work *work, const At *at, const Target *target) {
    const AsmIndex *index = at->unit->result.index;
    switch (target->kind) {
    case TARGET_SYMBOL:
        return describe_symbol(work, at->unit, target->index);
    case TARGET_MACRO:
        return describe_macro(work, at->unit, &index->macros[target->index]);
    case TARGET_PARAMETER:
        return describe_parameter(target);
    case TARGET_FILE:
        return memory_text("%s", at->unit->reals[target->index]);
    case TARGET_NONE:
        break;
    }
    return lexeme_describe(&at->line, at->lexeme);
}

/* ---- requests -------------------------------------------------------------------- */

json_t *answer_hover(Server *server, const json_t *params) {
    At at;
    json_t *hover = NULL;
    if (at_find(server, params, &at) && at.lexeme >= 0) {
        const Target target = target_at(&at);
        char *text = describe(&server->work, &at, &target);
        if (text)
            hover = json_pack("{s:o,s:o}", "contents", markdown(text), "range",
                              lexeme_range(&at, at.lexeme));
    }
    at_free(&at);
    return hover;
}

/* ---- signatures ------------------------------------------------------------------ */

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
