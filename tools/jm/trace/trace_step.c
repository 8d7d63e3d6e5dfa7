/* Determines the effects of an instruction. The registers that it wrote follow from the
 * tables of the instruction set; their values are read when it is done. */
#include "tools/jm/trace/trace_step.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- registers ------------------------------------------------------------------- */

/* Whether a register is of the node, not of a context. */
static bool is_of_node(JmReg reg) {
    return reg == JM_REG_TBM || reg == JM_REG_NNR || reg == JM_REG_P ||
           reg == JM_REG_B || reg == JM_REG_I;
}

static bool is_of_queue(JmReg reg) {
    return reg == JM_REG_QBM || reg == JM_REG_QHL || reg == JM_REG_Q;
}

/* Adds a register of a context with its value. */
static void add_register(TraceStep *step, const JmMachine *machine,
                         const JmEvent *event, JmContext context, JmReg reg) {
    TraceRegister *added = &step->reg[step->registers++];
    const char *name = jm_reg_name(reg);
    size_t length = 0;
    for (; name[length]; length++)
        added->name[length] = (char)tolower((unsigned char)name[length]);
    if (context != event->context && !is_of_node(reg)) {
        added->name[length++] = '\'';
        added->name[length++] = "01b"[context];
    }
    added->name[length] = '\0';
    added->value = jm_register(machine, event->node, context, reg);
}

/* Returns the context that a register-mode operand selects. */
static JmContext selected(const JmMachine *machine, const JmEvent *event,
                          unsigned operand) {
    const bool background = event->context == JM_CONTEXT_BACKGROUND;
    const bool other = (operand & JM_REG_OTHER_CONTEXT) != 0;
    const JmReg reg = (JmReg)(operand & JM_REG_N);
    const unsigned running =
        background ? jm_data(jm_register(machine, event->node, 0, JM_REG_P))
                   : (unsigned)event->context;
    if (other != background && !is_of_queue(reg))
        return JM_CONTEXT_BACKGROUND;
    return (JmContext)((running & 1) ^ ((operand & JM_REG_OTHER_PRIORITY) != 0));
}

/* Adds the A registers of both priorities, which INVAL writes. */
static void add_address_registers(TraceStep *step, const JmMachine *machine,
                                  const JmEvent *event) {
    for (unsigned i = 0; i < 8; i++)
        add_register(step, machine, event, (JmContext)(i / 4),
                     (JmReg)(JM_REG_A0 + i % 4));
}

/* Adds the registers that an instruction has written besides Rd. */
static void add_implied(TraceStep *step, const JmMachine *machine, const JmEvent *event,
                        const JmDecoded *d) {
    const JmContext own = event->context;
    const bool background = own == JM_CONTEXT_BACKGROUND;
    const JmContext context = selected(machine, event, d->reg);
    const JmReg reg = (JmReg)(d->reg & JM_REG_N);
    if (d->op == JM_OP_WRITER && (reg != JM_REG_IP || context != own))
        add_register(step, machine, event, context, reg);
    if (d->op == JM_OP_CALL)
        add_register(step, machine, event, own, JM_REG_FIP);
    if (d->op == JM_OP_INVAL)
        add_address_registers(step, machine, event);
    if (jm_form_info(jm_op_info(d->op)->form)->op0 != JM_OP0_DST)
        return;
    add_register(step, machine, event, own, (JmReg)d->reg);
    if (d->reg >= JM_REG_A0 && !background)
        add_register(step, machine, event, own,
                     (JmReg)(JM_REG_ID0 + d->reg - JM_REG_A0));
}

static void find_registers(TraceStep *step, const JmMachine *machine,
                           const JmEvent *event) {
    const JmDecoded d = jm_decode(event->instruction);
    step->registers = 0;
    if (step->constant) {
        add_register(step, machine, event, event->context, JM_REG_R0);
        return;
    }
    if (jm_form_info(jm_op_info(d.op)->form)->has_rd)
        add_register(step, machine, event, event->context, (JmReg)d.rd);
    add_implied(step, machine, event, &d);
}

/* ---- the step -------------------------------------------------------------------- */

/* Adds an access of an instruction: those of the network, of dispatches and of faults
 * belong to none. */
static void add_access(TraceStep *step, const JmEvent *event) {
    if (event->by_network || event->access > JM_ACCESS_CALL_VECTOR ||
        step->accesses == TRACE_STEP_ACCESSES)
        return;
    step->access[step->accesses++] =
        (TraceAccess){event->kind == JM_EVENT_WRITE, event->address, event->word};
}

bool trace_step(TraceStep *step, const JmMachine *machine, const JmEvent *event) {
    /* Accesses of an instruction that faulted are of an earlier step. */
    if (step->node != event->node || step->cycle != event->cycle)
        step->accesses = 0;
    step->node = event->node;
    step->cycle = event->cycle;
    if (event->kind != JM_EVENT_EXECUTED) {
        add_access(step, event);
        return false;
    }
    step->constant = !jm_is_instruction(event->word);
    if (step->constant)
        jm_word_print(event->word, step->text, sizeof step->text);
    else
        jm_disassemble(event->instruction, step->text, sizeof step->text);
    if (!jm_instruction_line(machine, event->address, event->low, &step->file,
                             &step->line))
        step->file = NULL;
    find_registers(step, machine, event);
    return true;
}

/* ---- instructions without events ------------------------------------------------- */

static uint64_t completed(const JmMachine *machine, uint32_t rank) {
    JmNodeStatistics statistics;
    jm_node_statistics(machine, rank, &statistics);
    return statistics.instructions;
}

void trace_loop_start(TraceLoop *loop, const JmMachine *machine, uint32_t node) {
    const JmWord ip = jm_register(machine, node, JM_CONTEXT_BACKGROUND, JM_REG_IP);
    *loop = (TraceLoop){.instructions = completed(machine, node),
                        .ended = jm_now(machine),
                        .address = jm_field20(jm_data(ip)),
                        .cycles = jm_config(machine)->timing.jump};
}

uint64_t trace_loop_turns(TraceLoop *loop, const JmMachine *machine, uint32_t node,
                          const JmEvent *event) {
    const uint64_t now = completed(machine, node);
    const bool counts = event && jm_is_instruction(event->word);
    const uint64_t turns = now - loop->instructions - counts;
    loop->instructions = now;
    return turns;
}

void trace_loop_note(TraceLoop *loop, const JmMachine *machine, const JmEvent *event) {
    if (event->context != JM_CONTEXT_BACKGROUND)
        return;
    const JmDecoded d = jm_decode(event->instruction);
    loop->ended = event->cycle + event->count;
    loop->address = event->address;
    loop->cycles = jm_cycles(&jm_config(machine)->timing, &d, true, false);
}
