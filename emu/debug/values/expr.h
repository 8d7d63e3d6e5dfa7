/* Reading expressions: shared by expr.c and primary.c only.
 *
 *     expr    = binary operators as in C, from || down to *, then
 *     unary   = (- ~ !) unary | primary [@ node]
 *     primary = number | symbol | $register[.context] | $variable | [address]
 *             | TAG:HEX | TAG(expr,...) | function(expr,...) | (expr)
 */
#ifndef JM_DEBUG_EXPR_H
#define JM_DEBUG_EXPR_H

#include "emu/debug/values/compiled.h"

/* Reads an expression, evaluates it, and may compile it, in one pass. */
typedef struct {
    Args *args;
    unsigned node; /* node of $registers and [memory] */
    bool dry;      /* reads without looking anything up, as behind a decided && */
    bool quiet;    /* errors are not said */
    bool foreign;  /* something of another node was read */
    bool failed;   /* an error was found, and said once; nothing more is read */
    unsigned depth;
    Compiled
        *compiled; /* gets the expression in its other form; NULL: nobody wants it */
} Reader;

enum { READER_DEPTH = 100 };

/* Says an error, once, and notes it. Returns false. */
bool reader_fail(Reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes `text` if it comes next. */
bool reader_take(Reader *r, const char *text);
/* Returns the next character behind blanks. */
char reader_peek(Reader *r);
/* Returns the length of a name: letters, digits, _ and dots. 0: there is none. */
size_t reader_name_length(const char *at);

/* Reads a whole expression. */
Value reader_expression(Reader *r);
/* Reads an operand: what stands between operators. */
Value reader_primary(Reader *r);
/* Reads the register or variable behind a $. False after an error. */
bool reader_dollar(Reader *r, Place *place);
/* Returns what lies at a place. */
Value reader_place_value(Reader *r, const Place *place, const char *at);
/* Reads the node behind an @. */
unsigned reader_node(Reader *r);

/* Does a binary operator. False: division by zero. */
bool expression_apply(int op, const Value *left, const Value *right, Value *value);
/* Does a function. */
Value expression_call(const JmDebug *d, unsigned node, int kind,
                      const Value *arguments);
/* Makes a word of a tag. */
Value expression_shape(unsigned tag, const Value *arguments, unsigned count);

#endif
