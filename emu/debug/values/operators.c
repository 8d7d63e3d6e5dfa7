/* The operators of expressions on values. Comparisons follow C: a constant from
 * 0x80000000 to 0xFFFFFFFF is unsigned, and makes the comparison unsigned. */
#include "emu/debug/values/expr.h"

/* ---- comparisons ----------------------------------------------------------------- */

/* Whether a number fits 32 bits, signed or unsigned. */
static bool fits_word(int64_t number) {
    return number >= INT32_MIN && number <= UINT32_MAX;
}

static bool is_comparison(BinaryOp op) {
    return op == OP_EQ || op == OP_NE || op == OP_LE || op == OP_GE || op == OP_LT ||
           op == OP_GT;
}

/* Whether a value is an unsigned constant, by the rules of C for 32 bits. */
static bool is_unsigned(const Value *value) {
    return value->constant && value->number > INT32_MAX && value->number <= UINT32_MAX;
}

/* Makes numbers unsigned that are to be compared as 32 bits: if one is an unsigned
 * constant; and a word equals a number if its 32 bits do. */
static void level_signs(BinaryOp op, const Value *left, const Value *right, int64_t *a,
                        int64_t *b) {
    const bool equality = op == OP_EQ || op == OP_NE;
    const bool one_word = left->is_word != right->is_word;
    const bool bits = is_unsigned(left) || is_unsigned(right) || (equality && one_word);
    if (!bits || !fits_word(*a) || !fits_word(*b))
        return;
    *a = (uint32_t)*a;
    *b = (uint32_t)*b;
}

static int64_t compare(BinaryOp op, const Value *left, const Value *right) {
    int64_t a = value_number(left), b = value_number(right);
    level_signs(op, left, right, &a, &b);
    switch (op) {
    case OP_LE:
        return a <= b;
    case OP_GE:
        return a >= b;
    case OP_LT:
        return a < b;
    case OP_GT:
        return a > b;
    default:
        return (left->is_word && right->is_word ? jm_same(left->word, right->word)
                                                : a == b) == (op == OP_EQ);
    }
}

/* ---- the others ------------------------------------------------------------------ */

/* Computes with numbers of 64 bits; results wrap. */
static int64_t compute(BinaryOp op, int64_t a, int64_t b) {
    const uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
    switch (op) {
    case OP_OR:
        return (int64_t)(ua | ub);
    case OP_XOR:
        return (int64_t)(ua ^ ub);
    case OP_AND:
        return (int64_t)(ua & ub);
    case OP_SHL:
        return b < 0 || b > 63 ? 0 : (int64_t)(ua << ub);
    case OP_SHR:
        return a >> (b < 0 || b > 63 ? 63 : b); /* keeps the sign */
    case OP_ADD:
        return (int64_t)(ua + ub);
    case OP_SUB:
        return (int64_t)(ua - ub);
    default:
        return (int64_t)(ua * ub);
    }
}

bool expression_is_too_long(int what, const Value *constant, Reason why) {
    const BinaryOp op = (BinaryOp)what;
    if ((op != OP_EQ && op != OP_NE) || !constant->constant ||
        fits_word(constant->number))
        return false;
    snprintf(why, REASON_TEXT, "no word equals 0x%" PRIX64 ": a word has 32 bits",
             (uint64_t)constant->number);
    return true;
}

bool expression_divides_by_zero(int what, const Value *right, Reason why) {
    const BinaryOp op = (BinaryOp)what;
    if ((op != OP_DIV && op != OP_MOD) || value_number(right) != 0)
        return false;
    snprintf(why, REASON_TEXT, "division by zero");
    return true;
}

bool expression_apply(int what, const Value *left, const Value *right, Value *value,
                      Reason why) {
    const BinaryOp op = (BinaryOp)what;
    *value = value_of_number(0);
    if (expression_divides_by_zero(what, right, why) ||
        (left->is_word && expression_is_too_long(what, right, why)) ||
        (right->is_word && expression_is_too_long(what, left, why)))
        return false;
    /* Addition to an ADDR, IP or MSG moves its address, as with a pointer. */
    const bool moves = op == OP_ADD || op == OP_SUB;
    const int64_t a =
        moves && value_holds_address(left) ? value_address(left) : value_number(left);
    const int64_t b = value_number(right);
    const bool constant = left->constant && right->constant;
    if (is_comparison(op))
        *value = value_of_number(compare(op, left, right));
    else if (op != OP_DIV && op != OP_MOD)
        *value = value_of_number(compute(op, a, b));
    else if (b == -1)
        *value = value_of_number(op == OP_DIV ? compute(OP_SUB, 0, a) : 0);
    else
        *value = value_of_number(op == OP_DIV ? a / b : a % b);
    value->constant = constant;
    return true;
}

Value value_negated(const Value *value) {
    return (Value){.number = (int64_t)(0 - (uint64_t)value_number(value)),
                   .constant = value->constant};
}

Value value_inverted(const Value *value) {
    return (Value){.number = ~value_number(value), .constant = value->constant};
}
