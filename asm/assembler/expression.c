/* Expressions and symbols: parsed into trees, evaluated, and the names in them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "asm/assembler/assemble.h"
#include "emu/core/suggest.h"

/* ---- symbols --------------------------------------------------------------------- */

/* Symbols: labels, constants, names that are only declared; and suggestions for
 * misspelt ones.
 *
 *     source          name of the symbol   in the object
 *     loop            loop                 yes
 *     .loop           Label.loop           yes, local
 *     1:  1f  1b      1@n                  no: n counts its definitions
 *     x of .local     x@n                  no: n is the number of the expansion
 *
 * An '@' in the source is an error, so generated names cannot clash with written ones.
 * A symbol is made when its name is first seen, wherever that is; kind, place and value
 * come with its definition. */

enum { NUMERIC_LABELS = 100 };

AsSymbol *as_symbol(Assembler *as, const char *name, int length) {
    const int known = names_find_part(&as->symbol_names, name, (size_t)length);
    if (known >= 0)
        return as->symbols[known];
    AsSymbol *symbol = mem_arena_alloc(&as->arena, sizeof *symbol);
    symbol->name = mem_arena_copy(&as->arena, name, (size_t)length);
    symbol->anonymous = memchr(name, '@', (size_t)length) != NULL;
    symbol->object_index = -1;
    symbol->number = as->symbol_count;
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
            mem_arena_alloc(&as->arena, NUMERIC_LABELS * sizeof *as->numeric_count);
    return &as->numeric_count[label];
}

/* A label that comes later is made here, undefined, and found again by its definition.
 */
static AsSymbol *numeric_symbol(Assembler *as, const AsToken *token) {
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
static bool is_reserved(AsText name) {
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
static bool may_define(Assembler *as, const AsSymbol *symbol, AsmSymbolKind kind,
                       AsPlace place) {
    if (symbol->register_place.statement) {
        as_error(as, place, "'%s' stood for the register before", symbol->name);
        as_note(as, symbol->register_place, "used here");
        return false;
    }
    if (symbol->kind == ASM_SYMBOL_UNDEFINED ||
        (symbol->kind == ASM_SYMBOL_SET && kind == ASM_SYMBOL_SET))
        return true;
    as_error(as, place, "%s '%s' is already defined",
             kind == ASM_SYMBOL_LABEL ? "label" : "symbol", symbol->name);
    as_note(as, symbol->place, "first defined here");
    if (earlier_expansion(as, symbol->place.statement))
        as_note(as, place, "a name in .local is another symbol in each expansion");
    return false;
}

/* False and a message for a name that cannot be a symbol. */
static bool check_name(Assembler *as, const AsToken *token) {
    if (!is_reserved(as_token_text(token)))
        return true;
    as_error(as, as_here(as, token),
             "'%.*s' names a register or a constant, not a symbol", token->length,
             token->text);
    return false;
}

/* A label stands at the start of a word. The value of an anonymous label does not name
 * it: relocations use another label of the section. */
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
    }
    as_index_use(as, token, ASM_USE_SYMBOL, ASM_ROLE_DEFINITION, symbol->number);
    if (!may_define(as, symbol, ASM_SYMBOL_LABEL, place))
        return;
    AsSection *section = as_current(as);
    symbol->kind = ASM_SYMBOL_LABEL;
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
 * again is evaluated now. A constant whose expression has an error is still defined, so
 * that its uses are not reported as undefined too. */
void as_define_value(Assembler *as, const AsToken *token, bool again) {
    const AsPlace place = as_here(as, token);
    const AsmSymbolKind kind = again ? ASM_SYMBOL_SET : ASM_SYMBOL_EQU;
    if (!check_name(as, token))
        return;
    AsNode *expr = as_expression(as);
    if (expr)
        as_expect_end(as);
    AsSymbol *symbol = as_symbol_token(as, token);
    const bool good = !as->failed;
    as_index_use(as, token, ASM_USE_SYMBOL, ASM_ROLE_DEFINITION, symbol->number);
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
        as_index_use(as, token, ASM_USE_SYMBOL, ASM_ROLE_DECLARATION, symbol->number);
        *(external ? &symbol->external : &symbol->global) = true;
        if (symbol->kind == ASM_SYMBOL_UNDEFINED)
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

/* Each symbol is reported once. The message gives the best help available: a similar
 * name, the statement that needs the value now, or the .extern directive. */
static void report_undefined(Assembler *as, AsSymbol *symbol, AsPlace place) {
    as->failed = true;
    if (symbol->reported || as->abandoned)
        return;
    symbol->reported = true;
    if (isdigit((unsigned char)symbol->name[0])) {
        as_error(as, place, "there is no label '%d:' after this line",
                 (int)strtol(symbol->name, NULL, 10));
        return;
    }
    JmSuggestion near = jm_suggest_start(symbol->name);
    for (int i = 0; i < as->symbol_count; i++) {
        const AsSymbol *known = as->symbols[i];
        if ((known->kind != ASM_SYMBOL_UNDEFINED || known->external) &&
            !known->anonymous)
            jm_suggest_consider(&near, known->name);
    }
    as_index_suggest(as, "", near.best);
    if (near.best)
        as_error(as, place, "undefined symbol '%s'%s", symbol->name,
                 jm_suggest_text(&near, "", ""));
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

/* ---- evaluation ------------------------------------------------------------------ */

/* Evaluates expressions. A value is a number, a place in a section, or an external
 * symbol plus a number. Arithmetic has 64 bits; a result that does not fit is an error.
 *
 *     number  op number                  number
 *     place   +- number                  place          (also number + place)
 *     place   -  place, one section      number
 *     place   <  place, one section      number         (and the other comparisons)
 *     the same with external symbols
 *     anything else with a place         an error, unless its section is fixed:
 *                                        then it is a number
 *
 * These rules follow from one fact: a section's address is unknown until the link, but
 * distances within it are known. */

/* Words that a place may be away from the start of its section, either way. Far beyond
 * any memory, and so far below 2^63 that the address of a section can be added and two
 * places subtracted without an overflow. */
static const int64_t place_limit = INT64_C(1) << 61;

/* An error found while evaluating. Folding must not report it: the part may turn out
 * not to be chosen by ?:, && or ||. */
typedef struct {
    Assembler *as;
    bool quiet;
} Eval;

static AsValue evaluate(Eval *eval, AsNode *node);

static AsValue error_value(void) {
    return (AsValue){.kind = AS_VALUE_ERROR};
}

/* Quiet while folding: see Eval. */
static AsValue fail(Eval *eval, AsPlace place, const char *text) {
    if (!eval->quiet)
        as_error(eval->as, place, "%s", text);
    return error_value();
}

/* Turns a place in a section whose address is fixed into a number; false if its address
 * is not known yet. The sum cannot overflow: see place_limit. */
bool as_make_absolute(const Assembler *as, AsValue *value) {
    if (value->kind == AS_VALUE_SECTION &&
        as->sections[value->section].address != ASM_OBJECT_NO_ADDRESS)
        *value =
            as_absolute_value(as->sections[value->section].address + value->number);
    return value->kind == AS_VALUE_ABSOLUTE;
}

/* Writes an operator as in the source, for messages. `text` has room for three bytes.
 */
static void op_text(int op, char *text) {
    static const char *const pairs[] = {"<<", ">>", "==", "!=", "<=", ">=", "&&", "||"};
    if (op >= AS_OP_SHL && op <= AS_OP_OR)
        snprintf(text, 3, "%s", pairs[op - AS_OP_SHL]);
    else
        snprintf(text, 3, "%c",
                 op == AS_OP_NEGATE   ? '-'
                 : op == AS_OP_CHOOSE ? '?'
                                      : op);
}

/* Reports an operand that has no number before linking. */
static AsValue not_number(Eval *eval, AsPlace place, int op, const AsValue *value) {
    if (eval->quiet || value->kind == AS_VALUE_ERROR)
        return error_value();
    char text[3];
    op_text(op, text);
    if (value->symbol)
        as_error(
            eval->as, place,
            "'%s' needs numbers, but '%s' is an address that only the linker knows",
            text, value->symbol->name);
    else
        as_error(
            eval->as, place,
            "'%s' needs numbers, but here is an address that only the linker knows",
            text);
    return error_value();
}

/* Whether the difference of two addresses does not depend on where they end up. */
static bool same_base(const AsValue *a, const AsValue *b) {
    if (a->kind == AS_VALUE_SECTION && b->kind == AS_VALUE_SECTION)
        return a->section == b->section;
    return a->kind == AS_VALUE_EXTERNAL && b->kind == AS_VALUE_EXTERNAL &&
           a->symbol == b->symbol;
}

static bool is_comparison(int op) {
    return op == '<' || op == '>' || (op >= AS_OP_EQ && op <= AS_OP_GE);
}

/* Returns true if bits are lost. */
static bool shift_left(int64_t a, int64_t b, int64_t *result) {
    if (b < 63)
        return __builtin_mul_overflow(a, INT64_C(1) << b, result);
    *result = a == 0 ? 0 : INT64_MIN;
    return a != 0 && a != -1;
}

/* Whether the operator is defined for these operands; if not, `problem` says why. */
static bool in_domain(int op, int64_t b, const char **problem) {
    if ((op == '/' || op == '%') && b == 0)
        *problem = "division by zero";
    else if ((op == AS_OP_SHL || op == AS_OP_SHR) && (b < 0 || b > 63))
        *problem = "shift by less than 0 or more than 63";
    else
        return true;
    return false;
}

/* Returns false, with the reason in `problem`, if there is no result. Nothing here is
 * undefined in C: INT64_MIN / -1 is caught, and >> of a negative number copies the sign
 * with every compiler that builds this. */
static bool arithmetic(int op, int64_t a, int64_t b, int64_t *result,
                       const char **problem) {
    bool overflow = false;
    if (!in_domain(op, b, problem))
        return false;
    switch (op) {
    case '+':
        overflow = __builtin_add_overflow(a, b, result);
        break;
    case '-':
        overflow = __builtin_sub_overflow(a, b, result);
        break;
    case '*':
        overflow = __builtin_mul_overflow(a, b, result);
        break;
    case '/':
        overflow = a == INT64_MIN && b == -1;
        *result = overflow ? 0 : a / b;
        break;
    case '%':
        *result = b == -1 ? 0 : a % b;
        break;
    case AS_OP_SHL:
        overflow = shift_left(a, b, result);
        break;
    case AS_OP_SHR:
        *result = a >> b;
        break;
    case '&':
        *result = a & b;
        break;
    case '|':
        *result = a | b;
        break;
    default: /* '^' */
        *result = a ^ b;
        break;
    }
    *problem = "the result does not fit 64 bits";
    return !overflow;
}

static bool compare(int op, int64_t a, int64_t b) {
    switch (op) {
    case '<':
        return a < b;
    case '>':
        return a > b;
    case AS_OP_LE:
        return a <= b;
    case AS_OP_GE:
        return a >= b;
    case AS_OP_EQ:
        return a == b;
    default:
        return a != b;
    }
}

/* address + number, number + address, address - number. Puts the address first. */
static bool offset_sum(int op, AsValue *a, AsValue *b) {
    if (op == '+' && a->kind == AS_VALUE_ABSOLUTE) {
        const AsValue swap = *a;
        *a = *b;
        *b = swap;
    }
    return (op == '+' || op == '-') && a->kind != AS_VALUE_ABSOLUTE &&
           b->kind == AS_VALUE_ABSOLUTE;
}

/* Reports the difference or comparison of labels of two sections, neither of them
 * fixed. This common mistake has its own message. */
static bool apart(Eval *eval, const AsNode *node, const AsValue *a, const AsValue *b) {
    if (a->kind != AS_VALUE_SECTION || b->kind != AS_VALUE_SECTION || !a->symbol ||
        !b->symbol || a->section == b->section)
        return false;
    if (!eval->quiet)
        as_error(eval->as, node->place,
                 "'%s' and '%s' are in different sections: only the linker knows how "
                 "far they are apart",
                 a->symbol->name, b->symbol->name);
    return true;
}

/* An address may be added to a number; two addresses of one section may be subtracted
 * and compared. All other operators need numbers. */
static AsValue binary(Eval *eval, const AsNode *node, AsValue a, AsValue b) {
    const int op = node->op;
    int64_t result;
    const char *problem;
    const bool relative = same_base(&a, &b) && (op == '-' || is_comparison(op));
    if (!relative && offset_sum(op, &a, &b)) {
        if (!arithmetic(op, a.number, b.number, &result, &problem))
            return fail(eval, node->place, problem);
        if (a.kind == AS_VALUE_SECTION &&
            (result < -place_limit || result > place_limit))
            return fail(eval, node->place, "the address is too far from memory");
        a.number = result;
        return a;
    }
    if (!relative) {
        const bool first = as_make_absolute(eval->as, &a);
        const bool numbers = as_make_absolute(eval->as, &b) && first;
        if (!numbers && (op == '-' || is_comparison(op)) && apart(eval, node, &a, &b))
            return error_value();
        if (!numbers)
            return not_number(eval, node->place, op, first ? &b : &a);
    }
    if (is_comparison(op))
        return as_absolute_value(compare(op, a.number, b.number));
    if (!arithmetic(op, a.number, b.number, &result, &problem))
        return fail(eval, node->place, problem);
    return as_absolute_value(result);
}

static AsValue unary(Eval *eval, const AsNode *node, AsValue a) {
    if (!as_make_absolute(eval->as, &a))
        return not_number(eval, node->place, node->op, &a);
    if (node->op == '~')
        return as_absolute_value(~a.number);
    if (node->op == '!')
        return as_absolute_value(!a.number);
    if (a.number == INT64_MIN)
        return fail(eval, node->place, "the result does not fit 64 bits");
    return as_absolute_value(-a.number);
}

/* &&, || and ?: evaluate their second part only if the first one demands it, so that a
 * division by zero after && is not an error if it is not reached. */
static AsValue lazy(Eval *eval, const AsNode *node, AsValue a) {
    if (!as_make_absolute(eval->as, &a))
        return not_number(eval, node->place, node->op, &a);
    if (node->op == AS_OP_CHOOSE)
        return evaluate(eval, node->child[a.number != 0 ? 1 : 2]);
    if ((a.number != 0) == (node->op == AS_OP_OR))
        return as_absolute_value(node->op == AS_OP_OR);
    AsValue b = evaluate(eval, node->child[1]);
    if (b.kind == AS_VALUE_ERROR || !as_make_absolute(eval->as, &b))
        return not_number(eval, node->place, node->op, &b);
    return as_absolute_value(b.number != 0);
}

/* Evaluates the children from the left; lazy() evaluates the later ones of &&, ||, ?:.
 */
static AsValue operation(Eval *eval, const AsNode *node) {
    const AsValue a = evaluate(eval, node->child[0]);
    if (a.kind == AS_VALUE_ERROR)
        return a;
    if (node->op == AS_OP_AND || node->op == AS_OP_OR || node->op == AS_OP_CHOOSE)
        return lazy(eval, node, a);
    if (!node->child[1])
        return unary(eval, node, a);
    const AsValue b = evaluate(eval, node->child[1]);
    return b.kind == AS_VALUE_ERROR ? b : binary(eval, node, a, b);
}

/* `busy` finds a constant that is defined by itself, directly or through others. */
static AsValue symbol_value(Eval *eval, const AsNode *node) {
    AsSymbol *symbol = node->symbol;
    if (symbol->known)
        return symbol->value;
    if (symbol->kind == ASM_SYMBOL_EQU && symbol->busy) {
        if (!eval->quiet)
            as_error(eval->as, node->place, "'%s' is defined by itself", symbol->name);
        return error_value();
    }
    if (symbol->kind == ASM_SYMBOL_EQU) {
        symbol->busy = true;
        const AsValue value = evaluate(eval, symbol->expr);
        symbol->busy = false;
        symbol->known = true;
        symbol->value = value;
        return value;
    }
    if (symbol->external || symbol->global)
        return (AsValue){.kind = AS_VALUE_EXTERNAL, .symbol = symbol};
    if (!eval->quiet)
        report_undefined(eval->as, symbol, node->place);
    return error_value();
}

/* Counts its depth, to protect the stack: chains of constants can be as long as the
 * source. */
static AsValue evaluate(Eval *eval, AsNode *node) {
    if (node->kind == AS_NODE_VALUE)
        return node->value;
    if (++eval->as->eval_depth > AS_EVAL_DEPTH) {
        eval->as->eval_depth--;
        return fail(eval, node->place,
                    "the chain of symbols defined by other symbols is too long");
    }
    const AsValue value =
        node->kind == AS_NODE_SYMBOL ? symbol_value(eval, node) : operation(eval, node);
    eval->as->eval_depth--;
    return value;
}

AsValue as_evaluate(Assembler *as, AsNode *node) {
    Eval eval = {.as = as};
    return evaluate(&eval, node);
}

bool as_known(Assembler *as, AsNode *node, AsValue *value) {
    Eval eval = {.as = as, .quiet = true};
    *value = evaluate(&eval, node);
    return value->kind != AS_VALUE_ERROR && as_make_absolute(as, value);
}

/* Replaces the node by its value if that is known and evaluating it gives no error. An
 * error is not reported until the value is needed. Only nodes whose children are values
 * are folded: others wait for their symbols. */
static void fold(Assembler *as, AsNode *node) {
    for (int i = 0; i < 3; i++)
        if (node->child[i] && node->child[i]->kind != AS_NODE_VALUE)
            return;
    Eval eval = {.as = as, .quiet = true};
    const AsValue value = evaluate(&eval, node);
    if (value.kind == AS_VALUE_ERROR)
        return;
    node->kind = AS_NODE_VALUE;
    node->value = value;
    node->height = 0;
}

/* The place of the message is the expression, not the directive. While it is
 * evaluated, `needed` makes an undefined symbol say who needs it now. */
bool as_constant(Assembler *as, const char *what, int64_t *number) {
    const AsPlace place = as_here(as, as->at);
    AsNode *node = as_expression(as);
    if (!node)
        return false;
    as->needed = what;
    AsValue value = as_evaluate(as, node);
    as->needed = NULL;
    if (value.kind == AS_VALUE_ERROR)
        as->failed = true;
    else if (!as_make_absolute(as, &value))
        as_error(as, place, "%s must be a number that is known here, not an address",
                 what);
    *number = value.number;
    return !as->failed;
}

/* ---- parsing --------------------------------------------------------------------- */

/* Parses expressions into trees, with C's operators and precedence.
 *
 *     expression = binary [ '?' expression ':' expression ]
 *     binary     = unary { operator unary }          by strength, 10 down to 1
 *     unary      = { '-' | '+' | '~' | '!' } primary
 *     primary    = number | name | 1f | 1b | '.' | '$' | '(' expression ')'
 *
 * Nodes live in the arena to the end of the run: a fixup or a constant may need them
 * then. Known values are computed while parsing (fold), so most trees are a single
 * value. Depth and height are bounded, because parsing and evaluation recurse.
 */

static AsNode *ternary(Assembler *as);

static AsNode *new_node(Assembler *as, AsPlace place) {
    AsNode *node = mem_arena_alloc(&as->arena, sizeof *node);
    node->place = place;
    return node;
}

AsNode *as_value_node(Assembler *as, AsValue value, AsPlace place) {
    AsNode *node = new_node(as, place);
    node->kind = AS_NODE_VALUE;
    node->value = value;
    return node;
}

AsValue as_absolute_value(int64_t number) {
    return (AsValue){.kind = AS_VALUE_ABSOLUTE, .number = number};
}

/* Makes an operator node; NULL and an error if the tree gets too high for recursive
 * evaluation. Unary operators have one child, ?: has three; missing ones are NULL. */
static AsNode *operator_node(Assembler *as, int op, AsPlace place, AsNode *a, AsNode *b,
                             AsNode *c) {
    AsNode *node = new_node(as, place);
    node->kind = AS_NODE_OPERATOR;
    node->op = op;
    AsNode *const children[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (!children[i])
            continue;
        node->child[i] = children[i];
        if (children[i]->height >= node->height)
            node->height = children[i]->height + 1;
    }
    fold(as, node);
    if (node->height <= AS_TREE_DEPTH)
        return node;
    as_error(as, place, "expression is too long");
    return NULL;
}

/* Makes a node for a name. A symbol whose value is known is replaced by it at once,
 * which gives a .set symbol the value of this line. An undefined name stays a node
 * until its value is needed. A symbol of the source hides a predefined TAG_... name. */
static AsNode *symbol_node(Assembler *as, const AsToken *token) {
    const AsPlace place = as_here(as, token);
    if (token->kind == AS_TOKEN_NAME &&
        (token->suffix >= 0 || (is_reserved(as_token_text(token))))) {
        as_error(as, place, "'%.*s' cannot be part of an expression", token->length,
                 token->text);
        return NULL;
    }
    AsSymbol *symbol = token->kind == AS_TOKEN_NUMERIC ? numeric_symbol(as, token)
                                                       : as_symbol_token(as, token);
    if (!symbol)
        return NULL;
    as_index_use(as, token, ASM_USE_SYMBOL, ASM_ROLE_USE, symbol->number);
    if (symbol->kind == ASM_SYMBOL_UNDEFINED && !symbol->place.statement)
        symbol->place = place;
    if (symbol->known)
        return as_value_node(as, symbol->value, place);
    int64_t number;
    if (symbol->kind == ASM_SYMBOL_UNDEFINED && as_predefined(symbol->name, &number))
        return as_value_node(as, as_absolute_value(number), place);
    AsNode *node = new_node(as, place);
    node->kind = AS_NODE_SYMBOL;
    node->symbol = symbol;
    return node;
}

static AsNode *primary(Assembler *as) {
    const AsToken *token = as->at;
    const AsPlace place = as_here(as, token);
    if (token->kind == AS_TOKEN_NUMBER) {
        as->at++;
        return as_value_node(as, as_absolute_value(token->value), place);
    }
    if (token->kind == AS_TOKEN_NAME || token->kind == AS_TOKEN_NUMERIC) {
        as->at++;
        return symbol_node(as, token);
    }
    if (as_accept(as, '.') || as_accept(as, '$'))
        return as_value_node(as, as_location(as), place);
    if (as_accept(as, '(')) {
        AsNode *node = ternary(as);
        return node && as_expect(as, ')', "to close the '('") ? node : NULL;
    }
    as_unexpected(as, "a value");
    return NULL;
}

/* Counts nesting, so that no source can exhaust the stack. Both ways down (parentheses
 * and unary operators) count. */
static bool deeper(Assembler *as) {
    if (++as->expr_depth <= AS_EXPR_DEPTH)
        return true;
    as_error(as, as_here(as, as->at), "expression nests more than %d deep",
             AS_EXPR_DEPTH);
    return false;
}

/* Recursive, so that -~!x needs no parentheses. A unary plus makes no node. */
static AsNode *parse_unary(Assembler *as) {
    const AsToken *token = as->at;
    if (token->kind != AS_TOKEN_PUNCT || !strchr("-+~!", token->op) || token->op > 127)
        return primary(as);
    as->at++;
    AsNode *node = deeper(as) ? parse_unary(as) : NULL;
    as->expr_depth--;
    if (!node || token->op == '+')
        return node;
    const int op = token->op == '-' ? AS_OP_NEGATE : token->op;
    return operator_node(as, op, as_here(as, token), node, NULL, NULL);
}

/* Binding strength of the binary operators, 0 for everything else. C's order:
 * comparisons bind weaker than shifts, & | ^ weaker than comparisons. */
static int strength(const AsToken *token) {
    if (token->kind != AS_TOKEN_PUNCT)
        return 0;
    switch (token->op) {
    case '*':
    case '/':
    case '%':
        return 10;
    case '+':
    case '-':
        return 9;
    case AS_OP_SHL:
    case AS_OP_SHR:
        return 8;
    case '<':
    case '>':
    case AS_OP_LE:
    case AS_OP_GE:
        return 7;
    case AS_OP_EQ:
    case AS_OP_NE:
        return 6;
    case '&':
        return 5;
    case '^':
        return 4;
    case '|':
        return 3;
    case AS_OP_AND:
        return 2;
    case AS_OP_OR:
        return 1;
    default:
        return 0;
    }
}

/* Parses operators of strength `floor` and above by precedence climbing. The right side
 * of an operator takes all stronger operators, so equal ones group from the left. There
 * are ten strengths, hence at most ten levels of recursion. */
static AsNode *parse_binary(Assembler *as, int floor) {
    AsNode *left = parse_unary(as);
    while (left && strength(as->at) >= floor) {
        const AsToken *token = as->at++;
        AsNode *right = parse_binary(as, strength(token) + 1);
        if (!right)
            return NULL;
        left = operator_node(as, token->op, as_here(as, token), left, right, NULL);
    }
    return left;
}

/* Groups from the right, as in C: a ? b : c ? d : e. */
static AsNode *choice(Assembler *as, AsNode *condition) {
    const AsPlace place = as_here(as, as->at - 1);
    AsNode *yes = ternary(as);
    if (!yes || !as_expect(as, ':', "of '?'"))
        return NULL;
    AsNode *no = ternary(as);
    return no ? operator_node(as, AS_OP_CHOOSE, place, condition, yes, no) : NULL;
}

static AsNode *ternary(Assembler *as) {
    AsNode *node = deeper(as) ? parse_binary(as, 1) : NULL;
    if (node && as_accept(as, '?'))
        node = choice(as, node);
    as->expr_depth--;
    return node;
}

/* The depth is reset, since an error inside an expression leaves it at any value. */
AsNode *as_expression(Assembler *as) {
    as->expr_depth = 0;
    return ternary(as);
}
