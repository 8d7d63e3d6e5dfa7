/* One instruction by its opcode: operand, body, cycles. Included by the dispatchers,
 * exec.c and plain/plain.c, each of which compiles its own code from it; see
 * step_inline.h. */
#ifndef JM_NODE_EXECUTE_INLINE_H
#define JM_NODE_EXECUTE_INLINE_H

#include "emu/node/step_inline.h"

#include "emu/node/body_alu_inline.h"
#include "emu/node/body_control_inline.h"
#include "emu/node/body_message_inline.h"

/* Cycles of an instruction that did not fault, without those of its fetch, for the
 * timing column of ops.def. `t` is the JmTiming, `s` the Step. */
#define CYCLES_BASE (t->base + s->access)
#define CYCLES_JUMP (outcome == OUTCOME_DONE ? CYCLES_BASE : t->jump + s->external)
#define CYCLES_SUSPEND (t->suspend)
#define CYCLES_XLATE (t->xlate + s->external)

/* A row of ops.def without a body does not compile. */
#define OP(name, code, form, cls, time, ...)                                           \
    case JM_OP_##name:                                                                 \
        outcome = op_##name(s);                                                        \
        s->cycles = CYCLES_##time;                                                     \
        break;

/* Executes the instruction of `s` up to its charge, and sets s->cycles. Returns a fault
 * or an OUTCOME; a taken branch returns OUTCOME_JUMPED. */
ALWAYS_INLINE int execute(Step *s) {
    const JmTiming *t = &s->env->timing;
    int outcome = read_operand(s);
    if (outcome != OUTCOME_DONE)
        return outcome;
    switch (s->d->op) {
#include "emu/isa/ops.def"
    default:
        outcome = JM_FAULT_ILGINST;
    }
    return outcome == OUTCOME_BRANCHES ? branch(s) : outcome;
}
#undef OP

#endif
