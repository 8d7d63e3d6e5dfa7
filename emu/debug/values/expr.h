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

typedef struct {
    Args *args;
    unsigned node; /* for $registers and [memory] */
    bool dry;      /* read only, as what && skips: nothing is looked up */
    bool quiet;    /* errors are not said */
    bool foreign;  /* something of another node was read */
    bool failed;   /* said once; nothing more is read */
    unsigned depth;
    Compiled
        *compiled; /* gets the expression in its other form; NULL: nobody wants it */
} Reader;

enum { READER_DEPTH = 100 };

bool reader_fail(Reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Takes `text` if it comes next. */
bool reader_take(Reader *r, const char *text);
char reader_peek(Reader *r);
/* Letters, digits, _ . and inner ' that make a name; length 0: none. */
size_t reader_name_length(const char *at);

Value reader_expression(Reader *r);
Value reader_primary(Reader *r);
/* A register or variable behind the $, as a place. */
bool reader_dollar(Reader *r, Place *place);
Value reader_place_value(Reader *r, const Place *place, const char *at);
/* The node behind an @. */
unsigned reader_node(Reader *r);

/* What steps of compiled expressions do. False: division by zero. */
bool expression_apply(int op, const Value *left, const Value *right, Value *value);
Value expression_call(const JmDebug *d, unsigned node, int kind,
                      const Value *arguments);
Value expression_shape(unsigned tag, const Value *arguments, unsigned count);

#endif
