/* Compiled expressions. The reader emits the code while it reads (expression.c). Most
 * are evaluated at once; the room `stops` keeps them, and evaluates them thousands of
 * times a second.
 *
 *     [count]@3 > 5      PUSH count   MEMORY of node 3   PUSH 5   APPLY >
 *
 * A value may be needed while its node is ahead of other nodes. Then everything in it
 * must be steady, that is, changed only by the node's own instructions: its registers,
 * its memory outside its queues, and arrived words in these. */
#ifndef JM_DEBUG_COMPILED_H
#define JM_DEBUG_COMPILED_H

#include "emu/debug/values/values.h"

/* ---- operators and functions: values.c ------------------------------------------- */

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
/* Returns what can stand before a "(": the name of a function, a tag; `index` 0.. until
 * NULL. */
const char *expression_caller(unsigned index);
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

/* ---- compiled expressions -------------------------------------------------------- */

/* What a step does to the stack of values. */
typedef enum {
    DO_PUSH,
    DO_REGISTER,
    DO_MEMORY, /* reads the word at the address on the stack */
    DO_CYCLE,
    DO_NODE,
    DO_CONTEXT,
    DO_RUNNING,
    DO_OLD,   /* $old */
    DO_LATER, /* a value that is not known yet: expressions with it are not evaluated */
    DO_MISSING, /* a variable that is not set */
    DO_APPLY,   /* an operator, on two values */
    DO_NEGATE,
    DO_INVERT,
    DO_NOT,
    DO_TRUTH,  /* makes 0 or 1 of a value */
    DO_DECIDE, /* if the value decides && or ||: replaces it by the result and jumps */
    DO_CHOOSE, /* takes the condition of ?: and jumps if it is false */
    DO_SKIP,   /* jumps over the value behind : */
    DO_CHOSEN, /* where the two values of ?: come together: does nothing */
    DO_CALL,   /* a function, on its arguments */
    DO_SHAPE,  /* TAG(...), on its arguments */
} DoKind;

/* An expression as a list of steps. */
typedef struct Compiled Compiled;

enum { OWN_NODE = -1, RUNNING_CONTEXT = -1 };

/* A step. */
typedef struct {
    DoKind kind;
    int what;    /* BinaryOp, CallKind, tag or register; DECIDE: the truth that decides;
                 CHOOSE: false */
    int context; /* REGISTER: a JmContext or RUNNING_CONTEXT */
    int node;    /* node it reads, or OWN_NODE */
    unsigned arguments; /* CALL, SHAPE: values that it takes */
    size_t target;      /* of a jump: step to continue with */
    Value value;        /* PUSH */
    const char *at;     /* what cannot have a value, in the text that was read */
    const char *name;   /* MISSING: `what` letters of that text */
} Do;

struct Compiled {
    Heap *heap; /* of the steps */
    Do *steps;
    size_t count, capacity;
    bool once;   /* valid for a single, immediate evaluation */
    bool cycles; /* the number of the cycle matters */
    /* something else matters that changes without an instruction of the node */
    bool unsteady;
    /* something matters that changes with every instruction, such as IP */
    bool restless;
    bool memory;        /* some word of memory matters */
    bool moving;        /* the address of such a word is computed */
    uint32_t registers; /* registers that matter: bits by JmReg */
    int depth;          /* values on the stack behind the steps so far */
};

/* Frees the steps; the expression is empty. */
void compiled_clear(Compiled *compiled);
/* Frees an expression on the heap, if there is one: *compiled becomes NULL. */
void compiled_free(Compiled **compiled);
/* Compiles `text` for `node`; NULL if it would be valid for one evaluation only, or is
 * malformed. */
Compiled *compile(JmDebug *d, const char *text, unsigned node);

/* Whether no further value may be put on the stack. */
bool compiled_is_full(const Compiled *compiled);
/* Appends a step. */
void emit(Compiled *compiled, Do step);
/* a register or a word of memory, read at `at` of the text */
void emit_place(Compiled *compiled, const Place *place, const char *at);
/* Appends a DECIDE, CHOOSE or SKIP and returns its place; emit_target() sets where it
 * jumps: to the step that is emitted next. */
size_t emit_jump(Compiled *compiled, DoKind kind, bool deciding);
void emit_target(Compiled *compiled, size_t jump);

/* Whether only instructions of the node can change a word of its memory. */
bool memory_is_steady(const Node *node, uint32_t address);

/* The outcome of an evaluation: a value, none (as division by zero), or not decidable
 * yet. */
typedef enum { COMPUTED, NO_VALUE, NOT_STEADY } Computed;
/* The viewpoint of an evaluation. */
typedef struct {
    JmDebug *d;
    unsigned node;    /* for $registers and [memory] */
    bool early;       /* only this node is in its state of the time asked about */
    const Value *old; /* $old; NULL: there is none */
    char *why;        /* a Reason: why there is no value */
} Sight;
/* Evaluates a compiled expression. */
Computed compiled_value(const Compiled *compiled, const Sight *sight, Value *value);
/* The same while its text is there: if it has no value, `*at` is the place in it that
 * has none. */
Computed compiled_find(const Compiled *compiled, const Sight *sight, Value *value,
                       const char **at);
/* Whether an expression can have no value, whatever the machine does; then `why` gives
 * the reason. */
bool compiled_never(const Compiled *compiled, Reason why);

#endif
