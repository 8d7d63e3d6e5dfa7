/* Parses expressions into trees, with C's operators and precedence.
 *
 *     expression = binary [ '?' expression ':' expression ]
 *     binary     = unary { operator unary }          by strength, 10 down to 1
 *     unary      = { '-' | '+' | '~' | '!' } primary
 *     primary    = number | name | 1f | 1b | '.' | '$' | '(' expression ')'
 *
 * Nodes live in the arena to the end of the run: a fixup or a constant may need them
 * then. What is known is computed while parsing (as_fold), so that most trees are a
 * single value. Depth and height are bounded, because parsing and evaluation recurse.
 */
#include <string.h>

#include "asm/assembler/assemble.h"

static AsNode *ternary(Assembler *as);

static AsNode *new_node(Assembler *as, AsPlace place) {
    AsNode *node = as_arena_alloc(&as->arena, sizeof *node);
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
    as_fold(as, node);
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
        (token->suffix >= 0 || (as_reserved(as_token_text(token))))) {
        as_error(as, place, "'%.*s' cannot be part of an expression", token->length,
                 token->text);
        return NULL;
    }
    AsSymbol *symbol = token->kind == AS_TOKEN_NUMERIC ? as_symbol_numeric(as, token)
                                                       : as_symbol_token(as, token);
    if (!symbol)
        return NULL;
    if (symbol->kind == AS_SYMBOL_UNDEFINED && !symbol->place.statement)
        symbol->place = place;
    if (symbol->known)
        return as_value_node(as, symbol->value, place);
    int64_t number;
    if (symbol->kind == AS_SYMBOL_UNDEFINED && as_predefined(symbol->name, &number))
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
static AsNode *unary(Assembler *as) {
    const AsToken *token = as->at;
    if (token->kind != AS_TOKEN_PUNCT || !strchr("-+~!", token->op) || token->op > 127)
        return primary(as);
    as->at++;
    AsNode *node = deeper(as) ? unary(as) : NULL;
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
static AsNode *binary(Assembler *as, int floor) {
    AsNode *left = unary(as);
    while (left && strength(as->at) >= floor) {
        const AsToken *token = as->at++;
        AsNode *right = binary(as, strength(token) + 1);
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
    AsNode *node = deeper(as) ? binary(as, 1) : NULL;
    if (node && as_accept(as, '?'))
        node = choice(as, node);
    as->expr_depth--;
    return node;
}

/* The count of depth is reset, since an error inside an expression leaves it anywhere.
 */
AsNode *as_expression(Assembler *as) {
    as->expr_depth = 0;
    return ternary(as);
}
