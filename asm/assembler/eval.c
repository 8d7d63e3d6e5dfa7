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
#include <stdio.h>

#include "asm/assembler/assemble.h"

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

/* An operator met something that has no number before the link. */
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

/* Whether the operator takes these operands at all; false and why in `problem`. */
static bool in_domain(int op, int64_t b, const char **problem) {
    if ((op == '/' || op == '%') && b == 0)
        *problem = "division by zero";
    else if ((op == AS_OP_SHL || op == AS_OP_SHR) && (b < 0 || b > 63))
        *problem = "shift by less than 0 or more than 63";
    else
        return true;
    return false;
}

/* False and why in `problem`. Nothing here is undefined in C: INT64_MIN / -1 is caught,
 * and >> of a negative number copies the sign with every compiler that builds this. */
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
 * division by zero behind && is no error if it is not reached. */
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
    if (symbol->kind == AS_SYMBOL_EQU && symbol->busy) {
        if (!eval->quiet)
            as_error(eval->as, node->place, "'%s' is defined by itself", symbol->name);
        return error_value();
    }
    if (symbol->kind == AS_SYMBOL_EQU) {
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
        as_symbol_undefined(eval->as, symbol, node->place);
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
                    "symbols are defined by others in too long a chain");
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

/* An error is not reported here but when the value is needed, if ever. Only nodes
 * whose children are values: others wait for their symbols. */
void as_fold(Assembler *as, AsNode *node) {
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
