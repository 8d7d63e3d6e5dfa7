/* Follows control through straight code, to warn of inline constants that nothing
 * reads: each is loaded into R0, and is lost when R0 gets another word first.
 *
 *             .ip     there           ; lost
 *             .word   INT:kernel_nodes
 *             move    [r0,a0],r2
 *
 * Words may also be a table, which control does not reach. A table has a label behind
 * it or nothing, code has an instruction: a constant lost to another word is reported
 * when an instruction follows without a label. Words of one line are a table, too.
 * Where control may go elsewhere, R0 may be read there. */
#include "asm/assembler/assemble.h"

bool as_is_conditional(const JmDecoded *instruction) {
    return jm_op_info(instruction->op)->form == JM_FORM_S_BR;
}

bool as_ends_run(const JmDecoded *instruction) {
    const JmOpInfo *info = jm_op_info(instruction->op);
    return (info->time == JM_TIME_JUMP && !as_is_conditional(instruction)) ||
           instruction->op == JM_OP_SUSPEND ||
           (instruction->op == JM_OP_WRITER && instruction->reg == JM_REG_IP);
}

static void report(Assembler *as, AsPlace constant, AsPlace by) {
    as_warning(as, constant, "this constant is never read: R0 gets another word first");
    as_note(as, by, "R0 gets it here");
}

/* What control runs into, not from the line above, may be a table so far. */
void as_flow_label(Assembler *as) {
    AsFlow *flow = &as_current(as)->flow;
    flow->lost.statement = NULL;
    if (!flow->reached)
        flow->unread.statement = NULL;
    flow->reached = false;
}

void as_flow_words(Assembler *as, JmWord word) {
    AsFlow *flow = &as_current(as)->flow;
    if (jm_is_instruction(word)) { /* unknown ones */
        flow->lost.statement = flow->unread.statement = NULL;
        return;
    }
    const AsPlace here = as_here(as, as->tokens);
    if (flow->unread.statement && flow->unread.statement != here.statement &&
        !flow->lost.statement) {
        flow->lost = flow->unread;
        flow->by = here;
    }
    flow->unread = here;
    if (jm_same(word, JM_NIL)) /* padding, as .space makes it */
        flow->unread.statement = NULL;
}

void as_flow_instruction(Assembler *as, const JmDecoded *d) {
    AsFlow *flow = &as_current(as)->flow;
    if (flow->lost.statement)
        report(as, flow->lost, flow->by);
    flow->lost.statement = NULL;
    flow->reached = !d || !as_ends_run(d);
    if (d && flow->unread.statement && !as_ends_run(d) && !as_is_conditional(d) &&
        !jm_reads_data_register(d, 0)) {
        if (!jm_writes_data_register(d, 0))
            return;
        report(as, flow->unread, as_here(as, as->tokens));
    }
    flow->unread.statement = NULL;
}
