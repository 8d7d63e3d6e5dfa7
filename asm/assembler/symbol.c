/* Symbols: labels, constants, names that are only declared; and suggestions for
 * misspelt ones.
 *
 *     source          name of the symbol   in the object
 *     loop            loop                 yes
 *     .loop           Label.loop           yes, local
 *     1:  1f  1b      1@n                  no: n counts its definitions
 *     x of .local     x@n                  no: n is the number of the expansion
 *
 * An '@' in a line as it is written is an error, so that made-up names never meet
 * written ones. A symbol is made when its name is first seen, wherever that is; kind,
 * place and value come with its definition. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "asm/assembler/assemble.h"

enum { NAME_NEAR_MAX = 48, NUMERIC_LABELS = 100 };

AsSymbol *as_symbol(Assembler *as, const char *name, int length) {
    const int known = names_find_part(&as->symbol_names, name, (size_t)length);
    if (known >= 0)
        return as->symbols[known];
    AsSymbol *symbol = as_arena_alloc(&as->arena, sizeof *symbol);
    symbol->name = as_arena_copy(&as->arena, name, (size_t)length);
    symbol->anonymous = memchr(name, '@', (size_t)length) != NULL;
    symbol->object_index = -1;
    as->symbols =
        mem_grow(as->heap, as->symbols, (size_t)as->symbol_count, sizeof *as->symbols);
    names_set(&as->symbol_names, symbol->name, as->symbol_count);
    return as->symbols[as->symbol_count++] = symbol;
}

/* .name belongs to the last label that is not local. */
AsSymbol *as_symbol_token(Assembler *as, const AsToken *token) {
    if (token->text[0] != '.')
        return as_symbol(as, token->text, token->length);
    const size_t scope = strlen(as->scope);
    const size_t length = scope + (size_t)token->length;
    char *name = heap_alloc(as->heap, length + 1);
    memcpy(name, as->scope, scope);
    memcpy(name + scope, token->text, (size_t)token->length);
    AsSymbol *symbol = as_symbol(as, name, (int)length);
    heap_free(name);
    return symbol;
}

/* Definition `count` of a numeric label; the @ keeps it out of the object. */
static AsSymbol *numeric(Assembler *as, int64_t label, int count) {
    char name[32];
    const int length = snprintf(name, sizeof name, "%d@%d", (int)label, count);
    return as_symbol(as, name, length);
}

static int *numeric_count(Assembler *as, int64_t label) {
    if (!as->numeric_count)
        as->numeric_count =
            as_arena_alloc(&as->arena, NUMERIC_LABELS * sizeof *as->numeric_count);
    return &as->numeric_count[label];
}

/* A label that comes later is made here, undefined, and found again by its definition.
 */
AsSymbol *as_symbol_numeric(Assembler *as, const AsToken *token) {
    const int count = *numeric_count(as, token->value);
    if (token->op == 'f')
        return numeric(as, token->value, count + 1);
    if (count == 0) {
        as_error(as, as_here(as, token), "there is no label '%d:' before this line",
                 (int)token->value);
        return NULL;
    }
    return numeric(as, token->value, count);
}

/* Registers of one letter (B, I, P, F, U, Q) may be symbols too: see special_register.
 */
bool as_reserved(AsText name) {
    return (name.length > 1 && jm_reg_by_name(name.text, (size_t)name.length) >= 0) ||
           as_text_is(name, "nil") || as_text_is(name, "true") ||
           as_text_is(name, "false");
}

/* Whether `b` is the line of the macro or repeat that is being expanded, in an earlier
 * round. */
static bool earlier_expansion(const Assembler *as, const AsStatement *b) {
    const AsStatement *a = as->line.statement;
    return as->frames[as->frame_count - 1].kind != AS_FRAME_FILE &&
           a->source == b->source && a->line == b->line;
}

/* Whether a symbol may get its value here; reports if not. Only .set may define again,
 * and only what .set defined. */
static bool may_define(Assembler *as, const AsSymbol *symbol, AsSymbolKind kind,
                       AsPlace place) {
    if (symbol->register_place.statement) {
        as_error(as, place, "'%s' stood for the register before", symbol->name);
        as_note(as, symbol->register_place, "used here");
        return false;
    }
    if (symbol->kind == AS_SYMBOL_UNDEFINED ||
        (symbol->kind == AS_SYMBOL_SET && kind == AS_SYMBOL_SET))
        return true;
    as_error(as, place, "%s '%s' is already defined",
             kind == AS_SYMBOL_LABEL ? "label" : "symbol", symbol->name);
    as_note(as, symbol->place, "first defined here");
    if (earlier_expansion(as, symbol->place.statement))
        as_note(as, place, "a name in .local is another symbol in each expansion");
    return false;
}

/* False and a message for a name that cannot be a symbol. */
static bool check_name(Assembler *as, const AsToken *token) {
    if (!as_reserved(as_token_text(token)))
        return true;
    as_error(as, as_here(as, token),
             "'%.*s' names a register or a constant, not a symbol", token->length,
             token->text);
    return false;
}

/* A label stands at the start of a word. The value of an anonymous label does not name
 * it: relocations go by another label of the section. */
void as_define_label(Assembler *as, const AsToken *token) {
    const AsPlace place = as_here(as, token);
    AsSymbol *symbol;
    as_flush(as);
    as->labelled = true;
    as_flow_label(as);
    if (token->kind == AS_TOKEN_NUMBER) {
        if (token->value < 0 || token->value >= NUMERIC_LABELS) {
            as_error(as, place, "numeric labels are 0 to %d", NUMERIC_LABELS - 1);
            return;
        }
        symbol = numeric(as, token->value, ++*numeric_count(as, token->value));
    } else {
        if (!check_name(as, token))
            return;
        symbol = as_symbol_token(as, token);
        if (token->text[0] != '.' && !symbol->anonymous)
            as->scope = symbol->name;
        if (!may_define(as, symbol, AS_SYMBOL_LABEL, place))
            return;
    }
    AsSection *section = as_current(as);
    symbol->kind = AS_SYMBOL_LABEL;
    symbol->place = place;
    symbol->known = true;
    symbol->value = (AsValue){.kind = AS_VALUE_SECTION,
                              .section = as->section,
                              .symbol = symbol->anonymous ? NULL : symbol,
                              .number = section->size};
    if (!section->anchor && !symbol->anonymous)
        section->anchor = symbol;
}

/* A constant keeps its expression until its symbols are known; one that can be set
 * again is evaluated now. A constant with an error in it is defined all the same: that
 * it is undefined would be no news. */
void as_define_value(Assembler *as, const AsToken *token, bool again) {
    const AsPlace place = as_here(as, token);
    const AsSymbolKind kind = again ? AS_SYMBOL_SET : AS_SYMBOL_EQU;
    if (!check_name(as, token))
        return;
    AsNode *expr = as_expression(as);
    if (expr)
        as_expect_end(as);
    AsSymbol *symbol = as_symbol_token(as, token);
    const bool good = !as->failed;
    if (!may_define(as, symbol, kind, place))
        return;
    symbol->kind = kind;
    symbol->place = place;
    symbol->expr = expr;
    symbol->known = !good || again || expr->kind == AS_NODE_VALUE;
    symbol->value = (AsValue){.kind = AS_VALUE_ERROR};
    if (good && symbol->known) /* else it is evaluated when first used */
        symbol->value = as_evaluate(as, expr);
}

/* .equ and .set: "name, value". */
static void named_value(Assembler *as, bool again) {
    const AsToken *name = as->at;
    if (name->kind != AS_TOKEN_NAME) {
        as_unexpected(as, "a name");
        return;
    }
    as->at++;
    if (as_expect(as, ',', "after the name"))
        as_define_value(as, name, again);
}

void as_do_equ(Assembler *as) {
    named_value(as, false);
}

void as_do_set(Assembler *as) {
    named_value(as, true);
}

/* .global and .extern; both may come before or after the definition. A dot would make
 * the name local, an '@' keeps it out of the object. */
static void declare(Assembler *as, bool external) {
    do {
        const AsToken *token = as->at;
        if (token->kind != AS_TOKEN_NAME || token->text[0] == '.' ||
            memchr(token->text, '@', (size_t)token->length)) {
            as_unexpected(as, "a name that is not local");
            return;
        }
        as->at++;
        if (!check_name(as, token))
            return;
        AsSymbol *symbol = as_symbol_token(as, token);
        *(external ? &symbol->external : &symbol->global) = true;
        if (symbol->kind == AS_SYMBOL_UNDEFINED)
            symbol->place = as_here(as, token);
    } while (as_accept(as, ','));
    as_expect_end(as);
}

void as_do_global(Assembler *as) {
    declare(as, false);
}

void as_do_extern(Assembler *as) {
    declare(as, true);
}

/* Returns the number of a predefined name (TAG_INT, ...). A source may redefine them.
 */
bool as_predefined(const char *name, int64_t *number) {
    if (strncasecmp(name, "TAG_", 4) != 0)
        return false;
    const int tag = jm_tag_by_name(name + 4, strlen(name + 4));
    *number = tag;
    return tag >= 0;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static bool same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits between two names (a letter inserted, deleted, changed, or two swapped; case
 * does not count), or limit + 1 if more than `limit`. Source: Damerau 1964, in the
 * restricted form. d[i][j] is the distance of the first i letters of a and the first j
 * of b. */
static int distance_between(AsText a, AsText b, int limit) {
    int d[NAME_NEAR_MAX + 1][NAME_NEAR_MAX + 1];
    if (a.length > NAME_NEAR_MAX || b.length > NAME_NEAR_MAX ||
        a.length > b.length + limit || b.length > a.length + limit)
        return limit + 1;
    for (int i = 0; i <= a.length; i++)
        d[i][0] = i;
    for (int j = 0; j <= b.length; j++)
        d[0][j] = j;
    for (int i = 1; i <= a.length; i++)
        for (int j = 1; j <= b.length; j++) {
            const bool same = same_letter(a.text[i - 1], b.text[j - 1]);
            const bool swapped = i > 1 && j > 1 &&
                                 same_letter(a.text[i - 1], b.text[j - 2]) &&
                                 same_letter(a.text[i - 2], b.text[j - 1]);
            d[i][j] = least(d[i - 1][j] + 1, d[i][j - 1] + 1);
            d[i][j] = least(d[i][j], d[i - 1][j - 1] + !same);
            if (swapped)
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return least(d[a.length][b.length], limit + 1);
}

/* The distance allowed depends on the length: short names must be closer. */
const char *as_nearest(AsText word, const char *best, const char *candidate) {
    const int limit = word.length < 4 ? 1 : 2;
    const AsText text = {candidate, (int)strlen(candidate)};
    const int distance = distance_between(word, text, limit);
    if (distance > limit)
        return best;
    if (best &&
        distance_between(word, (AsText){best, (int)strlen(best)}, limit) <= distance)
        return best;
    return candidate;
}

/* Each symbol is reported once. The message gives the best help available: a similar
 * name, the statement that needs the value now, or the .extern directive. */
void as_symbol_undefined(Assembler *as, AsSymbol *symbol, AsPlace place) {
    as->failed = true;
    if (symbol->reported || as->abandoned)
        return;
    symbol->reported = true;
    if (isdigit((unsigned char)symbol->name[0])) {
        as_error(as, place, "there is no label '%d:' after this line",
                 (int)strtol(symbol->name, NULL, 10));
        return;
    }
    const AsText name = {symbol->name, (int)strlen(symbol->name)};
    const char *near = NULL;
    for (int i = 0; i < as->symbol_count; i++) {
        const AsSymbol *known = as->symbols[i];
        if ((known->kind != AS_SYMBOL_UNDEFINED || known->external) &&
            !known->anonymous)
            near = as_nearest(name, near, known->name);
    }
    if (near)
        as_error(as, place, "undefined symbol '%s', did you mean '%s'?", symbol->name,
                 near);
    else if (as->needed)
        as_error(as, place, "undefined symbol '%s': %s needs its value at this line",
                 symbol->name, as->needed);
    else if (strchr(symbol->name, '.'))
        as_error(as, place, "undefined symbol '%s'", symbol->name);
    else
        as_error(as, place,
                 "undefined symbol '%s' (declare it with .extern if another file "
                 "defines it)",
                 symbol->name);
}
