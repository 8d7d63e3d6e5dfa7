/* Where in the operands of a line a place is, and what may stand there. */
#include <string.h>
#include <strings.h>

#include "tools/mdpas/answers/answers.h"

static bool is(const At *at, int lexeme, char c) {
    return line_is(&at->line, lexeme, (char[]){c, '\0'});
}

/* Commas in brackets do not separate operands. */
Operand operand_at(const At *at) {
    const Line *line = &at->line;
    Operand operand = {.number = -1};
    if (line->head >= line->code)
        return operand;
    const AsmLexeme *head = &line->lexemes[line->head];
    if (at->offset <= head->offset + head->length)
        return operand;
    int depth = 0;
    operand.number = 0;
    for (int i = line->head + 1; i < line->code; i++) {
        if (line->lexemes[i].offset >= at->offset)
            break;
        depth +=
            (is(at, i, '[') || is(at, i, '(')) - (is(at, i, ']') || is(at, i, ')'));
        if (is(at, i, '['))
            operand.memory = true, operand.second = false;
        if (is(at, i, ']'))
            operand.memory = false;
        if (is(at, i, ',') && operand.memory)
            operand.second = true;
        if (is(at, i, ',') && depth <= 0)
            operand.number++;
    }
    return operand;
}

const char *operand_names(const Word *instruction) {
    if (instruction->operands)
        return instruction->operands;
    const int op = jm_op_by_name(instruction->name, strlen(instruction->name));
    return jm_form_info(jm_op_info((unsigned)op)->form)->operands;
}

const char *operand_name(const Word *instruction, int number, size_t *length) {
    const char *name = operand_names(instruction);
    for (; number > 0 && name; number--) {
        name = strchr(name, ',');
        name = name ? name + 1 : NULL;
    }
    *length = name ? strcspn(name, ",") : 0;
    return *length > 0 ? name : NULL;
}

/* The text of the head; NULL: there is none. */
static const char *head(const At *at, size_t *length) {
    const Line *line = &at->line;
    if (line->head >= line->code || line->assigns)
        return NULL;
    *length = (size_t)line->lexemes[line->head].length;
    return line->text + line->lexemes[line->head].offset;
}

const Word *head_instruction(const At *at) {
    size_t length;
    const char *name = head(at, &length);
    return name ? word_find(word_instructions, name, length) : NULL;
}

const Word *head_directive(const At *at) {
    size_t length;
    const char *name = head(at, &length);
    return name && name[0] == '.' ? word_find(word_directives, name + 1, length - 1)
                                  : NULL;
}

int macro_named(const AsmIndex *index, const char *name, int length) {
    for (int i = 0; i < index->macro_count; i++)
        if (strlen(index->macros[i].name) == (size_t)length &&
            strncasecmp(index->macros[i].name, name, (size_t)length) == 0)
            return i;
    return -1;
}

const AsmIndexMacro *head_macro(const At *at) {
    size_t length;
    const char *name = head(at, &length);
    const AsmIndex *index = at->unit->result.index;
    const int macro = name ? macro_named(index, name, (int)length) : -1;
    return macro >= 0 ? &index->macros[macro] : NULL;
}
