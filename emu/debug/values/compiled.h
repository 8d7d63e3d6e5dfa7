/* Expressions in a form that is evaluated thousands of times a second: the reader emits
 * it while it reads (expr.c, primary.c), the stops evaluate it (hits.c).
 *
 *     [count]@3 > 5      MEMORY of 3 at (PUSH count)   PUSH 5   APPLY >
 *
 * A value may be asked for ahead of the machine's time. Then all must be steady: what
 * only the node's own instructions change, registers and memory outside its queues, or
 * in them what has arrived.
 */
#ifndef JM_DEBUG_COMPILED_H
#define JM_DEBUG_COMPILED_H

#include "emu/debug/values/values.h"

typedef enum {
    DO_PUSH,
    DO_REGISTER,
    DO_MEMORY, /* of the address on the stack */
    DO_CYCLE,
    DO_NODE,
    DO_CONTEXT,
    DO_RUNNING,
    DO_APPLY, /* an operator, on two values */
    DO_NEGATE,
    DO_INVERT,
    DO_NOT,
    DO_TRUTH,  /* 0 or 1 */
    DO_DECIDE, /* if the value decides && or ||, makes that of it and jumps */
    DO_CALL,   /* a function on its arguments */
    DO_SHAPE,  /* TAG(...) on its arguments */
} DoKind;

/* Steps of an expression. */
typedef struct Compiled Compiled;

enum { OWN_NODE = -1, RUNNING_CONTEXT = -1 };

typedef struct {
    DoKind kind;
    int what; /* BinaryOp, CallKind, tag or register; DECIDE: the deciding truth */
    int context;
    int node;
    unsigned arguments;
    size_t target; /* of DECIDE */
    Value value;
} Do;

struct Compiled {
    Heap *heap;
    Do *steps;
    size_t count, capacity;
    bool failed;   /* it cannot be compiled */
    bool cycles;   /* the number of the cycle matters, */
    bool unsteady; /* or something else that changes while no instruction is issued, */
    bool restless; /* or something that changes with every instruction; */
    bool memory;   /* or some word of memory; */
    bool moving;   /* its address can change */
    uint32_t registers; /* that matter: bit by JmReg */
    int depth;          /* values on the stack behind the steps so far */
};

void compiled_clear(Compiled *compiled);
/* Compiles; `failed` if that cannot be done. */
void compile(JmDebug *d, const char *text, unsigned node, Compiled *compiled);

/* Emission; nothing happens if `compiled` is NULL. */
void emit(Compiled *compiled, Do step);
void emit_place(Compiled *compiled, const Place *place); /* a register or memory */
/* Where a DECIDE that is emitted later will jump to is known then: */
size_t emit_decide(Compiled *compiled, bool deciding);
void emit_target(Compiled *compiled, size_t decide);

/* Whether only instructions of the node will change a word of its memory. */
bool memory_is_steady(const Node *node, uint32_t address);

typedef enum { COMPUTED, NO_VALUE, NOT_STEADY } Computed;
typedef struct {
    JmDebug *d;
    unsigned node;
    bool early; /* only this node is where it will be at the time asked about */
} Sight;
Computed compiled_value(const Compiled *compiled, const Sight *sight, Value *value);

#endif
