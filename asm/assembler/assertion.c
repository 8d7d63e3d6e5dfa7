/* .assert: checked when all lines have been read, or by the linker if only it knows the
 * addresses.
 *
 *     .assert end - start <= 64, "text"    left - right, as a sum of addresses and a
 *                                          number, is compared with 0
 *
 * Each operand of && is an assertion of its own. */
#include "asm/assembler/assemble.h"

void as_do_assert(Assembler *as) {
    const AsPlace place = as_here(as, as->at - 1);
    AsNode *expr = as_expression(as);
    if (!expr)
        return;
    if (!as_accept(as, ',') || as->at->kind != AS_TOKEN_STRING) {
        as_unexpected(as, "a comma and a \"text\"");
        return;
    }
    as->asserts =
        mem_grow(as->heap, as->asserts, (size_t)as->assert_count, sizeof *as->asserts);
    as->asserts[as->assert_count++] = (AsAssert){
        .expr = expr, .place = place, .text = {as->at->text + 1, as->at->length - 2}};
    as->at++;
    as_expect_end(as);
}

/* Finds the linker's comparison for an operator; false if it is not a comparison. */
static bool find_comparison(int op, AsmObjectCompare *compare) {
    static const int ops[] = {[ASM_OBJECT_LT] = '<',      [ASM_OBJECT_LE] = AS_OP_LE,
                              [ASM_OBJECT_EQ] = AS_OP_EQ, [ASM_OBJECT_NE] = AS_OP_NE,
                              [ASM_OBJECT_GE] = AS_OP_GE, [ASM_OBJECT_GT] = '>'};
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (ops[i] == op) {
            *compare = (AsmObjectCompare)i;
            return true;
        }
    return false;
}

/* Adds a number to the sum of an assertion; false if it does not fit. */
static bool add_number(AsAssert *assert, int64_t number, bool minus) {
    const bool lost =
        minus ? __builtin_sub_overflow(assert->number, number, &assert->number)
              : __builtin_add_overflow(assert->number, number, &assert->number);
    return !lost;
}

/* Adds an address. */
static bool add_address(Assembler *as, AsAssert *assert, AsValue value, bool minus) {
    if (assert->terms == ASM_OBJECT_TERMS)
        return false;
    if (value.kind == AS_VALUE_SECTION && !value.symbol)
        value.symbol = as_section_anchor(as, value.section);
    if (value.kind == AS_VALUE_SECTION)
        value.number -= value.symbol->value.number;
    assert->term[assert->terms++] = (AsAssertTerm){value.symbol, minus};
    return add_number(assert, value.number, minus);
}

/* Adds the terms of an expression; false if the linker cannot compute it. */
static bool add_terms(Assembler *as, AsAssert *assert, AsNode *node, bool minus) {
    const bool sum = node->kind == AS_NODE_OPERATOR && node->child[1] &&
                     (node->op == '+' || node->op == '-');
    if (sum)
        return add_terms(as, assert, node->child[0], minus) &&
               add_terms(as, assert, node->child[1], minus != (node->op == '-'));
    AsValue value = as_evaluate(as, node);
    if (value.kind == AS_VALUE_ERROR)
        return true; /* reported */
    if (as_make_absolute(as, &value))
        return add_number(assert, value.number, minus);
    return add_address(as, assert, value, minus);
}

/* Leaves an assertion to the linker. */
static void defer(Assembler *as, AsAssert assert, AsNode *node) {
    const bool compares =
        node->kind == AS_NODE_OPERATOR && find_comparison(node->op, &assert.compare);
    if (!compares && as_evaluate(as, node).kind == AS_VALUE_ERROR)
        return; /* reported */
    if (!compares || !add_terms(as, &assert, node->child[0], false) ||
        !add_terms(as, &assert, node->child[1], true) ||
        assert.number<INT32_MIN || assert.number> INT32_MAX) {
        as_error(as, assert.place,
                 "the linker compares sums of at most %d addresses and a 32-bit "
                 "number: nothing else can be asserted of addresses that only it knows",
                 ASM_OBJECT_TERMS);
        return;
    }
    as->deferred = mem_grow(as->heap, as->deferred, (size_t)as->deferred_count,
                            sizeof *as->deferred);
    as->deferred[as->deferred_count++] = assert;
}

/* Checks one assertion, or the parts of one that && joins. */
static void check(Assembler *as, const AsAssert *assert, AsNode *node) {
    AsValue value;
    if (as_known(as, node, &value)) {
        if (value.number == 0)
            as_error(as, assert->place, "assertion failed: %.*s", assert->text.length,
                     assert->text.text);
    } else if (node->kind == AS_NODE_OPERATOR && node->op == AS_OP_AND) {
        check(as, assert, node->child[0]);
        check(as, assert, node->child[1]);
    } else {
        defer(as, *assert, node);
    }
}

void as_check_assertions(Assembler *as) {
    for (int i = 0; i < as->assert_count && !as->stop; i++)
        check(as, &as->asserts[i], as->asserts[i].expr);
}
