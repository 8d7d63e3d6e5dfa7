/* The oracle's instruction boundary: what is due, faults, dispatch, the passing of
 * cycles. Sections 6 and 7. */
#include "tests/isa/oracle.h"

#include <stdlib.h>
#include <string.h>

#include "tests/isa/oracle_parts.h"

OracleTiming oracle_timing_default(void) {
    return (OracleTiming){.base = 1,
                          .read_onchip = 1,
                          .write_onchip = 0,
                          .external = 5,
                          .suspend = 2,
                          .jump = 2,
                          .row_onchip = 1,
                          .row_external = 24,
                          .xlate = 3,
                          .dispatch = 4,
                          .fault = 4,
                          .constant = 1};
}

/* Section 9. */
Oracle *oracle_create(void) {
    Oracle *node = calloc(1, sizeof *node);
    node->memory = calloc(ORACLE_MEMORY_WORDS, sizeof *node->memory);
    node->timing = oracle_timing_default();
    node->row = ORACLE_NO_ROW;
    node->tbm_tag = JM_TAG_ADDR;
    node->b = node->i = node->interrupted_b = true;
    for (int k = 0; k < ORACLE_CONTEXTS; k++) {
        OracleContext *context = &node->context[k];
        for (int n = 0; n < 4; n++)
            context->a[n] = jm_addr(0, 0);
        context->ip = jm_ip(0, JM_IP_UNCHECKED);
        context->fip = jm_ip(0, JM_IP_UNCHECKED | JM_IP_ABSOLUTE);
        context->qbm = JM_ADDR_INVALID;
        context->qbm_tag = context->qhl_tag = JM_TAG_ADDR;
    }
    node->context[ORACLE_BACKGROUND].ip =
        jm_ip(0x1000, JM_IP_UNCHECKED | JM_IP_ABSOLUTE);
    return node;
}

void oracle_destroy(Oracle *node) {
    if (node) {
        free(node->memory);
        free(node->written);
        free(node);
    }
}

JmWord oracle_read(const Oracle *node, uint32_t address) {
    return node->memory[address & JM_ADDRESS_MASK];
}

void oracle_write(Oracle *node, uint32_t address, JmWord word) {
    address &= JM_ADDRESS_MASK;
    node->memory[address] = word;
    if (node->written_count == node->written_room) {
        node->written_room = 2 * node->written_room + 64;
        node->written =
            realloc(node->written, node->written_room * sizeof *node->written);
    }
    node->written[node->written_count++] = address;
}

void oracle_forget(Oracle *node) {
    node->written_count = 0;
}

unsigned oracle_running(const Oracle *node) {
    return node->b ? (unsigned)ORACLE_BACKGROUND : node->p;
}

static bool fault_mode(const Oracle *node) {
    return jm_data(node->context[oracle_running(node)].ip) & JM_IP_FAULT;
}

/* Section 6: enters `fault` in the running context. `was_in_fault_mode` is the F bit
 * of the IP at which it happened; `saved` becomes FIR, FOP0, FOP1. The IP has been
 * advanced by then if an instruction was fetched. "A fault taken while the running IP
 * has F=1, or one whose vector is not an IP word, becomes CATASTROPHE". */
static void enter_fault(Oracle *node, OracleStep *step, int fault,
                        bool was_in_fault_mode, const JmWord saved[3]) {
    OracleContext *context = &node->context[oracle_running(node)];
    /* Background shares the vectors of priority 0; physical addresses. */
    const uint32_t vectors = !node->b && node->p ? 0x60 : 0x40;
    JmWord target = oracle_read(node, vectors + (uint32_t)fault);
    step->fault = fault;
    step->catastrophe = was_in_fault_mode || jm_tag(target) != JM_TAG_IP;
    if (step->catastrophe)
        target = oracle_read(node, vectors + ORACLE_CATASTROPHE);
    context->fip = context->ip;
    /* "in the set of priority P whatever the context" */
    OracleContext *set = &node->context[node->p];
    set->fir = saved[0];
    set->fop0 = saved[1];
    set->fop1 = saved[2];
    if (jm_tag(target) != JM_TAG_IP) {
        node->stopped = true;
        step->act = ORACLE_DID_STOP;
        return;
    }
    context->ip = target;
    step->cycles += node->timing.fault;
}

/* Fetch faults, MSG, QUEUE and INTERRUPT belong to no instruction: NIL, NIL, NIL. */
static void enter_asynchronous(Oracle *node, OracleStep *step, int fault,
                               bool was_in_fault_mode) {
    const JmWord nothing[3] = {JM_NIL, JM_NIL, JM_NIL};
    enter_fault(node, step, fault, was_in_fault_mode, nothing);
}

/* Section 7: "A queue is pending when QHL.length >= 4", one row, whatever QBM.I says.
 */
static bool pending(const Oracle *node, unsigned priority) {
    return (node->context[priority].qhl & 0x3FF) >= 4;
}

/* The priority to dispatch now, or -1. The F bit does not mask dispatch, I does. */
static int due_priority(const Oracle *node) {
    if (node->i)
        return -1;
    if (pending(node, 1) && !node->context[1].active && (node->b || !node->p))
        return 1;
    return pending(node, 0) && !node->context[0].active && node->b ? 0 : -1;
}

/* Dispatch, or the MSG fault of a head word that is not a header. The head is read at
 * QHL.base as it stands. The MSG fault is taken whatever F the old IP of that context
 * holds, and begins a task as a dispatch does. */
static void dispatch(Oracle *node, OracleStep *step, unsigned priority) {
    OracleContext *context = &node->context[priority];
    const uint32_t head = jm_field20(context->qhl);
    const JmWord header = oracle_read(node, head);
    const uint32_t length = jm_data(header) & 0x3FF;
    if (priority == 1)
        node->interrupted_b = node->b;
    node->p = priority;
    node->b = false;
    context->active = true;
    if (jm_tag(header) != JM_TAG_MSG || length == 0) {
        step->act = ORACLE_DID_MSG_FAULT;
        context->q = false;
        enter_asynchronous(node, step, ORACLE_MSG, false);
        return;
    }
    step->act = ORACLE_DID_DISPATCH;
    context->q = true;
    context->a[3] = jm_addr(head, length);
    context->ip =
        jm_ip(jm_field20(jm_data(header)),
              (jm_data(header) & (JM_IP_UNCHECKED | JM_IP_FAULT)) | JM_IP_ABSOLUTE);
    step->cycles += node->timing.dispatch;
}

/* Fetch: section 4's checks on A0, then the word, which may cost a row. */
static int fetch(Oracle *node, OracleStep *step, JmWord *word) {
    const OracleContext *context = &node->context[oracle_running(node)];
    const uint32_t ip = jm_data(context->ip), a0 = jm_data(context->a[0]);
    uint32_t address = jm_field20(ip);
    if (!(ip & JM_IP_ABSOLUTE)) {
        if (a0 & JM_ADDR_INVALID)
            return ORACLE_INVADR;
        if ((a0 & 0x3FF) != 0 && address >= (a0 & 0x3FF))
            return ORACLE_LIMIT;
        address += jm_field20(a0);
    }
    address = oracle_switched(node, address);
    *word = oracle_read(node, address);
    if (node->row != address / 4) {
        node->row = address / 4;
        step->cycles += oracle_is_external(address) ? node->timing.row_external
                                                    : node->timing.row_onchip;
    }
    return ORACLE_NO_FAULT;
}

/* To the next instruction; past an inline constant always to the next word. */
static void advance(JmWord *ip, bool whole_word) {
    const uint32_t data = jm_data(*ip);
    const uint32_t next = (jm_field20(data) + 1) & JM_ADDRESS_MASK;
    const uint32_t flags = data & 0xC00001FF;
    if (!whole_word && !(data & JM_IP_PHASE))
        *ip = jm_word(jm_tag(*ip), data | JM_IP_PHASE);
    else
        *ip = jm_word(jm_tag(*ip), flags | next << 10);
}

/* Cost of an instruction that did not fault, fetch apart. SUSPEND, the table and jumps
 * cost so much "in all": that replaces base and on-chip operand, not what is external.
 */
static unsigned cost(const OracleRun *run) {
    const OracleTiming *timing = &run->node->timing;
    const unsigned externals = run->externals * timing->external;
    switch (run->op) {
    case 0x30:
        return timing->suspend;
    case 0x28:
    case 0x29:
    case 0x2D:
        return timing->xlate + externals;
    default:
        break;
    }
    if (run->jumped)
        return timing->jump + externals;
    return timing->base + externals + (run->onchip_read ? timing->read_onchip : 0) +
           (run->onchip_write ? timing->write_onchip : 0);
}

static void run_instruction(Oracle *node, OracleStep *step, JmWord word) {
    OracleContext *context = &node->context[oracle_running(node)];
    const uint32_t ip = jm_data(context->ip);
    const uint32_t bits = jm_instruction(word, (ip & JM_IP_PHASE) != 0);
    OracleRun run = {.node = node,
                     .context = context,
                     .op = bits >> 11,
                     .op2 = (bits >> 9) & 3,
                     .op1 = (bits >> 7) & 3,
                     .op0 = bits & 0x7F,
                     .instruction = bits,
                     .here = jm_field20(ip),
                     .checked = !(ip & JM_IP_UNCHECKED)};
    run.rs = context->r[run.op1];
    step->act = ORACLE_DID_INSTRUCTION;
    step->instruction = bits;
    advance(&context->ip, false);
    const int fault = oracle_execute(&run);
    if (node->stopped) {
        step->act = ORACLE_DID_STOP;
    } else if (fault == ORACLE_NO_FAULT) {
        step->cycles += cost(&run);
    } else {
        /* "A faulting instruction costs 1 + fetch, then the 4 of the fault." */
        const JmWord saved[3] = {jm_instruction_word(0, bits),
                                 run.has_operand ? run.operand : JM_NIL,
                                 oracle_form_has_rs(run.op) ? run.rs : JM_NIL};
        step->act = ORACLE_DID_FAULT;
        step->cycles += node->timing.base;
        enter_fault(node, step, fault, ip & JM_IP_FAULT, saved);
    }
}

/* A word that is not an instruction is an inline constant: into R0, even CFUT. */
static void fetch_and_run(Oracle *node, OracleStep *step) {
    OracleContext *context = &node->context[oracle_running(node)];
    JmWord word = JM_NIL;
    const int fault = fetch(node, step, &word);
    if (fault != ORACLE_NO_FAULT) {
        step->act = ORACLE_DID_FETCH_FAULT;
        enter_asynchronous(node, step, fault, fault_mode(node));
    } else if (jm_tag(word) < JM_TAG_INST0) {
        step->act = ORACLE_DID_CONSTANT;
        context->r[0] = word;
        advance(&context->ip, true);
        step->cycles += node->timing.constant;
    } else {
        run_instruction(node, step, word);
    }
}

/* Of the running priority; background sees no queue. */
static bool queue_full(const Oracle *node) {
    const OracleContext *context = &node->context[node->p];
    return !node->b && (context->qhl & 0x3FF) >= (context->qbm & 0x3FF) + 1;
}

/* Section 6, "Between instructions, in this order". */
static void boundary(Oracle *node, OracleStep *step) {
    const bool maskable = !node->i && !fault_mode(node);
    const int priority = due_priority(node);
    if (node->interrupt && maskable) {
        node->interrupt = false;
        step->act = ORACLE_DID_INTERRUPT;
        enter_asynchronous(node, step, ORACLE_INTERRUPT, false);
    } else if (queue_full(node) && maskable) {
        step->act = ORACLE_DID_QUEUE_FAULT;
        enter_asynchronous(node, step, ORACLE_QUEUE, false);
    } else if (priority >= 0) {
        dispatch(node, step, (unsigned)priority);
    } else {
        fetch_and_run(node, step);
    }
}

/* An instruction issued in cycle t acts on the state at its start; the network moves in
 * t as well, on the same state, so a WRITER to QBM or QHL closes or opens its gate from
 * t+1 and words offered in t leave from t+1. */
OracleStep oracle_step(Oracle *node) {
    OracleStep step = {.fault = ORACLE_NO_FAULT};
    bool gate[2] = {oracle_gate(node, 0), oracle_gate(node, 1)};
    boundary(node, &step);
    for (unsigned k = 0; k < step.cycles; k++) {
        oracle_net_cycle(node, gate);
        gate[0] = oracle_gate(node, 0);
        gate[1] = oracle_gate(node, 1);
        node->now++;
    }
    return step;
}
