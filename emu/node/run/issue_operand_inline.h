/* Operands of translated instructions: reading op0, by form. For plain.c alone;
 * everything is static. */
#ifndef JM_NODE_RUN_ISSUE_OPERAND_INLINE_H
#define JM_NODE_RUN_ISSUE_OPERAND_INLINE_H

#include "emu/node/run/enter_inline.h"
#include "emu/node/run/run_operand_inline.h"

/* Begins a translated instruction: no operand yet, Rs read. */
ALWAYS_INLINE Step begin_op(Context *c, const NodeOp *op, NodeEnv *e, bool checked) {
    Step s;
    s.node = e->run.node;
    s.env = e;
    s.context = c;
    s.d = &op->d;
    s.checked = checked;
    s.ip = JM_IP_ABSOLUTE;
    s.external = s.access = s.address = s.cycles = 0;
    s.op0 = JM_NIL;
    s.rs = c->r[op->d.rs];
    return s;
}

/* Fixes the operand form for the compiler. */
#define ASSUME_FORM(form)                                                              \
    do {                                                                               \
        if (op->d.mode != JM_MODE_##form)                                              \
            __builtin_unreachable();                                                   \
    } while (0)

/* OPERAND_form: reads op0; false if only general() can. */
#define OPERAND_REG (s.op0 = c->r[op->d.reg], true)
#define OPERAND_AREG (s.op0 = c->a[op->d.reg - 4], true)
#define OPERAND_CONSTANT (s.op0 = op->literal, true)
#define OPERAND_IMMEDIATE (s.op0 = jm_int((int32_t)jm_data(op->literal)), true)
#define OPERAND_INDEXED load_onchip(&s)
#define OPERAND_OFFSET load_onchip(&s)
#define OPERAND_SEGMENT load_segment(&s)
#define OPERAND_QUEUE load_queue(&s)

/* Reads [offset, A1] or [offset, A2]; false if only general() can. */
ALWAYS_INLINE bool load_segment(Step *s) {
    if (UNLIKELY(!locate_in_segment(s, MEMORY_EXTERNAL)))
        return false;
    s->op0 = *onchip_word(s->node, s->address);
    return true;
}

/* Reads [offset, A3], usually a word of the current message; false if only general()
 * can. */
ALWAYS_INLINE bool load_queue(Step *s) {
    const NodeRun *run = &s->env->run;
    const Priority *task = run->task;
    if (UNLIKELY(!task))
        return load_segment(s);
    const uint32_t a = jm_data(s->context->a[3]);
    const uint32_t offset = (uint32_t)s->d->value;
    const uint32_t last = jm_field10(a) - 1; /* length 0 means no limit */
    s->address = node_queue_address(task, jm_field20(a) + offset);
    if (UNLIKELY(a & JM_ADDR_INVALID) || UNLIKELY(offset > last) ||
        UNLIKELY(offset >= jm_field10(task->qhl)) ||
        UNLIKELY(s->address >= MEMORY_EXTERNAL) || UNLIKELY(run->marks))
        return false;
    s->op0 = *onchip_word(s->node, s->address);
    return true;
}

#endif
