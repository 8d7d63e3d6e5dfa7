/* Reading expressions: shared by the files of this room only.
 *
 *     expr    = binary operators as in C, from || down to *, then
 *     unary   = (- ~ !) unary | primary [@ node]
 *     primary = number | [FILE:]symbol | $register[.context] | $variable | [address]
 *             | TAG:HEX | TAG(expr,...) | function(expr,...) | (expr)
 */
#ifndef JM_DEBUG_EXPR_H
#define JM_DEBUG_EXPR_H

#include "emu/debug/values/compiled.h"

/* Reads an expression, evaluates it, and may compile it, in one pass. */
typedef struct {
    Args *args;
    unsigned node;    /* node of $registers and [memory] */
    bool dry;         /* reads without looking anything up, as after a decided && */
    bool quiet;       /* errors are not printed */
    bool lasting;     /* variables may have other values later */
    bool has_old;     /* there is, or will be, an $old */
    const Value *old; /* NULL: not yet */
    char *why;        /* quiet: a Reason that gets the error; NULL: it is dropped */
    bool foreign;     /* something of another node was read */
    bool failed;      /* an error was found, and printed once; nothing more is read */
    unsigned depth;
    Compiled *compiled; /* gets the compiled expression; NULL: not wanted */
} Reader;

enum { READER_DEPTH = 100 };

/* Prints an error, once, and records it. Returns false. */
bool reader_fail(Reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes `text` if it comes next. */
bool reader_take(Reader *r, const char *text);
/* Returns the next character after blanks. */
char reader_peek(Reader *r);
/* Returns the length of a name: letters, digits, _ and dots. 0: there is none. */
size_t reader_name_length(const char *at);

/* Reads a whole expression. */
Value reader_expression(Reader *r);
/* Reads an operand: a term between operators. */
Value reader_primary(Reader *r);
/* Reads the register or variable after a $. False after an error. */
bool reader_dollar(Reader *r, Place *place);
/* Returns the value at a place. */
Value reader_place_value(Reader *r, const Place *place, const char *at);
/* Reads the node after an @. */
unsigned reader_node(Reader *r);

/* The binary operators. */
typedef enum {
    OP_LOR,
    OP_LAND,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD
} BinaryOp;

/* Applies a binary operator. False and a reason: division by zero, or a constant that
 * no word can equal. */
bool expression_apply(int op, const Value *left, const Value *right, Value *value,
                      Reason why);
/* Finds a function by its name; -1: there is none. *arguments: how many it takes. */
int expression_function(const char *name, size_t length, unsigned *arguments);
/* Whether a function's value changes without an instruction of the node. */
bool expression_is_unsteady(int kind);
/* Calls a function. False and a reason: an argument is out of range. */
bool expression_call(const JmDebug *d, unsigned node, int kind, const Value *arguments,
                     Value *value, Reason why);
/* Whether the first argument of a function is in its range; false and a reason. */
bool expression_takes(int kind, const Value *argument, Reason why);
/* Whether an operator divides by `right`, which is 0; then with a reason. */
bool expression_divides_by_zero(int op, const Value *right, Reason why);
/* Whether an operator asks for a word that equals a constant of more than 32 bits; then
 * with a reason. */
bool expression_is_too_long(int op, const Value *constant, Reason why);
Value value_negated(const Value *value);
Value value_inverted(const Value *value);
/* Makes a word of a tag. */
Value expression_shape(unsigned tag, const Value *arguments, unsigned count);

#endif
