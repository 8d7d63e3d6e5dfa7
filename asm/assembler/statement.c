/* Assembles one line: labels, then an instruction, a directive, a macro or name =
 * value.
 *
 *     line       = { label ':' } [ statement ] [ ';' comment ]
 *     label      = name | .name | 0 .. 99
 *     statement  = mnemonic [ operands ]
 *                | .directive [ operands ]
 *                | macro [ arguments ]
 *                | name '=' expression
 *
 * Names of all kinds are looked up in this order: directives and instructions cannot
 * be hidden by macros. */
#include <ctype.h>
#include <string.h>

#include "asm/assembler/assemble.h"

/* The rows of directives.def. */
static const struct {
    const char *name;
    AsDirective *function;
} directives[] = {
#define DIRECTIVE(name, function, operands, text) {#name, as_do_##function},
#include "asm/assembler/directives.def"
#undef DIRECTIVE
};

enum { DIRECTIVES = sizeof directives / sizeof *directives };

AsDirective *as_directive(AsText name) {
    for (int i = 0; i < DIRECTIVES; i++)
        if (as_text_is(name, directives[i].name))
            return directives[i].function;
    return NULL;
}

/* Reports an unknown directive and suggests the nearest name, if one is near. */
static void unknown_directive(Assembler *as, const AsToken *token) {
    const AsText name = {token->text + 1, token->length - 1};
    const char *near = NULL;
    for (int i = 0; i < DIRECTIVES; i++)
        near = as_nearest(name, near, directives[i].name);
    as_error(as, as_here(as, token), "unknown directive '%.*s'%s%s%s", token->length,
             token->text, near ? ", did you mean '." : "", near ? near : "",
             near ? "'?" : "");
}

/* Macros are compared last, so that of equally near names the instruction is suggested.
 */
static void unknown_mnemonic(Assembler *as, const AsToken *token) {
    const AsText name = as_token_text(token);
    const char *near = as_nearest(name, NULL, "MOVE");
    for (unsigned op = 0; op < JM_OP_COUNT; op++)
        if (jm_op_info(op)->name)
            near = as_nearest(name, near, jm_op_info(op)->name);
    char lower[16] = ""; /* the table has mnemonics in upper case */
    for (int i = 0; near && near[i] && i < (int)sizeof lower - 1; i++)
        lower[i] = (char)tolower((unsigned char)near[i]);
    if (near)
        near = lower;
    for (const AsMacro *macro = as->macros; macro; macro = macro->next)
        near = as_nearest(name, near, macro->name.text);
    as_error(as, as_here(as, token), "unknown instruction or macro '%.*s'%s%s%s",
             token->length, token->text, near ? ", did you mean '" : "",
             near ? near : "", near ? "'?" : "");
}

/* Labels at the start of the statement. Several labels name one place. */
static void labels(Assembler *as) {
    while ((as->at->kind == AS_TOKEN_NAME || as->at->kind == AS_TOKEN_NUMBER) &&
           as_is(as->at + 1, ':')) {
        as_define_label(as, as->at);
        as->at += 2;
    }
}

/* Not a directive: assignment, instruction, macro, in this order. `name = value` comes
 * first, so that a source may have symbols named like instructions. */
static void named(Assembler *as, const AsToken *token) {
    const AsText name = as_token_text(token);
    const AsFrame *frame = &as->frames[as->frame_count - 1];
    const AsMacro *macro;
    if (as_accept(as, '='))
        as_define_value(as, token, false);
    else if (as_is_mnemonic(name))
        as_instruction(as, token);
    else if ((macro = as_macro_find(as, name)) != NULL)
        as_macro_call(as, macro, token);
    else if (as_text_is(name, "local") && frame->kind != AS_FRAME_FILE)
        as_do_local(as);
    else
        unknown_mnemonic(as, token);
}

void as_statement(Assembler *as) {
    labels(as);
    const AsToken *token = as->at;
    as->failed = false; /* a wrong label does not hide what follows it */
    if (as_at_end(as))
        return;
    if (token->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "an instruction, a directive or a label");
        return;
    }
    as->at++;
    if (token->text[0] != '.' || as_is(as->at, '=')) {
        named(as, token);
        return;
    }
    AsDirective *directive = as_directive((AsText){token->text + 1, token->length - 1});
    const AsMacro *macro = as_macro_find(as, as_token_text(token));
    if (directive)
        directive(as);
    else if (macro)
        as_macro_call(as, macro, token);
    else
        unknown_directive(as, token);
}
